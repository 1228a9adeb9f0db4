package source

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Encoding is how the bytes of a record spell its text.
type Encoding struct {
	Codec codec.Codec  // nil if the bytes are the text
	Name  string       // by the Encoding Standard; "" if none was needed
	Late  *mark.Format // set for a record of ASCII alone: the format tells the encoding once an edit needs it
	ASCII bool         // the document calls it US-ASCII, which the Encoding Standard reads as windows-1252
}

// EncodingOf returns the encoding of a document, as its format tells it. transport is the label from outside, or "".
// The codec of UTF-8 is nil.
func EncodingOf(format *mark.Format, src []byte, transport string) Encoding {
	label := format.Charset(src, transport)
	c, name, ok := codec.Charset(label)
	if !ok || name == "UTF-8" {
		c = nil
	}
	return Encoding{Codec: c, Name: name, ASCII: isUSASCII(label) || isUSASCII(transport)}
}

func isUSASCII(label string) bool {
	return ascii.FoldEqual([]byte(label), "us-ascii") || ascii.FoldEqual([]byte(label), "ascii")
}

// Charset is what the edits of a record have to be spelled in.
type Charset struct {
	codec codec.Codec  // nil: UTF-8, or not asked yet
	late  *mark.Format // see Encoding
	src   []byte       // the record, for late

	sevenBit bool // 7bit stays 7bit (RFC 2045 2.7), and US-ASCII stays US-ASCII (RFC 2046 4.1.2, XML 1.0 4.3.3)
}

// NewCharset returns the charset of the record src. sevenBit is set if its transfer encoding is 7bit.
func NewCharset(enc Encoding, src []byte, sevenBit bool) Charset {
	return Charset{codec: enc.Codec, late: enc.Late, src: src, sevenBit: sevenBit || enc.ASCII}
}

// Decodes reports whether the text is not in the bytes of the record as it stands there.
func (s *Charset) Decodes() bool { return s.codec != nil }

// hasShift reports whether a text has ASCII letters that ISO-2022-JP cannot spell (Encoding Standard 12.2.2, step 3).
func hasShift(text []byte) bool {
	for _, c := range text {
		if c == 0x0E || c == 0x0F || c == 0x1B {
			return true
		}
	}
	return false
}

// Lacks reports whether the charset has no spelling for a text.
func (s *Charset) Lacks(text []byte) bool {
	if s.codec == nil && s.late == nil && !s.sevenBit {
		return false // UTF-8
	}
	plain := ascii.IsASCII(text)
	if plain && !hasShift(text) {
		return false
	}
	if s.late != nil {
		enc := EncodingOf(s.late, s.src, "")
		s.codec, s.late, s.sevenBit = enc.Codec, nil, s.sevenBit || enc.ASCII
	}
	if s.sevenBit && !plain {
		return true
	}
	if s.codec == nil {
		return false
	}
	_, err := s.codec.Encode(nil, nil, codec.Span{}, text)
	return err != nil
}

// Escape writes the letters that the charset lacks as escapes of the codec that the edits were made for, if the
// codec has escapes.
func (s *Charset) Escape(c codec.Codec, edits []codec.Edit) {
	for i := range edits {
		if s.Lacks(edits[i].New) {
			edits[i].New = codec.Escape(c, edits[i].New, s.Lacks)
		}
	}
}

// Encode spells a text that the charset does not lack. A text in UTF-8 stays as it is.
func (s *Charset) Encode(text []byte) []byte {
	if s.codec == nil {
		return text
	}
	spelled, _ := s.codec.Encode(nil, nil, codec.Span{}, text)
	return spelled
}
