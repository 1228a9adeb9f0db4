package source

import (
	"bytes"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// guessOf returns the label of the encoding that a format guesses for a document that declares none.
func guessOf(format *mark.Format, src []byte) string {
	head := src[:min(len(src), mark.SniffLen)]
	return format.Guess(head, ascii.IsASCII(head[:charsets.WholeLen(head)]) && charsets.LooksUTF8(src))
}

// guess is the encoding that is guessed for a record.
type guess struct {
	format  *mark.Format
	name    string // of the encoding
	queries bool   // the queries of URLs are in the encoding, too
}

// fragile reports whether edits may change the guess. They do not change it in three cases:
//
//   - All bytes are ASCII. Then the encoding matters only for queries.
//   - All bytes are UTF-8. Then the edits are UTF-8, too.
//   - No two bytes are a character in UTF-8, and the edits only add ASCII.
//
// A declaration that counts only in the first bytes may move there. fragile expects no declaration after the first 64 KiB.
func (g *guess) fragile(src []byte, adds bool) bool {
	same := false
	switch {
	case g.queries && escapes(src):
	case ascii.IsASCII(src):
		return false
	case g.name == "UTF-8":
		same = charsets.LooksUTF8(src)
	case g.name == "windows-1252":
		same = adds && !hasUTF8(src)
	}
	if same {
		_, name, _ := charsets.Of(g.format.Guess(src[:min(len(src), 64<<10)], g.name == "UTF-8"))
		same = name == g.name
	}
	return !same
}

// hasUTF8 reports whether src has a character of more than one byte in UTF-8.
func hasUTF8(src []byte) bool {
	for p := ascii.NextWide(src, 0); p < len(src); p = ascii.NextWide(src, p+1) {
		if _, n := utf8.DecodeRune(src[p:]); n > 1 {
			return true
		}
	}
	return false
}

// escapes reports whether src has character references that are not ASCII.
func escapes(src []byte) bool {
	if bytes.IndexByte(src, '&') < 0 {
		return false
	}
	text, _ := spell.AttrDouble.Decode(src)
	return wideBytes(text) > wideBytes(src)
}

// wideBytes returns the number of bytes that are not ASCII.
func wideBytes(text []byte) (n int) {
	for _, c := range text {
		n += int(c >> 7)
	}
	return n
}

// mostRounds is the maximum number of times that edits are tried again after other edits were made.
const mostRounds = 8

// Refused returns the indexes of the edits that would change the guessed encoding of the record, together with the other
// edits. edits has all edits of the bytes of the record. name is the encoding that would be guessed.
func (s *Charset) Refused(edits []codec.Edit) (refused []int, name string) {
	if len(edits) == 0 {
		return nil, ""
	}
	whole := newOutput(s.guess, s.src)
	for _, e := range edits {
		whole.add(e)
	}
	if name = whole.guessed(whole.at); name == s.guess.name {
		return nil, ""
	}
	src := s.src
	for i := range edits {
		refused = append(refused, i)
	}
	edits = append([]codec.Edit{}, edits...)
	for range mostRounds {
		var made, left []codec.Edit
		var later []int
		out, grown := newOutput(s.guess, src), 0
		for i, e := range edits {
			if out.tries(e) {
				made, grown = append(made, e), grown+len(e.New)-e.Len()
			} else {
				later = append(later, refused[i])
				left = append(left, codec.Shift([]codec.Edit{e}, grown)...)
			}
		}
		if len(made) == 0 {
			break
		}
		src, edits, refused = codec.Apply(nil, src, made), left, later
	}
	return refused, name
}

// output is the output of a rewriting up to an offset of the source, as far as the guess depends on it.
type output struct {
	*guess
	src []byte
	at  int // the output is read up to this offset of src

	head []byte // at most mark.SniffLen bytes
	cut  []byte // the start of a character at the end
	wide bool   // some byte is not ASCII
	bad  bool   // some byte is not UTF-8

	lastWide, lastBad int // the ends of the last byte of src that is not ASCII, and of the last byte that is not UTF-8
	escapes           bool
}

func newOutput(g *guess, src []byte) *output {
	o := &output{guess: g, src: src, escapes: g.queries && escapes(src)}
	text := src[:charsets.WholeLen(src)]
	for p := ascii.NextWide(text, 0); p < len(text); p = ascii.NextWide(text, o.lastWide) {
		r, n := utf8.DecodeRune(text[p:])
		if o.lastWide = p + n; r == utf8.RuneError && n == 1 {
			o.lastBad = o.lastWide
		}
	}
	return o
}

// write adds bytes to the output.
func (o *output) write(b []byte) {
	if n := min(mark.SniffLen-len(o.head), len(b)); n > 0 {
		o.head = append(o.head[:len(o.head):len(o.head)], b[:n]...)
	}
	if len(b) == 0 || len(o.cut) == 0 && ascii.IsASCII(b) {
		return
	}
	b = append(o.cut[:len(o.cut):len(o.cut)], b...)
	n := charsets.WholeLen(b)
	o.wide, o.bad, o.cut = o.wide || !ascii.IsASCII(b[:n]), o.bad || !utf8.Valid(b[:n]), b[n:]
}

// add adds an edit, and the bytes before it.
func (o *output) add(e codec.Edit) {
	o.write(o.src[o.at:e.Start])
	o.write(e.New)
	o.at = e.End
}

// tries adds an edit if it does not change the guess, and reports whether it has added the edit.
func (o *output) tries(e codec.Edit) bool {
	before := *o
	o.add(e)
	if o.guessed(o.at) == o.name {
		return true
	}
	*o = before
	return false
}

// guessed returns the name of the encoding that is guessed for the output, with the bytes of src from an offset on.
func (o *output) guessed(rest int) string {
	after := *o
	next := rest
	for next < len(o.src) && o.src[next] >= utf8.RuneSelf {
		next++
	}
	next = min(next+1, len(o.src)) // an ASCII character ends the character before it
	after.write(o.src[rest:next])
	if missing := mark.SniffLen - len(after.head); missing > 0 {
		after.write(o.src[next:min(len(o.src), next+missing)])
	}
	wide, bad := after.wide || o.lastWide > next, after.bad || o.lastBad > next
	if !wide && !o.escapes {
		return o.name // the encoding of ASCII does not matter
	}
	_, name, _ := charsets.Of(o.format.Guess(after.head, wide && !bad))
	return name
}
