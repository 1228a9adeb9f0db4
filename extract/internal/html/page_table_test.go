package html

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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
		elements, meaning := "SVG, MathML", values[p.as]
		if p.svg {
			elements = "SVG"
		}
		if p.as == asKeyword {
			assert.Equal(t, "xml:base", p.attr)
			meaning = "the base URL of the element and its content"
		}
		foreign = append(foreign, []string{pagetest.Code(" ", p.attr), elements, meaning})
	}
	check("foreign", []string{"attribute", "in", "value"}, foreign)

	for _, p := range extendedPlaces {
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
