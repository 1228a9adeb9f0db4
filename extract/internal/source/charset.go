package source

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// An Encoding is the character encoding of a record.
type Encoding struct {
	Codec codec.Codec  // nil if the bytes are the text, as in UTF-8
	Name  string       // the name in the Encoding Standard; "" if the encoding does not matter yet
	Late  *mark.Format // the format that finds the encoding when an edit needs it; nil unless the record is ASCII
	ASCII bool         // the label is US-ASCII, which the Encoding Standard reads as windows-1252

	Guess   *mark.Format // the format that has guessed the encoding; nil if the encoding is declared
	Queries bool         // the queries of URLs are in the encoding, too
	Avoid   string       // see mark.Format
}

// EncodingOf returns the encoding of the document src, by the rules of its format. transport is the label outside the
// document, such as the charset of a Content-Type field, or "".
func EncodingOf(format *mark.Format, src []byte, transport string) Encoding {
	label := format.Charset(src, transport)
	var guessed *mark.Format
	if label == "" && format.Guess != nil {
		label, guessed = guessOf(format, src), format
	}
	c, name, ok := codec.Charset(label)
	if !ok || name == "UTF-8" {
		c = nil
	}
	return Encoding{Codec: c, Name: name, ASCII: isUSASCII(label) || isUSASCII(transport), Guess: guessed}
}

func isUSASCII(label string) bool {
	return ascii.FoldEqual([]byte(label), "us-ascii") || ascii.FoldEqual([]byte(label), "ascii")
}

// A Charset encodes the edits of a record.
type Charset struct {
	codec codec.Codec  // nil for UTF-8, and as long as late is set
	late  *mark.Format // see Encoding.Late
	src   []byte       // the record, for late
	guess guess
	avoid string // see mark.Format

	sevenBit bool // edits must be ASCII: in 7bit (RFC 2045 2.7), in US-ASCII (RFC 2046 4.1.2, XML 1.0 4.3.3), and if the encoding is a guess that is not UTF-8
}

// NewCharset returns the charset of the record src with the encoding enc. sevenBit reports whether its transfer encoding is
// 7bit.
func NewCharset(enc Encoding, src []byte, sevenBit bool) Charset {
	s := Charset{codec: enc.Codec, late: enc.Late, src: src, sevenBit: sevenBit || enc.ASCII, avoid: enc.Avoid}
	if enc.Guess != nil {
		s.guess = guess{enc.Guess, enc.Name, enc.Queries}
		s.sevenBit = s.sevenBit || enc.Name != "UTF-8" || ascii.IsASCII(src)
	}
	return s
}

// Decodes reports whether the bytes of the record differ from its text in UTF-8.
func (s *Charset) Decodes() bool { return s.codec != nil }

// IsFragile reports whether edits may change the encoding of the record, because it is guessed from its bytes. adds reports
// whether the edits only add text, or replace text by longer text.
func (s *Charset) IsFragile(adds bool) bool {
	return s.guess.format != nil && s.guess.fragile(s.src, adds)
}

// hasShift reports whether a text has ASCII characters that ISO-2022-JP cannot encode (Encoding Standard 12.2.2, step 3).
func hasShift(text []byte) bool {
	for _, c := range text {
		if c == 0x0E || c == 0x0F || c == 0x1B {
			return true
		}
	}
	return false
}

// Avoids reports whether a text has a character that changes how the text around it is read.
func (s *Charset) Avoids(text []byte) bool {
	for i := range len(s.avoid) {
		if bytes.IndexByte(text, s.avoid[i]) >= 0 {
			return true
		}
	}
	return false
}

// Lacks reports whether the charset cannot encode a text, or avoids it.
func (s *Charset) Lacks(text []byte) bool {
	if s.Avoids(text) {
		return true
	}
	if s.codec == nil && s.late == nil && !s.sevenBit {
		return false // UTF-8
	}
	plain := ascii.IsASCII(text)
	if plain && !hasShift(text) {
		return false
	}
	if s.late != nil {
		enc := EncodingOf(s.late, s.src, "")
		s.codec, s.late, s.sevenBit = enc.Codec, nil, s.sevenBit || enc.ASCII || enc.Guess != nil
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

// Escape replaces the characters that the charset lacks in the edits by escapes of c, if c has escapes. c is the codec of
// the text that the edits change.
func (s *Charset) Escape(c codec.Codec, edits []codec.Edit) {
	for i := range edits {
		if s.Lacks(edits[i].New) {
			edits[i].New = codec.Escape(c, edits[i].New, s.Lacks)
		}
	}
}

// Encode returns a text in the charset. The charset must not lack the text. In UTF-8 the result is text itself.
func (s *Charset) Encode(text []byte) []byte {
	if s.codec == nil {
		return text
	}
	spelled, _ := s.codec.Encode(nil, nil, codec.Span{}, text)
	return spelled
}
