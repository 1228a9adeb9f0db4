package markdown_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/markdown"
)

// mark is one call of a Sink.
type mark struct {
	place      string // or "html"
	start, end int
	codec      codec.Codec
	parts      []codec.Span
}

type marks []mark

func (m *marks) Link(place string, start, end int, c codec.Codec) {
	*m = append(*m, mark{place: place, start: start, end: end, codec: c})
}

func (m *marks) HTML(parts []codec.Span) {
	*m = append(*m, mark{place: "html", start: parts[0].Start, end: parts[len(parts)-1].End, parts: slices.Clone(parts)})
}

// extract returns the calls of the Sink for src.
func extract(src string) marks {
	var m marks
	new(markdown.Scanner).Scan([]byte(src), &m)
	return m
}

// links returns the links in src, each as "place source".
func links(src string) []string {
	out := []string{}
	for _, m := range extract(src) {
		if m.place != "html" {
			out = append(out, m.place+" "+src[m.start:m.end])
		}
	}
	return out
}

// judge is goldmark with the extensions of GFM, and footnotes.
var judge = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify, extension.Footnote))

// commonMark is goldmark without extensions.
var commonMark = goldmark.New()

// judged returns the links that goldmark finds, in the form of links. They have the raw destinations, and are sorted by
// their ends.
func judged(m goldmark.Markdown, src string) []string {
	out := []string{}
	doc := m.Parser().Parse(text.NewReader([]byte(src)), parser.WithContext(parser.NewContext()))
	walk := func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if n.Reference == nil {
				out = append(out, "link "+string(n.Destination))
			}
		case *ast.Image:
			if n.Reference == nil {
				out = append(out, "image "+string(n.Destination))
			}
		case *ast.AutoLink:
			out = append(out, "autolink "+string(n.Label([]byte(src))))
		case *ast.LinkReferenceDefinition:
			out = append(out, "definition "+string(n.Destination))
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(doc, walk); err != nil {
		panic(err)
	}
	return out
}

// sane checks the properties of the marks of any document: spans are sorted and can be decoded.
func sane(t assert.TestingT, src string, m marks) {
	at := 0
	for _, x := range m {
		if x.start < at || x.end < x.start || x.end > len(src) {
			assert.Fail(t, "spans are sorted, do not overlap, and are inside the source", "%q: %v", src, m)
			return
		}
		at = x.end
		p := x.start
		for _, part := range x.parts {
			if part.Start < p || part.End <= part.Start {
				assert.Fail(t, "parts are sorted and not empty", "%q: %v", src, x.parts)
				return
			}
			p = part.End
		}
		if x.codec != nil {
			if _, err := x.codec.Decode([]byte(src[x.start:x.end])); err != nil {
				assert.Fail(t, "a span can be decoded", "%q: %s %q: %v", src, x.place, src[x.start:x.end], err)
			}
		}
	}
}

func (m mark) String() string { return fmt.Sprintf("%s[%d,%d)", m.place, m.start, m.end) }

// links and judged return the same form for each kind of link.
func TestJudgeForm(t *testing.T) {
	src := "[a](<b c> 't') ![d](e\\*) <ff:g> <h@i.j>\n\n[k]: l\n[k]: m\n\n[k]\n"
	want := []string{"link b c", `image e\*`, "autolink ff:g", "autolink h@i.j", "definition l", "definition m"}
	assert.Equal(t, want, links(src))
	assert.Equal(t, want, judged(commonMark, src))
	assert.Equal(t, []string{"autolink www.a.b"}, judged(judge, "www.a.b"))
}
