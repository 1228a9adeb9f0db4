// Package charsets has the codecs of the Encoding Standard's charsets, the encoders for the queries of URLs, and the
// detection of byte order marks.
package charsets

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Of returns the codec of the encoding with a label, and the encoding's name as the Encoding Standard spells it (4.2).
// White space around the label and its case do not matter. The label utf-16 is UTF-16LE. ok is false for an unknown
// label.
//
//	label          source                text
//	utf-8          63 61 66 C3 A9        café
//	latin1         63 61 66 E9           café     one byte for each character; the name is windows-1252
//	shift_jis      93 FA 96 7B           日本     one or two bytes for each character
//	utf-16be       65 E5 67 2C           日本     two or four bytes for each character
//	iso-2022-jp    1B 24 42 46 7C 4B 5C  日本     an escape sequence switches to another set of characters
//
// The text is UTF-8. Invalid bytes are atoms that read as U+FFFD, and Decode returns ErrUndecodable with the text.
// Encode refuses U+FFFD, so an edit cannot lose these bytes. Only in UTF-8 do invalid bytes stand for themselves,
// without an error. A byte order mark of the same encoding is an atom without text. Finding the label, in a byte order
// mark or a declaration, is the caller's job.
func Of(label string) (c codec.Codec, name string, ok bool) {
	if label == "utf-8" || label == "UTF-8" {
		return UTF8, "UTF-8", true // the most common label
	}
	// htmlindex would read U+212A as k, and would trim more than ASCII white space.
	if !ascii.IsASCII([]byte(label)) || strings.Contains(label, "\v") {
		return nil, "", false
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil, "", false
	}
	switch name = spelled(enc); name {
	case "UTF-8":
		return UTF8, name, true
	case "UTF-16LE":
		return utf16LE, name, true
	case "UTF-16BE":
		return utf16BE, name, true
	case "ISO-2022-JP":
		return iso2022jp{}, name, true
	case "replacement":
		return replacement{}, name, true
	case "GBK":
		enc = simplifiedchinese.GB18030 // GBK's decoder is gb18030's decoder (10.1.1)
	case "ISO-8859-8-I":
		enc = charmap.ISO8859_8 // only the direction of the characters is different
	}
	return stateless{name: name, in: enc}, name, true
}

// mailLabels has the labels that only mail programs write, with those of the Encoding Standard.
var mailLabels = map[string]string{"cp932": "shift_jis", "cp936": "gbk", "ms936": "gbk", "cp949": "euc-kr",
	"cp950": "big5", "cp51932": "euc-jp"}

// MailLabel returns the label of the Encoding Standard for one in mail.
func MailLabel(label string) string { return cmp.Or(mailLabels[ascii.Lower(label)], label) }

// spelled returns the name of an encoding of htmlindex as the Encoding Standard spells it.
func spelled(enc encoding.Encoding) string {
	name, _ := htmlindex.Name(enc)
	switch start, _, _ := strings.Cut(name, "-"); start {
	case "utf", "iso", "ibm866", "koi8", "euc", "gbk":
		return strings.ToUpper(name)
	case "big5":
		return "Big5"
	case "shift_jis":
		return "Shift_JIS"
	}
	return name
}

// UTF8 is UTF-8. Every byte stands for itself, even if it is not valid UTF-8, except that a byte order mark at the
// start is an atom without text. Decode returns a part of src.
var UTF8 codec.Codec = utf8Codec{}

type utf8Codec struct{ codec.Simple }

const utf8BOM = "\xEF\xBB\xBF"

func (utf8Codec) Decode(src []byte) ([]byte, error) {
	return bytes.TrimPrefix(src, []byte(utf8BOM)), nil
}

func (utf8Codec) Map(src, text []byte, atoms *codec.Atoms) {
	atoms.Add(0, 0, len(src)-len(text), 0)
}

func (utf8Codec) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	return append(keepBOM(dst, src, at, utf8BOM), text...), nil
}

// keepBOM appends the byte order mark of src if the span contains it.
func keepBOM(dst, src []byte, at codec.Span, bom string) []byte {
	if at.Start == 0 && at.End >= len(bom) && bytes.HasPrefix(src, []byte(bom)) {
		return append(dst, bom...)
	}
	return dst
}

// LooksUTF8 reports whether a text is valid UTF-8 with a whole character outside ASCII. A truncated character at the
// end proves nothing, because it may belong to another encoding.
func LooksUTF8(text []byte) bool {
	text = text[:WholeLen(text)]
	return !ascii.IsASCII(text) && utf8.Valid(text)
}

// WholeLen returns the length of a text without a truncated character at the end.
func WholeLen(text []byte) int {
	for i := len(text) - 1; i >= 0 && i > len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// replacement stands for the encodings that are not safe to decode (Encoding Standard 14.1). The whole source reads as
// one U+FFFD, and only the empty text has a spelling.
type replacement struct {
	codec.OneAtom
}

func (replacement) Decode(src []byte) ([]byte, error) {
	if len(src) == 0 {
		return src, nil
	}
	return []byte("\uFFFD"), codec.ErrUnread
}

func (replacement) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	if len(text) == 0 {
		return dst, nil
	}
	return dst, fmt.Errorf("%w: no text can be written in this charset", codec.ErrCannotSpell)
}

// runes calls put for each character of text. It returns an error if put returns false, for invalid UTF-8, and for
// U+FFFD, which may stand for invalid bytes of the source that would be lost.
func runes(text []byte, put func(r rune) bool) error {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError || !put(r) {
			return fmt.Errorf("%w: %q cannot be written in this charset", codec.ErrCannotSpell, text[i:i+n])
		}
		i += n
	}
	return nil
}

// BOMLen returns the length of the byte order mark of UTF-8 at the start of src, or 0 if there is none.
func BOMLen(src []byte) int {
	if bytes.HasPrefix(src, []byte(utf8BOM)) {
		return len(utf8BOM)
	}
	return 0
}

// OfBOM returns the label that the byte order mark at the start of raw stands for (Encoding Standard 6, "BOM sniff"),
// or "" if there is no mark.
//
//	EF BB BF     utf-8
//	FE FF        utf-16be
//	FF FE        utf-16le
func OfBOM(raw []byte) string {
	switch {
	case BOMLen(raw) > 0:
		return "utf-8"
	case bytes.HasPrefix(raw, []byte("\xFE\xFF")):
		return "utf-16be"
	case bytes.HasPrefix(raw, []byte("\xFF\xFE")):
		return "utf-16le"
	}
	return ""
}
