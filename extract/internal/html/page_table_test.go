package html

import (
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
	"absolink/internal/pagetest"
)

var update = flag.Bool("update", false, "write the tables of HTML in docs/places.md")

// values has what docs/places.md says of each value.
var values = map[value]string{
	asURL:       "a URL",
	asOwnURL:    "a URL; under `whatwg` an empty value is the URL of the document",
	asEarlyURL:  "a URL; a BASE element does not change it",
	asName:      "a URL; a fragment alone is a name in the document, and is never rewritten",
	asList:      "URLs with white space between them",
	asCommaList: "URLs with commas between them",
	asSrcset:    "image candidates: URLs with descriptors",
	asStyle:     "CSS declarations",
	asDocument:  "an HTML document",
}

// keywords has what docs/places.md says of attributes that are read together with others. Those with "" are no links
// themselves, but decide what the others mean.
var keywords = map[string]string{
	"base@href":       "the base URL of the document; only the first one applies",
	"meta@content":    "with `http-equiv`: a refresh (`refresh`), links (`Link`), or the base URL (`Base`, `Content-Base`)",
	"param@value":     "a URL, if `valuetype` is `ref`",
	"meta@http-equiv": "", "meta@name": "", "meta@property": "", "meta@itemprop": "", "param@valuetype": "", "style@type": "", "script@type": "",
	"link@rel": "", "html@data-scrapbook-source": "",
}

// TestPlacesPage compares the tables of HTML in docs/places.md with the tables of places; -update writes them.
func TestPlacesPage(t *testing.T) {
	check := func(name string, head []string, rows [][]string) {
		pagetest.Check(t, "../../../docs/places.md", name, pagetest.Table(head, pagetest.Merge(rows)), "go test ./extract/internal/html -run TestPlacesPage -update", *update)
	}

	var rows, foreign, extended [][]string
	known := map[string]bool{}
	for _, p := range places {
		elements := strings.Fields(p.elements)
		if p.as != asKeyword {
			on := pagetest.Code(" ", elements...)
			if p.elements == "*" {
				on = "all elements"
			}
			rows = append(rows, []string{pagetest.Code(" ", p.attr), on, values[p.as]})
			continue
		}
		for _, element := range elements {
			place := element + "@" + p.attr
			meaning, ok := keywords[place]
			assert.True(t, ok, "%s: write in keywords what it is", place)
			known[place] = true
			if meaning != "" {
				rows = append(rows, []string{pagetest.Code(" ", p.attr), pagetest.Code(" ", element), meaning})
			}
		}
	}
	assert.Len(t, known, len(keywords), "places of keywords that no table has")
	check("html", []string{"attribute", "elements", "value"}, rows)

	for _, p := range foreignPlaces {
		meaning := values[p.as]
		if p.as == asKeyword {
			assert.Equal(t, "xml:base", p.attr)
			meaning = "the base URL of the element and its content"
		}
		foreign = append(foreign, []string{pagetest.Code(" ", p.attr), p.in, meaning})
	}
	check("foreign", []string{"attribute", "in", "value"}, foreign)

	for _, p := range extendedPlaces {
		for _, element := range append(elements.names[:], "x-y", "svg><g") {
			m := mark.Marks{Settings: mark.Settings{Extended: true}}
			scan([]byte("<"+element+" "+p.attr+"=x>"), &m, false)
			foreign := strings.HasPrefix(element, "svg") || element == "math"
			assert.Equal(t, element == "" || foreign, m.Len() == 0, "%s %s: the page says all elements of HTML", element, p.attr)
		}
		extended = append(extended, []string{pagetest.Code(" ", p.attr), "all elements of HTML", values[p.as]})
	}
	named := maps.Clone(metaProperties())
	maps.Copy(named, cardProperties())
	for by, names := range map[string]map[string]bool{"`property` or `name`": named, "`itemprop`": metaItemprops()} {
		extended = append(extended, []string{"`content`", "`meta` with this " + by + ": " + pagetest.Code(" ", slices.Sorted(maps.Keys(names))...), values[asURL]})
	}
	slices.SortStableFunc(extended, func(a, b []string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	check("extended", []string{"attribute", "elements", "value"}, extended)
}

// find ignores case and the bytes after the name, and tells a name from similar ones and from those with the same key.
func TestNameTable(t *testing.T) {
	for _, table := range []*nameTable{&elements, &attributes} {
		find := func(name, after string) string {
			return table.names[table.find([]byte("<"+name+after), 1, 1+len(name))]
		}
		known := map[string]bool{"": true}
		for _, name := range table.names {
			known[name] = true
		}
		for name := range known {
			if name == "" {
				continue
			}
			mixed := strings.ToUpper(name[:1]) + name[1:]
			for _, after := range []string{"", ">", " x=yyyyyyy", "\x00\x00\x00\x00\x00\x00\x00\x00"} {
				assert.Equal(t, name, find(name, after))
				assert.Equal(t, name, find(strings.ToUpper(name), after))
				assert.Equal(t, name, find(mixed, after))
				for i := range len(name) {
					for _, other := range []string{name + "\x00", name + name[i:], name[:i], name[i+1:], name[:i] + string(name[i]^0x20) + name[i+1:],
						name[:i] + "\x00" + name[i+1:]} {
						if lower := strings.ToLower(other); !known[lower] {
							assert.Empty(t, find(other, after), "%q", other)
						}
					}
				}
			}
		}
	}
}

// A NUL in the name of a tag is U+FFFD (HTML 13.2.5.8).
func TestNULInPlace(t *testing.T) {
	var m mark.Marks
	scan([]byte("<Z\x00 itemid=x><svg><Y\x00 href=y>"), &m, false)
	marks := marksIn(&m)
	require.Len(t, marks, 2)
	assert.Equal(t, "z\uFFFD@itemid", marks[0].Place.Name)
	assert.Equal(t, "y\uFFFD@href", marks[1].Place.Name)
}

// Each row of the tables has a link in the cases of testdata/html.
func TestHTMLPlaces(t *testing.T) {
	cases := ""
	for _, name := range []string{"places", "extended"} {
		text, err := os.ReadFile("../../../testdata/html/" + name + ".txtar")
		require.NoError(t, err)
		cases += string(text)
	}
	has := func(element, attr string, as value) {
		if as != asKeyword {
			place := element + "@" + attr
			assert.True(t, regexp.MustCompile(`(?m)^`+place+`(\[1\])?( a@href)? (retrieval|embedded) resolved `).MatchString(cases), place)
		}
	}
	for _, row := range places {
		for _, element := range strings.Fields(strings.ReplaceAll(row.elements, "*", "p")) {
			has(element, row.attr, row.as)
		}
	}
	for _, row := range extendedPlaces {
		has(`\w+`, row.attr, row.as)
	}
	for _, row := range foreignPlaces {
		has(`(svg|a|math|x-y)`, row.attr, row.as)
	}
}
