// Package markdown marks the links of a Markdown document (text/markdown, RFC 7763). It reads CommonMark 0.31.2 with
// the tables and autolinks of GFM 0.29, footnote definitions, and front matter.
//
//	---                                 front matter: no links
//	title: a
//	---
//	> See [a](b.html "title") and       link: the mark is b.html
//	> ![c](<d e.png>).                  image: the mark is d e.png, without the brackets
//
//	[x]: /y  'title'                    definition: the mark is /y; a link [x] has no URL of its own
//	<http://h/> www.h.example a@h.example
//	                                    autolink: the text in the brackets, or the whole autolink
//	| [a](b\|c) |                       a table cell: \| is a pipe
//	| --------- |
//	<p><a href="f">                     HTML: its links are marked as in HTML
//	`[a](b)`                            code: no links
//
// blocks.go divides the document into blocks, line by line, and collects the text of each block without the prefixes of
// its lines. When a block ends, its text is read: inlines.go finds the brackets of a paragraph, a heading or a table
// cell, links.go reads what is in and after them, autolink.go finds bare URLs, and html.go finds the tags. Emphasis
// does not change links, so it is not read.
//
// If [b] is defined anywhere, [b] is a link, and then [a [b] c](d) is not a link. So a document that may have
// definitions is read twice: the first time only for the definitions.
package markdown

import (
	"bytes"
	"cmp"
	"sort"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/html"
	"absolink/extract/internal/mark"
)

// Format is text/markdown (RFC 7763).
var Format = &mark.Format{
	Name:    "text/markdown",
	Embeds:  mark.OnlyPages,
	Types:   []string{"text/x-markdown"},
	Exts:    []string{".md", ".markdown"},
	Charset: charset,
	Avoid:   "|`>", // a pipe ends a cell, and the others may end code or a tag that begins before the edit
	Mark:    extract,
	Places:  func() []string { return []string{link.Name, image.Name, definition.Name, autolink.Name} },
}

// charset returns the label of a document's encoding. A byte order mark wins over the label from the transport layer;
// without either, Markdown is UTF-8.
func charset(raw []byte, transport string) string {
	return cmp.Or(charsets.OfBOM(raw), transport, "utf-8")
}

func extract(src []byte, m *mark.Marks) {
	s := mark.ScratchOf[scanner](m)
	s.src, s.marks, s.fixed, s.labels, s.full = src, m, nil, nil, false
	body := frontMatterEnd(src)
	if s.defining = bytes.Contains(src, []byte("]:")); s.defining {
		s.readBlocks(body)
		s.defining = false
	}
	s.readBlocks(body)
	if fixed := s.fixed; len(fixed) > 0 {
		m.Guard(codec.Span{End: len(src)}, func(e codec.Edit) (why string) {
			i := sort.Search(len(fixed), func(i int) bool { return fixed[i].End > e.Start })
			if i < len(fixed) && fixed[i].Start < e.End {
				return " would change which text around it is a link"
			}
			return ""
		})
	}
	s.src, s.marks, s.line = nil, nil, line{}
}

// frontMatterEnd returns the offset after the byte order mark and the front matter. CommonMark and GFM have no front
// matter. Here it goes from a line of "---" (YAML) or "+++" (TOML) to the next such line, or to "..." in YAML. As in
// Pandoc, a blank line must not follow its first line.
func frontMatterEnd(src []byte) int {
	p := 0
	if bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")) {
		p = 3
	}
	end := lineEnd(src, p)
	open := trimRight(src[p:end])
	if string(open) != "---" && string(open) != "+++" {
		return p
	}
	for first := true; end < len(src); first = false {
		q := newline(src, end)
		end = lineEnd(src, q)
		switch text := trimRight(src[q:end]); {
		case first && len(text) == 0:
			return p
		case bytes.Equal(text, open), string(open) == "---" && string(text) == "...":
			return newline(src, end)
		}
	}
	return p
}

// scanner reads one document. Its memory is reused for the next one.
type scanner struct {
	src      []byte
	marks    *mark.Marks
	defining bool            // read only the definitions
	labels   map[string]bool // of the definitions, normalized
	fixed    []codec.Span    // the text that must stay, because it decides what is a link; sorted, without overlap

	line    line
	open    []container // the open containers, beginning with the outermost
	leaf    leaf        // the open block in the innermost container
	text    text        // of the open paragraph or HTML block
	fence   fence       // the fence of the open code block
	htmlEnd htmlKind    // the kind of the open HTML block, which determines its end
	columns int         // the number of columns of the open table

	room     []byte
	atoms    codec.Atoms
	full     bool // the atoms of a block were too many
	found    []found
	brackets []bracket
	fragment mark.Marks // the marks of one fragment of HTML
}

// text is the content of a block: its lines without their prefixes, like the "> " of a block quote. Where only white
// space separates the lines, b is a slice of the source. Otherwise b is a copy in which each newline is an atom: it
// stands for all bytes between two lines.
type text struct {
	b     []byte
	at    int          // the offset in the source at which b begins
	atoms *codec.Atoms // the map from b to the source; nil if b is a slice of the source
	end   int          // the offset in the source at which b ends
	line  int          // the offset in b of its last line
	from  int          // the offset in b after the definitions at its start
}

