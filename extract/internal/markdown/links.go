package markdown

import (
	"bytes"

	"golang.org/x/text/cases"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/spell"
)

// readDefinitions reads the link reference definitions (4.7) at the start of the text of the open paragraph.
func (s *scanner) readDefinitions() {
	t := &s.text
	for t.from < len(t.b) {
		label, to, end := readDefinition(t.b, t.from)
		if end < 0 {
			if !s.defining {
				s.keep(t, to)
			}
			return
		}
		if s.defining {
			if s.labels == nil {
				s.labels = map[string]bool{}
			}
			s.labels[normalized(label)] = true
		} else {
			s.mark(t, found{to.start, to.end, to.kind(definitionBare, false)})
		}
		t.from = end
	}
}

// readDefinition reads the definition at the start of the line at b[p]. It returns the start of the next line, or -1.
func readDefinition(b []byte, p int) (label []byte, to target, end int) {
	p = ascii.SkipWhite(b, p, len(b))
	if p == len(b) || b[p] != '[' {
		return nil, to, -1
	}
	colon := labelEnd(b, p)
	if colon < 0 || colon == len(b) || b[colon] != ':' || b[p+1] == '^' {
		return nil, to, -1
	}
	to, ok := readTarget(b, ascii.SkipWhite(b, colon+1, len(b)))
	if !ok || to.start == to.end && !to.pointy {
		return nil, to, -1
	}
	after := to.after()
	end = restBlank(b, after) // without a title
	if q := ascii.SkipWhite(b, after, len(b)); q > after && q < len(b) {
		if q = titleEnd(b, q); q >= 0 {
			if q = restBlank(b, q); q >= 0 {
				end = q
			}
		}
	}
	return b[p+1 : colon-1], to, end
}

// restBlank returns the start of the next line if the rest of the line at b[p] is blank, or -1.
func restBlank(b []byte, p int) int {
	if p = skipBlanks(b, p, len(b)); p < len(b) && !isNewline(b[p]) {
		return -1
	}
	return newline(b, p)
}

// keep fixes the white space after a destination that did not become a link: without it, the text might be a link.
func (s *scanner) keep(t *text, to target) {
	if after := to.after(); after > 0 && after < len(t.b) && ascii.IsBlank(t.b[after]) {
		s.fix(t, after, after+1)
	}
}

func (s *scanner) defined(label []byte) bool { return s.labels != nil && s.labels[normalized(label)] }

// normalized returns the form in which labels are compared (6.3): case-folded, and with one space for all white space
// between two words.
func normalized(label []byte) string {
	words := bytes.Join(bytes.FieldsFunc(label, func(r rune) bool { return r <= ' ' && ascii.IsWhite(byte(r)) }),
		[]byte(" "))
	if ascii.IsASCII(words) {
		return ascii.Lower(string(words))
	}
	return cases.Fold().String(string(words))
}

// labelEnd returns the offset after the link label at b[p], or -1. b[p] is `[`.
func labelEnd(b []byte, p int) int {
	chars, blank := 0, true
	for p++; p < len(b) && chars <= 999; p++ {
		switch c := b[p]; {
		case c == ']':
			if blank {
				return -1
			}
			return p + 1
		case c == '[':
			return -1
		case isEscape(b, p):
			blank = false
			p++
			chars++
		case !ascii.IsWhite(c):
			blank = false
		}
		if b[p]&0xC0 != 0x80 {
			chars++
		}
	}
	return -1
}

// isEscape reports whether a backslash escape (2.4) begins at b[p].
func isEscape(b []byte, p int) bool {
	return b[p] == '\\' && p+1 < len(b) && ascii.IsPunct(b[p+1])
}

// target is a link destination (6.3).
type target struct {
	start, end int // without angle brackets
	pointy     bool
}

// after returns the offset after the destination and its angle bracket.
func (t target) after() int {
	if t.pointy {
		return t.end + 1
	}
	return t.end
}

// kind turns linkBare or definitionBare into the kind for an image or for angle brackets, where they are.
func (t target) kind(bare kind, isImage bool) kind {
	if isImage {
		bare += imageBare - linkBare
	}
	if t.pointy {
		bare += linkPointy - linkBare
	}
	return bare
}

// readTarget reads the destination at b[p], which may be empty.
func readTarget(b []byte, p int) (target, bool) {
	if p < len(b) && b[p] == '<' {
		for q := p + 1; q < len(b) && b[q] != '<' && !isNewline(b[q]); q++ {
			if b[q] == '>' {
				return target{p + 1, q, true}, true
			}
			if isEscape(b, q) {
				q++
			}
		}
		return target{}, false
	}
	q, depth := p, 0
	for ; q < len(b) && !endsURL(b[q]); q++ {
		switch c := b[q]; {
		case isEscape(b, q):
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
	}
	return target{p, q, false}, depth == 0
}

// readResource reads the parentheses at b[p] with a destination and a title, and returns the offset after them, or -1.
// With -1, the target is as much of the destination as was read, for keep.
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
		case isEscape(b, p):
			p++
		}
	}
	return -1
}
