// Package inflate decompresses DEFLATE data (RFC 1951) that is in memory as a whole.
//
// A web archive is many short members, each compressed on its own, and reading it is mostly decompressing. With the
// stream reader of github.com/klauspost/compress instead of this package, the links of a WARC file take 40 % more CPU
// time. A stream reader must be able to stop at each byte and keep a window; here the text is its own window.
package inflate

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
)

// An Inflater decompresses any number of data, and keeps only its tables, of 48 KiB, in between. The zero value is
// ready for use. Two goroutines must not use it at the same time.
//
// A table is indexed by the next bits of the data. A code of at most 11 bits takes one lookup, because its entry is
// repeated for each value of the bits after it. Longer codes that begin with the same 11 bits share a second table, for
// the other 4 bits. The tables of distances are alike, with 8 and 7 bits.
//
//	         0                  2047   2048     2063   2064     2079
//	       +-------------------------+---------------+---------------+----
//	lit    |  by the first 11 bits   | by the next 4 | by the next 4 | ...
//	       +----|-------------|------+---------------+---------------+----
//	            entry         table  --^
//
// An entry has two counts of bits, so that one shift drops a code with its extra bits, and another finds the extra
// bits:
//
//	             31-16                       15-14   13-8               7-0
//	literal      bit 31, and the byte        0       bits of the code   bits of the code
//	length       the lowest length           0       bits of the code   bits of the code and the extra bits
//	distance     the lowest distance         0       bits of the code   bits of the code and the extra bits
//	table        index of the second table   2       0                  0
//	end          0                           1       bits of the code   bits of the code
//	no code      0                           3       any                any
type Inflater struct {
	lit   [litSize]uint32
	dist  [distSize]uint32
	fixed bool // the tables are those of fixed codes
}

// The codes are complete, so at least two share a second table: there are at most 143 for the 286 literals and lengths,
// and 15 for the 30 distances. The sizes are powers of two, so that a mask keeps an index in bounds.
const (
	mostBits           = 15       // of a code
	litBits, litSize   = 11, 8192 // 2^11 + 143 * 2^4 entries are in use
	distBits, distSize = 8, 4096  // 2^8 + 15 * 2^7

	isLiteral = 1 << 31
	isTable   = 1 << 15
	isEnd     = 1 << 14
	noCode    = isTable | isEnd
)

// ErrCorrupt reports that the data is not DEFLATE data.
var ErrCorrupt = errors.New("inflate: corrupt data")

// Inflate decompresses the data at the start of src into the memory of dst, up to its capacity. It returns the text,
// and the length of the data, which may be shorter than src. The error is io.ErrShortBuffer if the text is longer than
// the capacity of dst, and io.ErrUnexpectedEOF if the data is longer than src; the same call with more of either can
// succeed. Any other fault is ErrCorrupt. With an error, text is nil.
//
//	block   1 bit     1 for the last block (3.2.3)
//	        2 bits    0: stored, 1: fixed codes, 2: codes of its own
//	        ...       0: the bytes (3.2.4); 2: the lengths of its codes (3.2.7)
//	                  1 and 2: the codes of the text, and one for the end
func (f *Inflater) Inflate(dst, src []byte) (text []byte, n int, err error) {
	s := stream{src: src, out: dst[:cap(dst)]}
	for final := false; err == nil && !final; {
		s.refill()
		final = s.take(1) == 1
		switch kind := s.take(2); {
		case s.count < 0:
			err = io.ErrUnexpectedEOF
		case kind == 0:
			err = s.stored()
		case kind == 1:
			f.fixedCodes()
			err = f.block(&s)
		case kind == 2:
			if err = f.ownCodes(&s); err == nil {
				err = f.block(&s)
			}
		default:
			err = ErrCorrupt
		}
	}
	if err != nil {
		return nil, 0, err
	}
	return s.out[:s.w], s.at - s.count>>3, nil
}

// stream is the state between two codes. Bits are read from src ahead of time. Those after the end of src read as 0,
// and taking them makes count negative.
type stream struct {
	src   []byte
	at    int    // the bytes of src that were read
	bits  uint64 // the next bits, the lowest first; above count they are 0, or those of src
	count int    // the bits of src in bits
	out   []byte
	w     int // the length of the text so far
}

// refill reads until there are at least 56 bits, or up to the end of src.
func (s *stream) refill() {
	for ; s.count <= 56 && s.at < len(s.src); s.count += 8 {
		s.bits |= uint64(s.src[s.at]) << s.count
		s.at++
	}
}

func (s *stream) take(n int) int {
	taken := s.bits & (1<<n - 1)
	s.bits >>= n
	s.count -= n
	return int(taken)
}