func (s *scanner) add(start, end int) {
	t := &s.text
	switch {
	case t.b == nil:
		*t = text{b: s.src[start:end], at: start}
	case t.atoms == nil && ascii.SkipWhite(s.src, t.end, start) == start:
		t.b, t.line = s.src[t.at:end], start-t.at
	default:
		if t.atoms == nil {
			s.atoms.Reset(len(s.src))
			t.b, t.atoms = append(s.room[:0], t.b...), &s.atoms
		}
		if t.atoms.Add(t.end-t.at, len(t.b), start-t.end, 1); t.atoms.Full {
			if !s.defining && !s.full {
				s.full = true
				s.marks.Fault(start, mark.SizeLimit, "a block has too many short lines with a prefix, such as "+
					"\">\"; its other lines are not read")
			}
			return
		}
		t.b = append(t.b, '\n')
		t.line = len(t.b)
		t.b = append(t.b, s.src[start:end]...)
		s.room = t.b
	}
	t.end = end
}

// source maps an offset in the text to the source.
func (t *text) source(p int) int {
	if t.atoms == nil {
		return t.at + p
	}
	return t.at + t.atoms.Source(p, false)
}

func (t *text) span(start, end int) codec.Span {
	return codec.Span{Start: t.source(start), End: t.source(end)}
}

type kind uint8

const (
	linkBare kind = iota
	linkPointy
	imageBare
	imagePointy
	definitionBare
	definitionPointy
	angleURI  // <http://h/>
	angleMail // <a@h>
	plainURL  // http://h/; a link cannot contain the kinds for which isPlain is true
	plainMail
	plainWWW
	rawHTML
)

func (k kind) isPlain() bool { return plainURL <= k && k <= plainWWW }

var (
	link       = &mark.Place{Name: "link"}
	image      = &mark.Place{Name: "image"}
	definition = &mark.Place{Name: "definition"}
	autolink   = &mark.Place{Name: "autolink", Reads: readsAngle}
	plain      = &mark.Place{Name: "autolink", Reads: readsPlain}
)

type row struct {
	place  *mark.Place
	codec  codec.Codec
	inCell codec.Codec // the codec of a span with pipes in a table cell
}

func rowOf(place *mark.Place, c codec.Codec) row {
	return row{place, c, codec.Nested(spell.MarkdownCell, c)}
}

var rows = [...]row{
	linkBare:         rowOf(link, spell.MarkdownBare),
	linkPointy:       rowOf(link, spell.MarkdownPointy),
	imageBare:        rowOf(image, spell.MarkdownBare),
	imagePointy:      rowOf(image, spell.MarkdownPointy),
	definitionBare:   rowOf(definition, spell.MarkdownBare),
	definitionPointy: rowOf(definition, spell.MarkdownPointy),
	angleURI:         rowOf(autolink, spell.MarkdownAutolink),
	angleMail:        rowOf(autolink, spell.MarkdownMail),
	plainURL:         rowOf(plain, spell.MarkdownAutolink),
	plainMail:        rowOf(plain, spell.MarkdownMail),
	plainWWW:         rowOf(plain, spell.MarkdownWWW),
}

// mark marks a link, or the links in HTML, which has none without an attribute value.
func (s *scanner) mark(t *text, f found) {
	has := func(c byte) bool { return bytes.IndexByte(t.b[f.start:f.end], c) >= 0 }
	if f.kind == rawHTML {
		if has('=') {
			s.markHTML(t, f.start, f.end)
		}
		return
	}
	c := rows[f.kind].codec
	if s.leaf == table && has('|') {
		c = rows[f.kind].inCell
	}
	at := t.span(f.start, f.end)
	s.marks.Link(rows[f.kind].place, at.Start, at.End, c)
}

// noBase is the reason that the user reads. Programs that show Markdown put its HTML into a page of their own, or
// remove the element.
const noBase = "a BASE element in Markdown does not count"

// markHTML marks the links of a fragment of HTML. It drops a link that the prefix of a line interrupts, because the
// link's bytes then differ from those in the source. White space at the start of a line is such a prefix (4.8, 5.2).
func (s *scanner) markHTML(t *text, start, end int) {
	m := &s.fragment
	m.Clear()
	m.Settings = s.marks.Settings
	// programs do not save pages as Markdown, and the text of an anchor is not in the fragment
	m.File, m.DescribeLinks = false, false
	html.Embedded(t.b[start:end], m, noBase)
	scopes := make([]int32, 1, 1+m.ScopeCount()) // the scopes of the document, by their numbers in the fragment
	for n := range m.ScopeCount() {
		at := m.ScopeMark(n + 1)
		span := t.span(start+at.Start, start+at.End)
		scopes = append(scopes, s.marks.OpenScope(scopes[at.ScopeNumber], at.Place, span.Start, span.End,
			at.Codec, *at.Base))
	}
	for marks := range m.All {
		for _, at := range marks {
			span := t.span(start+at.Start, start+at.End)
			value := t.b[start+at.Start : start+at.End]
			if span.Len() != len(value) ||
				at.Kind == mark.IsLink &&
					(bytes.Contains(value, []byte("\n ")) || bytes.Contains(value, []byte("\n\t"))) {
				continue
			}
			at.Start, at.End = span.Start, span.End
			if at.ScopeNumber > 0 {
				at.ScopeNumber = scopes[at.ScopeNumber]
			}
			s.marks.Add(at)
		}
	}
	for _, f := range m.Notes.Faults {
		s.marks.Fault(t.source(start+f.Offset), f.Code, f.Detail)
	}
}

// fix protects a span of the text: edits of it are refused.
func (s *scanner) fix(t *text, start, end int) {
	at := t.span(start, end)
	n := len(s.fixed)
	for ; n > 0 && s.fixed[n-1].End > at.Start; n-- {
		at.Start, at.End = min(at.Start, s.fixed[n-1].Start), max(at.End, s.fixed[n-1].End)
	}
	s.fixed = append(s.fixed[:n], at)
}
