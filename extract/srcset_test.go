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
	{"descriptors: several", "a 1x 2w 3h, b", texts("a", "b")},
	{"descriptors: refused ones", "a bad, b -1x, c 1x 1x, d 0w", texts("a", "b", "c", "d")},
	{"parentheses hide commas", "a (x,y) 1x, b", texts("a", "b")},
	{"parentheses inside a descriptor", "a x(,b), c", texts("a", "c")},
	{"parentheses do not nest", "a ((,),b 1x", texts("a", "b")},
	{"parentheses without an end", "a (, b 1x", texts("a")},
	{"parenthesis that only ends", "a ), b", texts("a", "b")},
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
