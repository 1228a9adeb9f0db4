// Package marktest has what the tests of small formats share.
//
// A row of a test is a source and the texts of its links:
//
//	GrammarRow{Name: "two links", Src: "a.png 1x, b.png 2x", Want: Texts("a.png", "b.png")}
//
// RunRows checks the links of each row, and three properties of the format:
//
//   - The regions of the links are sorted, do not overlap, and are inside the source. See Found.
//   - Text inserted at the start of a link changes only this link.
//   - The source can be truncated at any byte.
package marktest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/internal/longtest"
)

// GrammarRow is a source, and the expected text of each link, decoded by its codec.
type GrammarRow struct {
	Name, Src string
	Want      []string
}

// Texts returns its arguments, for GrammarRow.Want.
func Texts(s ...string) []string { return s }

// Found returns the links that a format marks in src. It checks that all regions are sorted, do not overlap, and are
// inside src.
func Found(t testing.TB, format *mark.Format, src string) []mark.Mark {
	var f mark.Marks
	format.Mark([]byte(src), &f)
	var all []mark.Mark
	for chunk := range f.All {
		all = append(all, chunk...)
	}
	at, links := 0, all[:0]
	for _, l := range all {
		require.LessOrEqual(t, at, l.Start, "sorted, without overlap, in %q", src)
		require.LessOrEqual(t, l.Start, l.End, "start before end in %q", src)
		require.LessOrEqual(t, l.End, len(src), "inside %q", src)
		require.NotNil(t, l.Place)
		require.NotNil(t, l.Codec)
		at = l.End
		if l.Kind != mark.IsDropped {
			require.Equal(t, mark.IsLink, l.Kind)
			links = append(links, l)
		}
	}
	return links
}

// RefsIn returns the decoded text of each link that a format marks in src.
func RefsIn(t testing.TB, format *mark.Format, src string) []string {
	refs := []string{}
	for _, l := range Found(t, format, src) {
		text, _ := l.Codec.Decode([]byte(src)[l.Start:l.End])
		refs = append(refs, string(text))
	}
	return refs
}

// RunRows runs each row as a subtest.
func RunRows(t *testing.T, format *mark.Format, rows []GrammarRow) {
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			want := row.Want
			if want == nil {
				want = []string{}
			}
			assert.Equal(t, want, RefsIn(t, format, row.Src), "%q", row.Src)
			checkInserts(t, format, row.Src)
			for n := range row.Src {
				Found(t, format, row.Src[:n])
			}
		})
	}
}

// checkInserts inserts a URL at the start of each link, unless the codec of the link refuses the edit. It checks that
// the edited source has the same links, with the URL inserted.
func checkInserts(t testing.TB, format *mark.Format, src string) {
	const insert = "http://h/p/"
	var edits []codec.Edit
	want := []string{}
	for _, l := range Found(t, format, src) {
		region := []byte(src)[l.Start:l.End]
		text, _ := l.Codec.Decode(region)
		lifted, err := codec.Lift(l.Codec, region, text, []codec.Edit{{New: []byte(insert)}})
		if err == nil {
			text = append([]byte(insert), text...)
		}
		for _, e := range lifted {
			edits = append(edits, codec.Edit{Span: codec.Span{Start: l.Start + e.Start, End: l.Start + e.End},
				New: e.New})
		}
		want = append(want, string(text))
	}
	after := codec.Apply(nil, []byte(src), edits)
	assert.Equal(t, want, RefsIn(t, format, string(after)), "%q is %q with inserts", after, src)
}

// CheckLinear checks that the time of a format grows linearly with the repetitions of each unit.
func CheckLinear(t *testing.T, format *mark.Format, units ...string) {
	var f mark.Marks
	for _, unit := range units {
		longtest.Linear(t, fmt.Sprintf("%s %q", format.Name, unit), 1<<20/len(unit), func(n int) func() {
			src := bytes.Repeat([]byte(unit), n)
			return func() {
				f.Clear()
				format.Mark(src, &f)
			}
		})
	}
}

// FuzzGrammar runs checkInserts on fuzzed sources, with those of the rows as seeds.
func FuzzGrammar(f *testing.F, format *mark.Format, rows ...[]GrammarRow) {
	for _, table := range rows {
		for _, row := range table {
			f.Add(row.Src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		checkInserts(t, format, src)
	})
}