// stored copies a stored block.
//
//	0-7 bits   up to the next byte
//	2 bytes    LEN
//	2 bytes    its complement
//	LEN bytes
func (s *stream) stored() error {
	data := s.src[s.at-s.count>>3:] // from the first byte of which no bit was taken
	if len(data) < 4 {
		return io.ErrUnexpectedEOF
	}
	n := int(binary.LittleEndian.Uint16(data))
	switch {
	case n^0xFFFF != int(binary.LittleEndian.Uint16(data[2:])):
		return ErrCorrupt
	case n > len(data)-4:
		return io.ErrUnexpectedEOF
	case n > len(s.out)-s.w:
		return io.ErrShortBuffer
	}
	s.w += copy(s.out[s.w:], data[4:4+n])
	s.at, s.bits, s.count = len(s.src)-len(data)+4+n, 0, 0
	return nil
}

// block decompresses the codes of a block. It is one function, and copies stream to variables, so that they stay in
// registers: with the fields of s, it takes at least twice the CPU time.
//
//gocognit:ignore
func (f *Inflater) block(s *stream) (err error) {
	src, out := s.src, s.out
	at, bits, count, w := s.at, s.bits, s.count, s.w
	for {
		if len(src)-at >= 8 {
			bits |= binary.LittleEndian.Uint64(src[at:]) << (count & 63)
			at += (63 - count) >> 3
			count |= 56
		} else {
			for ; count <= 56 && at < len(src); count += 8 {
				bits |= uint64(src[at]) << (count & 63)
				at++
			}
			if count < 0 {
				break
			}
		}
		// 48 of the 56 bits are enough for a length and a distance.
		e := f.lit[bits&(1<<litBits-1)]
		if e&noCode == isTable {
			e = f.lit[(e>>16+uint32(bits>>litBits)&(1<<(mostBits-litBits)-1))&(litSize-1)]
		}
		if e&isLiteral != 0 {
			bits, count = bits>>(e&63), count-int(e&63)
			if w >= len(out) {
				err = io.ErrShortBuffer
				break
			}
			out[w] = byte(e >> 16)
			w++
			// Another literal often follows, and its bits have been read.
			if e = f.lit[bits&(1<<litBits-1)]; e&isLiteral != 0 && w < len(out) && count > 15 {
				bits, count = bits>>(e&63), count-int(e&63)
				out[w] = byte(e >> 16)
				w++
			}
			continue
		}
		length := value(e, bits)
		bits, count = bits>>(e&63), count-int(e&63)
		if e&noCode != 0 {
			if e&noCode != isEnd {
				err = ErrCorrupt
			}
			break
		}
		e = f.dist[bits&(1<<distBits-1)]
		if e&noCode == isTable {
			e = f.dist[(e>>16+uint32(bits>>distBits)&(1<<(mostBits-distBits)-1))&(distSize-1)]
		}
		distance := value(e, bits)
		bits, count = bits>>(e&63), count-int(e&63)
		if e&noCode != 0 || distance > w {
			err = ErrCorrupt
			break
		}
		if length > len(out)-w {
			err = io.ErrShortBuffer
			break
		}
		from, end := w-distance, w+length
		if distance >= 16 && len(out)-end >= 32 { // the last copy may write beyond end
			for ; w < end; w, from = w+32, from+32 {
				copy(out[w:w+16], out[from:from+16])
				copy(out[w+16:w+32], out[from+16:from+32])
			}
			w = end
			continue
		}
		for ; w < end; w, from = w+1, from+1 {
			out[w] = out[from]
		}
	}
	s.at, s.bits, s.count, s.w = at, bits, count, w
	if count < 0 {
		return io.ErrUnexpectedEOF // even if the zeros after the end of src were a fault
	}
	return err
}

// value adds the extra bits after the code to the lowest length or distance of an entry.
func value(e uint32, bits uint64) int { return int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&63)) }

// The lowest length or distance of each code, and the number of its extra bits (3.2.5).
var (
	lengths = [...]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
		131, 163, 195, 227, 258}
	lengthExtra = [...]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distances   = [...]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
		2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra = [...]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12,
		13, 13}
)

// The entries of all symbols, to which makeTable adds the bits of the code. Literals 286 and 287, and distances 30 and
// 31, have fixed codes that are never used (3.2.6).
var (
	litEntries    = entries(288, 257, lengths[:], lengthExtra[:])
	distEntries   = entries(32, 0, distances[:], distExtra[:])
	lengthEntries = entries(19, 19, nil, nil) // the lengths of codes, as literals
)

// entries returns the entries of n symbols: first literals and the end, and then symbols with a lowest value.
func entries(n, literals int, lowest []uint16, extra []uint8) []uint32 {
	all := make([]uint32, n)
	for symbol := range all {
		switch i := symbol - literals; {
		case symbol == 256:
			all[symbol] = isEnd
		case i < 0:
			all[symbol] = isLiteral | uint32(symbol)<<16
		case i < len(lowest):
			all[symbol] = uint32(lowest[i])<<16 | uint32(extra[i])
		default:
			all[symbol] = noCode
		}
	}
	return all
}

