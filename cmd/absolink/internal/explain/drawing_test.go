package explain

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

func explained(t testing.TB, f Form, url, page string) string {
	var out []byte
	x := extract.Extractor{}
	for e, err := range x.Bases(context.Background(), extract.Document{Name: "p.html", URL: url, URLBy: "--url", Bytes: []byte(page)}) {
		require.NoError(t, err)
		out = f.Append(out, e)
	}
	return string(f.End(out))
}

func TestDrawingOnATerminal(t *testing.T) {
	want := `
p.html  (text/html)

╭───────────────────────────────────────────────────────────────╮
│  ╭─────────────────────────────────────────────────────────╮  │
│  │  ╭───────────────────────────────────────────────────╮  │  │
│  │  │  ╭─────────────────────────────────────────────╮  │  │  │
│  │  │  │  (3.1) Base URL embedded in the document's  │  │  │  │
│  │  │  │  content                                    │  │  │  │
│  │  │  │    → BASE element  "../"                    │  │  │  │
│  │  │  │        used: http://h/                      │  │  │  │
│  │  │  │        (not absolute; resolved against the  │  │  │  │
│  │  │  │        next layer)                          │  │  │  │
│  │  │  ╰─────────────────────────────────────────────╯  │  │  │
│  │  │  (3.2) Base URL of the encapsulating entity       │  │  │
│  │  │      none                                         │  │  │
│  │  ╰───────────────────────────────────────────────────╯  │  │
│  │  (3.3) URL used to retrieve the entity                  │  │
│  │    → --url                                              │  │
│  │        "http://h/012345678901234567890123456789012345678901234567890123456789/p.html"
│  │        used                                             │  │
│  ╰─────────────────────────────────────────────────────────╯  │
│  (3.4) Base URL = "" (undefined)                              │
╰───────────────────────────────────────────────────────────────╯

base URL: http://h/  (embedded, 3.1, by BASE element)
`
	url := "http://h/" + strings.Repeat("0123456789", 6) + "/p.html"
	assert.Equal(t, want[1:], explained(t, &Drawing{Style{Width: 68, Pen: Unicode}}, url, "<base href=../>"))
}

// Every line of a box is as wide as the box, and no line is wider than the terminal, unless it has a word that is too long: words
// are not cut.
func TestDrawingKeepsItsWidth(t *testing.T) {
	long := "http://h/" + strings.Repeat("p/", 90)
	for _, page := range []struct {
		text string
		urls []string
	}{
		{"", nil},
		{"<base href='http://例え.テスト/長い/道/" + strings.Repeat("道", 100) + "'>", []string{"http://例え.テスト/長い/道/" + strings.Repeat("道", 100)}},
		{"<base href='" + strings.Repeat("x", 300) + "'><base href=y>", []string{strings.Repeat("x", 300), long + strings.Repeat("x", 300)}},
		{"<base href='http://h/e\u0301\x1b[31m\xFF'>", nil},
		{"<base href='mailto:a@b'><base href='javascript:x'>", nil},
	} {
		for _, pen := range []Pen{ASCII, Unicode} {
			for columns := 50; columns < 130; columns += 7 {
				d := &Drawing{Style{Width: columns, Pen: pen}}
				out := explained(t, d, long, page.text)
				for _, url := range append(page.urls, long) {
					assert.Contains(t, out, url)
				}
				box := 0
				for line := range strings.Lines(out) {
					line = strings.TrimSuffix(line, "\n")
					assert.NotContains(t, line, "\x1b")
					if strings.HasPrefix(line, pen.topLeft) {
						box = console.ColumnsOf(line)
					}
					if console.ColumnsOf(line) > columns {
						text := strings.Trim(line, pen.down+" ")
						assert.NotContains(t, strings.TrimPrefix(text, "base URL: "), " ", "a long line has one word")
						continue
					}
					if strings.HasPrefix(line, pen.down) && !strings.HasSuffix(line, `"`) {
						assert.Equal(t, box, console.ColumnsOf(line), line)
					}
				}
			}
		}
	}
}

// Colors change no other byte, and the lines of a box have the same width as without colors.
func TestDrawingInColors(t *testing.T) {
	const page = "<base href=../><base href=x>"
	plain := explained(t, &Drawing{Style{Width: 100, Pen: ASCII}}, "http://h/p/", page)
	colored := explained(t, &Drawing{Style{Width: 100, Pen: ASCII, Colors: console.ColorsOf(console.Always, nil)}}, "http://h/p/", page)
	assert.Contains(t, colored, "\x1b[32mused: http://h/\x1b[m")
	assert.Contains(t, colored, "\x1b[31mrejected: only the first BASE element with an href applies\x1b[m")
	assert.Contains(t, colored, "\x1b[36mp.html\x1b[m  (text/html)\n")
	assert.Equal(t, plain, strings.NewReplacer("\x1b[m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[36m", "").Replace(colored))
}

// Each layer has one line, even if a candidate has a newline.
func TestLinesOfLayers(t *testing.T) {
	out := explained(t, &Lines{Style{Pen: ASCII}}, "http://h/p/", "<base href='a\nb\x1b'><base href=mailto:x>")
	assert.Equal(t, `p.html  (text/html)
=> 3.1 embedded       BASE element "ab\x1b" used: http://h/p/ab\x1b (not absolute; resolved against the next layer); `+
		`BASE element "mailto:x" rejected: only the first BASE element with an href applies
   3.2 encapsulating  none
   3.3 retrieval      --url "http://h/p/" used
   3.4 default        ""
`, out)
}

// The objects are JSON for any bytes, and a document without entities has none.
func TestObjects(t *testing.T) {
	assert.Empty(t, (&Objects{}).End(nil))
	out := explained(t, &Objects{}, "http://h/p/", "<base href='\xFF\"\\'><iframe srcdoc='<base href=q>'></iframe>")
	var got struct {
		Document string
		Entities []struct {
			Entity string
			Layers []struct{ Layer string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	assert.Equal(t, "p.html", got.Document)
	require.Len(t, got.Entities, 2)
	assert.Equal(t, "iframe@srcdoc[1]", got.Entities[1].Entity)
	assert.Len(t, got.Entities[1].Layers, 5, "every layer is there")
}
