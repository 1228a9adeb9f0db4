package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// inlines reads the inline structure of one text (CommonMark 6; appendix, "Phase 2").
type inlines struct {
	s    *Scanner
	text text
	b    []byte // of text

	found []found   // sorted by their starts
	open  []bracket // the open brackets
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

// found is a span of the text.
type found struct {
	kind       foundKind
	start, end int
}

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
	*p = inlines{s: s, text: t, b: t.b, found: p.found[:0], open: p.open[:0], ticks: p.ticks}
	for i := 0; i < len(p.b); {
		if !inlineBytes[p.b[i]] {
			i++
			continue
		}
		i = p.read(i)
	}
	for _, f := range p.found {
		p.mark(f, inCell)
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
	if n := len(p.found) - 1; n >= 0 && p.found[n].kind == rawHTML && p.found[n].end == i {
		p.found[n].end = end // adjacent tags are one fragment: <svg><a xlink:href="b">
	} else {
		p.add(rawHTML, i, end)
	}
	return end
}

func (p *inlines) add(kind foundKind, start, end int) {
	p.found = append(p.found, found{kind, start, end})
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
	if f.kind == rawHTML {
		if bytes.IndexByte(p.b[f.start:f.end], '=') >= 0 {
			s.parts = p.text.spans(s.parts[:0], f.start, f.end)
			s.out.HTML(s.parts)
		}
		return
	}
	at, row := p.text.span(f.start, f.end), rows[f.kind]
	c := row.codec
	if inCell && bytes.IndexByte(p.b[f.start:f.end], '|') >= 0 {
		c = row.inCell
		if p.b[f.start] == '|' {
			at.Start-- // include the backslash before the pipe
		}
	}
	s.out.Link(row.place, at.Start, at.End, c)
}
