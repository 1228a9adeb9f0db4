package codec

// This file has the spellings of a string in JSON.

import (
	"bytes"
	"fmt"
	"strconv"
	surrogates "unicode/utf16"
	"unicode/utf8"
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
var JSONString Codec = jsonString{}

// JSONScript is a JSONString in a script element of HTML. Encode writes "<" and ">" as escapes, so that no text ends
// the script or starts a comment in it (HTML 4.12.1.3).
var JSONScript Codec = jsonString{script: true}

// JSONCommented is a JSONScript in a script that contains "<!--". In this script, a string with "<" or ">" may
// determine where the script ends. So Encode only replaces dots and slashes of the string.
var JSONCommented Codec = jsonString{script: true, commented: true}

type jsonString struct{ script, commented bool }

var (
	jsonPlain       = jsonPlainBut("\"\\/") // not the solidus, because its spelling depends on the solidi nearby
	jsonScriptPlain = jsonPlainBut("\"\\/<>")
)

// jsonPlainBut returns the set of all bytes except the bytes of some and the control characters.
func jsonPlainBut(some string) *set {
	s := setOf(some)
	for c := range ' ' {
		s[c] = true
	}
	return s.not()
}

const (
	jsonEscapes = `"\/bfnrt`
	jsonMeaning = "\"\\/\b\f\n\r\t"
)

func (c jsonString) plain() *set {
	if c.script {
		return jsonScriptPlain
	}
	return jsonPlain
}

func (c jsonString) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c jsonString) Map(src []byte) ([]byte, Atoms, error) { return mapped(c.read, src) }

func (jsonString) read(src []byte, atoms *Atoms) ([]byte, error) {
	r := readFrom(src, 0, atoms)
	var err error
	for p := 0; p < len(src); {
		i := bytes.IndexByte(src[p:], '\\')
		if i < 0 {
			break
		}
		p += i
		r.same(p)
		n, text, ok := jsonEscape(src[p:])
		if !ok {
			err = ErrUndecodable
		}
		if n == 0 {
			p++
			continue
		}
		r.put(n, text)
		p += n
	}
	r.same(len(src))
	return r.text(), err
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
	var unit rune
	for _, c := range src[2:6] {
		d := hexDigit(c)
		if d < 0 {
			return 0, false
		}
		unit = unit<<4 | rune(d)
	}
	return unit, true
}

// jsonNear is the number of bytes before and after an edit in which Encode looks for an escaped solidus.
const jsonNear = 256

// Encode writes an escape for each byte that needs one. It writes the solidus as an escape if an escaped solidus is
// nearby, because PHP escapes every solidus.
func (s jsonString) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	if s.commented && bytes.ContainsAny(src, "<>") && len(bytes.Trim(src[at.Start:at.End], "./")) > 0 {
		return dst, fmt.Errorf("%w: this string has \"<\" or \">\", and may determine where the script ends", ErrCannotSpell)
	}
	around := src[max(0, at.Start-jsonNear):min(len(src), at.End+jsonNear)]
	solidus := bytes.Contains(around, []byte(`\/`))
	for _, c := range text {
		switch i := bytes.IndexByte([]byte(jsonMeaning), c); {
		case c == '/' && !solidus:
			dst = append(dst, c)
		case i >= 0:
			dst = append(dst, '\\', jsonEscapes[i])
		case c < ' ' || s.script && (c == '<' || c == '>'):
			dst = append(dst, '\\', 'u', '0', '0', '0'+c>>4, lowerHex[c&0xF])
		default:
			dst = append(dst, c)
		}
	}
	return dst, nil
}

// escapeRune appends r as one or two escapes \uXXXX.
func (jsonString) escapeRune(dst []byte, r rune) []byte {
	units := surrogates.AppendRune(nil, r)
	for _, unit := range units {
		dst = append(dst, '\\', 'u')
		hex := strconv.FormatUint(uint64(unit), 16)
		dst = append(append(dst, "0000"[len(hex):]...), hex...)
	}
	return dst
}
