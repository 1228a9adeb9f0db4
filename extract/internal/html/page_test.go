package html

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// TestPage calls Page as package xml does. want has the marks of one element, and what Page says of each attribute. A
// value with "&" stands for one with an unknown entity, and the name "xlink" for xlink:href with any prefix.
func TestPage(t *testing.T) {
	for _, row := range []struct {
		name      string
		namespace Namespace
		tag       string
		want      []string
	}{
		{"a link", XHTML, `<a href="x" title="y">`, []string{"a@href x"}},
		{"case matters in names", XHTML, `<A href="x" HREF="y">`, nil},
		{"an element without a row", XHTML, `<x-y itemid="x" href="y">`, []string{"x-y@itemid x"}},
		{"an image is an img only in HTML", XHTML, `<image itemid="x" src="y">`, []string{"image@itemid x"}},
		{"duplicate attribute: first wins", XHTML, `<q cite="x" cite="y">`, []string{"q@cite x"}},
		{"duplicate attribute, first has an unknown entity: second wins", XHTML, `<q cite="&x;" cite="y">`, []string{"q@cite y"}},
		{"attributes that depend on each other", XHTML, `<meta content="5;url=x" http-equiv="refresh">`, []string{"meta@content 5;url=x depends on others", "depends on others"}},
		{"a base element", XHTML, `<base href="x">`, []string{"base@href x depends on others"}},
		{"a base with an unknown entity", XHTML, `<base href="&x;">`, []string{"opaque"}},
		{"a codebase", XHTML, `<object data="x" codebase="y">`, []string{"object@data x in a scope", "object@codebase y"}},
		{"a codebase with an unknown entity", XHTML, `<object usemap="x" codebase="&y;">`, []string{"no link is known"}},
		{"a style without a url()", XHTML, `<p style="color: red">`, nil},
		{"SVG: any element may have a link", SVG, `<use href="x" xlink="y" fill="url(z)">`, []string{"use@href x", "use@xlink:href y", "use@fill url(z)"}},
		{"MathML: no attributes of SVG", MathML, `<mi href="x" fill="url(z)">`, []string{"mi@href x"}},
		{"XHTML: no XLink", XHTML, `<a xlink="x">`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			var m mark.Marks
			var p Page
			p.Reset([]byte(row.tag), &m)
			end := strings.IndexAny(row.tag, " >")
			p.Open(&Tag{Span: codec.Span{End: len(row.tag)}, Name: codec.Span{Start: 1, End: end}, Namespace: row.namespace})
			assert.Equal(t, row.want, markTag(&p, &m, row.tag, end))
		})
	}
}

// markTag adds the attributes of a tag to a Page, and returns a line for each attribute that has a mark or a result.
// The attributes begin at p.
func markTag(page *Page, m *mark.Marks, tag string, p int) (got []string) {
	number := 0
	for ; tag[p] == ' '; number++ {
		name := codec.Span{Start: p + 1, End: p + strings.IndexByte(tag[p:], '=')}
		v := attr.Value{Start: name.End + 2, Quoting: attr.XMLDouble}
		v.End = v.Start + strings.IndexByte(tag[v.Start:], '"')
		p = v.End + 1
		if tag[name.Start:name.End] == "xlink" {
			name = codec.Span{}
		}
		needsXML, needsHTML := page.Add(number, name, v)
		if (needsXML || needsHTML) && strings.Contains(tag[v.Start:v.End], "&") && !page.Drop() {
			return []string{"no link is known"}
		}
	}
	for i := range number {
		marked := len(marksIn(m))
		depends := page.Has(i) && page.Mark()
		line := ""
		if all := marksIn(m); len(all) > marked {
			at := all[marked]
			line = at.Place.Name + " " + tag[at.Start:at.End]
			if at.ScopeNumber > 0 {
				line += " in a scope"
			}
		}
		if depends {
			line = strings.TrimPrefix(line+" depends on others", " ")
		}
		if line != "" {
			got = append(got, line)
		}
	}
	if m.Notes.Opaque {
		got = append(got, "opaque")
	}
	return got
}

func marksIn(m *mark.Marks) (all []mark.Mark) {
	for chunk := range m.All {
		all = append(all, chunk...)
	}
	return all
}
