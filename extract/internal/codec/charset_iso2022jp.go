package codec

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
)

// iso2022jp is ISO-2022-JP (Encoding Standard 12.2): escape sequences switch between ASCII and other sets. The bytes
// of ASCII letters stand for themselves, in the Roman set too. Any other letter is an atom, so that no byte of a kanji
// is taken for a `<`. Escape sequences belong to the atom of the letter after them.
// The decoder is that of the Encoding Standard, state by state: x/text's also knows sets that
// browsers do not, and has none for Roman.
type iso2022jp struct{}

var iso2022jpPlain = func() *set {
	s := *ascii
	s[0x0E], s[0x0F], s[esc] = false, false, false
	return &s
}()

func (iso2022jp) plain() *set { return iso2022jpPlain }

func (c iso2022jp) Decode(src []byte) ([]byte, error) {
	return c.read(src, nil)
}

func (c iso2022jp) Map(src []byte) ([]byte, Atoms, error) { return mapped(c.read, src) }

const esc = 0x1B

// jisState is a set that an escape sequence switches to.
type jisState int

const (
	jisASCII jisState = iota
	jisRoman
	jisKatakana
	jisKanji // 94 x 94, two bytes each
)

var jisEscapes = [...]struct {
	sequence string
	state    jisState
}{{"\x1B(B", jisASCII}, {"\x1B(J", jisRoman}, {"\x1B(I", jisKatakana}, {"\x1B$B", jisKanji}, {"\x1B$@", jisKanji}}

// escape reads an escape sequence.
func escape(src []byte) (jisState, bool) {
	for _, e := range jisEscapes {
		if bytes.HasPrefix(src, []byte(e.sequence)) {
			return e.state, true
		}
	}
	return 0, false
}

// appendEscape appends the escape sequence that switches to a set.
func appendEscape(dst []byte, to jisState) []byte {
	for _, e := range jisEscapes {
		if e.state == to {
			return append(dst, e.sequence...)
		}
	}
	return dst
}

func (c iso2022jp) read(src []byte, atoms *Atoms) (text []byte, err error) {
	r := readFrom(src, 0, atoms)
	var out []byte
	for d := (jisReader{src: src}); d.at < len(src); {
		start := d.at
		if d.same(); d.at > start {
			r.same(d.at)
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
			err = ErrUndecodable
		}
		r.put(d.at-start, string(out))
	}
	return r.text(), err
}

// jisReader is the decoder (12.2.1) at one place of a source.
type jisReader struct {
	src      []byte
	at       int
	state    jisState
	escaped  bool // the last thing read is an escape sequence: one more is an error (the output flag)
	dangling bool // the last thing read is the first byte of a kanji without its second

	table     *encoding.Decoder // of EUC-JP: the same kanji, both bytes with their high bit set
	two, utf8 []byte
}

// same reads the letters that stand for themselves.
func (d *jisReader) same() {
	if d.state != jisASCII && d.state != jisRoman {
		return
	}
	start := d.at
	for d.at < len(d.src) && iso2022jpPlain[d.src[d.at]] && (d.state == jisASCII || d.src[d.at] != '\\' && d.src[d.at] != '~') {
		d.at++
	}
	if d.at > start {
		d.escaped = false
	}
}

// next reads one letter, or one escape sequence: then it returns -1, and U+FFFD right after another one.
func (d *jisReader) next() rune {
	b := d.src[d.at]
	if b == esc {
		if to, ok := escape(d.src[d.at:]); ok {
			again := d.escaped
			d.at, d.state, d.escaped, d.dangling = d.at+3, to, true, false
			if again {
				return utf8.RuneError
			}
			return -1
		}
	}
	d.at, d.escaped, d.dangling = d.at+1, false, false
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
		if d.dangling = d.at == len(d.src) || d.src[d.at] == esc; d.dangling {
			break
		}
		d.at++ // a bad trail byte goes with its lead
		if trail := d.src[d.at-1]; isJIS(trail) {
			return d.kanji(b, trail)
		}
	}
	return utf8.RuneError
}

func isJIS(b byte) bool { return 0x21 <= b && b <= 0x7E }

