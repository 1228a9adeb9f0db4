package source

import "absolink/extract/internal/codec"

// Text is a decoded text, and the place that it came from.
type Text struct {
	Parent *Text // the text that it stands in; nil for the text of an entity
	Bytes  []byte
	Start  int         // where Src begins in the parent's text, or in the entity's bytes
	Src    []byte      // the bytes that spell the text
	Codec  codec.Codec // how they spell it; nil if Src is the text

	where *codec.SourceMap // made when it is asked for
}

// Decode makes t the text that src spells. src stands at start in the parent's text. The decoded bytes may be in
// room, see codec.DecodeInto. An error means that some bytes could not be decoded; t is usable all the same.
func (t *Text) Decode(parent *Text, start int, src []byte, c codec.Codec, room *[]byte) error {
	text, err := codec.DecodeInto(room, c, src)
	*t = Text{Parent: parent, Bytes: text, Start: start, Src: src}
	if len(text) != len(src) || len(text) > 0 && &text[0] != &src[0] {
		t.Codec = c
	}
	return err
}

// Span returns the range of the entity's bytes that spells a range of the text. A nil Text is the bytes
// themselves.
func (t *Text) Span(s codec.Span) codec.Span {
	for ; t != nil; t = t.Parent {
		s = t.Outer(s)
	}
	return s
}

// Outer returns the range of the parent's text, or of the entity's bytes if there is no parent, that spells a range of
// the text.
func (t *Text) Outer(s codec.Span) codec.Span {
	if t.Codec != nil {
		if t.where == nil {
			t.where = codec.NewSourceMap(t.Codec, t.Src, t.Bytes)
		}
		s = t.where.Span(s)
	}
	return codec.Span{Start: s.Start + t.Start, End: s.End + t.Start}
}

// Offset returns the offset in the entity's bytes that spells an offset of the text.
func (t *Text) Offset(at int) int { return t.Span(codec.Span{Start: at, End: at}).Start }
