package charsets

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// stateless is an encoding of one to four bytes for each character (Encoding Standard 9 to 13, and x-user-defined in
// 14.5). A character has the same bytes at each place.
//
//	windows-1252  63  E9              the text is cé
//	Shift_JIS     <   93 FA  96 7B    the text is <日本
//	EUC-JP        <   C6 FC  CB DC    the text is <日本
//	gb18030       <   81 30 81 30     the text is "<" and U+0080
//
// An ASCII byte stands for itself, except inside a sequence. Each sequence is an atom, even if it is invalid. x/text
// decodes the source, and differs has the characters for which its tables differ from the Encoding Standard. x/text
// drops an ASCII byte after an invalid first byte, so read finds invalid sequences itself.
type stateless struct {
	codec.Simple
	name string
	in   encoding.Encoding
}

func (c stateless) Decode(src []byte) ([]byte, error) {
	if ascii.IsASCII(src) {
		return src, nil
	}
	if c.isGB() && c.misread(src) {
		return c.read(src, nil)
	}
	// Decoding the whole source at once is ten times faster, and right if all bytes are valid.
	text, err := c.in.NewDecoder().Bytes(src)
	if err != nil || !readable(text) {
		return c.read(src, nil)
	}
	return text, nil
}

// misread reports whether src has a sequence of gb18030 that x/text decodes wrongly without an error: freed, or four
// bytes of which the second is one of ":;<=>?" instead of a digit (10.2.1).
func (c stateless) misread(src []byte) bool {
	for i := ascii.NextWide(src, 0); i < len(src); i = ascii.NextWide(src, i) {
		sequence := src[i:min(i+c.length(src[i:]), len(src))]
		if string(sequence) == freed || len(sequence) == 2 && sequence[1] < '@' {
			return true
		}
		i += len(sequence)
	}
	return false
}

func (c stateless) Map(src, text []byte, atoms *codec.Atoms) {
	if !readable(text) {
		c.read(src, atoms)
		return
	}
	for l := (cursor{c: c, src: src, text: text}); l.i < len(src); {
		at := l.boundary
		l.next(len(text))
		if src[at.i] >= utf8.RuneSelf {
			atoms.Add(at.i, at.at, l.i-at.i, l.at-at.at)
		}
	}
}

func (c stateless) read(src []byte, atoms *codec.Atoms) (text []byte, err error) {
	r := codec.ReadFrom(src, 0, atoms)
	dec := c.in.NewDecoder()
	for i := 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			i = ascii.NextWide(src, i)
			r.Same(i)
			continue
		}
		n := min(c.length(src[i:]), len(src)-i)
		s := c.sequence(dec, src[i:i+n])
		if s == "" {
			n, s, err = c.wrong(src[i:]), "\uFFFD", codec.ErrUndecodable
		}
		r.Put(n, s)
		i += n
	}
	return r.Text(), err
}

// sequence returns the text of one sequence, or "" if the charset does not define it.
func (c stateless) sequence(dec *encoding.Decoder, src []byte) string {
	var buf [16]byte
	n, _, _ := dec.Transform(buf[:], src, true)
	if text := buf[:n]; readable(text) && !(c.isGB() && string(src) == freed) {
		return string(text)
	}
	return c.differs(src)
}

func (c stateless) isGB() bool { return c.name == "gb18030" || c.name == "GBK" }

func (c stateless) singleByte() bool {
	_, ok := c.in.(*charmap.Charmap)
	return ok
}

// length returns the length that the sequence at the start of src has if it is valid.
func (c stateless) length(src []byte) int {
	lead, trail := src[0], byte(0)
	if len(src) > 1 {
		trail = src[1]
	}
	switch {
	case c.singleByte() || lead == 0x80 || lead == 0xFF:
		return 1
	case c.name == "Shift_JIS" && (0xA0 <= lead && lead <= 0xDF || lead > 0xFC):
		return 1
	case c.name == "EUC-JP" && lead <= 0xA0 && lead != 0x8E && lead != 0x8F:
		return 1
	case c.name == "EUC-JP" && lead == 0x8F && 0xA1 <= trail && trail <= 0xFE: // JIS X 0212
		return 3
	case c.isGB() && ascii.IsDigit(trail):
		return 4
	}
	return 2
}

