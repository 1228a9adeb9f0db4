package spell

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFromQuote decodes messages of mboxrd (rd) and mboxo (o).
func TestFromQuote(t *testing.T) {
	for _, row := range []struct{ name, src, rd, o string }{
		{"one quote character", ">From a\n", "From a\n", "From a\n"},
		{"several quote characters", "x\n>>From a\r\n>>>From b\n", "x\n>From a\r\n>>From b\n", "x\n>>From a\r\n>>>From b\n"},
		{"no quote character", "From a\n", "From a\n", "From a\n"},
		{"not at the start of a line", "a >From b\n >From c\n> From d", "a >From b\n >From c\n> From d", "a >From b\n >From c\n> From d"},
		{"not \"From \"", ">from a\n>From\n>Fromage\n>From\ta", ">from a\n>From\n>Fromage\n>From\ta", ">from a\n>From\n>Fromage\n>From\ta"},
		{"twice on a line", ">From >From ", "From >From ", "From >From "},
	} {
		t.Run(row.name, func(t *testing.T) {
			text, err := FromQuoteRD.Decode([]byte(row.src))
			require.NoError(t, err)
			assert.Equal(t, row.rd, string(text))
			text, err = FromQuoteO.Decode([]byte(row.src))
			require.NoError(t, err)
			assert.Equal(t, row.o, string(text))
		})
	}
}

func TestFromQuoteLift(t *testing.T) {
	for _, row := range []struct {
		name, src  string
		start, end int
		text, want string
	}{
		{"a new line", "a\nb\n", 2, 2, "From x\n", "a\n>From x\nb\n"},
		{"at the start", "b\n", 0, 0, "From x\n", ">From x\nb\n"},
		{"inside a line: not quoted", "a\nb\n", 1, 1, " From x", "a From x\nb\n"},
		{"a new line end before From", "aFrom b\n", 1, 1, "\n", "a\n>From b\n"},
		{"the bytes before From are deleted", "a\nxFrom b\n", 2, 3, "", "a\n>From b\n"},
		{"the second half of From follows the edit", "a\nom b\n", 2, 2, "Fr", "a\n>From b\n"},
		{"the first half of From is before the edit", "a\nFr b\n", 4, 4, "om", "a\n>From b\n"},
		{"From is replaced", ">From b\n", 0, 4, "To", "To b\n"},
		{"From is not at the start of its line any more", ">From b\n", 0, 0, "x", "xFrom b\n"},
		{"From is broken up", ">From b\n", 2, 2, "x", "Frxom b\n"},
		{"joined with the line before", "a\n>From b\n", 1, 2, "", "aFrom b\n"},
		{"other quoted lines stay", ">From a\nb\n>From c\n", 7, 9, "x\n", ">From a\nx\n>From c\n"},
		{"an edit after From", ">From a\n", 5, 6, "b", ">From b\n"},
	} {
		for _, c := range []codec.Codec{FromQuoteRD, FromQuoteO} {
			t.Run(row.name, func(t *testing.T) {
				edits := []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}}
				require.False(t, codectest.Lawful(t, c, []byte(row.src), edits))
				got, err := codectest.Lift(c, []byte(row.src), edits)
				require.NoError(t, err)
				assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
			})
		}
	}
	got, err := codectest.Lift(FromQuoteRD, []byte("a\n"), []codec.Edit{{Span: codec.Span{Start: 2, End: 2}, New: []byte(">From x\n")}})
	require.NoError(t, err)
	assert.Equal(t, "a\n>>From x\n", string(codec.Apply(nil, []byte("a\n"), got)))
	_, err = codectest.Lift(FromQuoteO, []byte("a\n"), []codec.Edit{{Span: codec.Span{Start: 2, End: 2}, New: []byte(">From x\n")}})
	assert.ErrorIs(t, err, codec.ErrCannotSpell)
}

// No edit adds a From_ line, mboxrd refuses no edit, and other lines stay unchanged.
func TestFromQuoteRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	words := []string{"From ", "From ", ">", ">", "\n", "\n", "\r\n", "a", "Fr", "om ", " ", "x"}
	draw := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(words[r.IntN(len(words))])
		}
		return b.String()
	}
	quote := regexp.MustCompile(`(?m)^(>*From )`)
	for range 20000 {
		text := draw(14)
		src := quote.ReplaceAllString(text, ">$1")
		decoded, _ := FromQuoteRD.Decode([]byte(src))
		require.Equal(t, text, string(decoded))
		drawEdits := func(text string) (edits []codec.Edit) {
			for at := 0; at <= len(text) && r.IntN(4) > 0; {
				start := at + r.IntN(len(text)-at+1)
				end := min(start+r.IntN(5), len(text))
				edits = append(edits, codec.Edit{Span: codec.Span{Start: start, End: end}, New: []byte(draw(5))})
				at = end + 1
			}
			return edits
		}
		edits := drawEdits(text)
		got, err := codectest.Lift(FromQuoteRD, []byte(src), edits)
		require.NoError(t, err)
		want := quote.ReplaceAllString(string(codec.Apply(nil, []byte(text), edits)), ">$1")
		require.Equal(t, want, string(codec.Apply(nil, []byte(src), got)), "%q %v", src, edits)
		codectest.Lawful(t, FromQuoteO, []byte(src), edits)

		plain := quote.ReplaceAllString(text, "x$1") // no line is quoted or needs a quote character
		edits = drawEdits(plain)
		codectest.Lawful(t, FromUnquoted, []byte(plain), edits)
		_, err = codectest.Lift(FromUnquoted, []byte(plain), edits)
		require.Equal(t, quote.Match(codec.Apply(nil, []byte(plain), edits)), err != nil, "%q %v", plain, edits)
	}
}

func TestFromQuoteLinear(t *testing.T) {
	for _, unit := range []string{">", "From ", ">From ", ">From \n", "\n", "\n>", "F", ">>>>>>>>>>>>From \n"} {
		codectest.Linear(t, "mboxrd", FromQuoteRD, codectest.Repeated{"", unit}, codectest.Mega, codectest.EverySome("x"))
		codectest.Linear(t, "mboxo", FromQuoteO, codectest.Repeated{"", unit}, codectest.Mega, codectest.EverySome("x"))
	}
}
