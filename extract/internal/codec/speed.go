package codec

// This file has the fast ways. A codec may have these methods, and they change no byte of a result: without them, the
// results are the same, later or in more memory. TestLaw hides them, and compares. The figures are CPU time of the
// command on the inputs of bench -quick.

import "absolink/extract/internal/ascii"

// plainOf returns the plain bytes of a codec, or nil if there are none. A plain byte stands for itself next to any other bytes:
// every string of plain bytes decodes to itself and is its own encoding, and a source that starts with a plain byte reads the same
// after any other plain bytes. Without them, rewriting pages takes 33 % longer: see Replacer.Replace.
func plainOf(c Codec) *ascii.Set {
	if p, ok := c.(interface{ Plain() *ascii.Set }); ok {
		return p.Plain()
	}
	return nil
}

// short returns edits of src for the edits of its text, from a codec that can lift most edits without reading the whole source. The
// edits are trimmed, and there is at least one. It returns false if the whole source must be read. Without it, rewriting an mbox
// takes 58 % longer: 40 % is in base64, and 24 % in the quoting of the mbox.
func short(c Codec, src, text []byte, edits []Edit) ([]Edit, bool) {
	if s, ok := c.(interface {
		Short(src, text []byte, edits []Edit) ([]Edit, bool)
	}); ok {
		return s.Short(src, text, edits)
	}
	return nil, false
}

// DecodeInto returns c.Decode(src). The text may be in the memory of *room, which DecodeInto makes larger if needed.
// The text is then valid until the next call with the same room. Without it, the links of an mbox take 3 % longer.
func DecodeInto(room *[]byte, c Codec, src []byte) ([]byte, error) {
	if d, ok := c.(interface {
		DecodeInto(room *[]byte, src []byte) ([]byte, error)
	}); ok {
		return d.DecodeInto(room, src)
	}
	return c.Decode(src)
}

// isWhole reports whether a codec embeds Whole. Its text, which may be much longer than the source, is in memory fewer times.
func isWhole(c Codec) bool {
	w, ok := c.(interface{ IsWhole() bool })
	return ok && w.IsWhole()
}

// encoderOf returns c.Encode, for places of one source in ascending order. If Encode reads all bytes before the place, the codec has
// the method InOrder: without it, the time for many edits of a long source grows with the square of their number.
func encoderOf(c Codec) func(dst, src []byte, at Span, text []byte) ([]byte, error) {
	if o, ok := c.(interface {
		InOrder() func(dst, src []byte, at Span, text []byte) ([]byte, error)
	}); ok {
		return o.InOrder()
	}
	return c.Encode
}

// Spans returns a function that returns the source bytes that spell a range of the text, widened to whole atoms, as Atoms.Span
// does, or the whole source if it has too many atoms. text is c.Decode(src). The function keeps src and text, which must not change. Goroutines must not share it. A charset has
// a method Spans, which returns nil if it needs the atoms: with an atom for each character, a Russian text of 19 MB takes 574 MB.
func Spans(c Codec, src, text []byte) func(Span) Span {
	if s, ok := c.(interface {
		Spans(src, text []byte) func(Span) Span
	}); ok {
		if spans := s.Spans(src, text); spans != nil {
			return spans
		}
	}
	var atoms Atoms
	atoms.Reset(len(src))
	if c.Map(src, text, &atoms); atoms.Full {
		return func(Span) Span { return Span{0, len(src)} }
	}
	return atoms.Span
}