// wrong returns the number of bytes that read as one U+FFFD if src starts with an invalid sequence: those that the
// decoder has looked at, without an ASCII byte at the end, or only the first byte if the third or fourth byte of
// gb18030 is wrong.
func (c stateless) wrong(src []byte) int {
	whole := c.length(src)
	n := min(whole, len(src))
	switch {
	case whole == 4:
		if n > 2 && (src[2] < 0x81 || src[2] > 0xFE) || n > 3 && !ascii.IsDigit(src[3]) {
			return 1
		}
	case src[n-1] < utf8.RuneSelf:
		return n - 1
	}
	return n
}

// Encode refuses a character that would read back as another one: some encoders of the Encoding Standard write the yen
// sign as a backslash.
func (c stateless) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	out, e := dst, standardEncoder{standard: standard{c}}
	err := runes(text, func(r rune) (ok bool) {
		out, ok = e.letter(out, r)
		return ok
	})
	if err != nil {
		return dst, err
	}
	if back, _ := c.Decode(out[len(dst):]); !bytes.Equal(back, text) {
		return dst, fmt.Errorf("%w: %q cannot be written in this charset", codec.ErrCannotSpell, text)
	}
	return out, nil
}

// Short spells each edit alone. If the source is valid, so is the new one, because sequences do not depend on each
// other.
func (c stateless) Short(src, text []byte, edits []codec.Edit) ([]codec.Edit, bool) {
	spans := c.Spans(src, text)
	if spans == nil || c.name == "Big5" { // in Big5 an edit may change a part of an atom
		return nil, false
	}
	out, room := make([]codec.Edit, 0, len(edits)), make([]byte, 0, codec.Grown(edits))
	starts := func(i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }
	for _, e := range edits {
		if !starts(e.Start) || !starts(e.End) {
			return nil, false
		}
		n := len(room)
		var err error
		if room, err = c.Encode(room, nil, codec.Span{}, e.New); err != nil {
			return nil, false
		}
		out = append(out, codec.Edit{Span: spans(e.Span), New: room[n:len(room):len(room)], Changes: e.Changes})
	}
	return out, true
}

// Spans finds the source of a part of the text without atoms, which would take 574 MB for a Russian text of 19 MB. It
// keeps a mark of 16 bytes for each everyMark bytes of text.
func (c stateless) Spans(src, text []byte) func(codec.Span) codec.Span {
	if !readable(text) {
		return nil
	}
	last := cursor{c: c, src: src, text: text}
	var marks []boundary // the characters that contain the text offsets 0, everyMark, 2*everyMark and so on
	at := func(offset int) cursor {
		for len(marks) <= offset/everyMark {
			last.to(len(marks) * everyMark)
			marks = append(marks, last.boundary)
		}
		l := last
		l.boundary = marks[offset/everyMark]
		l.to(offset)
		return l
	}
	return func(text codec.Span) codec.Span {
		l := at(text.Start)
		start := l.i
		if text.End-l.at > everyMark {
			l = at(text.End)
		}
		for l.at < text.End {
			l.next(text.End)
		}
		return codec.Span{Start: start, End: l.i}
	}
}

const everyMark = 256

// readable reports whether text has no U+FFFD, so that all bytes of its source are valid.
func readable(text []byte) bool { return !bytes.Contains(text, []byte("\uFFFD")) }

// cursor moves over a valid source and its text at the same time.
type cursor struct {
	c         stateless
	src, text []byte
	boundary
}

// boundary is the start of a character: the offset i in the source, and the offset at in the text.
type boundary struct{ i, at int }

// to moves the cursor to the character that contains text[end].
func (l *cursor) to(end int) {
	for l.at < end {
		start := l.boundary
		if l.next(end); l.at > end {
			l.boundary = start
			return
		}
	}
}

// next moves the cursor over one character, or over a run of ASCII up to text[end].
func (l *cursor) next(end int) {
	src := l.src[l.i:]
	if src[0] < utf8.RuneSelf {
		n := ascii.NextWide(src[:min(end-l.at, len(src))], 0)
		l.i, l.at = l.i+n, l.at+n
		return
	}
	_, n := utf8.DecodeRune(l.text[l.at:])
	if c := l.c; c.name == "Big5" && src[0] == 0x88 && slices.Contains(big5Pairs, src[1]) {
		_, mark := utf8.DecodeRune(l.text[l.at+n:])
		n += mark
	}
	l.i, l.at = l.i+l.c.length(src), l.at+n
}

// big5Pairs has the bytes that, after 0x88, stand for a letter and a combining mark (11.1.1, step 3.3).
var big5Pairs = []byte{0x62, 0x64, 0xA3, 0xA5}
