package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

func draw(t testing.TB, p pen, columns int, url, page string) string {
	var out []byte
	w := extract.Walker{}
	err := w.Bases(extract.Document{Name: "p.html", URL: url, URLBy: "--url", Bytes: []byte(page)}, func(e *extract.Entity) error {
		out = (&drawing{pen: p, width: columns}).ladder(out, e)
		return nil
	})
	require.NoError(t, err)
	return string(out)
}

func TestLadderOnATerminal(t *testing.T) {
	want := `
p.html  (text/html)

╭──────────────────────────────────────────────────────────────────────────────╮
│  ╭────────────────────────────────────────────────────────────────────────╮  │
│  │  ╭──────────────────────────────────────────────────────────────────╮  │  │
│  │  │  ╭────────────────────────────────────────────────────────────╮  │  │  │
│  │  │  │  (3.1) Base URL embedded in the document's content         │  │  │  │
│  │  │  │    → BASE element  "../"                                   │  │  │  │
│  │  │  │        used: http://h/                                     │  │  │  │
│  │  │  │        (not absolute; resolved against the next rung)      │  │  │  │
│  │  │  ╰────────────────────────────────────────────────────────────╯  │  │  │
│  │  │  (3.2) Base URL of the encapsulating entity                      │  │  │
│  │  │      none                                                        │  │  │
│  │  ╰──────────────────────────────────────────────────────────────────╯  │  │
│  │  (3.3) URL used to retrieve the entity                                 │  │
│  │      --url  "http://h/012345678901234567…01234567890123456789/p.html"  │  │
│  │        shadowed                                                        │  │
│  ╰────────────────────────────────────────────────────────────────────────╯  │
│  (3.4) Base URL = "" (undefined)                                             │
╰──────────────────────────────────────────────────────────────────────────────╯

base URL: http://h/  (embedded, 3.1, by BASE element)
`
	url := "http://h/" + strings.Repeat("0123456789", 6) + "/p.html"
	assert.Equal(t, want[1:], draw(t, unicodePen, 80, url, "<base href=../>"))
}

// Whatever stands in it, every line of a box is as wide as the box, and no line is wider
// than the terminal.
func TestLadderKeepsItsWidth(t *testing.T) {
	for _, page := range []string{
		"",
		"<base href='http://例え.テスト/長い/道/" + strings.Repeat("道", 100) + "'>",
		"<base href='" + strings.Repeat("x", 300) + "'><base href=y>",
		"<base href='http://h/e\u0301\x1b[31m\xFF'>",
		"<base href='mailto:a@b'><base href='javascript:x'>",
	} {
		for _, p := range []pen{asciiPen, unicodePen} {
			for columns := leastWidth; columns < 130; columns += 7 {
				out := draw(t, p, columns, "http://h/"+strings.Repeat("p/", 90), page)
				box := 0
				for line := range strings.Lines(out) {
					line = strings.TrimSuffix(line, "\n")
					assert.LessOrEqual(t, columnsOf(line), columns, line)
					assert.NotContains(t, line, "\x1b")
					if strings.HasPrefix(line, p.topLeft) {
						box = columnsOf(line)
					}
					if strings.HasPrefix(line, p.down) {
						assert.Equal(t, box, columnsOf(line), line)
					}
				}
			}
		}
	}
}

func TestFit(t *testing.T) {
	d := &drawing{pen: asciiPen}
	for _, row := range []struct {
		s    string
		room int
		want string
	}{
		{"short", 5, "short"},
		{"0123456789", 9, "012...789"},
		{"0123456789", 8, "012...89"},
		{"道道道道道", 8, "道...道"},
		{"a\nb", 10, `a\nb`},
	} {
		assert.Equal(t, row.want, d.fit(row.s, row.room), row.s)
	}
}
