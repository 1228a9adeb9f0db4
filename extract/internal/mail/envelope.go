package mail

import (
	"strings"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
)

// Envelope has the fields by which people name a message (RFC 5322 3.6). A missing field is "".
type Envelope struct {
	ID      string // the Message-ID, without its brackets
	Date    string // the Date, without folds
	Subject string // the Subject, without folds, with its encoded words decoded (RFC 2047)
}

// EnvelopeOf returns the fields of the message src. If a field is there twice, the first one counts.
func EnvelopeOf(src []byte) *Envelope {
	fields, _ := header.Read(src, HeaderStart(src, 0))
	r := header.Reader{Src: src}
	unfold := func(value []byte) string {
		text, _ := spell.HeaderLines.Decode(value)
		return string(ascii.Trimmed(text))
	}
	subject, _ := spell.HeaderWords.Decode(inUTF8(r.Value(fields, "subject"), r.Value(fields, "content-type")))
	return &Envelope{
		ID:      unfold(header.ContentID(src, r.Field(fields, "message-id"))),
		Date:    unfold(r.Value(fields, "date")),
		Subject: string(ascii.Trimmed(subject)),
	}
}

// inUTF8 returns a value as UTF-8. Characters outside ASCII should be UTF-8 (RFC 6532 3.2) or in encoded words. Some programs
// write them in the charset of the body, and some in windows-1252 without a declaration.
func inUTF8(value, contentType []byte) []byte {
	if utf8.Valid(value) {
		return value
	}
	_, params := header.ContentType(contentType)
	for _, label := range []string{header.Charset(params), "windows-1252"} {
		c, name, ok := charsets.Of(label)
		if !ok || name == "UTF-8" || strings.HasPrefix(name, "UTF-16") {
			continue
		}
		if text, err := c.Decode(value); err == nil {
			return text
		}
	}
	return value
}
