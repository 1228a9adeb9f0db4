package markdown

import (
	"slices"
	"sort"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
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
	Extract: extract,
	Places:  func() []string { return []string{PlaceLink, PlaceImage, PlaceDefinition, PlaceAutolink} },
}

// charset returns a label of the encoding of a document. It uses the byte order mark, or else the label from the
// transport layer, or else UTF-8.
func charset(raw []byte, transport string) string {
	if name := charsets.OfBOM(raw); name != "" {
		return name
	}
	if transport != "" {
		return transport
	}
	return "utf-8"
}

func extract(src []byte, m *mark.Marks) {
	d := mark.ScratchOf[document](m)
	d.src, d.marks = src, m
	d.scanner.Scan(src, d)
	if fixed := merged(d.scanner.fixed); len(fixed) > 0 {
		m.Guard(codec.Span{End: len(src)}, func(e codec.Edit) (why string) {
			i := sort.Search(len(fixed), func(i int) bool { return fixed[i].End > e.Start })
			if i < len(fixed) && fixed[i].Start < e.End {
				return " would change which text around it is a link"
			}
			return ""
		})
	}
	d.src, d.marks = nil, nil
}

// merged sorts spans, and joins those that overlap.
func merged(spans []codec.Span) (out []codec.Span) {
	slices.SortFunc(spans, func(a, b codec.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		if n := len(out) - 1; n >= 0 && s.Start < out[n].End {
			out[n].End = max(out[n].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// document is a Sink. It makes a mark for each link that the Scanner finds.
type document struct {
	src     []byte
	marks   *mark.Marks
	scanner Scanner
	html    mark.Marks // the marks of one fragment of HTML
}

var places = map[string]*mark.Place{
	PlaceLink:       {Name: PlaceLink},
	PlaceImage:      {Name: PlaceImage},
	PlaceDefinition: {Name: PlaceDefinition},
	PlaceAutolink:   {Name: PlaceAutolink, Reads: readsAngle},
}

// placePlain is the place of an autolink without angle brackets.
var placePlain = &mark.Place{Name: PlaceAutolink, Reads: readsPlain}

// Link is part of Sink.
func (d *document) Link(place string, start, end int, c codec.Codec) {
	at := places[place]
	if place == PlaceAutolink && (start == 0 || d.src[start-1] != '<') {
		at = placePlain
	}
	d.marks.Link(at, start, end, c)
}

// noBase is the reason why a BASE element in Markdown is not a base. Programs that show Markdown put its HTML into a page
// of their own, or remove the element.
const noBase = "a BASE element in Markdown does not count"

// HTML is part of Sink. It marks the links of a fragment of HTML at their offsets in the document.
func (d *document) HTML(parts []codec.Span) {
	m, by := &d.html, parts[0].Start
	m.Clear()
	m.Settings = d.marks.Settings
	m.File, m.Described = false, false // programs do not save pages as Markdown, and the text of an anchor is not in parts
	html.Embedded(Blanked(d.src, parts), m, noBase)
	scopes := make([]int32, 1, 1+m.Scopes()) // the scopes of the document, by their numbers in the fragment
	for n := range m.Scopes() {
		s := m.ScopeMark(n + 1)
		scopes = append(scopes, d.marks.Scope(scopes[s.Scope], s.Place, s.Start+by, s.End+by, s.Codec, *s.Base))
	}
	for marks := range m.All {
		for _, at := range marks {
			at.Start, at.End = at.Start+by, at.End+by
			if !Whole(parts, at.Span()) {
				continue
			}
			if at.Scope > 0 {
				at.Scope = scopes[at.Scope]
			}
			d.marks.Add(at)
		}
	}
	for _, f := range m.Notes.Faults {
		d.marks.Fault(f.Offset+by, f.Code, f.Detail)
	}
}
