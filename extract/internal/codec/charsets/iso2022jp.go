package charsets

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
)

// iso2022jp is ISO-2022-JP (Encoding Standard 12.2). Escape sequences switch between ASCII and other sets of
// characters.
//
//	source   <  1B 24 42 46 7C  4B 5C  1B 28 42 62     ESC $ B switches to kanji, ESC ( B switches to ASCII
//	         |  |               |      |
//	text     <  日              本     b
//
// An ASCII character stands for itself, in ASCII and in the Roman set. Any other character is an atom, so that no byte
// of a kanji is taken for a "<". An escape sequence is a part of the atom of the next character.
//
// The decoder is that of the Encoding Standard (12.2.1), because x/text reads sets that browsers do not, and lacks the
// Roman set.
type iso2022jp struct{ codec.Simple }

// iso2022jpPlain has the bytes that stand for themselves in ASCII.
var iso2022jpPlain = ascii.SetOf("\x0E\x0F\x1B").Or(ascii.Range(utf8.RuneSelf, 0xFF)).Not()

func (c iso2022jp) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c iso2022jp) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

const esc = 0x1B

// jisState is a set of characters to which an escape sequence switches.
type jisState int

const (
	jisASCII jisState = iota
	jisRoman
	jisKatakana
	jisKanji // 94 x 94 characters of two bytes
)

var jisEscapes = [...]struct {
	sequence string
	state    jisState
}{{"\x1B(B", jisASCII}, {"\x1B(J", jisRoman}, {"\x1B(I", jisKatakana}, {"\x1B$B", jisKanji}, {"\x1B$@", jisKanji}}

// escape returns the set to which the escape sequence at the start of src switches.
func escape(src []byte) (jisState, bool) {
	for _, e := range jisEscapes {
		if bytes.HasPrefix(src, []byte(e.sequence)) {
			return e.state, true
		}
	}
	return 0, false
}

func appendEscape(dst []byte, to jisState) []byte {
	for _, e := range jisEscapes {
		if e.state == to {
			return append(dst, e.sequence...)
		}
	}
	return dst
}

func (c iso2022jp) read(src []byte, atoms *codec.Atoms) (text []byte, err error) {
	r := codec.ReadFrom(src, 0, atoms)
	var out []byte
	for d := (jisReader{src: src}); d.at < len(src); {
		start := d.at
		if d.same(); d.at > start {
			r.Same(d.at)
			continue
		}
		for out = out[:0]; d.at < len(src); {
			if letter := d.next(); letter >= 0 {
				out = utf8.AppendRune(out, letter)
			}
			if !d.escaped {
				break
			}
		}
		if bytes.Contains(out, []byte("\uFFFD")) {
			err = codec.ErrUndecodable
		}
		r.Put(d.at-start, string(out))
	}
	return r.Text(), err
}

// jisReader is the state of the decoder (12.2.1) at one place of a source.
type jisReader struct {
	src     []byte
	at      int
	state   jisState
	escaped bool // an escape sequence was read last, so another one is an error (the output flag)

	table     *encoding.Decoder // EUC-JP: it has the same kanji, with the high bit set in both bytes
	two, utf8 []byte
}

// same reads the characters that stand for themselves.
func (d *jisReader) same() {
	if d.state != jisASCII && d.state != jisRoman {
		return
	}
	start := d.at
	for d.at < len(d.src) && iso2022jpPlain[d.src[d.at]] &&
		(d.state == jisASCII || d.src[d.at] != '\\' && d.src[d.at] != '~') {
		d.at++
	}
	if d.at > start {
		d.escaped = false
	}
}

// next reads and returns one character, or reads one escape sequence and returns -1, or U+FFFD if it directly follows
// another one.
func (d *jisReader) next() rune {
	b := d.src[d.at]
	if b == esc {
		if to, ok := escape(d.src[d.at:]); ok {
			again := d.escaped
			d.at, d.state, d.escaped = d.at+3, to, true
			if again {
				return utf8.RuneError
			}
			return -1
		}
	}
	d.at, d.escaped = d.at+1, false
	switch {
	case b == esc:
	case d.state == jisRoman && b == '\\':
		return yen
	case d.state == jisRoman && b == '~':
		return overline
	case d.state <= jisRoman && iso2022jpPlain[b]:
		return rune(b)
	case d.state == jisKatakana && 0x21 <= b && b <= 0x5F:
		return rune(b) + 0xFF61 - 0x21
	case d.state == jisKanji && isJIS(b):
		if d.at == len(d.src) || d.src[d.at] == esc {
			break
		}
		d.at++ // an invalid second byte is read together with the first byte
		if trail := d.src[d.at-1]; isJIS(trail) {
			return d.kanji(b, trail)
		}
	}
	return utf8.RuneError
}

// isJIS reports whether b may be a byte of a kanji.
func isJIS(b byte) bool { return 0x21 <= b && b <= 0x7E }

// kanji returns the character of two bytes, or U+FFFD if there is none.
func (d *jisReader) kanji(lead, trail byte) rune {
	if d.table == nil {
		d.table, d.utf8 = japanese.EUCJP.NewDecoder(), make([]byte, 8)
	}
	d.two = append(d.two[:0], lead|0x80, trail|0x80)
	n, _, _ := d.table.Transform(d.utf8, d.two, true)
	r, _ := utf8.DecodeRune(d.utf8[:n])
	return r
}

// to reads up to end, which is a boundary of atoms.
func (d *jisReader) to(end int) {
	for d.at < end {
		if d.state > jisRoman || d.src[d.at] == esc {
			d.next()
			continue
		}
		n := bytes.IndexByte(d.src[d.at:end], esc)
		if n < 0 {
			n = end - d.at
		}
		d.at, d.escaped = d.at+n, false
	}
}

func (c iso2022jp) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	return c.InOrder()(dst, src, at, text)
}

// InOrder returns an Encode for places in the order of the bytes. It remembers the set of characters where the last
// place ended.
func (iso2022jp) InOrder() func(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	var d jisReader
	var e standardEncoder
	return func(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
		d.src = src
		d.to(at.Start)
		after := d
		after.to(at.End)
		out := dst
		e.state = d.state
		err := runes(text, func(r rune) (ok bool) {
			// The encoder replaces half-width katakana and the minus sign by other characters.
			if '\uFF61' <= r && r <= '\uFF9F' || r == minus {
				return false
			}
			out, ok = e.iso2022jp(out, r)
			return ok
		})
		if err != nil {
			return dst, err
		}
		rest := src[at.End:]
		switch _, switches := escape(rest); {
		case switches: // an escape sequence follows, and two of them side by side are an error
		case len(rest) > 0:
			out = e.enter(out, after.state)
		case e.state != after.state: // switch to ASCII at the end, except if the end was in the same set before
			out = e.enter(out, jisASCII)
		}
		return out, nil
	}
}
