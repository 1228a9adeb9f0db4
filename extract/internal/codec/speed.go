package codec

// This file has the fast ways. A codec may have these methods, and they change no byte of a result: without them, the
// results are the same, later or in more memory. TestLaw hides them, and compares. The figures are CPU time of the
// command on the inputs of bench -quick.

import "absolink/extract/internal/ascii"

// plainer is a codec of links that has plain bytes. A plain byte stands for itself next to any other bytes. Without it,
// rewriting pages takes 33 % longer: see Replacer.Replace.
type plainer interface {
	// Plain returns the set of plain bytes, or nil if there are none. Every string of plain bytes decodes to itself and
	// is its own encoding. A source that starts with a plain byte reads the same after any other plain bytes.
	Plain() *ascii.Set
}

// plainOf returns the plain bytes of a codec, or nil.
func plainOf(c Codec) *ascii.Set {
	if p, ok := c.(plainer); ok {
		return p.Plain()
	}
	return nil
}

// shortcut is a codec that can lift most edits without reading the whole source. Without it, rewriting an mbox takes 58 %
// longer: 40 % is in base64, and 24 % in the quoting of the mbox.
type shortcut interface {
	// Short returns edits of src for the edits of its text. It returns false if the caller must read the whole source.
	// The edits are trimmed, and there is at least one.
	Short(src, text []byte, edits []Edit) ([]Edit, bool)
}

// decoder is a codec whose method Decode can use existing memory: see the function DecodeInto. Without it, the links of an
// mbox take 3 % longer.
type decoder interface {
	DecodeInto(room *[]byte, src []byte) ([]byte, error)
}

// whole is a codec whose source is always one atom: see Whole. Its source need not be decoded again to know the atom, and
// its text, which may be much longer, is in memory fewer times.
type whole interface {
	decoder
	isWhole()
}

// atomsOf returns the atoms of src. text is c.Decode(src).
func atomsOf(c Codec, src, text []byte) Atoms {
	if _, ok := c.(whole); ok {
		return oneAtom(len(src), len(text))
	}
	_, atoms, _ := c.Map(src)
	return atoms
}

// spanner is a codec that finds the places of a text without keeping an atom for each character. Without it, a Russian
// text of 19 MB takes 574 MB.
type spanner interface {
	// Spans returns the method Span of the atoms of src, or nil if it needs the atoms. The text is that of src.
	Spans(src, text []byte) func(Span) Span
}
