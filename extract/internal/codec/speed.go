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

// whole is a codec that embeds Whole. Its text, which may be much longer than the source, is in memory fewer times.
type whole interface {
	decoder
	isWhole()
}

// isWhole reports whether a codec embeds Whole.
func isWhole(c Codec) bool {
	_, ok := c.(whole)
	return ok
}

// ordered is a codec whose Encode reads all bytes before the place. Without it, the time for many edits of a long source grows
// with the square of their number.
type ordered interface {
	// InOrder returns an Encode for places of one src in ascending order.
	InOrder() Encoder
}

// Encoder is the type of the method Encode.
type Encoder func(dst, src []byte, at Span, text []byte) ([]byte, error)

// encoderOf returns the function that spells places of one source in ascending order.
func encoderOf(c Codec) Encoder {
	if o, ok := c.(ordered); ok {
		return o.InOrder()
	}
	return c.Encode
}

// spanner is a codec that finds the places of a text without keeping an atom for each character. Without it, a Russian
// text of 19 MB takes 574 MB.
type spanner interface {
	// Spans returns the method Span of the atoms of src, or nil if it needs the atoms. The text is that of src.
	Spans(src, text []byte) func(Span) Span
}

// Spans returns a function that returns the source bytes that spell a range of the text, widened to whole atoms, as Atoms.Span
// does. text is c.Decode(src). The function keeps src and text, which must not change. Goroutines must not share it.
func Spans(c Codec, src, text []byte) func(Span) Span {
	if s, ok := c.(spanner); ok {
		if spans := s.Spans(src, text); spans != nil {
			return spans
		}
	}
	var atoms Atoms
	c.Map(src, text, &atoms)
	return atoms.Span
}
