package grammar

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/marktest"
)

var srcsetRows = []marktest.GrammarRow{
	{Name: "two candidates", Src: "a.png 1x, b.png 2x", Want: marktest.Texts("a.png", "b.png")},
	{Name: "one URL", Src: "a.png", Want: marktest.Texts("a.png")},
	{Name: "empty", Src: "", Want: nil},
	{Name: "white space only", Src: " \t\n\f\r", Want: nil},
	{Name: "commas only", Src: ",, ,", Want: nil},
	{Name: "step 4: leading white space and commas", Src: " \n,, ,a 1x", Want: marktest.Texts("a")},
	{Name: "step 4: other spaces are part of the URL", Src: "\va 1x,\u00a0b", Want: marktest.Texts("\va", "\u00a0b")},
	{Name: "step 6: commas inside the URL", Src: "data:image/gif;base64,R0lG 1x, b", Want: marktest.Texts("data:image/gif;base64,R0lG", "b")},
	{Name: "step 6: no white space, one URL", Src: "a.png,b.png", Want: marktest.Texts("a.png,b.png")},
	{Name: "step 8: trailing comma", Src: "a.png, b.png", Want: marktest.Texts("a.png", "b.png")},
	{Name: "step 8: trailing commas", Src: "a.png,,,,\nb.png,", Want: marktest.Texts("a.png", "b.png")},
	{Name: "step 8: after a trailing comma, a descriptor is a URL", Src: "a, 1x, b", Want: marktest.Texts("a", "1x", "b")},
	{Name: "descriptors: no white space after the comma", Src: "a.png 1x,b.png 2x", Want: marktest.Texts("a.png", "b.png")},
	{Name: "descriptors: white space before the comma", Src: "a 1x , b 2x ,c", Want: marktest.Texts("a", "b", "c")},
	{Name: "descriptors: only white space", Src: "a , b", Want: marktest.Texts("a", "b")},
	{Name: "descriptors: dropped candidates", Src: "a bad, b -1x, c 1x 1x, d 0w, e", Want: marktest.Texts("e")},
	{Name: "descriptors: a missing or unknown unit, or a missing number", Src: "a 1, b x, c w, d h, e 1q, f 1xx, g", Want: marktest.Texts("g")},
	{Name: "descriptors: units are lower case", Src: "a 1X, b 1W, c 1w 1H, d", Want: marktest.Texts("d")},
	{Name: "step 13, w: a non-negative integer", Src: "a 1w, b +1w, c -1w, d 1.0w, e 1e1w, f 007w, g 99999999999999999999w", Want: marktest.Texts("a", "f", "g")},
	{Name: "step 13, w: not zero", Src: "a 0w, b 000w, c 10w", Want: marktest.Texts("c")},
	{Name: "step 13, w: only once, and not with x", Src: "a 1w 1w, b 1x 1w, c 1w 1x, d 1w", Want: marktest.Texts("d")},
	{Name: "step 13, x: a floating-point number", Src: "a 1x, b 1.5x, c .5x, d 1e1x, e 1.5E+1x, f 1e-1x, g 01x", Want: marktest.Texts("a", "b", "c", "d", "e", "f", "g")},
	{Name: "step 13, x: not a floating-point number", Src: "a 1.x, b +1x, c .x, d -x, e 1ex, f 1e+x, g 1e1.5x, h Infinityx, i NaNx, j 0x1x, k 1_0x, l --1x, m e1x, n 1.5.5x, o", Want: marktest.Texts("o")},
	{Name: "step 13, x: not less than zero", Src: "a 0x, b -0x, c -0.0e5x, d -1x, e -.5x, f -1e-9x, g -1e999x", Want: marktest.Texts("a", "b", "c")},
	{Name: "step 13, x: rounded", Src: "a -1e-999x, b 1e-999x, c 1e999x", Want: marktest.Texts("a", "b", "c")},
	{Name: "step 13, x: only once, and not with w or h", Src: "a 1x 2x, b 1x 1h, c 1h 1x, d 1w 1h 1x, e 1x", Want: marktest.Texts("e")},
	{Name: "step 13, h: with w, in any order", Src: "a 1w 1h, b 1h 1w, c 1h, d 1h 1h 1w, e 1w 0h, f 1w 1.0h, g 1w -1h", Want: marktest.Texts("a", "b")},
	{Name: "parentheses hide commas", Src: "a (x,y) 1x, b", Want: marktest.Texts("b")},
	{Name: "parentheses hide white space", Src: "a 1(, ,)x, b", Want: marktest.Texts("b")},
	{Name: "parentheses inside a descriptor", Src: "a x(,b), c", Want: marktest.Texts("c")},
	{Name: "parentheses do not nest", Src: "a ((,),b 1x", Want: marktest.Texts("b")},
	{Name: "unclosed parentheses", Src: "c, a (, b 1x", Want: marktest.Texts("c")},
	{Name: "closing parenthesis alone", Src: "a ), b", Want: marktest.Texts("b")},
	{Name: "parentheses in the URL", Src: "a(1,2).png 1x, b", Want: marktest.Texts("a(1,2).png", "b")},
	{Name: "newlines", Src: "a\n1x,\r\nb\t2x", Want: marktest.Texts("a", "b")},
}

