package codec

// This file has the optional methods of a codec. They let Lift and DecodeInto take a faster way.

// plainer is a codec that has plain bytes. A plain byte stands for itself next to any other bytes.
type plainer interface {
	// plain returns the set of plain bytes, or nil if there are none. Every string of plain bytes decodes to itself and
	// is its own encoding. A source that starts with a plain byte reads the same after any other plain bytes.
	plain() *set
}

// ordered is a codec whose spelling at a place depends on all bytes before the place.
type ordered interface {
	// inOrder returns an Encode for places of one src in ascending order. It reads the bytes before the places once.
	inOrder() encoder
}

// encoder is the type of the method Encode.
type encoder func(dst, src []byte, at Span, text []byte) ([]byte, error)

// shortcut is a codec that can lift most edits without reading the whole source.
type shortcut interface {
	// short returns edits of src for the edits of its text. It returns false if the caller must read the whole source.
	// The edits are trimmed, and there is at least one.
	short(src, text []byte, edits []Edit) ([]Edit, bool)
}

// mapper is a codec whose method Map can use existing memory.
type mapper interface {
	// mapInto is Map. It uses the memory of in for the text and the atoms.
	mapInto(in *rooms, src []byte) ([]byte, Atoms)
}

// widener is a codec in which an edit changes more than its atoms. For example, it may change a whole line, which must
// not become too long, or all data after the edit.
type widener interface {
	// widen returns the groups that Lift spells instead of groups, which has at least one element. The result is sorted
	// and does not overlap, and contains each given group as a part of one group. widen may write to groups.
	widen(l *lifter, groups []group) []group
}
