package extract

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

var srcsetRows = []grammarRow{
	{"two candidates", "a.png 1x, b.png 2x", texts("a.png", "b.png")},
	{"one URL", "a.png", texts("a.png")},
	{"empty", "", nil},
	{"white space only", " \t\n\f\r", nil},
	{"commas only", ",, ,", nil},
	{"step 4: leading white space and commas", " \n,, ,a 1x", texts("a")},
	{"step 4: other spaces are letters", "\va 1x,\u00a0b", texts("\va", "\u00a0b")},
	{"step 6: commas inside the URL", "data:image/gif;base64,R0lG 1x, b", texts("data:image/gif;base64,R0lG", "b")},
	{"step 6: no white space, one URL", "a.png,b.png", texts("a.png,b.png")},
	{"step 8: trailing comma", "a.png, b.png", texts("a.png", "b.png")},
	{"step 8: trailing commas", "a.png,,,,\nb.png,", texts("a.png", "b.png")},
	{"step 8: trailing comma and then a descriptor", "a, 1x, b", texts("a", "1x", "b")},
	{"descriptors: no white space behind the comma", "a.png 1x,b.png 2x", texts("a.png", "b.png")},
	{"descriptors: white space before the comma", "a 1x , b 2x ,c", texts("a", "b", "c")},
	{"descriptors: none but white space", "a , b", texts("a", "b")},
	{"descriptors: dropped candidates", "a bad, b -1x, c 1x 1x, d 0w, e", texts("e")},
	{"descriptors: no unit, or one of no number", "a 1, b x, c w, d h, e 1q, f 1xx, g", texts("g")},
	{"descriptors: units are lower case", "a 1X, b 1W, c 1w 1H, d", texts("d")},
	{"step 13, w: a non-negative integer", "a 1w, b +1w, c -1w, d 1.0w, e 1e1w, f 007w, g 99999999999999999999w", texts("a", "f", "g")},
	{"step 13, w: not zero", "a 0w, b 000w, c 10w", texts("c")},
	{"step 13, w: once, and no x", "a 1w 1w, b 1x 1w, c 1w 1x, d 1w", texts("d")},
	{"step 13, x: a floating-point number", "a 1x, b 1.5x, c .5x, d 1e1x, e 1.5E+1x, f 1e-1x, g 01x", texts("a", "b", "c", "d", "e", "f", "g")},
	{"step 13, x: no floating-point number", "a 1.x, b +1x, c .x, d -x, e 1ex, f 1e+x, g 1e1.5x, h Infinityx, i NaNx, j 0x1x, k 1_0x, l --1x, m e1x, n 1.5.5x, o", texts("o")},
	{"step 13, x: not less than zero", "a 0x, b -0x, c -0.0e5x, d -1x, e -.5x, f -1e-9x, g -1e999x", texts("a", "b", "c")},
	{"step 13, x: rounded", "a -1e-999x, b 1e-999x, c 1e999x", texts("a", "b", "c")},
	{"step 13, x: once, and no w or h", "a 1x 2x, b 1x 1h, c 1h 1x, d 1w 1h 1x, e 1x", texts("e")},
	{"step 13, h: with w, in any order", "a 1w 1h, b 1h 1w, c 1h, d 1h 1h 1w, e 1w 0h, f 1w 1.0h, g 1w -1h", texts("a", "b")},
	{"parentheses hide commas", "a (x,y) 1x, b", texts("b")},
	{"parentheses hide white space", "a 1(, ,)x, b", texts("b")},
	{"parentheses inside a descriptor", "a x(,b), c", texts("c")},
	{"parentheses do not nest", "a ((,),b 1x", texts("b")},
	{"parentheses without an end", "c, a (, b 1x", texts("c")},
	{"parenthesis that only ends", "a ), b", texts("b")},
	{"parentheses in the URL", "a(1,2).png 1x, b", texts("a(1,2).png", "b")},
	{"newlines", "a\n1x,\r\nb\t2x", texts("a", "b")},
}

func TestSrcset(t *testing.T) { runRows(t, srcset, srcsetRows) }

func TestSrcsetMany(t *testing.T) {
	assert.Len(t, found(t, srcset, strings.Repeat("a.png 1x, ", 100000)), 100000)
	checkLinear(t, srcset, ",", "a,", "a, ", "a (", "(", "a () ", " ", "a 1x(),")
}

func FuzzSrcset(f *testing.F) { fuzzGrammar(f, srcset, srcsetRows) }