func TestSrcset(t *testing.T) { marktest.RunRows(t, Srcset, srcsetRows) }

func TestSrcsetMany(t *testing.T) {
	assert.Len(t, marktest.Found(t, Srcset, strings.Repeat("a.png 1x, ", 100000)), 100000)
	marktest.CheckLinear(t, Srcset, ",", "a,", "a, ", "a (", "(", "a () ", " ", "a 1x(),")
}

func FuzzSrcset(f *testing.F) { marktest.FuzzGrammar(f, Srcset, srcsetRows) }

// A codec refuses an edit whose new text would be read differently.
func TestUnescaped(t *testing.T) {
	for _, row := range []struct {
		name       string
		c          codec.Codec
		src        string
		start, end int
		text       string
		ok         bool
	}{
		{"insert at the start", srcsetURL, "a", 0, 0, "http://h/p/", true},
		{"insert into an empty text", refreshBare, "", 0, 0, "http://h/p/", true},
		{"replace", srcsetURL, "../a", 0, 3, "/p/", true},
		{"delete at the start", srcsetURL, "/a", 0, 1, "", true},
		{"delete at the end", srcsetURL, "a/", 1, 2, "", true},
		{"srcset: white space", srcsetURL, "a", 0, 0, "http://h/my p/", false},
		{"srcset: newline", srcsetURL, "a", 0, 0, "http://h/\n", false},
		{"srcset: comma inside", srcsetURL, "a", 0, 0, "http://h/p,q/", true},
		{"srcset: comma at the end of the insert", srcsetURL, "a", 0, 0, "http://h/p,", true},
		{"srcset: comma first", srcsetURL, "a", 0, 0, ",/", false},
		{"srcset: comma first, replace", srcsetURL, "a", 0, 1, ",b", false},
		{"srcset: comma in the middle", srcsetURL, "ab", 1, 1, ",", true},
		{"srcset: comma last", srcsetURL, "a", 1, 1, "b,", false},
		{"srcset: comma last, replace", srcsetURL, "a", 0, 1, "b,", false},
		{"srcset: comma first after a deletion", srcsetURL, "a,b", 0, 1, "", false},
		{"srcset: comma last after a deletion", srcsetURL, "a,b", 2, 3, "", false},
		{"srcset: empty URL", srcsetURL, "a", 0, 1, "", false},
		{"list: white space", urlListItem, "a", 0, 0, "http://h/\t", false},
		{"list: comma", urlListItem, "a", 0, 0, ",", true},
		{"comma list: comma", commaListItem, "a", 0, 0, "http://h/,", false},
		{"comma list: white space inside", commaListItem, "a", 0, 0, "http://h/my p/", true},
		{"comma list: white space first", commaListItem, "a", 0, 0, " b", false},
		{"refresh: double quote in double quotes", refreshDouble, "a", 0, 0, `http://h/"`, false},
		{"refresh: single quote in double quotes", refreshDouble, "a", 0, 0, `http://h/'`, true},
		{"refresh: single quote in single quotes", refreshSingle, "a", 0, 0, `http://h/'`, false},
		{"refresh: without quotes, a quote first", refreshBare, "a", 0, 0, `"`, false},
		{"refresh: without quotes, a quote inside", refreshBare, "a", 0, 0, `http://h/"`, true},
		{"Link: closing angle bracket", linkTarget, "a", 0, 0, "http://h/>", false},
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

func TestSrcsetAllocations(t *testing.T) {
	var m mark.Marks
	src := []byte(strings.Repeat("a.png 640w 480h, b.png 1.5x, c.png 1q, d.png -1x, ", 100))
	extractSrcset(src, &m)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		m.Clear()
		extractSrcset(src, &m)
	}))
}
