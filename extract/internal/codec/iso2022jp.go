package codec

import (
	"bytes"
	"fmt"

	"golang.org/x/text/encoding/japanese"
)

// iso2022jp is ISO-2022-JP (Encoding Standard 12.2): escape sequences switch between ASCII and other
// sets. Bytes of ASCII stand for themselves; a stretch from the escape sequence that leaves ASCII to the
// one that comes back, both included, is one atom, so that no byte of a kanji is taken for a `<`.
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
}{{"\x1B(B", jisASCII}, {"\x1B(J", jisRoman}, {"\x1B(I", jisKatakana}, {"\x1B$@", jisKanji}, {"\x1B$B", jisKanji}}

func (c iso2022jp) read(src []byte, atoms *Atoms) (text []byte, err error) {
	r := readFrom(src, 0, atoms)
	switched := false // the last thing read is an escape sequence: one more is an error (12.2.1, output flag)
	for i := 0; i < len(src); {
		if iso2022jpPlain[src[i]] {
			for i++; i < len(src) && iso2022jpPlain[src[i]]; i++ {
			}
			r.same(i)
			switched = false
			continue
		}
		n, out := 1, []byte("\uFFFD")
		switch state, ok := escape(src[i:]); {
		case ok && state == jisASCII:
			n, out, switched = 3, flag(nil, switched), true
		case ok:
			n, out, switched = stretch(src[i:], switched)
		default:
			switched = false
		}
		if bytes.Contains(out, []byte("\uFFFD")) {
			err = ErrUndecodable
		}
		r.put(n, string(out))
		i += n
	}
	return r.text(), err
}

// escape reads an escape sequence.
func escape(src []byte) (jisState, bool) {
	for _, e := range jisEscapes {
		if bytes.HasPrefix(src, []byte(e.sequence)) {
			return e.state, true
		}
	}
	return 0, false
}

// flag appends what an escape sequence right behind another reads as.
func flag(out []byte, switched bool) []byte {
	if switched {
		return append(out, "\uFFFD"...)
	}
	return out
}

// stretch reads the stretch that src begins with: its length, its text, and whether an escape sequence
// was the last thing in it.
func stretch(src []byte, switched bool) (n int, out []byte, last bool) {
	state := jisASCII
	kanji := japanese.EUCJP.NewDecoder() // the same table, both bytes with their high bit set
	for i := 0; i < len(src); {
		b := src[i]
		if b == esc {
			if to, ok := escape(src[i:]); ok {
				out = flag(out, switched)
				state, switched = to, true
				i += 3
				if state == jisASCII {
					return i, out, switched
				}
				continue
			}
		}
		i++
		switched = false
		switch {
		case b == esc:
			out = append(out, "\uFFFD"...)
		case state == jisRoman && b == 0x5C:
			out = append(out, "\u00A5"...)
		case state == jisRoman && b == 0x7E:
			out = append(out, "\u203E"...)
		case state == jisRoman && iso2022jpPlain[b]:
			out = append(out, b)
		case state == jisKatakana && 0x21 <= b && b <= 0x5F:
			out = append(out, string(rune(b)+0xFF61-0x21)...)
		case state == jisKanji && 0x21 <= b && b <= 0x7E:
			if i < len(src) && 0x21 <= src[i] && src[i] <= 0x7E {
				var buf [8]byte
				n, _, _ := kanji.Transform(buf[:], []byte{b | 0x80, src[i] | 0x80}, true)
				out = append(out, buf[:n]...)
				i++
				continue
			}
			out = append(out, "\uFFFD"...)
			if i < len(src) && src[i] != esc {
				i++ // a bad trail byte goes with its lead
			}
		default:
			out = append(out, "\uFFFD"...)
		}
	}
	return len(src), out, switched
}

// Encode begins and ends in ASCII.
func (iso2022jp) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	err := runes(text, func(r rune) bool { return r != 0x0E && r != 0x0F && r != esc })
	if err != nil {
		return dst, err
	}
	out, err := japanese.ISO2022JP.NewEncoder().Bytes(text)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", ErrCannotSpell, err)
	}
	return append(dst, out...), nil
}
