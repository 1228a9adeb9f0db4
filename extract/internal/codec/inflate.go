package codec

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"sync"
)

// An Inflater reads DEFLATE data (RFC 1951) that is in memory as a whole, which is nearly twice as fast as
// reading it as a stream. What it does not like it leaves to a library: it gives errors, but no reasons. The
// zero Inflater is ready; it keeps its tables from call to call.
type Inflater struct {
	// lit has an entry for each lookup of litBits bits, and behind those the tables of longer codes; dist
	// likewise. An entry is
	//
	//	literal     bit 31, the byte << 16                     and the bits of its code
	//	length      its base << 16, bits of code << 8          and the bits of code and extra together
	//	distance    likewise
	//	table       bit 15, where it is << 16, its bits << 8   and the bits of its prefix
	//	end         bit 14                                     and the bits of its code
	//	no code     bit 14 and 15
	lit  [litSize]uint32
	dist [distSize]uint32
}

const (
	litBits, litSize   = 11, 4096 // a power of two, with room for 2342
	distBits, distSize = 8, 512   // and for 402

	isLiteral = 1 << 31
	isTable   = 1 << 15
	isEnd     = 1 << 14
	noCode    = isTable | isEnd

	longestMatch = 258
	slack        = longestMatch + 32 // so much may be written behind what is text
)

// ErrShort: the data goes on behind the source, as far as can be seen; what is wrong in its last bytes is told
// so, too.
var ErrShort = errors.New("deflate data is cut off")

// ErrInflate: the data is damaged, or longer than the limit.
var ErrInflate = errors.New("deflate data is damaged or too long")

// Inflate gives the text of the data that src begins with, at most limit bytes, and the number of bytes of src
// that spell it. The text takes the room of dst, all of it, and a fresh slice where that is not enough; src is
// only read.
func (f *Inflater) Inflate(dst, src []byte, limit int) (text []byte, n int, err error) {
	r := inflation{src: src, out: dst[:cap(dst)], limit: limit}
	for final := false; !final; {
		r.refill()
		final = r.bits&1 != 0
		kind := r.bits >> 1 & 3
		r.drop(3)
		switch kind {
		case 0:
			err = r.stored()
		case 1:
			err = fixed().block(&r)
		case 2:
			if err = f.dynamic(&r); err == nil {
				err = f.block(&r)
			}
		default:
			err = ErrInflate
		}
		if r.count < 0 || err != nil && len(src)-r.at < 8 {
			err = ErrShort // what is missing reads as zeros
		}
		if err != nil {
			return r.out[:0], 0, err
		}
	}
	return r.out[:r.w], r.at - r.count>>3, nil
}

// inflation is one call of Inflate.
type inflation struct {
	src   []byte
	at    int    // of the next byte of src
	bits  uint64 // read and not used, the next one lowest
	count int    // of them; negative when more were used than there are
	out   []byte
	w     int // of the next byte of out
	limit int
}

// refill makes the bits 56 at least, or all there are.
func (r *inflation) refill() {
	if len(r.src)-r.at >= 8 && r.count >= 0 {
		r.bits |= binary.LittleEndian.Uint64(r.src[r.at:]) << r.count
		r.at += (63 - r.count) >> 3
		r.count |= 56
		return
	}
	for r.count >= 0 && r.count <= 56 && r.at < len(r.src) {
		r.bits |= uint64(r.src[r.at]) << r.count
		r.at++
		r.count += 8
	}
}

func (r *inflation) drop(n int) {
	r.bits >>= n
	r.count -= n
}

// room makes room for n bytes more, with slack behind them.
func (r *inflation) room(n int) error {
	if r.w+n > r.limit {
		return ErrInflate
	}
	if need := r.w + n + slack; need > len(r.out) {
		out := make([]byte, max(2*len(r.out), need, 1<<16))
		copy(out, r.out[:r.w])
		r.out = out
	}
	return nil
}

// stored copies a block that is not compressed (3.2.4).
func (r *inflation) stored() error {
	r.drop(r.count & 7)
	r.at -= r.count >> 3
	r.bits, r.count = 0, 0
	if len(r.src)-r.at < 4 {
		return ErrShort
	}
	n := int(binary.LittleEndian.Uint16(r.src[r.at:]))
	if n^0xFFFF != int(binary.LittleEndian.Uint16(r.src[r.at+2:])) {
		return ErrInflate
	}
	r.at += 4
	if len(r.src)-r.at < n {
		return ErrShort
	}
	if err := r.room(n); err != nil {
		return err
	}
	r.w += copy(r.out[r.w:], r.src[r.at:r.at+n])
	r.at += n
	return nil
}

// Lengths and distances (3.2.5): base and extra bits of each code.
var (
	lengthBase  = [...]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [...]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [...]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [...]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}

	// codeOrder is that in which the lengths of the code lengths' codes come (3.2.7).
	codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// litEntry and distEntry are the entry of a symbol whose code has n bits.
