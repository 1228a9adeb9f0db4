package spell

import (
	"bytes"
	"fmt"
	"strconv"
	surrogates "unicode/utf16"
	"unicode/utf8"

	"absolink/extract/internal/codec"
)

// JSONString is a string of JSON (RFC 8259 7), without its quotes. Each escape is an atom, and a pair of surrogates is
// one atom.
//
//	"http:\/\/h\u002Fa\ud83d\ude00"
//	 |                            |
//	 http:\/\/h\u002Fa\ud83d\ude00     source
//	 http://h/a😀                      text
//
// An invalid escape stands for itself. A surrogate without its other half reads as U+FFFD. Decode returns
// ErrUndecodable for both.
var JSONString codec.Codec = jsonString{}

// JSONScript is a JSONString in a script element of HTML. Encode escapes "<" and ">", so that no text ends the script
// or starts a comment in it (HTML 4.12.1.3).
var JSONScript codec.Codec = jsonString{script: true}

// JSONCommented is a JSONScript in a script that contains "<!--". There a string with "<" or ">" may determine where
// the script ends, so in such a string Encode replaces only dots and slashes.
var JSONCommented codec.Codec = jsonString{script: true, commented: true}

// JSONBlock is a JSONScript in a comment of a page of WordPress, which also escapes "&" and "--".
var JSONBlock codec.Codec = jsonString{script: true, block: true}

type jsonString struct {
	codec.Simple
	script, commented, block bool
}

const (
	jsonEscapes = `"\/bfnrt`
	jsonMeaning = "\"\\/\b\f\n\r\t"
)

func (c jsonString) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c jsonString) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (jsonString) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	var err error
	for r.To([]byte(`\`)) {
		n, text, ok := jsonEscape(r.Rest())
		if !ok {
			err = codec.ErrUndecodable
		}
		if n > 0 {
			r.Put(n, text)
		} else {
			r.Skip(1)
		}
	}
	return r.Text(), err
}

// jsonEscape reads the escape at the start of src. The length n is 0 if there is no valid escape. ok is false if there
// is none, or if the escape is half of a pair of surrogates.
func jsonEscape(src []byte) (n int, text string, ok bool) {
	if len(src) < 2 {
		return 0, "", false
	}
	if i := bytes.IndexByte([]byte(jsonEscapes), src[1]); i >= 0 {
		return 2, jsonMeaning[i : i+1], true
	}
	unit, ok := jsonUnit(src)
	if !ok {
		return 0, "", false
	}
	if !surrogates.IsSurrogate(unit) {
		return 6, string(unit), true
	}
	if low, ok := jsonUnit(src[6:]); ok {
		if r := surrogates.DecodeRune(unit, low); r != utf8.RuneError {
			return 12, string(r), true
		}
	}
	return 6, string(utf8.RuneError), false
}

// jsonUnit reads the escape \uXXXX at the start of src.
func jsonUnit(src []byte) (rune, bool) {
	if len(src) < 6 || src[0] != '\\' || src[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(src[2:6]), 16, 16)
	return rune(unit), err == nil
}

// jsonNear is how far from an edit Encode looks for an escaped solidus.
const jsonNear = 256

// Encode escapes the bytes that need it, and the solidus if an escaped one is nearby, because PHP escapes every
// solidus.
func (s jsonString) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	if s.commented && bytes.ContainsAny(src, "<>") && len(bytes.Trim(src[at.Start:at.End], "./")) > 0 {
		return dst, fmt.Errorf("%w: this string has \"<\" or \">\", and may determine where the script ends",
			codec.ErrCannotSpell)
	}
	around := src[max(0, at.Start-jsonNear):min(len(src), at.End+jsonNear)]
	solidus := bytes.Contains(around, []byte(`\/`))
	for n, c := range text {
		switch i := bytes.IndexByte([]byte(jsonMeaning), c); {
		case c == '/' && !solidus:
			dst = append(dst, c)
		case i >= 0:
			dst = append(dst, '\\', jsonEscapes[i])
		case c < ' ' || s.script && (c == '<' || c == '>') ||
			s.block && (c == '&' || c == '-' && isDouble(src, at, text, n)):
			dst = append(dst, '\\', 'u', '0', '0', '0'+c>>4, lowerHex[c&0xF])
		default:
			dst = append(dst, c)
		}
	}
	return dst, nil
}

// isDouble reports whether the hyphen text[n], which replaces src[at], is next to another one.
func isDouble(src []byte, at codec.Span, text []byte, n int) bool {
	before, after := src[:at.Start], src[at.End:]
	if n > 0 {
		before = text[:n]
	}
	if n+1 < len(text) {
		after = text[n+1:]
	}
	return bytes.HasSuffix(before, []byte("-")) || bytes.HasPrefix(after, []byte("-"))
}

// EscapeRune appends r as one or two escapes \uXXXX.
func (jsonString) EscapeRune(dst []byte, r rune) []byte {
	units := surrogates.AppendRune(nil, r)
	for _, unit := range units {
		dst = append(dst, '\\', 'u')
		hex := strconv.FormatUint(uint64(unit), 16)
		dst = append(append(dst, "0000"[len(hex):]...), hex...)
	}
	return dst
}
