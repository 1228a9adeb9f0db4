package codec

// The methods in this file only make a codec faster, or need less memory: no byte of a result depends on them. TestLaw
// hides them and compares. The figures are CPU time of the command on the inputs of bench -quick.

import "absolink/extract/internal/ascii"

// plainOf returns the plain bytes of a codec, or nil. A plain byte stands for itself whatever is beside it: every
// string of plain bytes decodes to itself and is its own encoding, and a source that starts with a plain byte reads the
// same after any other plain bytes. Without them, rewriting pages takes 33 % longer: see Replacer.Replace.
func plainOf(c Codec) *ascii.Set {
	if p, ok := c.(interface{ Plain() *ascii.Set }); ok {
		return p.Plain()
	}
	return nil
}

// short lifts edits without reading the whole source, if the codec can do that. The edits are trimmed, and there is at
// least one. It returns false if the whole source must be read. Without it, rewriting an mbox takes 58 % longer: 40 %
// is in base64, and 24 % in the quoting of the mbox.
func short(c Codec, src, text []byte, edits []Edit) ([]Edit, bool) {
	if s, ok := c.(interface {
		Short(src, text []byte, edits []Edit) ([]Edit, bool)
	}); ok {
		return s.Short(src, text, edits)
	}
	return nil, false
}

// DecodeInto is c.Decode(src) with a text that may be in the memory of *room, which it enlarges if needed. The text is
// then valid until the next call with the same room. Without it, the links of an mbox take 3 % longer.
func DecodeInto(room *[]byte, c Codec, src []byte) ([]byte, error) {
	if d, ok := c.(interface {
		DecodeInto(room *[]byte, src []byte) ([]byte, error)
	}); ok {
		return d.DecodeInto(room, src)
	}
	return c.Decode(src)
}

// isWhole reports whether a codec embeds Whole. Lift keeps fewer copies of its text, which may be much longer than the
// source.
func isWhole(c Codec) bool {
	w, ok := c.(interface{ IsWhole() bool })
	return ok && w.IsWhole()
}

// encoderOf returns c.Encode for places of one source in ascending order. A codec whose Encode reads all bytes before
// the place has the method InOrder, because the time for many edits of a long source would grow with the square of
// their number.
func encoderOf(c Codec) func(dst, src []byte, at Span, text []byte) ([]byte, error) {
	if o, ok := c.(interface {
		InOrder() func(dst, src []byte, at Span, text []byte) ([]byte, error)
	}); ok {
		return o.InOrder()
	}
	return c.Encode
}

// Spans returns a function like Atoms.Span, or one that always returns the whole source if that has too many atoms.
// text is c.Decode(src). The function keeps src and text, which must not change, and goroutines must not share it. A
// charset has a method Spans, which returns nil if it needs the atoms: with an atom for each character, a Russian text
// of 19 MB takes 574 MB.
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