func litEntry(symbol, n int) uint32 {
	switch {
	case symbol < 256:
		return isLiteral | uint32(symbol)<<16 | uint32(n)
	case symbol == 256:
		return isEnd | uint32(n)
	case symbol-257 < len(lengthBase):
		return uint32(lengthBase[symbol-257])<<16 | uint32(n)<<8 | uint32(n+int(lengthExtra[symbol-257]))
	}
	return noCode
}

func distEntry(symbol, n int) uint32 {
	if symbol < len(distBase) {
		return uint32(distBase[symbol])<<16 | uint32(n)<<8 | uint32(n+int(distExtra[symbol]))
	}
	return noCode
}

// fixed has the tables of 3.2.6.
var fixed = sync.OnceValue(func() *Inflater {
	var lengths [320]uint8
	for i := range 288 {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	for i := range 32 {
		lengths[288+i] = 5
	}
	f := new(Inflater)
	if err := f.tables(lengths[:288], lengths[288:]); err != nil {
		panic(err) // they are constant
	}
	return f
})

func (f *Inflater) tables(lit, dist []uint8) error {
	if !makeTable(f.lit[:], litBits, lit, litEntry) || !makeTable(f.dist[:], distBits, dist, distEntry) {
		return ErrInflate
	}
	return nil
}

// dynamic reads the tables of a block (3.2.7).
func (f *Inflater) dynamic(r *inflation) error {
	r.refill()
	nlit, ndist, ncode := int(r.bits&31)+257, int(r.bits>>5&31)+1, int(r.bits>>10&15)+4
	r.drop(14)
	var codes [19]uint8
	for i := range ncode {
		if i%16 == 0 {
			r.refill()
		}
		codes[codeOrder[i]] = uint8(r.bits & 7)
		r.drop(3)
	}
	// The codes of the lengths have 7 bits at most: they are read with the table of distances.
	if !makeTable(f.dist[:], distBits, codes[:], func(symbol, n int) uint32 { return uint32(symbol)<<16 | uint32(n) }) {
		return ErrInflate
	}
	var lengths [288 + 32 + 138]uint8
	for i := 0; i < nlit+ndist; {
		r.refill()
		if r.count < 0 {
			return ErrShort
		}
		e := f.dist[r.bits&(1<<distBits-1)]
		if e&noCode != 0 {
			return ErrInflate
		}
		r.drop(int(e & 63))
		symbol, repeat, times := uint8(e>>16), uint8(0), 0
		switch symbol {
		case 16:
			if i == 0 {
				return ErrInflate
			}
			repeat, times = lengths[i-1], 3+int(r.bits&3)
			r.drop(2)
		case 17:
			times = 3 + int(r.bits&7)
			r.drop(3)
		case 18:
			times = 11 + int(r.bits&127)
			r.drop(7)
		default:
			lengths[i] = symbol
			i++
			continue
		}
		for range times {
			lengths[i] = repeat
			i++
		}
		if i > nlit+ndist {
			return ErrInflate
		}
	}
	if nlit > 286 || lengths[256] == 0 {
		return ErrInflate
	}
	return f.tables(lengths[:nlit], lengths[nlit:nlit+ndist])
}

// makeTable makes the table of a canonical code (3.2.2) from the lengths of its symbols, 0 for none. A code
// is to be complete, or of one symbol at most.
func makeTable(table []uint32, primary int, lengths []uint8, entry func(symbol, n int) uint32) bool {
	var count [16]int
	for _, n := range lengths {
		count[n]++
	}
	used := len(lengths) - count[0]
	left := 1
	for n := 1; n < 16; n++ {
		if left = left<<1 - count[n]; left < 0 {
			return false
		}
	}
	if left > 0 {
		if used > 1 || used == 1 && count[1] == 0 {
			return false
		}
		table[0], table[1] = noCode, noCode
	}
	var next, first [16]int // codes, and places in symbols
	code, place := 0, 0
	for n := 1; n < 16; n++ {
		code <<= 1
		next[n], first[n] = code, place
		code, place = code+count[n], place+count[n]
	}
	var symbols [320]uint16
	for symbol, n := range lengths {
		if n > 0 {
			symbols[first[n]] = uint16(symbol)
			first[n]++
		}
	}
	place = 0
	reversed := func(n int) int {
		code := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		next[n]++
		place++
		return code
	}
	// A table for codes of so many bits is one for a bit less, twice, and the codes of that length.
	for n := 1; n <= primary; n++ {
		if n > 1 {
			copy(table[1<<(n-1):1<<n], table)
		}
		for range count[n] {
			e := entry(int(symbols[place]), n)
			table[reversed(n)] = e
		}
	}
	free, prefix, sub, subBits := 1<<primary, -1, 0, 0
	for n := primary + 1; n < 16; n++ {
		for i := range count[n] {
			e := entry(int(symbols[place]), n)
			code := reversed(n)
			if p := code & (1<<primary - 1); p != prefix {
				// The codes with this prefix come next to one another: so many bits hold them all.
				prefix, sub, subBits = p, free, n-primary
				for room := 1<<subBits - (count[n] - i); room > 0 && primary+subBits < 15; {
					subBits++
					room = room<<1 - count[primary+subBits]
				}
				if free += 1 << subBits; free > len(table) {
					return false
				}
				table[p] = isTable | uint32(sub)<<16 | uint32(subBits)<<8 | uint32(primary)
			}
			for at := code >> primary; at < 1<<subBits; at += 1 << (n - primary) {
				table[sub+at] = e
			}
		}
	}
	return true
}

// block reads the codes of a block up to its end.
func (f *Inflater) block(r *inflation) (err error) {
	r.at, r.bits, r.count, r.w, err = f.codes(r, r.at, r.bits, r.count, r.w)
	return err
}

// codes is block with what changes all the time in variables of its own, and so in registers.
func (f *Inflater) codes(r *inflation, at int, buf uint64, count, w int) (int, uint64, int, int, error) {
	src, out := r.src, r.out
	for {
		if len(src)-at >= 8 {
			buf |= binary.LittleEndian.Uint64(src[at:]) << (uint(count) & 63)
			at += (63 - count) >> 3
			count |= 56
		} else {
			for count <= 56 && at < len(src) {
				buf |= uint64(src[at]) << (uint(count) & 63)
				at++
				count += 8
			}
		}
		if w+slack > len(out) || w > r.limit {
			r.w = w
			if err := r.room(slack); err != nil {
				return at, buf, count, w, err
			}
			out = r.out
		}
		e := f.lit[buf&(1<<litBits-1)]
		if e&isLiteral != 0 { // three of them fit into the bits there are
			buf >>= e & 63
			count -= int(e & 63)
			out[w] = byte(e >> 16)
			w++
			e = f.lit[buf&(1<<litBits-1)]
			if e&isLiteral != 0 {
				buf >>= e & 63
				count -= int(e & 63)
				out[w] = byte(e >> 16)
				w++
				e = f.lit[buf&(1<<litBits-1)]
				if e&isLiteral != 0 {
					buf >>= e & 63
					count -= int(e & 63)
					out[w] = byte(e >> 16)
					w++
					if count < 0 {
						return at, buf, count, w, ErrShort
					}
					continue
				}
			}
			if count < 0 {
				return at, buf, count, w, ErrShort
			}
			if count < 48 {
				if len(src)-at >= 8 {
					buf |= binary.LittleEndian.Uint64(src[at:]) << (uint(count) & 63)
					at += (63 - count) >> 3
					count |= 56
				} else {
					for count <= 56 && at < len(src) {
						buf |= uint64(src[at]) << (uint(count) & 63)
						at++
						count += 8
					}
				}
			}
		}
		if e&(isTable|isEnd) != 0 {
			if e&noCode == isTable {
				e = f.lit[(e>>16+uint32(buf>>litBits)&(1<<(e>>8&15)-1))&(litSize-1)]
			}
			switch {
			case e&isLiteral != 0:
				buf >>= e & 63
				count -= int(e & 63)
				out[w] = byte(e >> 16)
				w++
				if count < 0 {
					return at, buf, count, w, ErrShort
				}
				continue
			case e&noCode == isEnd:
				buf >>= e & 63
				if count -= int(e & 63); count < 0 {
					return at, buf, count, w, ErrShort
				}
				return at, buf, count, w, nil
			case e&noCode != 0:
				return at, buf, count, w, ErrInflate
			}
		}
		length := int(e>>16) + int(buf&(1<<(e&63)-1)>>(e>>8&63))
		buf >>= e & 63
		count -= int(e & 63)
		e = f.dist[buf&(1<<distBits-1)]
		if e&noCode != 0 {
			if e&noCode == isTable {
				e = f.dist[(e>>16+uint32(buf>>distBits)&(1<<(e>>8&15)-1))&(distSize-1)]
			}
			if e&noCode != 0 {
				return at, buf, count, w, ErrInflate
			}
		}
		distance := int(e>>16) + int(buf&(1<<(e&63)-1)>>(e>>8&63))
		buf >>= e & 63
		if count -= int(e & 63); count < 0 {
			return at, buf, count, w, ErrShort
		}
		from := w - distance
		if from < 0 {
			return at, buf, count, w, ErrInflate
		}
		end := w + length
		if distance >= 8 {
			for {
				binary.LittleEndian.PutUint64(out[w:], binary.LittleEndian.Uint64(out[from:]))
				if w, from = w+8, from+8; w >= end {
					break
				}
			}
		} else {
			for ; w < end; w++ {
				out[w] = out[w-distance]
			}
		}
		w = end
	}
}
