package html

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
)

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
