package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// inlines reads the inline structure of one text (CommonMark 6; appendix, "Phase 2").
type inlines struct {
	s *scanner
	t *text
	b []byte // of t

	found []found   // what is not marked yet, because a bracket around it may become a link; sorted
	open  []bracket // the open brackets
	// inactive is the number of open brackets before the last link. No link can begin at these brackets, because it
	// would contain the last link.
	inactive int
	auto     int // the end of the last autolink without angle brackets

	// the start of the last run of backticks of each length, in the part of the text that was searched
	ticks   map[int]int
	ticked  bool // the whole text was searched for backticks
	missing missing
}

type bracket struct {
	start int // the offset of `[` or `![`
	text  int // the offset after the bracket
	found int // the number of spans found before it
	image bool
	outer bool // another bracket was opened after it
}

// found is a link or HTML in the text.
type found struct {
	start, end int
	kind       kind
}

// maxOpen is the largest number of open brackets. If a text has more, those opened first are text.
const maxOpen = 1 << 16

// inlineBytes are the bytes that read must look at.
var inlineBytes = ascii.SetOf("\\`<![]:@w")

func (s *scanner) readInlines(t *text) {
	if s.defining {
		return
	}
	p := inlines{s: s, t: t, b: t.b, found: s.found[:0], open: s.brackets[:0]}
	for i := t.from; i < len(p.b); {
		if !inlineBytes[p.b[i]] {
			i++
			continue
		}
		i = p.read(i)
	}
	p.flush()
	s.found, s.brackets = p.found, p.open
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
	case ':', '@', 'w':
		return p.plain(i)
	}
	return i + 1
}

// add adds a span. Outside all brackets it first marks what was found before, which no bracket can change any more.
func (p *inlines) add(kind kind, start, end int) {
	if len(p.open) == 0 {
		p.flush()
	}
	p.found = append(p.found, found{start, end, kind})
}

func (p *inlines) flush() {
	for _, f := range p.found {
		p.s.mark(p.t, f)
	}
	p.found = p.found[:0]
}

// codeSpan returns the offset after the code span that begins at b[i] (6.1), or after the run of backticks.
func (p *inlines) codeSpan(i int) int {
	after := ticksEnd(p.b, i)
	if p.ticked && p.ticks[after-i] < after {
		return after
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
			if p.ticks == nil {
				p.ticks = map[int]int{}
			}
			p.ticks[q-start] = start
		}
	}
}

func ticksEnd(b []byte, i int) int {
	for i < len(b) && b[i] == '`' {
		i++
	}
	return i
}

func (p *inlines) angle(i int) int {
	if end, kind := angleEnd(p.b, i); end >= 0 {
		p.add(kind, i+1, end-1)
		return end
	}
	end := p.htmlEnd(i)
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

// openBracket adds an open bracket, and returns the offset after it.
func (p *inlines) openBracket(b bracket) int {
	if n := len(p.open); n > 0 {
		p.open[n-1].outer = true
		if n == maxOpen {
			p.open = p.open[:copy(p.open, p.open[n/2:])]
			p.inactive = max(0, p.inactive-n/2)
		}
	}
	b.found = len(p.found)
	p.open = append(p.open, b)
	return b.text
}

// closeBracket reads the link or image that the bracket at b[i] closes (6.3, 6.4; appendix, "look for link or image").
// It returns the offset after the link, or after the bracket if there is no link.
func (p *inlines) closeBracket(i int) int {
	n := len(p.open) - 1
	if n < 0 {
		return i + 1
	}
	o := p.open[n]
	p.open = p.open[:n]
	active := o.image || n >= p.inactive
	p.inactive = min(p.inactive, n)
	if !active {
		return i + 1
	}
	if i+1 < len(p.b) && p.b[i+1] == '(' {
		to, end := readResource(p.b, i+1)
		if end >= 0 {
			p.close(o, i)
			p.add(to.kind(linkBare, o.image), to.start, to.end)
			return end
		}
		p.s.keep(p.t, to)
	}
	end := p.reference(o, i)
	if end < 0 {
		return i + 1
	}
	p.close(o, i)
	return end
}

// close makes a link or an image of the bracket o, which ends at b[i] and is no longer in open. An autolink without
// angle brackets ends at either bracket of an image, and before a link. Inside a link there is none.
func (p *inlines) close(o bracket, i int) {
	p.cut(o.found-1, o.start)
	if o.image {
		p.cut(len(p.found)-1, i)
		return
	}
	p.inactive = len(p.open)
	inside := p.found[o.found:]
	p.found = p.found[:o.found]
	for _, f := range inside {
		if !f.kind.isPlain() {
			p.found = append(p.found, f)
		}
	}
}

// cut ends found[n] at an offset, if it is an autolink without angle brackets.
func (p *inlines) cut(n, end int) {
	if n >= 0 && p.found[n].kind.isPlain() && p.found[n].end > end {
		p.found[n].end = trimAutolink(p.b, p.found[n].start, end)
	}
}

// reference returns the offset after the reference link whose text ends at b[i], or -1 if the label has no definition.
// If no label follows the text, the text is the label.
func (p *inlines) reference(o bracket, i int) int {
	end := i + 1
	if end < len(p.b) && p.b[end] == '[' {
		if after := labelEnd(p.b, end); after >= 0 {
			if p.s.defined(p.b[end+1 : after-1]) {
				return after
			}
			return -1
		}
		if end+1 < len(p.b) && p.b[end+1] == ']' {
			end += 2
		}
	}
	if o.outer || p.b[o.text] == '^' || labelEnd(p.b, o.text-1) != i+1 || !p.s.defined(p.b[o.text:i]) {
		return -1
	}
	if bytes.IndexByte(p.b[o.text:i], '<') >= 0 { // an edit of a tag in the label would change the label
		p.s.fix(p.t, o.text, i)
	}
	return end
}
