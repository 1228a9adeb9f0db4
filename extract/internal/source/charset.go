package source

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/mark"
)

// An Encoding is the character encoding of an entity.
type Encoding struct {
	Codec codec.Codec // nil if the bytes are the text, as in UTF-8
	Name  string      // the name in the Encoding Standard; "" if the encoding does not matter yet
	ASCII bool        // the label is US-ASCII, which the Encoding Standard reads as windows-1252

	Format  *mark.Format // of the entity; nil if the format has no encodings
	Late    bool         // the encoding is found only when an edit needs it, because the entity is ASCII
	Guessed bool         // the format has guessed the encoding
	Queries bool         // the queries of URLs depend on the encoding
}

// EncodingOf returns the encoding of the document src, by the rules of its format. transport is the label outside the
// document, as in a Content-Type field, or "".
func EncodingOf(format *mark.Format, src []byte, transport string) Encoding {
	label := format.Charset(src, transport)
	guessed := label == "" && format.Guess != nil
	if guessed {
		label = guessOf(format, src)
	}
	c, name, ok := charsets.Of(label)
	if !ok || name == "UTF-8" {
		c = nil
	}
	return Encoding{Codec: c, Name: name, ASCII: isUSASCII(label) ||
		isUSASCII(transport), Format: format, Guessed: guessed}
}

func guessOf(format *mark.Format, src []byte) string {
	head := src[:min(len(src), mark.SniffLen)]
	return format.Guess(head, ascii.IsASCII(head[:charsets.WholeLen(head)]) && charsets.LooksUTF8(src))
}

func isUSASCII(label string) bool {
	return ascii.FoldEqual([]byte(label), "us-ascii") || ascii.FoldEqual([]byte(label), "ascii")
}

// A Charset encodes the edits of an entity.
type Charset struct {
	codec  codec.Codec  // nil for UTF-8, and as long as late is set
	format *mark.Format // see Encoding
	src    []byte       // the entity

	guessed string // see Guessed
	queries bool   // see Encoding

	late bool // see Encoding
	// edits must be ASCII: in 7bit (RFC 2045 2.7), in US-ASCII (RFC 2046 4.1.2, XML 1.0 4.3.3), and in a guessed
	// encoding other than UTF-8
	sevenBit bool
}

// NewCharset returns the charset of the entity src. sevenBit reports whether its transfer encoding is 7bit.
func NewCharset(enc Encoding, src []byte, sevenBit bool) Charset {
	s := Charset{codec: enc.Codec, format: enc.Format, late: enc.Late, src: src, sevenBit: sevenBit || enc.ASCII}
	if enc.Guessed {
		if matters(src, enc.Queries) {
			s.guessed, s.queries = enc.Name, enc.Queries
		}
		s.sevenBit = s.sevenBit || enc.Name != "UTF-8" || ascii.IsASCII(src)
	}
	return s
}

// Decodes reports whether the bytes of the entity differ from its text in UTF-8.
func (s *Charset) Decodes() bool { return s.codec != nil }

// Guessed returns the name of the encoding if it was guessed from the bytes of the entity, so that edits could change
// it, or "".
func (s *Charset) Guessed() string { return s.guessed }

// GuessAgain returns the name of the encoding that would be guessed for the edited entity.
func (s *Charset) GuessAgain(edited []byte) (name string) {
	if !matters(edited, s.queries) {
		return s.guessed
	}
	_, name, _ = charsets.Of(guessOf(s.format, edited))
	return name
}

// matters reports whether the text depends on the encoding. If it is ASCII, only queries with character references do.
func matters(text []byte, queries bool) bool {
	return !ascii.IsASCII(text) || queries && bytes.IndexByte(text, '&') >= 0
}

// unshifted has the ASCII characters but those that ISO-2022-JP cannot encode (Encoding Standard 12.2.2, step 3).
var unshifted = ascii.Range(0x80, 0xFF).Or(ascii.SetOf("\x0E\x0F\x1B")).Not()

// Avoids reports whether a text has a character that would change how the text around it is read.
func (s *Charset) Avoids(text []byte) bool {
	return s.format != nil && bytes.ContainsAny(text, s.format.Avoid)
}

// Lacks reports whether a text must not be written as it is: the charset cannot encode it, or avoids it.
func (s *Charset) Lacks(text []byte) bool {
	if s.Avoids(text) {
		return true
	}
	if s.codec == nil && !s.late && !s.sevenBit {
		return false // UTF-8
	}
	if unshifted.Holds(text) {
		return false
	}
	if s.late {
		enc := EncodingOf(s.format, s.src, "")
		s.codec, s.late, s.sevenBit = enc.Codec, false, s.sevenBit || enc.ASCII || enc.Guessed
	}
	if s.sevenBit && !ascii.IsASCII(text) {
		return true
	}
	if s.codec == nil {
		return false
	}
	_, err := s.codec.Encode(nil, nil, codec.Span{}, text)
	return err != nil
}

// Escape replaces what the charset lacks in the edits by escapes of c, if c has escapes. c is the codec of the text
// that the edits change.
func (s *Charset) Escape(c codec.Codec, edits []codec.Edit) {
	for i := range edits {
		if s.Lacks(edits[i].New) {
			edits[i].New = codec.Escape(c, edits[i].New, s.Lacks)
		}
	}
}

// Encode returns a text in the charset, which must not lack it. In UTF-8 the result is text itself.
func (s *Charset) Encode(text []byte) []byte {
	if s.codec == nil {
		return text
	}
	spelled, _ := s.codec.Encode(nil, nil, codec.Span{}, text)
	return spelled
}
