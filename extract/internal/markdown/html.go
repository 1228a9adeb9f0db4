package markdown

import (
	"bytes"
	"slices"
	"strings"

	"absolink/extract/internal/ascii"
)

// htmlKind is a kind of HTML block, by its number in 4.6. 0 is no HTML block.
type htmlKind uint8

// rawNames are the elements of kind 1.
var rawNames = []string{"script", "pre", "style", "textarea"}

// enclosed are the ends of kinds 2 to 5, in a block and in a text: comments, processing instructions, declarations and
// CDATA.
var enclosed = [...][]byte{2: []byte("-->"), 3: []byte("?>"), 4: []byte(">"), 5: []byte("]]>")}

// blockNames are the elements of kind 6.
var blockNames = strings.Fields(`address article aside base basefont blockquote body caption center col colgroup
	dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head
	header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section
	summary table tbody td tfoot th thead title tr track ul`)

// enclosedKind returns the kind of the HTML that begins with rest: 2 to 5, or 0.
func enclosedKind(rest []byte) htmlKind {
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return 2
	case bytes.HasPrefix(rest, []byte("<?")):
		return 3
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return 5
	case len(rest) > 2 && rest[1] == '!' && ascii.IsLetter(rest[2]):
		return 4
	}
	return 0
}

// startHTML opens the HTML block that begins with rest, if any. A block of kind 7 cannot interrupt a paragraph, not
// even at a lazy line.
func (s *scanner) startHTML(matched int, rest []byte) bool {
	kind := htmlStart(rest)
	if kind == 0 && s.leaf != paragraph && isLoneTag(rest) {
		kind = 7
	}
	if kind == 0 {
		return false
	}
	s.begin(matched, htmlBlock)
	s.htmlEnd = kind
	s.htmlLine()
	return true
}

// htmlLine adds the line to the open HTML block, and closes the block if the line ends it.
func (s *scanner) htmlLine() {
	l := &s.line
	s.add(l.pos, l.end)
	if s.htmlEnd.endsIn(l.src[l.pos:l.end]) {
		s.closeTo(len(s.open))
	}
}

// htmlStart returns the kind of the HTML block that begins with rest: 1 to 6, or 0.
func htmlStart(rest []byte) htmlKind {
	if kind := enclosedKind(rest); kind > 0 {
		return kind
	}
	tag, closing := bytes.CutPrefix(rest[1:], []byte("/"))
	n := 0
	for n < len(tag) && ascii.IsAlnum(tag[n]) {
		n++
	}
	switch name := nameOf(tag[:n]); {
	case n < len(tag) && !ascii.IsBlank(tag[n]) && tag[n] != '>' && !bytes.HasPrefix(tag[n:], []byte("/>")):
	case !closing && slices.Contains(rawNames, name) && (n == len(tag) || tag[n] != '/'):
		return 1
	case slices.Contains(blockNames, name):
		return 6
	}
	return 0
}

// nameOf returns the name of an element in lower case. A name that is longer than all names above may be cut.
func nameOf(name []byte) string { return ascii.Lower(string(name[:min(len(name), 16)])) }

// isLoneTag reports whether rest is one complete tag (kind 7). That excludes open tags of rawNames, even <pre/>, which
// is not of kind 1.
func isLoneTag(rest []byte) bool {
	end := tagEnd(rest, 0)
	if end < 0 || len(trimRight(rest[end:])) > 0 {
		return false
	}
	return rest[1] == '/' || !slices.Contains(rawNames, nameOf(rest[1:nameEnd(rest, 1)]))
}

func (k htmlKind) endsAtBlank() bool { return k >= 6 }

func (k htmlKind) endsIn(line []byte) bool {
	switch {
	case k == 1:
		lower := ascii.Lower(string(line))
		return slices.ContainsFunc(rawNames, func(name string) bool { return strings.Contains(lower, "</"+name+">") })
	case k < 6:
		return bytes.Contains(line, enclosed[k])
	}
	return false
}

// missing has the kinds whose end the rest of a text does not contain. It keeps the time linear, because each missing
// end is searched for only once.
type missing [len(enclosed)]bool

// htmlEnd returns the offset after the HTML (6.6) at b[i], or -1. b[i] is `<`.
func (p *inlines) htmlEnd(i int) int {
	kind := enclosedKind(p.b[i:])
	if kind == 0 {
		return tagEnd(p.b, i)
	}
	if p.missing[kind] {
		return -1
	}
	n := bytes.Index(p.b[i+2:], enclosed[kind])
	if n < 0 {
		p.missing[kind] = true
		return -1
	}
	return i + 2 + n + len(enclosed[kind])
}

// tagEnd returns the offset after the open or closing tag at b[i], or -1. b[i] is `<`.
func tagEnd(b []byte, i int) int {
	closing := i+1 < len(b) && b[i+1] == '/'
	if closing {
		i++
	}
	if i++; i == len(b) || !ascii.IsLetter(b[i]) {
		return -1
	}
	p := nameEnd(b, i)
	for {
		q := ascii.SkipWhite(b, p, len(b))
		switch {
		case q == len(b):
			return -1
		case b[q] == '>':
			return q + 1
		case closing:
			return -1
		case b[q] == '/':
			if q+1 < len(b) && b[q+1] == '>' {
				return q + 2
			}
			return -1
		case q == p:
			return -1
		}
		if p = attributeEnd(b, q); p < 0 {
			return -1
		}
	}
}

func nameEnd(b []byte, p int) int {
	for p < len(b) && (ascii.IsAlnum(b[p]) || b[p] == '-') {
		p++
	}
	return p
}

// attributeEnd returns the offset after the attribute at b[p], or -1.
func attributeEnd(b []byte, p int) int {
	if !ascii.IsLetter(b[p]) && b[p] != '_' && b[p] != ':' {
		return -1
	}
	for p < len(b) && (ascii.IsAlnum(b[p]) || bytes.IndexByte([]byte("_:.-"), b[p]) >= 0) {
		p++
	}
	q := ascii.SkipWhite(b, p, len(b))
	if q == len(b) || b[q] != '=' {
		return p
	}
	if q = ascii.SkipWhite(b, q+1, len(b)); q == len(b) {
		return -1
	}
	if quote := b[q]; quote == '"' || quote == '\'' {
		n := bytes.IndexByte(b[q+1:], quote)
		if n < 0 {
			return -1
		}
		return q + 1 + n + 1
	}
	end := q
	for end < len(b) && !ascii.IsWhite(b[end]) && bytes.IndexByte([]byte("\"'=<>`"), b[end]) < 0 {
		end++
	}
	if end == q {
		return -1
	}
	return end
}
