package codec

// plainer is a codec that has plain bytes: they stand for themselves, whatever is around them.
type plainer interface {
	// plain returns the set of those bytes, or nil if there are none. Every string of plain bytes decodes to itself and is
	// its own encoding. The source after a plain byte at its start reads the same whatever plain bytes come before.
	plain() *set
}

// ordered is a codec for which the spelling depends on all bytes before the place.
type ordered interface {
	// inOrder returns an Encode for places of one src in ascending order. It reads the bytes before the places once.
	inOrder() encoder
}

// encoder is the type of Encode.
type encoder func(dst, src []byte, at Span, text []byte) ([]byte, error)

// shortcut is a codec that can lift most edits without reading the whole source.
type shortcut interface {
	// short returns edits of src for the edits of its text, or false if only the long way can. The edits are trimmed, and
	// there is at least one.
	short(src, text []byte, edits []Edit) ([]Edit, bool)
}

// mapper is a codec whose Map can use the memory of rooms for its text and atoms.
type mapper interface {
	mapInto(in *rooms, src []byte) ([]byte, Atoms)
}

// widener is a codec in which an edit changes more than its atoms: a line that must not become too long, or all that
// follows.
type widener interface {
	// widen returns the groups to spell instead of the given ones, of which there is at least one. The result is sorted and
	// does not overlap, and each given group is within one of the result. widen may write to groups.
	widen(l *lifter, groups []group) []group
}
