package markdown

import (
	"bytes"
	"slices"

	"golang.org/x/text/cases"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// takeDefinitions removes the link reference definitions (4.7) from the start of the open paragraph. It adds a block for
// each definition.
func (s *Scanner) takeDefinitions() {
	if s.pending.n == 0 || s.src[s.pending.first.Start] != '[' {
		return
	}
	t := s.join(block{s.pending.first, s.pending.rest()})
	end := 0
	for end < len(t.b) {
		d, ok := readDefinition(t.b, end)
		if !ok {
			s.keep(t, d.to)
			break
		}
		kind := definitionBare
		if d.to.pointy {
			kind = definitionPointy
		}
		s.blocks.add(kind, t.span(d.to.start, d.to.end))
		s.define(t.b[d.label.Start:d.label.End])
		end = d.end
	}
	if end == 0 {
		return
	}
	var kept lineList
	if end < len(t.b) {
		at := t.source(end)
		for l := range s.pending.all {
			if l.End >= at {
				kept.add(l)
			}
		}
	}
	s.pending = kept
}

// keep keeps the white space after a destination that is not a link: without it, the text might be a link.
func (s *Scanner) keep(t text, to target) {
	if after := to.after(); after > 0 && after < len(t.b) && ascii.IsBlank(t.b[after]) {
		s.fixed = append(s.fixed, codec.Span{Start: t.source(after), End: t.source(after) + 1})
	}
}

// definition is a link reference definition in a text.
type definition struct {
	label codec.Span // the text between the brackets
	to    target
	end   int // the start of the next line
}

// readDefinition reads the definition at the start of the line at b[p].
func readDefinition(b []byte, p int) (d definition, ok bool) {
	p = ascii.SkipWhite(b, p, len(b))
	end := -1
	if p < len(b) && b[p] == '[' {
		end = labelEnd(b, p)
	}
	if end < 0 || end >= len(b) || b[end] != ':' || b[p+1] == '^' {
		return d, false
	}
	d.label = codec.Span{Start: p + 1, End: end - 1}
	d.to, ok = readTarget(b, ascii.SkipWhite(b, end+1, len(b)))
	if !ok || d.to.start == d.to.end && !d.to.pointy {
		return d, false
	}
	after := d.to.after()
	d.end = restBlank(b, after) // without a title
	if q := ascii.SkipWhite(b, after, len(b)); q > after && q < len(b) {
		if q = titleEnd(b, q); q >= 0 {
			if q = restBlank(b, q); q >= 0 {
				d.end = q
			}
		}
	}
	return d, d.end >= 0
}

// restBlank returns the start of the next line if the rest of the line at b[p] is blank, or -1.
func restBlank(b []byte, p int) int {
	for p < len(b) && ascii.IsBlank(b[p]) {
		p++
	}
	if p < len(b) && !isNewline(b[p]) {
		return -1
	}
	return newline(b, p)
}

// define adds the label of a definition.
func (s *Scanner) define(label []byte) {
	if len(s.labels.starts) == 0 {
		s.folder = cases.Fold()
	}
	s.label = s.normalize(s.label[:0], label)
	s.labels.add(s.label)
}

// defined reports whether a definition has the label.
func (s *Scanner) defined(label []byte) bool {
	if len(s.labels.starts) == 0 {
		return false
	}
	s.label = s.normalize(s.label[:0], label)
	return s.labels.has(s.label)
}

// labels is a set of normalized labels. A label ends with a newline, which no normalized label contains.
type labels struct {
	text   []byte
	starts []int
}

func (l *labels) clear() { l.text, l.starts = l.text[:0], l.starts[:0] }

func (l *labels) add(label []byte) {
	l.starts = append(l.starts, len(l.text))
	l.text = append(append(l.text, label...), '\n')
}

// at returns the label that begins at an offset of the text.
func (l *labels) at(start int) []byte {
	return l.text[start : start+bytes.IndexByte(l.text[start:], '\n')]
}

// sort sorts the labels. After it, no label can be added.
func (l *labels) sort() {
	slices.SortFunc(l.starts, func(a, b int) int { return bytes.Compare(l.at(a), l.at(b)) })
}

// has reports whether a label is in the sorted set.
func (l *labels) has(label []byte) bool {
	_, ok := slices.BinarySearchFunc(l.starts, label, func(start int, label []byte) int { return bytes.Compare(l.at(start), label) })
	return ok
}

// normalize appends the normalized form of a label, which is used to compare labels. It removes white space at both ends,
// replaces other white space by one space, and folds case.
func (s *Scanner) normalize(dst, label []byte) []byte {
	folds := false
	for i, c := range label {
		switch {
		case ascii.IsWhite(c):
			if len(dst) > 0 && i > 0 && !ascii.IsWhite(label[i-1]) {
				dst = append(dst, ' ')
			}
			continue
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case c >= 0x80:
			folds = true
		}
		dst = append(dst, c)
	}
	if n := len(dst); n > 0 && dst[n-1] == ' ' {
		dst = dst[:n-1]
	}
	if folds {
		return append(dst[:0], s.folder.Bytes(dst)...)
	}
	return dst
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
		case c == '\\' && p+1 < len(b) && ascii.IsPunct(b[p+1]):
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
