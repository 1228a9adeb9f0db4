package inflate

// This file makes the tables of an Inflater, from the lengths of the codes (RFC 1951, 3.2.2).

import (
	"math/bits"
	"sync"
)

// The lengths and distances of RFC 1951, 3.2.5: the base and the number of extra bits of each code.
var (
	lengthBase  = [...]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [...]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [...]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [...]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}

	// codeOrder is the order of the lengths of the codes for code lengths (3.2.7).
	codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// These slices have the entry of each symbol, for a code of 0 bits. entryOf adds the bits of the code. They never change.
// The literals 286 and 287, and the distances 30 and 31, are not valid (3.2.6).
var (
	litEntries  = entries(288, lengthBase[:], lengthExtra[:], 257)
	distEntries = entries(32, distBase[:], distExtra[:], 0)
	codeEntries = entries(19, nil, nil, 19)
)

// entries returns the entries of n symbols. Symbol 256 is the end of the block. first is the first symbol with a base and
// extra bits. The other symbols before first are literals.
func entries(n int, base []uint16, extra []uint8, first int) []uint32 {
	all := make([]uint32, n)
	for symbol := range all {
		switch i := symbol - first; {
		case symbol == 256:
			all[symbol] = isEnd
		case i < 0:
			all[symbol] = isLiteral | uint32(symbol)<<16
		case i < len(base):
			all[symbol] = uint32(base[i])<<16 | uint32(extra[i])
		default:
			all[symbol] = noCode
		}
	}
	return all
}

// entryOf returns the entry of a symbol whose code has n bits.
func entryOf(entry uint32, n int) uint32 { return entry + uint32(n)*0x101 }

// fixed returns an Inflater with the fixed tables of 3.2.6.
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
		panic(err) // cannot happen, because the lengths are constant
	}
	return f
})

// tables makes the tables from the lengths of the codes.
func (f *Inflater) tables(lit, dist []uint8) error {
	if !makeTable(f.lit[:], litBits, lit, litEntries) || !makeTable(f.dist[:], distBits, dist, distEntries) {
		return ErrInflate
	}
	return nil
}

// dynamic reads the tables at the start of a block (3.2.7).
//
//	bits 0-4     the number of literal and length codes, minus 257
//	bits 5-9     the number of distance codes, minus 1
//	bits 10-13   the number of codes for code lengths, minus 4
//	then         3 bits for each code length of the codes for code lengths, in codeOrder
//	then         the code lengths of the other codes; 16, 17 and 18 repeat a length
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
	// The codes for code lengths have at most 7 bits, so the table of distances is large enough for them.
	if !makeTable(f.dist[:], distBits, codes[:], codeEntries) {
		return ErrInflate
	}
	var lengths [288 + 32 + 138]uint8
	for i := 0; i < nlit+ndist; {
		if r.count < 14 { // a code of 7 bits, and 7 extra bits
			if r.refill(); r.count < 0 {
				return ErrShort
			}
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

// makeTable makes the table of a canonical code (3.2.2). lengths has the length of the code of each symbol, or 0 for an
// unused symbol. primary is the number of bits of a lookup. entries has the entry of each symbol, for entryOf. makeTable
// reports whether the code is complete, or has at most one symbol.
func makeTable(table []uint32, primary int, lengths []uint8, entries []uint32) bool {
	var c canonical
	complete, ok := c.read(lengths)
	if !ok {
		return false
	}
	if !complete {
		table[0], table[1] = noCode, noCode
	}
	// The table for n bits consists of the table for n-1 bits, twice, and the codes of n bits.
	for n := 1; n <= primary; n++ {
		if n > 1 {
			copy(table[1<<(n-1):1<<n], table)
		}
		part := table[:1<<n]
		for range c.count[n] {
			symbol, code := c.take(n)
			part[code&(len(part)-1)] = entryOf(entries[symbol], n)
		}
	}
	return c.second(table, primary, entries)
}

// canonical is a canonical code. The method take returns its symbols in the order of their codes.
type canonical struct {
	count   [16]int     // the number of symbols with a code of n bits
	next    [16]int     // the next code of n bits
	symbols [320]uint16 // the symbols, sorted by the length of their codes
	taken   int         // the number of symbols that take has returned
}

// read reads the lengths of the codes. complete reports whether each sequence of bits starts with a code. ok is false
// for an invalid code: it has too many codes, or it has more than one symbol and is not complete.
func (c *canonical) read(lengths []uint8) (complete, ok bool) {
	for _, n := range lengths {
		c.count[n&15]++
	}
	used := len(lengths) - c.count[0]
	left, code, place := 1, 0, 0
	var first [16]int // the place in symbols of the next symbol with a code of n bits
	for n := 1; n < 16; n++ {
		if left = left<<1 - c.count[n]; left < 0 {
			return false, false
		}
		code <<= 1
		c.next[n], first[n] = code, place
		code, place = code+c.count[n], place+c.count[n]
	}
	if left > 0 && (used > 1 || used == 1 && c.count[1] == 0) {
		return false, false
	}
	for symbol, n := range lengths {
		if n > 0 {
			c.symbols[first[n&15]] = uint16(symbol)
			first[n&15]++
		}
	}
	return left == 0, true
}

// take returns the next symbol and its code. The code has n bits, and its first bit is the lowest.
func (c *canonical) take(n int) (symbol, code int) {
	symbol = int(c.symbols[c.taken])
	code = int(bits.Reverse16(uint16(c.next[n])) >> (16 - n))
	c.taken++
	c.next[n]++
	return symbol, code
}

// second makes the tables of codes of more than primary bits. These tables come after the primary table. second reports
// whether table has room for them.
func (c *canonical) second(table []uint32, primary int, entries []uint32) bool {
	free, prefix, sub, subBits := 1<<primary, -1, 0, 0
	for n := primary + 1; n < 16; n++ {
		for left := c.count[n]; left > 0; left-- {
			symbol, code := c.take(n)
			if p := code & (1<<primary - 1); p != prefix {
				prefix, sub, subBits = p, free, c.bitsFor(n, left, primary)
				if free += 1 << subBits; free > len(table) {
					return false
				}
				table[p] = isTable | uint32(sub)<<16 | uint32(subBits)<<8 | uint32(primary)
			}
			e := entryOf(entries[symbol], n)
			for at := code >> primary; at < 1<<subBits; at += 1 << (n - primary) {
				table[sub+at] = e
			}
		}
	}
	return true
}

// bitsFor returns the number of bits of the table for one prefix. The codes with this prefix are the next codes. left
// is the number of codes of n bits that take has not returned yet.
func (c *canonical) bitsFor(n, left, primary int) int {
	size := n - primary
	for room := 1<<size - left; room > 0 && primary+size < 15; {
		size++
		room = room<<1 - c.count[primary+size]
	}
	return size
}
