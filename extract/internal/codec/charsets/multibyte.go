package charsets

import (
	"bytes"
	"fmt"
	"sync"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"

	"golang.org/x/text/encoding"
)

// multiByte is a stateless encoding of one to four bytes for each character: gb18030, GBK, Big5, EUC-JP, Shift_JIS or
// EUC-KR (Encoding Standard 10 to 13).
//
//	Shift_JIS   <  93 FA  96 7B       the text is <日本
//	EUC-JP      <  C6 FC  CB DC       the text is <日本
//	gb18030     <  81 30 81 30        the text is "<" and U+0080
//
// An ASCII byte stands for itself, except inside a sequence. Each sequence is an atom, even if it is invalid. The
// length of a sequence follows the Encoding Standard. The tables are the tables of x/text, and the function missing has
// the characters that x/text does not have.
type multiByte struct {
	codec.Simple
	name string
	in   encoding.Encoding
}

func (multiByte) Plain() *ascii.Set { return asciiBytes }

func (c multiByte) Decode(src []byte) ([]byte, error) {
	if ascii.IsASCII(src) {
		return src, nil
	}
	// To decode the whole source at once is ten times faster. The result is right if all bytes are valid.
	text, err := c.in.NewDecoder().Bytes(src)
	if err != nil || bytes.Contains(text, []byte("\uFFFD")) || c.gb18030() && bytes.Contains(src, []byte(freed)) {
		return c.read(src, nil)
	}
	return text, nil
}

// freed is a sequence of four bytes that has another meaning since GB 18030-2022, and freedText is its text (6, "index
// gb18030 ranges code point"). GB 18030-2022 gave the two bytes of freedText to another character. x/text has the older
// meaning.
const freed, freedText = "\x81\x35\xF4\x37", "\uE7C7"

func (c multiByte) gb18030() bool { return c.name == "gb18030" || c.name == "GBK" }

func (c multiByte) Map(src []byte) ([]byte, codec.Atoms, error) {
	if text, err := c.Decode(src); err == nil && readable(text) {
		return text, atomsOf(c, src, text), nil
	}
	var atoms codec.Atoms
	text, err := c.read(src, &atoms)
	return text, atoms, err
}

// letter is a method of stateless.
func (c multiByte) letter(src, text []byte) (n, textLen int) {
	_, textLen = utf8.DecodeRune(text)
	if c.name == "Big5" && src[0] == 0x88 && bytes.IndexByte(big5Pairs, src[1]) >= 0 {
		_, mark := utf8.DecodeRune(text[textLen:])
		textLen += mark
	}
	return c.length(src), textLen
}

// big5Pairs has the bytes that, after 0x88, stand for a letter and a combining mark (11.1.1, step 3.3).
var big5Pairs = []byte{0x62, 0x64, 0xA3, 0xA5}

func (c multiByte) Short(src, text []byte, edits []codec.Edit) ([]codec.Edit, bool) {
	if !readable(text) {
		return nil, false
	}
	return liftLetters(c, src, text, edits)
}

func (c multiByte) Spans(src, text []byte) func(codec.Span) codec.Span { return spansOf(c, src, text) }

func (c multiByte) read(src []byte, atoms *codec.Atoms) (text []byte, err error) {
	r := codec.ReadFrom(src, 0, atoms)
	dec := c.in.NewDecoder()
	for i := 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			i = ascii.NextWide(src, i)
			r.Same(i)
			continue
		}
		n := min(c.length(src[i:]), len(src)-i)
		sequence := src[i : i+n]
		var buf [16]byte
		size, _, _ := dec.Transform(buf[:], sequence, true)
		s := string(buf[:size])
		switch {
		case c.gb18030() && string(sequence) == freed:
			s = freedText
		case bytes.Contains(buf[:size], []byte("\uFFFD")):
			if s = missing(c.name, sequence); s == "" {
				n, s, err = c.wrong(src[i:]), "\uFFFD", codec.ErrUndecodable
			}
		}
		r.Put(n, s)
		i += n
	}
	return r.Text(), err
}

// leads reports whether a byte starts a sequence.
func (c multiByte) leads(b byte) bool {
	switch c.name {
	case "EUC-JP":
		return 0xA1 <= b && b <= 0xFE || b == 0x8E || b == 0x8F
	case "Shift_JIS":
		return 0x81 <= b && b <= 0x9F || 0xE0 <= b && b <= 0xFC
	}
	return 0x81 <= b && b <= 0xFE
}

// length returns the length of the sequence at the start of src, if the sequence is valid.
func (c multiByte) length(src []byte) int {
	switch {
	case !c.leads(src[0]):
		return 1
	case c.four(src):
		return 4
	case c.three(src):
		return 3
	}
	return 2
}

// four reports whether a sequence has four bytes. In gb18030, such a sequence has a digit as its second byte.
func (c multiByte) four(src []byte) bool {
	return c.gb18030() && len(src) > 1 && ascii.IsDigit(src[1])
}

// three reports whether a sequence has three bytes. In EUC-JP, such a sequence starts with the prefix for JIS X 0212.
func (c multiByte) three(src []byte) bool {
	return c.name == "EUC-JP" && src[0] == 0x8F && len(src) > 1 && 0xA1 <= src[1] && src[1] <= 0xFE
}

