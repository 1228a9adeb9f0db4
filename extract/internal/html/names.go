package html

import (
	"encoding/binary"

	"absolink/extract/internal/ascii"
)

// nameTable has a slot for each name. It ignores case. It is a hash table with open addressing, by nameKey. It does not
// change after the initialization of the package.
type nameTable struct {
	keys  [nameSlots]uint64 // 0 in an empty slot
	names [nameSlots]string
}

const (
	nameBits  = 9
	nameSlots = 1 << nameBits // several times the number of names, so that a search soon ends at an empty slot
)

// add adds a name in lower case. It returns the slot of the name, and reports whether the name is new.
func (t *nameTable) add(name string) (slot uint64, isNew bool) {
	h := t.find([]byte(name), 0, len(name))
	if t.keys[h] != 0 {
		return h, false
	}
	t.keys[h], t.names[h] = nameKey([]byte(name)), name
	return h, true
}

// find returns the slot of the name src[start:end], or an empty slot if the table does not have the name.
func (t *nameTable) find(src []byte, start, end int) uint64 {
	if n := end - start; n < 8 && start >= 0 && start <= len(src)-8 {
		key := shortKey(binary.LittleEndian.Uint64(src[start:]), n)
		h := firstSlot(key)
		for t.keys[h] != 0 && t.keys[h] != key {
			h = (h + 1) % nameSlots
		}
		return h
	}
	name := src[start:end]
	key := nameKey(name)
	h := firstSlot(key)
	for t.keys[h] != 0 && (t.keys[h] != key || !ascii.FoldEqual(name, t.names[h])) {
		h = (h + 1) % nameSlots
	}
	return h
}

// nameKey returns the first eight bytes of a name in lower case. For a shorter name, it returns the whole name and its
// length. Two names with other characters than letters may have the same key, so the caller must compare the names.
func nameKey(name []byte) uint64 {
	if len(name) >= 8 {
		return binary.LittleEndian.Uint64(name) | 0x2020202020202020
	}
	var buf [8]byte
	copy(buf[:], name)
	return shortKey(binary.LittleEndian.Uint64(buf[:]), len(name))
}

// shortKey returns the key of a name of n bytes, 7 at most. The name is in the first n bytes of w. The tables have only
// names of letters, digits, "-" and ":". A name that has the key of such a name is that name, in any case.
func shortKey(w uint64, n int) uint64 {
	w |= w & 0x4040404040404040 >> 1 // letters in lower case; no digit, "-" or ":" changes
	return w&(1<<(8*n&63)-1) | uint64(n)<<56
}

func firstSlot(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> (64 - nameBits) }
