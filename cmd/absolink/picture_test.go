package main

import (
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPicture compares docs/terminal.svg, the terminal in README.md, with the output of two commands; -update draws it.
func TestPicture(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(asCommand, "1")
	var lines []string
	for _, row := range []struct {
		command     string
		first, most int // lines of the output
	}{
		{"rewrite testdata/html/guide.html -u http://site.example/docs/ --diff", 0, 15},
		{"explain testdata/html/guide.html -u http://site.example/docs/", 2, 20},
	} {
		out := printed(t, "the picture", self+" "+row.command+" -q --color always")
		lines = append(lines, "$ absolink "+row.command)
		shown := strings.Split(out, "\n")[row.first:][:row.most]
		lines = append(append(lines, shown...), "")
	}
	lines = lines[:len(lines)-1]

	const width, height, left, top = 8.4, 19, 16, 28 // of a character of 14 pixels, and of the frame
	var svg strings.Builder
	longest := 0
	escape := regexp.MustCompile("\x1b\\[(\\d*)m")
	for i, line := range lines {
		longest = max(longest, len(escape.ReplaceAllString(line, "")))
		line = html.EscapeString(line)
		if strings.HasPrefix(line, "$ ") {
			line = "<tspan class='b'>" + line + "</tspan>"
		}
		line = escape.ReplaceAllStringFunc(line, func(code string) string {
			switch number := escape.FindStringSubmatch(code)[1]; number {
			case "":
				return "</tspan>"
			default:
				return "<tspan class='c" + number + "'>"
			}
		})
		fmt.Fprintf(&svg, "<text x='%d' y='%d' xml:space='preserve'>%s</text>\n", left, top+i*height, line)
	}
	w, h := int(float64(longest)*width)+2*left, len(lines)*height+top
	picture := fmt.Sprintf(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' role='img' aria-label='absolink rewrite --diff, and absolink explain'>
<style>text { font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d6deeb } .b { font-weight: bold; fill: #fff } .c31 { fill: #ff8a80 } .c32 { fill: #9ccc65 } .c36 { fill: #80deea }</style>
<rect width='%d' height='%d' rx='8' fill='#0b1622'/>
%s</svg>
`, w, h, w, w, h, svg.String())
	const file = "../../docs/terminal.svg"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(picture), 0o644))
		return
	}
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(now), picture, "run go test ./cmd/absolink -run TestPicture -update, and look at the picture")
}