// kanji is the letter of two bytes, U+FFFD if they have none.
func (d *jisReader) kanji(lead, trail byte) rune {
	if d.table == nil {
		d.table, d.utf8 = japanese.EUCJP.NewDecoder(), make([]byte, 8)
	}
	d.two = append(d.two[:0], lead|0x80, trail|0x80)
	n, _, _ := d.table.Transform(d.utf8, d.two, true)
	r, _ := utf8.DecodeRune(d.utf8[:n])
	return r
}

// to reads on to a boundary of atoms.
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
		d.at, d.escaped, d.dangling = d.at+n, false, false
	}
}

func (c iso2022jp) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	return c.inOrder()(dst, src, at, text)
}

// inOrder remembers for the next place in which set it stands.
func (iso2022jp) inOrder() encoder {
	var d jisReader
	e := standardEncoder{standard: standard{japanese.ISO2022JP, "ISO-2022-JP"}}
	e.x = e.tables().NewEncoder()
	return func(dst, src []byte, at Span, text []byte) ([]byte, error) {
		d.src = src
		d.to(at.Start)
		after := d
		after.to(at.End)
		out := dst
		e.state = d.state
		if to, ok := escape(src[at.Start:at.End]); ok && e.starts(to, text) {
			out, e.state = append(out, src[at.Start:at.Start+3]...), to // the set is switched to where it was
		}
		out, err := e.write(out, text)
		if err != nil {
			return dst, err
		}
		rest := src[at.End:]
		_, switches := escape(rest)
		switch {
		case switches: // one more escape sequence would be right before it
		case len(rest) > 0:
			out = e.enter(out, after.state)
		case e.state != after.state: // the text ends in ASCII, but is left open where it was
			out = e.enter(out, jisASCII)
		}
		if d.dangling && !startsWithEscape(out[len(dst):], rest) { // the byte before would be half of a letter
			out = slices.Insert(out, len(dst), appendEscape(nil, d.state)...)
		}
		if completes(src[:at.Start], out[len(dst):], rest) {
			return dst, fmt.Errorf("%w: %q after an escape character", ErrCannotSpell, text)
		}
		return out, nil
	}
}

// startsWithEscape reports whether put and rest, one after the other, are empty or start with an escape character.
func startsWithEscape(put, rest []byte) bool {
	if len(put) == 0 {
		put = rest
	}
	return len(put) == 0 || put[0] == esc
}

// completes reports whether a stray escape character at the end of head becomes an escape sequence with what follows.
func completes(head, put, rest []byte) bool {
	for n := 1; n <= min(len(head), 2); n++ {
		if head[len(head)-n] != esc {
			continue
		}
		sequence := append([]byte(nil), head[len(head)-n:]...)
		sequence = append(sequence, put[:min(len(put), 2)]...)
		sequence = append(sequence, rest[:min(len(rest), 2)]...)
		if _, ok := escape(sequence); ok {
			return true
		}
	}
	return false
}

// starts reports whether a text starts with a letter of a set.
func (e *standardEncoder) starts(set jisState, text []byte) bool {
	if len(text) == 0 {
		return false
	}
	trial := *e
	trial.state = set
	var buf [8]byte
	r, _ := utf8.DecodeRune(text)
	out, ok := trial.exact(buf[:0], r)
	return ok && out[0] != esc
}

// write appends the spelling of a text in a document.
func (e *standardEncoder) write(dst, text []byte) ([]byte, error) {
	out := dst
	err := runes(text, func(r rune) (ok bool) {
		out, ok = e.exact(out, r)
		return ok
	})
	if err != nil {
		return dst, err
	}
	return out, nil
}

// exact appends a letter so that it is read as it was. The encoder of the Encoding Standard has others instead of a
// half-width katakana and of U+2212.
func (e *standardEncoder) exact(dst []byte, r rune) ([]byte, bool) {
	switch {
	case '\uFF61' <= r && r <= '\uFF9F':
		return append(e.enter(dst, jisKatakana), byte(r-0xFF61+0x21)), true
	case r == minus:
		return dst, false
	}
	return e.iso2022jp(dst, r)
}
