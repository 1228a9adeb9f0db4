package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// Links and images (CommonMark 6.3, 6.4; appendix, "look for link or image").

// openBracket adds an open bracket, and returns the offset after it.
func (p *inlines) openBracket(b bracket) int {
	if b.start < p.auto {
		b.auto = p.autos
	}
	p.open.push(b)
	return b.text
}

// closeBracket reads the link or image that the bracket at b[i] closes. It returns the offset after the link, or after
// the bracket if there is no link.
func (p *inlines) closeBracket(i int) int {
	n := p.open.len() - 1
	if n < 0 {
		return i + 1
	}
	o := p.open.pop()
	active := o.image || n >= p.inactive
	p.inactive = min(p.inactive, n)
	if !active {
		return i + 1
	}
	if i+1 < len(p.b) && p.b[i+1] == '(' {
		if to, end := readResource(p.b, i+1); end >= 0 {
			p.close(o)
			kind := linkBare
			if o.image {
				kind = imageBare
			}
			if to.pointy {
				kind++
			}
			p.add(kind, to.start, to.end)
			return end
		} else {
			p.s.keep(p.text, to)
		}
	}
	if end := p.reference(o, i); end >= 0 {
		p.close(o)
		return end
	}
	return i + 1
}

// close records that the bracket o is a link or an image. o is already removed from open. An autolink without angle
// brackets ends before it. If it is a link, close removes the autolinks without angle brackets inside it.
func (p *inlines) close(o bracket) {
	if o.auto > 0 {
		if f := p.found.at(o.auto - 1); f.end() > o.start {
			f.setEnd(trimAutolink(p.b, f.start, o.start))
		}
	}
	if o.image {
		return
	}
	p.inactive = p.open.len()
	n, all := p.found.n, p.found.n
	for n > 0 && p.found.at(n-1).start > o.start {
		n--
	}
	p.found.truncate(n)
	for i := n; i < all; i++ {
		f := *p.found.at(i)
		if k := f.kind(); k != plainURL && k != plainMail && k != plainWWW {
			p.found.push(f)
		}
	}
}

// reference returns the offset after the reference link whose text ends at b[i], or -1 if the label has no definition.
// The label follows the text. If no label follows, the text is the label.
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
	if o.bracket || p.b[o.text] == '^' || labelEnd(p.b, o.text-1) != i+1 || !p.s.defined(p.b[o.text:i]) {
		return -1
	}
	if bytes.IndexByte(p.b[o.text:i], '<') >= 0 { // a tag in the label
		p.s.fixed = append(p.s.fixed, codec.Span{Start: p.text.source(o.text), End: p.text.source(i)})
	}
	return end
}

// target is a link destination (6.3).
type target struct {
	start, end int // without angle brackets
	pointy     bool
}

// after returns the offset after the destination, and after its angle bracket.
func (t target) after() int {
	if t.pointy {
		return t.end + 1
	}
	return t.end
}

// readTarget reads the destination at b[p], which may be empty.
func readTarget(b []byte, p int) (target, bool) {
	if p < len(b) && b[p] == '<' {
		for q := p + 1; q < len(b); q++ {
			switch c := b[q]; {
			case c == '>':
				return target{p + 1, q, true}, true
			case c == '<' || isNewline(c):
				return target{}, false
			case c == '\\' && q+1 < len(b) && ascii.IsPunct(b[q+1]):
				q++
			}
		}
		return target{}, false
	}
	q, depth := p, 0
	for q < len(b) && b[q] != ' ' && !isControl(b[q]) {
		switch c := b[q]; {
		case c == '\\' && q+1 < len(b) && ascii.IsPunct(b[q+1]):
			q++
		case c == '(':
			if depth++; depth > spell.MarkdownParentheses {
				return target{}, false
			}
		case c == ')':
			if depth == 0 {
				return target{p, q, false}, true
			}
			depth--
		}
		q++
	}
	return target{p, q, false}, depth == 0
}

// readResource reads the parentheses at b[p] with a destination and a title, and returns the offset after them, or -1. If
// white space ends a destination that is not a link, the target ends there.
func readResource(b []byte, p int) (target, int) {
	to, ok := readTarget(b, ascii.SkipWhite(b, p+1, len(b)))
	if !ok {
		return to, -1
	}
	after := to.after()
	q := ascii.SkipWhite(b, after, len(b))
	if q > after && q < len(b) && b[q] != ')' {
		if q = titleEnd(b, q); q < 0 {
			return to, -1
		}
		q = ascii.SkipWhite(b, q, len(b))
	}
	if q == len(b) || b[q] != ')' {
		return to, -1
	}
	return to, q + 1
}

// titleEnd returns the offset after the link title at b[p], or -1.
func titleEnd(b []byte, p int) int {
	open := b[p]
	end := open
	switch open {
	case '(':
		end = ')'
	case '"', '\'':
	default:
		return -1
	}
	for p++; p < len(b); p++ {
		switch c := b[p]; {
		case c == end:
			return p + 1
		case c == open:
			return -1
		case c == '\\' && p+1 < len(b) && ascii.IsPunct(b[p+1]):
			p++
		}
	}
	return -1
}
