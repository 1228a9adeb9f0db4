package header

import (
	"cmp"
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/internal/pagetest"
)

var update = flag.Bool("update", false, "write the table of header fields in docs/places.md")

// fieldValues has what docs/places.md says about the values of fields.
var fieldValues = map[fieldValue]string{
	asOneURL:      "a URL",
	asWhereabouts: "a URL; in mail, words such as `Room 5` are not a link",
	asAbsoluteURL: "a URL, if it is absolute or in brackets `<>`",
	asURLs:        "URLs in brackets `<>`",
	asLinks:       "links of RFC 8288",
	asRefresh:     "a time, and a URL",
}

// TestPlacesPage compares the table of header fields in docs/places.md with the table of fields; -update writes it.
func TestPlacesPage(t *testing.T) {
	fields := slices.SortedFunc(slices.Values(linkFields), func(a, b linkField) int {
		return cmp.Or(cmp.Compare(a.as, b.as), cmp.Compare(a.place.Name, b.place.Name))
	})
	var rows [][]string
	for i, f := range fields {
		if i > 0 && fields[i-1].as == f.as {
			rows[len(rows)-1][0] += " " + pagetest.Code(" ", f.place.Name)
			continue
		}
		assert.NotEmpty(t, fieldValues[f.as], "%s: write in fieldValues what the value is", f.place.Name)
		rows = append(rows, []string{pagetest.Code(" ", f.place.Name), fieldValues[f.as]})
	}
	rows = append(rows, []string{pagetest.Code(" ", externalPlace.Name), "the parameter `url` of a `message/external-body`"})
	pagetest.Check(t, "../../../docs/places.md", "headers", pagetest.Table([]string{"places", "value"}, rows),
		"go test ./extract/internal/header -run TestPlacesPage -update", *update)
}