// TestUnescaped: edits that would be read as something else are refused.
func TestUnescaped(t *testing.T) {
	for _, row := range []struct {
		name       string
		c          codec.Codec
		src        string
		start, end int
		text       string
		ok         bool
	}{
		{"in front", srcsetURL, "a", 0, 0, "http://h/p/", true},
		{"in front, of nothing", refreshBare, "", 0, 0, "http://h/p/", true},
		{"instead", srcsetURL, "../a", 0, 3, "/p/", true},
		{"nothing in front", srcsetURL, "/a", 0, 1, "", true},
		{"nothing at the end", srcsetURL, "a/", 1, 2, "", true},
		{"srcset: white space", srcsetURL, "a", 0, 0, "http://h/my p/", false},
		{"srcset: newline", srcsetURL, "a", 0, 0, "http://h/\n", false},
		{"srcset: comma inside", srcsetURL, "a", 0, 0, "http://h/p,q/", true},
		{"srcset: comma at the end of the insert", srcsetURL, "a", 0, 0, "http://h/p,", true},
		{"srcset: comma first", srcsetURL, "a", 0, 0, ",/", false},
		{"srcset: comma first, instead", srcsetURL, "a", 0, 1, ",b", false},
		{"srcset: comma in the middle", srcsetURL, "ab", 1, 1, ",", true},
		{"srcset: comma last", srcsetURL, "a", 1, 1, "b,", false},
		{"srcset: comma last, instead", srcsetURL, "a", 0, 1, "b,", false},
		{"srcset: comma first after a deletion", srcsetURL, "a,b", 0, 1, "", false},
		{"srcset: comma last after a deletion", srcsetURL, "a,b", 2, 3, "", false},
		{"srcset: nothing", srcsetURL, "a", 0, 1, "", false},
		{"list: white space", urlListItem, "a", 0, 0, "http://h/\t", false},
		{"list: comma", urlListItem, "a", 0, 0, ",", true},
		{"comma list: comma", commaListItem, "a", 0, 0, "http://h/,", false},
		{"comma list: white space inside", commaListItem, "a", 0, 0, "http://h/my p/", true},
		{"comma list: white space first", commaListItem, "a", 0, 0, " b", false},
		{"refresh: its own quote", refreshDouble, "a", 0, 0, `http://h/"`, false},
		{"refresh: the other quote", refreshDouble, "a", 0, 0, `http://h/'`, true},
		{"refresh: its own apostrophe", refreshSingle, "a", 0, 0, `http://h/'`, false},
		{"refresh: without quotes, a quote first", refreshBare, "a", 0, 0, `"`, false},
		{"refresh: without quotes, a quote inside", refreshBare, "a", 0, 0, `http://h/"`, true},
		{"Link: its bracket", linkTarget, "a", 0, 0, "http://h/>", false},
		{"Link: comma and quote", linkTarget, "a", 0, 0, `http://h/",`, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := []byte(row.src)
			at := codec.Span{Start: row.start, End: row.end}
			got, err := row.c.Encode([]byte("x"), src, at, []byte(row.text))
			if !row.ok {
				assert.ErrorIs(t, err, codec.ErrCannotSpell)
				assert.Equal(t, "x", string(got))
				text, _ := row.c.Decode(src)
				_, err = codec.Lift(row.c, src, text, []codec.Edit{{Span: at, New: []byte(row.text)}})
				assert.ErrorIs(t, err, codec.ErrRefused)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "x"+row.text, string(got))
		})
	}
}

func BenchmarkSrcset(b *testing.B) {
	benchmarkGrammar(b, srcset, strings.Repeat("/img/photo-640.jpg 640w, ", 10))
}

// TestSrcsetDropped: a candidate that HTML drops needs no base, and does not keep the BASE element.
func TestSrcsetDropped(t *testing.T) {
	const page = `<base href="http://h/p/"><img srcset="a 1q, b 2x">`
	var problems []Problem
	w := Walker{BaseURLs: BaseRemove, OnProblem: func(p Problem) { problems = append(problems, p) }}
	var out strings.Builder
	require.NoError(t, w.Rewrite(&out, Document{Name: "p.html", Bytes: []byte(page)}))
	assert.Equal(t, `<img srcset="a 1q, http://h/p/b 2x">`, out.String())
	require.Len(t, problems, 1)
	assert.Equal(t, LinkMalformed, problems[0].Code)
	assert.Equal(t, strings.Index(page, "a 1q"), problems[0].Offset)
	assert.Contains(t, problems[0].Detail, `"a 1q"`)

	problems = nil
	require.NoError(t, w.Bases(Document{Name: "p.html", Bytes: []byte(page)}, func(*Entity) error { return nil }))
	assert.Empty(t, problems, "bases alone are listed without the problems of links")
}

// TestSrcsetAllocations: the descriptors are read in place.
func TestSrcsetAllocations(t *testing.T) {
	var f Finder
	src := []byte(strings.Repeat("a.png 640w 480h, b.png 1.5x, c.png 1q, d.png -1x, ", 100))
	extractSrcset(src, &f)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		f.clear()
		extractSrcset(src, &f)
	}))
}
