package html

import (
	"encoding/binary"

	"absolink/extract/internal/ascii"
)

// nameTable has a slot for each name. It ignores case. It is a hash table with open addressing, by nameKey. It is filled
// once, when the tables are made.
type nameTable struct {
	keys  [nameSlots]uint64 // 0 in a slot that is empty
	names [nameSlots]string
}

const (
	nameBits  = 9
	nameSlots = 1 << nameBits // some times the names that there are: a search ends at an empty one
)

// add adds a name in lower case, which must be new, and returns its slot.
func (t *nameTable) add(name string) uint64 {
	key := nameKey([]byte(name))
	h := firstSlot(key)
	for t.keys[h] != 0 {
		h = (h + 1) % nameSlots
	}
	t.keys[h], t.names[h] = key, name
	return h
}

// find returns the slot of the name src[start:end]; one that the table does not have has an empty slot.
func (t *nameTable) find(src []byte, start, end int) uint64 {
	if n := end - start; n < 8 && start+8 <= len(src) {
		// As most names are spelled: short, in lower case. Then the key is the name.
		key := binary.LittleEndian.Uint64(src[start:])&(1<<(8*n)-1) | uint64(n)<<56
		for h := firstSlot(key); t.keys[h] != 0; h = (h + 1) % nameSlots {
			if t.keys[h] == key {
				return h
			}
		}
	}
	name := src[start:end]
	key := nameKey(name)
	h := firstSlot(key)
	for t.keys[h] != 0 && (t.keys[h] != key || !ascii.FoldEqual(name, t.names[h])) {
		h = (h + 1) % nameSlots
	}
	return h
}

// nameKey folds the first eight bytes of a name to lower case in one word, or all of a shorter one
// and its length. Other bytes than letters may fold to one another: a hit is to be checked.
func nameKey(name []byte) uint64 {
	if len(name) >= 8 {
		return binary.LittleEndian.Uint64(name) | 0x2020202020202020
	}
	key := uint64(len(name)) << 56
	for i, c := range name {
		key |= uint64(c|0x20) << (8 * i)
	}
	return key
}

func firstSlot(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> (64 - nameBits) }
