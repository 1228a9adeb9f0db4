package anchor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The scanner of a page adds its tags and texts in order. Later the engine looks up each link by its offset.
func Example() {
	page := []byte(`<a href="x" rel="next" title="T">An <b>anchor</b>  text</a> <a href="y"><img src="i.png" alt="A picture"></a>`)
	x := index(page)
	for _, link := range []string{`x"`, `y"`, `i.png`} {
		e := x.At(page, strings.Index(string(page), link))
		fmt.Printf("rel %q, title %q, text %q\n", e.Rel, e.Title, e.Text)
	}
	// Output:
	// rel "next", title "T", text "An anchor text"
	// rel "", title "", text "A picture"
	// rel "", title "", text "A picture"
}

// index returns the index of a page without raw text, comments and templates.
func index(page []byte) *Index {
	var x Index
	for start := strings.IndexByte(string(page), '<'); start >= 0; {
		end := start + strings.IndexByte(string(page[start:]), '>') + 1
		x.HTML(page, &Markup{Start: start, End: end, Tag: end})
		next := strings.IndexByte(string(page[end:]), '<')
		if next < 0 {
			break
		}
		start = end + next
	}
	return &x
}

// extract/described_test.go tests whole documents.
func TestText(t *testing.T) {
	for _, row := range []struct{ name, page, want string }{
		{"white space is stripped and collapsed", "<a href=x>\n a \t b\f</a>", "a b"},
		{"character references are decoded", "<a href=x>a&amp;b&nbsp;c</a>", "a&b\u00A0c"},
		{"an inline element does not separate words", "<a href=x>a<b>b</b></a>", "ab"},
		{"a block separates words", "<a href=x>a<DIV>b</div>c</a>", "a b c"},
		{"a line break separates words", "<a href=x>a<br>b</a>", "a b"},
		{"the next anchor closes an anchor", "<a href=x>a<a href=y>b</a>", "a"},
		{"text after the anchor is ignored", "<a href=x>a</a>b", "a"},
		{"pictures are the text of an anchor without other text", "<a href=x><img alt=a><img alt=b></a>", "a b"},
		{"pictures are ignored in an anchor with text", "<a href=x>a<img alt=b></a>", "a"},
		{"a text has at most 256 characters", "<a href=x>" + strings.Repeat("é", 300) + "</a>", strings.Repeat("é", 256)},
		{"the first of two alt attributes applies", "<img alt=a alt=b src=x>", "a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			page := []byte(row.page)
			x := index(page)
			assert.Equal(t, row.want, string(x.At(page, 1).Text))
			x.Clear()
			assert.Empty(t, x.At(page, 1).Text, "after Clear")
		})
	}
}

// Clear gives up the memory of a long page.
func TestClear(t *testing.T) {
	for n, kept := range map[int]bool{1: true, 1 << 20: true, 1<<20 + 1: false} {
		x := Index{tags: make([]byte, 0, n), letters: make([]byte, 0, 1)}
		x.Clear()
		assert.Equal(t, kept, cap(x.tags) > 0)
		x = Index{tags: make([]byte, 0, 1), letters: make([]byte, 0, n)}
		x.Clear()
		assert.Equal(t, kept, cap(x.letters) > 0)
	}
}
