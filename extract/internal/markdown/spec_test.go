package markdown_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"absolink/extract/internal/mark"
	"absolink/internal/commandtest"
)

// judge is the module of the second parser.
const judge = "github.com/yuin/goldmark"

// example is an example of a specification.
type example struct {
	Example  int
	Section  string
	Markdown string
	HTML     string
}

// commonMarkExamples returns the examples of CommonMark 0.31.2, which goldmark's module contains.
func commonMarkExamples(t testing.TB) []example {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(commandtest.Module(t, judge, "_test"), "spec.json"))
	require.NoError(t, err)
	var examples []example
	require.NoError(t, json.Unmarshal(data, &examples))
	require.Len(t, examples, 652)
	return examples
}

// gfmExamples returns the examples of a GFM extension, and some by goldmark's authors.
func gfmExamples(t testing.TB, name string, want int) []example {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(commandtest.Module(t, judge, "extension/_test"), name+".txt"))
	require.NoError(t, err)
	var examples []example
	var fields [3]string // the options, the document and its HTML
	at := 0
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.HasPrefix(line, "//- "):
			at++
		case strings.HasPrefix(line, "//= "):
			if strings.Contains(fields[0], "enableEscape") {
				fields[1] = strings.ReplaceAll(fields[1], `\t`, "\t")
			}
			examples = append(examples, example{len(examples) + 1, name, fields[1], fields[2]})
			fields, at = [3]string{}, 0
		default:
			fields[at] += line
		}
	}
	require.Len(t, examples, want)
	return examples
}

// urls returns the URLs of a and img elements. A newline is not a part of a URL.
func urls(doc string) []string {
	var out []string
	z := html.NewTokenizer(strings.NewReader(doc))
	for z.Next() != html.ErrorToken {
		token := z.Token()
		for _, a := range token.Attr {
			if token.Type != html.EndTagToken && (token.Data == "a" && a.Key == "href" || token.Data == "img" && a.Key == "src") {
				out = append(out, strings.ReplaceAll(a.Val, "\n", ""))
			}
		}
	}
	return out
}

// rendered returns a URL percent-encoded, as in the HTML of the examples.
func rendered(url []byte) string { return string(util.URLEscape(url, false)) }

// TestSpecification compares the links of the examples with the URLs in their HTML. The URL of a definition is in the
// HTML only if the definition is used.
func TestSpecification(t *testing.T) {
	differs := map[string]string{
		"Links 520":  "6.4: the description of an image may contain a link or an image, but only its text is rendered",
		"Images 574": "6.4, as Links 520",
		"Images 575": "6.4, as Links 520",
	}
	examples := commonMarkExamples(t)
	examples = append(examples, gfmExamples(t, "linkify", 21)...)
	examples = append(examples, gfmExamples(t, "table", 14)...)
	examples = append(examples, gfmExamples(t, "strikethrough", 5)...)
	for _, e := range examples {
		name := fmt.Sprint(e.Section, " ", e.Example)
		t.Run(name, func(t *testing.T) {
			why := wrong(t, e)
			if reason, ok := differs[name]; ok {
				assert.NotEmpty(t, why, reason)
				return
			}
			assert.Empty(t, why)
		})
	}
}

// wrong describes how the links of an example differ from its HTML, or returns "".
func wrong(t *testing.T, e example) string {
	left := map[string]int{}
	for _, url := range urls(e.HTML) {
		left[url]++
	}
	defined := map[string]bool{}
	for _, x := range extract(t, e.Markdown) {
		url, err := x.Codec.Decode([]byte(e.Markdown[x.Start:x.End]))
		if err != nil {
			return err.Error()
		}
		switch x.Place.Name {
		case "definition":
			defined[rendered(url)] = true
		case "a@href", "img@src":
			left[string(url)]--
		case "autolink":
			if e.Section == "linkify" || !isPlain(e.Markdown, x) {
				left[rendered(url)]--
			}
		case "link", "image":
			left[rendered(url)]--
		}
	}
	for url, n := range left {
		if n < 0 || n > 0 && !defined[url] {
			return fmt.Sprintf("%q: %d more in the HTML than in %v, for %q", url, n, links(t, e.Markdown), e.Markdown)
		}
	}
	return ""
}

// isPlain reports whether x is an autolink that only GFM has.
func isPlain(src string, x mark.Mark) bool {
	return x.Place.Name == "autolink" && (x.Start == 0 || src[x.Start-1] != '<')
}