// fixedCodes makes the tables of the fixed codes (3.2.6), unless f has them.
func (f *Inflater) fixedCodes() {
	if f.fixed {
		return
	}
	var bits [288 + 32]uint8
	for symbol := range bits {
		switch {
		case symbol < 144, 280 <= symbol && symbol < 288:
			bits[symbol] = 8
		case symbol < 256:
			bits[symbol] = 9
		case symbol < 280:
			bits[symbol] = 7
		default:
			bits[symbol] = 5
		}
	}
	makeTable(f.lit[:], litBits, bits[:288], litEntries)
	makeTable(f.dist[:], distBits, bits[288:], distEntries)
	f.fixed = true
}

// order is that of the lengths of the codes for lengths (3.2.7).
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// ownCodes reads the lengths of the codes of a block (3.2.7), and makes the tables.
//
//	5 bits   the number of literals and lengths, less 257
//	5 bits   the number of distances, less 1
//	4 bits   the number of codes for lengths, less 4
//	3 bits   for each of these: its length, in a special order
//	codes    for the lengths of all codes of the block; 16, 17 and 18 repeat a length
func (f *Inflater) ownCodes(s *stream) error {
	f.fixed = false
	s.refill()
	nlit, ndist, ncode := s.take(5)+257, s.take(5)+1, s.take(4)+4
	var codes [19]uint8
	for _, symbol := range order[:ncode] {
		s.refill()
		codes[symbol] = uint8(s.take(3))
	}
	switch {
	case s.count < 0:
		return io.ErrUnexpectedEOF
	// these codes have 7 bits at most
	case nlit > 286 || ndist > 30 || !makeTable(f.dist[:], distBits, codes[:], lengthEntries):
		return ErrCorrupt
	}
	var bits [286 + 30]uint8
	for i := 0; i < nlit+ndist; {
		s.refill()
		e := f.dist[s.bits&(1<<distBits-1)]
		s.take(int(e & 63))
		n, times := uint8(e>>16), 1
		switch n {
		case 16:
			n, times = 0, 3+s.take(2)
			if i > 0 {
				n = bits[i-1]
			} else {
				e = noCode // there is nothing to repeat
			}
		case 17:
			n, times = 0, 3+s.take(3)
		case 18:
			n, times = 0, 11+s.take(7)
		}
		switch {
		case s.count < 0:
			return io.ErrUnexpectedEOF
		case e&noCode != 0 || times > nlit+ndist-i:
			return ErrCorrupt
		}
		for range times {
			bits[i] = n
			i++
		}
	}
	if bits[256] == 0 || !makeTable(f.lit[:], litBits, bits[:nlit], litEntries) ||
		!makeTable(f.dist[:], distBits, bits[nlit:nlit+ndist], distEntries) {
		return ErrCorrupt
	}
	return nil
}

// makeTable makes the table for canonical codes (3.2.2). lengths has the number of bits of the code of each symbol, or
// 0. makeTable returns false if there are more codes than the bits allow, or fewer. No code at all, or one of one bit,
// is allowed.
func makeTable(table []uint32, primary int, lengths []uint8, entries []uint32) bool {
	var count, first [mostBits + 2]int // for n bits: the number of symbols, and the index of the next one in symbols
	for _, n := range lengths {
		count[n&15]++
	}
	used, left := len(lengths)-count[0], 1
	count[0] = 0
	for n := 1; n <= mostBits; n++ {
		if left = left<<1 - count[n]; left < 0 {
			return false
		}
		first[n+1] = first[n] + count[n]
	}
	if left > 0 && (used > 1 || used != count[1]) {
		return false
	}
	var symbols [288]uint16 // in the order of their codes
	for symbol, n := range lengths {
		if n > 0 {
			symbols[first[n&15]] = uint16(symbol)
			first[n&15]++
		}
	}
	next, code := symbols[:used], 0
	table[0] = noCode
	for n := 1; n <= primary; n++ { // the table for n bits is that for n-1 bits, twice, and the codes of n bits
		copy(table[1<<(n-1):1<<n], table)
		code <<= 1
		for range count[n] {
			table[reversed(code, n)] = entries[next[0]] + uint32(n)*0x101
			next, code = next[1:], code+1
		}
	}
	prefixes, rest := code, mostBits-primary // all other codes begin with this one or a later one
	for n := primary + 1; len(next) > 0; n++ {
		code <<= 1
		for range count[n] {
			prefix := code >> (n - primary)
			second := 1<<primary + (prefix-prefixes)<<rest
			table[reversed(prefix, primary)] = isTable | uint32(second)<<16
			for i := reversed(code, n) >> primary; i < 1<<rest; i += 1 << (n - primary) {
				table[second+i] = entries[next[0]] + uint32(n)*0x101
			}
			next, code = next[1:], code+1
		}
	}
	return true
}

// reversed returns a code of n bits as the data has it, with its first bit lowest.
func reversed(code, n int) int { return int(bits.Reverse16(uint16(code)) >> (16 - n)) }
