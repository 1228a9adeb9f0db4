package source

import "absolink/extract/internal/codec"

// A Text is a decoded text that knows where its source is.
type Text struct {
	Parent *Text       // the text that contains Src, or nil if the entity's bytes contain it
	Bytes  []byte      // the decoded text
	Start  int         // the offset of Src in the parent's text, or in the entity's bytes
	Src    []byte      // the bytes before decoding
	Codec  codec.Codec // the codec of Src, or nil if Bytes is Src

	where func(codec.Span) codec.Span // the map from Bytes to Src, or nil until Outer needs it
}

// Decode decodes src with c, and sets t to the result. src is at the offset start of the parent's text. The decoded
// bytes may be in room: see codec.DecodeInto. An error means that some bytes could not be decoded; t has the rest of
// the text.
func (t *Text) Decode(parent *Text, start int, src []byte, c codec.Codec, room *[]byte) error {
	text, err := codec.DecodeInto(room, c, src)
	*t = Text{Parent: parent, Bytes: text, Start: start, Src: src}
	if len(text) != len(src) || len(text) > 0 && &text[0] != &src[0] {
		t.Codec = c
	}
	return err
}

// Span returns the span of the entity's bytes for a span of the text: all that edits of the text there can change. A
// nil Text stands for the entity's bytes, so the result is s.
func (t *Text) Span(s codec.Span) codec.Span {
	for ; t != nil; t = t.Parent {
		s = t.Outer(s)
	}
	return s
}

// Outer returns the span of the parent's text, or without a parent of the entity's bytes, for a span of the text.
func (t *Text) Outer(s codec.Span) codec.Span {
	if t.Codec != nil {
		if t.where == nil {
			t.where = codec.Spans(t.Codec, t.Src, t.Bytes)
		}
		s = t.where(s)
	}
	return codec.Span{Start: s.Start + t.Start, End: s.End + t.Start}
}

// Offset returns the offset in the entity's bytes of an offset in the text.
func (t *Text) Offset(at int) int { return t.Span(codec.Span{Start: at, End: at}).Start }
