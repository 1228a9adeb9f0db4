package codec

import (
	"encoding/binary"
	"errors"
)

// An Inflater decompresses DEFLATE data (RFC 1951) that is in memory as a whole. It is nearly twice as fast as a reader of a
// stream. Its errors have no details: read the data with a library to get them. The zero Inflater is ready for use. It
// keeps its tables from call to call.
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

// ErrShort reports that the data continues after the end of the source. Damage in the last bytes is reported so, too.
var ErrShort = errors.New("deflate data is cut off")

// ErrInflate reports that the data is damaged, or longer than the limit.
var ErrInflate = errors.New("deflate data is damaged or too long")

// Inflate returns the text of the data at the start of src, of at most limit bytes, and the number of bytes of that data. It
// uses all the memory of dst for the text, and a new slice if that is too small. It only reads src.
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

// block reads the codes of a block up to its end.
func (f *Inflater) block(r *inflation) (err error) {
	r.at, r.bits, r.count, r.w, err = f.codes(r, r.at, r.bits, r.count, r.w)
	return err
}

// codes is block with the values that change for each code in variables of its own, and so in registers. It is the
// loop of RFC 1951, 3.2.3: a literal, the end of the block, or a length and a distance.
//
// A count below 0 means that the source is too short. One check at the start of the loop is enough: slack has room
// for the bytes that one turn writes, and Inflate returns ErrShort for every count below 0.
//
// Three literals are read in one turn, each with a branch of its own that the processor predicts by itself. As a loop
// over the three, all of it takes 5 % longer for a WARC file.
//
//gocognit:ignore
func (f *Inflater) codes(r *inflation, at int, buf uint64, count, w int) (int, uint64, int, int, error) {
	src, out := r.src, r.out
	for count >= 0 && w <= r.limit {
		at, buf, count = refilled(src, at, buf, count)
		if w+slack > len(out) {
			r.w = w
			if err := r.room(slack); err != nil {
				return at, buf, count, w, err
			}
			out = r.out
		}
		e := f.lit[buf&(1<<litBits-1)]
		if e&isLiteral != 0 { // the 56 bits after refilled are enough for three of them
			buf, count = used(buf, count, e)
			out[w] = byte(e >> 16)
			w++
			e = f.lit[buf&(1<<litBits-1)]
			if e&isLiteral != 0 {
				buf, count = used(buf, count, e)
				out[w] = byte(e >> 16)
				w++
				e = f.lit[buf&(1<<litBits-1)]
				if e&isLiteral != 0 {
					buf, count = used(buf, count, e)
					out[w] = byte(e >> 16)
					w++
					continue
				}
			}
			if count < 48 {
				at, buf, count = refilled(src, at, buf, count)
			}
		}
		if e&noCode == isTable {
			e = f.lit[second(e, buf>>litBits)&(litSize-1)]
			if e&isLiteral != 0 {
				buf, count = used(buf, count, e)
				out[w] = byte(e >> 16)
				w++
				continue
			}
		}
		if e&noCode != 0 {
			buf, count = used(buf, count, e)
			return at, buf, count, w, endOf(e)
		}
		length := value(e, buf)
		buf, count = used(buf, count, e)
		e = f.distance(buf)
		distance := value(e, buf)
		buf, count = used(buf, count, e)
		if e&noCode != 0 || distance > w {
			return at, buf, count, w, ErrInflate
		}
		w = repeat(out, w, length, distance)
	}
	return at, buf, count, w, ErrInflate
}

// distance returns the entry of the distance that bits start with.
func (f *Inflater) distance(bits uint64) uint32 {
	e := f.dist[bits&(1<<distBits-1)]
	if e&noCode == isTable {
		e = f.dist[second(e, bits>>distBits)&(distSize-1)]
	}
	return e
}

// refilled returns bits, of which there are count, with 56 at least, or all there are up to the end of src.
func refilled(src []byte, at int, bits uint64, count int) (int, uint64, int) {
	if len(src)-at >= 8 {
		return at + (63-count)>>3, bits | binary.LittleEndian.Uint64(src[at:])<<(uint(count)&63), count | 56
	}
	for count <= 56 && at < len(src) {
		bits |= uint64(src[at]) << (uint(count) & 63)
		at++
		count += 8
	}
	return at, bits, count
}

// used returns the bits without those of an entry.
func used(bits uint64, count int, e uint32) (uint64, int) {
	return bits >> (e & 63), count - int(e&63)
}

// second returns the place of the entry that e, an entry for a table, leads to. bits come after its prefix.
func second(e uint32, bits uint64) uint32 { return e>>16 + uint32(bits)&(1<<(e>>8&15)-1) }

// value returns the length or distance of an entry: its base and the extra bits after its code.
func value(e uint32, bits uint64) int { return int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&63)) }

// endOf returns the error of an entry that ends a block: nil if it is the code of its end.
func endOf(e uint32) error {
	if e&noCode == isEnd {
		return nil
	}
	return ErrInflate
}

// repeat copies length bytes from distance bytes before out[w] to out[w:], and returns the end of the copy. It may write
// up to 7 bytes more.
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
