package markdown

import (
	"bytes"
	"math"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// inlines reads the inline structure of one text (CommonMark 6; appendix, "Phase 2").
type inlines struct {
	s    *Scanner
	text text
	b    []byte // of text

	found stack[found] // sorted by their starts
	open  brackets     // the open brackets
	// inactive is the number of open brackets before the last link. No link can begin at these brackets, because it would
	// contain the last link.
	inactive int
	auto     int // the end of the last autolink without angle brackets
	autos    int // the number of spans up to that autolink

	ticks   map[int]int // the start of the last run of backticks of each length, in the part of the text that was searched
	ticked  bool        // the whole text was searched for backticks
	missing missing
}

// bracket is an opening bracket.
type bracket struct {
	start   int // the offset of `[` or `![`
	text    int // the offset after the bracket
	image   bool
	bracket bool // another bracket was opened after it
	auto    int  // the number of spans up to the autolink without angle brackets that contains the bracket; 0 if none does
}

// found is a span of the text, and its kind in the last bits of end.
type found struct{ start, tail int }

func (f found) kind() foundKind { return foundKind(f.tail & (1<<foundBits - 1)) }

func (f found) end() int { return f.tail >> foundBits }

func (f *found) setEnd(end int) { f.tail = end<<foundBits | int(f.kind()) }

const foundBits = 4

type foundKind uint8

const (
	linkBare foundKind = iota
	linkPointy
	imageBare
	imagePointy
	angleURI  // <http://h/>
	angleMail // <a@h>
	plainURL  // http://h/. A link cannot contain this kind or the next two kinds
	plainMail
	plainWWW
	rawHTML
)

// inlineBytes are the bytes that read must look at.
var inlineBytes = func() (set [256]bool) {
	for _, c := range []byte("\\`<![]:@w") {
		set[c] = true
	}
	return set
}()

// readInlines marks the links and the raw HTML of a text.
func (s *Scanner) readInlines(t text, inCell bool) {
	p := &s.inline
	clear(p.ticks)
	p.found.truncate(0)
	p.open.clear()
	*p = inlines{s: s, text: t, b: t.b, found: p.found, open: p.open, ticks: p.ticks}
	for i := 0; i < len(p.b); {
		if !inlineBytes[p.b[i]] {
			i++
			continue
		}
		i = p.read(i)
	}
	for i := range p.found.n {
		p.mark(*p.found.at(i), inCell)
	}
}

// read reads the construct that begins at b[i], and returns the offset after it.
func (p *inlines) read(i int) int {
	next := byte(0)
	if i+1 < len(p.b) {
		next = p.b[i+1]
	}
	switch p.b[i] {
	case '\\':
		if ascii.IsPunct(next) {
			return i + 2
		}
	case '`':
		return p.codeSpan(i)
	case '<':
		return p.angle(i)
	case '[':
		return p.openBracket(bracket{start: i, text: i + 1})
	case '!':
		if next == '[' {
			return p.openBracket(bracket{start: i, text: i + 2, image: true})
		}
	case ']':
		return p.closeBracket(i)
	case ':':
		return p.plainURL(i)
	case '@':
		return p.plainMail(i)
	case 'w':
		if next == 'w' {
			return p.plainWWW(i)
		}
	}
	return i + 1
}

// codeSpan returns the offset after the code span that begins at b[i] (6.1), or after the run of backticks.
func (p *inlines) codeSpan(i int) int {
	after := ticksEnd(p.b, i)
	if p.ticked && p.ticks[after-i] < after {
		return after
	}
	if p.ticks == nil {
		p.ticks = map[int]int{}
	}
	for q := after; ; {
		n := bytes.IndexByte(p.b[q:], '`')
		if n < 0 {
			p.ticked = true
			return after
		}
		start := q + n
		q = ticksEnd(p.b, start)
		if q-start == after-i {
			return q
		}
		if !p.ticked {
			p.ticks[q-start] = start
		}
	}
}

// ticksEnd returns the offset after the backticks at b[i].
func ticksEnd(b []byte, i int) int {
	for i < len(b) && b[i] == '`' {
		i++
	}
	return i
}

// angle reads an autolink or raw HTML at b[i].
func (p *inlines) angle(i int) int {
	if end, kind := angleEnd(p.b, i); end >= 0 {
		p.add(kind, i+1, end-1)
		return end
	}
	end := rawHTMLEnd(p.b, i, &p.missing)
	if end < 0 {
		return i + 1
	}
	if last := p.found.last(); last != nil && last.kind() == rawHTML && last.end() == i {
		last.setEnd(end) // adjacent tags are one fragment: <svg><a xlink:href="b">
	} else {
		p.add(rawHTML, i, end)
	}
	return end
}

func (p *inlines) add(kind foundKind, start, end int) {
	p.found.push(found{start, end<<foundBits | int(kind)})
}

// row is the place and the codec of one kind of span.
type row struct {
	place  string
	codec  codec.Codec
	inCell codec.Codec // the codec of a span with pipes in a table cell
}

func rowOf(place string, c codec.Codec) row {
	return row{place, c, codec.Layers(spell.MarkdownCell, c)}
}

var rows = [...]row{
	linkBare:    rowOf(PlaceLink, spell.MarkdownBare),
	linkPointy:  rowOf(PlaceLink, spell.MarkdownPointy),
	imageBare:   rowOf(PlaceImage, spell.MarkdownBare),
	imagePointy: rowOf(PlaceImage, spell.MarkdownPointy),
	angleURI:    rowOf(PlaceAutolink, spell.MarkdownAutolink),
	angleMail:   rowOf(PlaceAutolink, spell.MarkdownMail),
	plainURL:    rowOf(PlaceAutolink, spell.MarkdownAutolink),
	plainMail:   rowOf(PlaceAutolink, spell.MarkdownMail),
	plainWWW:    rowOf(PlaceAutolink, spell.MarkdownWWW),
}

// mark passes one span to the sink. It skips raw HTML without an attribute value, which cannot have a link.
func (p *inlines) mark(f found, inCell bool) {
	s := p.s
	if f.kind() == rawHTML {
		if bytes.IndexByte(p.b[f.start:f.end()], '=') >= 0 {
			s.parts = p.text.spans(s.parts[:0], f.start, f.end())
			s.out.HTML(s.parts)
		}
		return
	}
	at, row := p.text.span(f.start, f.end()), rows[f.kind()]
	c := row.codec
	if inCell && bytes.IndexByte(p.b[f.start:f.end()], '|') >= 0 {
		c = row.inCell
		if p.b[f.start] == '|' {
			at.Start-- // include the backslash before the pipe
		}
	}
	s.out.Link(row.place, at.Start, at.End, c)
}

// stack is a long list whose elements never move in memory.
type stack[T any] struct {
	chunks [][]T
	n      int
}

const chunkLen = 1 << 10

func (s *stack[T]) push(v T) {
	i, at := uint(s.n)/chunkLen, uint(s.n)%chunkLen
	switch {
	case i == uint(len(s.chunks)) && i == 0: // most texts need a few elements
		s.chunks = append(s.chunks, make([]T, 4))
	case i == uint(len(s.chunks)):
		s.chunks = append(s.chunks, make([]T, chunkLen))
	case at == uint(len(s.chunks[i])):
		s.chunks[i] = append(s.chunks[i], make([]T, at)...)
	}
	s.chunks[i][at] = v
	s.n++
}

func (s *stack[T]) at(i int) *T { return &s.chunks[uint(i)/chunkLen][uint(i)%chunkLen] }

// last returns the last element, or nil.
func (s *stack[T]) last() *T {
	if s.n == 0 {
		return nil
	}
	return s.at(s.n - 1)
}

// truncate removes all elements from index n on.
func (s *stack[T]) truncate(n int) { s.n = n }

// brackets is a list of brackets in four bytes each. It grows and shrinks at the end.
type brackets struct {
	packed stack[uint32]     // | distance from the start of the run | in an autolink | bracket | image |
	runs   stack[bracketRun] // brackets that are near each other
	autos  stack[bracketRun] // the values of bracket.auto, each with the first bracket that has it
}

// bracketRun is some consecutive brackets, from the index first on, and a number for all of them.
type bracketRun struct{ first, value int }

const (
	bracketImage = 1 << iota
	bracketBracket
	bracketAuto
	bracketBits = 3
)

func (s *brackets) len() int { return s.packed.n }

func (s *brackets) clear() {
	s.packed.truncate(0)
	s.runs.truncate(0)
	s.autos.truncate(0)
}

func (s *brackets) push(b bracket) {
	if last := s.packed.last(); last != nil {
		*last |= bracketBracket
	}
	run := s.runs.last()
	if run == nil || b.start-run.value > math.MaxUint32>>bracketBits {
		s.runs.push(bracketRun{s.packed.n, b.start})
		run = s.runs.last()
	}
	word := uint32(b.start-run.value) << bracketBits
	if b.image {
		word |= bracketImage
	}
	if b.auto > 0 {
		word |= bracketAuto
		if last := s.autos.last(); last == nil || last.value != b.auto {
			s.autos.push(bracketRun{s.packed.n, b.auto})
		}
	}
	s.packed.push(word)
}

// pop removes the last bracket, and returns it.
func (s *brackets) pop() (b bracket) {
	word, run := *s.packed.last(), s.runs.last()
	s.packed.truncate(s.packed.n - 1)
	b = bracket{start: run.value + int(word>>bracketBits), image: word&bracketImage != 0, bracket: word&bracketBracket != 0}
	b.text = b.start + 1
	if b.image {
		b.text++
	}
	if run.first == s.packed.n {
		s.runs.truncate(s.runs.n - 1)
	}
	if word&bracketAuto != 0 {
		auto := s.autos.last()
		if b.auto = auto.value; auto.first == s.packed.n {
			s.autos.truncate(s.autos.n - 1)
		}
	}
	return b
}
