package inflate

// This file has Inflater, a fast decompressor for DEFLATE data in memory. Its tables are made in tables.go.

import (
	"encoding/binary"
	"errors"
)

// An Inflater decompresses DEFLATE data (RFC 1951) that is completely in memory. It is more than twice as fast as a reader
// of a stream. Its errors have no details. To get details, read the data with a library. The zero Inflater is ready for
// use. It keeps the memory of its tables from call to call.
//
//	block     bit 0     1 for the last block (3.2.3)
//	          bits 1-2  0: stored, 1: compressed with fixed tables, 2: compressed with its own tables
//	          then      the bytes (3.2.4), or the codes (3.2.5), after the tables, if any (3.2.7)
//	codes     a literal, or a length and a distance, ...; at last the end of the block
type Inflater struct {
	// lit has an entry for each value of the next litBits bits. After these entries it has the tables of longer codes.
	// dist is the same for distances. An entry has these bits:
	//
	//	             31-16                         15-14   13-8                  7-0
	//	literal      bit 31, and the byte          0       bits of the code      bits of the code
	//	length       base of the length            0       bits of the code      bits of the code and the extra bits
	//	distance     base of the distance          0       bits of the code      bits of the code and the extra bits
	//	table        first entry of the table      2       bits of the table     bits of the prefix
	//	end          0                             1       bits of the code      bits of the code
	//	no code      0                             3       any                   any
	lit  [litSize]uint32
	dist [distSize]uint32
}

const (
	litBits, litSize   = 11, 4096 // at most 2342 entries are in use; the size is a power of two
	distBits, distSize = 8, 512   // at most 402 entries are in use

	isLiteral = 1 << 31
	isTable   = 1 << 15
	isEnd     = 1 << 14
	noCode    = isTable | isEnd

	longestMatch = 258
)

// ErrShort reports that the source ends before the end of the data. Damage in the last bytes has this error too.
var ErrShort = errors.New("deflate data is truncated")

// ErrInflate reports that the data is damaged, or longer than the limit.
var ErrInflate = errors.New("deflate data is damaged or too long")

// Inflate returns the text of the data at the start of src, and the number of bytes of the data. The text has at most
// limit bytes. It is in the memory of dst, up to its capacity, or in a new slice if dst is too small. Inflate only
// reads src. The error is ErrShort or ErrInflate.
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
			err = ErrShort // the missing bits read as zeros
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
	at    int    // the offset of the next byte of src
	bits  uint64 // the bits that were read and not used; the next bit is the lowest
	count int    // the number of these bits; negative if more bits were used than src has
	out   []byte
	w     int // the offset of the next byte of out
	limit int
}

// refill reads bytes until there are at least 56 bits, or to the end of src.
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

// drop removes the next n bits.
func (r *inflation) drop(n int) {
	r.bits >>= n
	r.count -= n
}

// room makes out large enough for n more bytes and the slack. It returns ErrInflate if the text would be longer than
// the limit.
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

// block reads the codes of a block up to its end: a literal, the end of the block, or a length and a distance (3.2.3).
func (f *Inflater) block(r *inflation) error {
	for {
		end, err := f.fast(r)
		if !end {
			end, err = f.one(r)
		}
		switch {
		case err != nil, r.w > r.limit:
			return ErrInflate
		case end:
			return nil
		}
	}
}

// one reads one code of a block. It works at the end of the source, and makes room for more text. Inflate returns ErrShort
// if the count is negative after the code.
func (f *Inflater) one(r *inflation) (end bool, err error) {
	if err := r.room(0); err != nil || r.count < 0 {
		return true, ErrInflate
	}
	r.refill()
	e := f.lit[r.bits&(1<<litBits-1)]
	if e&noCode == isTable {
		e = f.lit[second(e, r.bits>>litBits)&(litSize-1)]
	}
	bits := r.bits
	r.drop(int(e & 63))
	if e&isLiteral != 0 {
		r.out[r.w] = byte(e >> 16)
		r.w++
		return false, nil
	}
	if e&noCode != 0 {
		return true, endOf(e)
	}
	length := value(e, bits)
	e = f.distance(r.bits)
	distance := value(e, r.bits)
	r.drop(int(e & 63))
	if e&noCode != 0 || distance > r.w {
		return true, ErrInflate
	}
	r.w = repeat(r.out, r.w, length, distance)
	return false, nil
}

// distance returns the entry of the distance code at the start of bits.
func (f *Inflater) distance(bits uint64) uint32 {
	e := f.dist[bits&(1<<distBits-1)]
	if e&noCode == isTable {
		e = f.dist[second(e, bits>>distBits)&(distSize-1)]
	}
	return e
}

// second returns the offset of the entry for bits in the table of e. bits come after the prefix of e.
func second(e uint32, bits uint64) uint32 { return e>>16 + uint32(bits)&(1<<(e>>8&15)-1) }

// value returns the length or the distance of an entry: the sum of its base and the extra bits after its code.
func value(e uint32, bits uint64) int { return int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&63)) }

// endOf returns the error of an entry that is not a literal or a length: nil for the end of the block, or ErrInflate.
func endOf(e uint32) error {
	if e&noCode == isEnd {
		return nil
	}
	return ErrInflate
}

// repeat copies length bytes to out[w:], from the place distance bytes before out[w], and returns the end of the copy. It may
// write up to 7 bytes after the end.
func repeat(out []byte, w, length, distance int) int {
	from, end := w-distance, w+length
	if distance < 8 {
		for ; w < end; w++ {
			out[w] = out[w-distance]
		}
		return end
	}
	for {
		binary.LittleEndian.PutUint64(out[w:], binary.LittleEndian.Uint64(out[from:]))
		if w, from = w+8, from+8; w >= end {
			return end
		}
	}
}
