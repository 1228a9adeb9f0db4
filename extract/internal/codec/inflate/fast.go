package inflate

// This file has the loop of an Inflater that reads most codes.

import "encoding/binary"

const (
	fastSource = 8  // the number of bytes of the source that one turn of the loop in fast may read: one refill
	fastCopy   = 48 // the number of bytes of a match that fast copies without a loop

	// slack is the number of bytes after the text that one turn may write: a literal or a match. The last copy of a match may
	// write up to 15 bytes more, and a short match may write fastCopy bytes.
	slack = longestMatch + fastCopy
)

// fast reads codes as long as the source and the output have room for one more turn of its loop. It needs no checks for
// the end of the source. It returns at the end of the block, or at an error, or if the next code is for block.
//
// It has the values that change for each code in local variables, so that they are in registers. Only the low 6 bits of
// count are valid, because an entry is subtracted as a whole. At the start of a turn there are at least 56 bits, and e is
// the entry of the next code. After a match, e is read before the bytes are copied, so that the processor does both at the
// same time.
func (f *Inflater) fast(r *inflation) (end bool, err error) {
	src, out := r.src[:len(r.src):len(r.src)], r.out[:len(r.out):len(r.out)]
	at, buf, count, w := r.at, r.bits, uint(r.count), r.w
	lastAt, lastW := len(src)-fastSource, min(r.limit, len(out)-slack)
	if at > lastAt || w > lastW || r.count < 0 {
		return false, nil
	}
	at, buf, count = refilled(src, at, buf, count)
	e := f.lit[buf&(1<<litBits-1)]
	for at <= lastAt && w <= lastW {
		if e&isLiteral != 0 {
			buf, count = used(buf, count, e)
			out[w] = byte(e >> 16)
			w++
			at, buf, count = refilled(src, at, buf, count)
			e = f.lit[buf&(1<<litBits-1)]
			continue
		}
		if e&noCode == isTable {
			if e = f.lit[second(e, buf>>litBits)&(litSize-1)]; e&isLiteral != 0 {
				continue
			}
		}
		if e&noCode != 0 {
			buf, count = used(buf, count, e)
			end, err = true, endOf(e)
			break
		}
		length := value(e, buf) // 48 bits are enough for a match
		buf, count = used(buf, count, e)
		e = f.dist[buf&(1<<distBits-1)]
		if e&noCode != 0 {
			e = f.distance(buf)
		}
		distance := value(e, buf)
		buf, count = used(buf, count, e)
		if e&noCode != 0 || distance > w {
			end, err = true, ErrInflate
			break
		}
		at, buf, count = refilled(src, at, buf, count)
		e = f.lit[buf&(1<<litBits-1)]
		if distance < 16 {
			w = repeat(out, w, length, distance)
			continue
		}
		from, stop := w-distance, w+length
		copy(out[w:w+16], out[from:from+16])
		copy(out[w+16:w+32], out[from+16:from+32])
		copy(out[w+32:w+48], out[from+32:from+48])
		for w += fastCopy; w < stop; w += 16 {
			from += 16
			copy(out[w:w+16], out[from+32:from+48])
		}
		w = stop
	}
	r.at, r.bits, r.count, r.w = at, buf, int(count&63), w
	return end, err
}

// refilled adds the 8 bytes at src[at] to bits, which has count bits. It returns the new values of at, bits and count. The
// new count is at least 56. The bits after them are already those of the source, so it does no harm to add them again.
func refilled(src []byte, at int, bits uint64, count uint) (int, uint64, uint) {
	return at + int(7-count>>3&7), bits | binary.LittleEndian.Uint64(src[at:])<<(count&63), count | 56
}

// used returns bits and count without the bits of an entry.
func used(bits uint64, count uint, e uint32) (uint64, uint) {
	return bits >> (e & 63), count - uint(e)
}