// wrong returns the number of bytes that read as one U+FFFD, if src starts with an invalid sequence. These are the
// bytes that the decoder has looked at, without an ASCII byte at the end. In gb18030 it is the first byte only, if a
// later byte of four is wrong.
func (c multiByte) wrong(src []byte) int {
	n := min(c.length(src), len(src))
	switch {
	case c.four(src):
		if n > 2 && (src[2] < 0x81 || src[2] > 0xFE) || n > 3 && !ascii.IsDigit(src[3]) {
			return 1
		}
	case src[n-1] < utf8.RuneSelf:
		return n - 1
	}
	return n
}

// Encode refuses a character that would be read back as another character. For example, some encoders of the Encoding
// Standard write the yen sign as a backslash.
func (c multiByte) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	if err := runes(text, func(rune) bool { return true }); err != nil {
		return dst, err
	}
	out, err := standard{c.in, c.name}.NewEncoder().Bytes(text)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", codec.ErrCannotSpell, err)
	}
	if back, _ := c.Decode(out); !bytes.Equal(back, text) {
		return dst, fmt.Errorf("%w: %q cannot be written in this charset", codec.ErrCannotSpell, text)
	}
	return append(dst, out...), nil
}

// Cut cuts after a byte that is in no valid sequence.
func (multiByte) Cut(src, _ []byte, _ int) codec.Cuts {
	return codec.Cuts{Next: func(i int) int {
		for i < len(src) && src[i-1] >= '0' {
			i++
		}
		return i
	}}
}

// missing decodes a sequence of two bytes that x/text cannot decode. name is the charset. missing returns "" if the
// Encoding Standard does not define the sequence.
func missing(name string, src []byte) string {
	if len(src) != 2 {
		return ""
	}
	lead, trail := int(src[0]), int(src[1])
	switch name {
	case "Shift_JIS": // 12.3.1, the end-user-defined characters
		if 0xF0 <= lead && lead <= 0xF9 && trail >= 0x40 && trail != 0x7F && trail <= 0xFC {
			if trail > 0x7F {
				trail--
			}
			return string(rune(0xE000 + (lead-0xF0)*188 + trail - 0x40))
		}
	case "gb18030", "GBK":
		for _, g := range gb18030Gaps() {
			if at := lead<<8 + trail - g.sequence; 0 <= at && at < g.n {
				return string(g.text + rune(at))
			}
		}
	}
	return ""
}

// gap is a run of n consecutive sequences of two bytes. The first sequence stands for the character text, and the
// others stand for the characters after text.
type gap struct {
	sequence int
	text     rune
	n        int
}

// gb18030Gaps has the sequences of index gb18030 that x/text does not have. They are the characters that GB 18030-2022
// moved out of the private use area, the places for characters of the user, and other unassigned places.
var gb18030Gaps = sync.OnceValue(func() []gap {
	gaps := []gap{
		{0xA6D9, 0xFE10, 1}, {0xA6DA, 0xFE12, 1}, {0xA6DB, 0xFE11, 1}, {0xA6DC, 0xFE13, 4}, {0xA6EC, 0xFE17, 2}, {0xA6F3, 0xFE19, 1}, {0xA8BC, 0x1E3F, 1},
		{0xFE59, 0x9FB4, 1}, {0xFE61, 0x9FB5, 1}, {0xFE66, 0x9FB6, 2}, {0xFE6D, 0x9FB8, 1}, {0xFE7E, 0x9FB9, 1}, {0xFE90, 0x9FBA, 1}, {0xFEA0, 0x9FBB, 1},

		{0xA2AB, 0xE766, 6}, {0xA2E4, 0xE76D, 1}, {0xA2EF, 0xE76E, 2}, {0xA2FD, 0xE770, 2}, {0xA4F4, 0xE772, 11}, {0xA5F7, 0xE77D, 8},
		{0xA6B9, 0xE785, 8}, {0xA6F6, 0xE797, 9}, {0xA7C2, 0xE7A0, 15}, {0xA7F2, 0xE7AF, 13}, {0xA896, 0xE7BC, 11}, {0xA8C1, 0xE7C9, 4},
		{0xA8EA, 0xE7CD, 21}, {0xA958, 0xE7E2, 1}, {0xA95B, 0xE7E3, 1}, {0xA95D, 0xE7E4, 3}, {0xA997, 0xE7F4, 13}, {0xA9F0, 0xE801, 15},
		{0xD7FA, 0xE810, 5}, {0xFE51, 0xE816, 3}, {0xFE6C, 0xE831, 1}, {0xFE76, 0xE83B, 1}, {0xFE91, 0xE855, 1},
	}
	for i := range 7 {
		if i < 6 {
			gaps = append(gaps, gap{0xAAA1 + i<<8, rune(0xE000 + 94*i), 94})
		}
		gaps = append(gaps, gap{0xF8A1 + i<<8, rune(0xE234 + 94*i), 94},
			gap{0xA140 + i<<8, rune(0xE4C6 + 96*i), 63}, gap{0xA180 + i<<8, rune(0xE4C6 + 96*i + 63), 33})
	}
	return gaps
})
