package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"absolink/extract"
)

// hostile is text that would inject markup, a style, a script or a link at any place of a page.
const hostile = `"'><script>alert(1)</script><img src=http://evil.example/ onerror=alert(2)><style>*{display:none}</style>` +
	"</style></script></title></textarea>--><!--{{.}} javascript:alert(3) `${alert(4)}` \u202egnp.exe \x00\x1b[31m\xff"

// checkSafe parses a page, and requires that it has only elements and attributes of the template.
func checkSafe(t *testing.T, page []byte) *nethtml.Node {
	t.Helper()
	doc, err := nethtml.Parse(strings.NewReader(string(page)))
	require.NoError(t, err)
	scripts, styles := 0, 0
	for n := range doc.Descendants() {
		switch {
		case n.Type == nethtml.CommentNode:
			t.Errorf("a comment: %q", n.Data)
		case n.Type != nethtml.ElementNode:
			continue
		case n.Data == "script":
			scripts++
			assert.Equal(t, script, n.FirstChild.Data)
		case n.Data == "style":
			styles++
			assert.Equal(t, style, n.FirstChild.Data)
		case n.Data == "img" || n.Data == "iframe" || n.Data == "link" || n.Data == "base" || n.Data == "object":
			t.Errorf("an element %s", n.Data)
		}
		for _, a := range n.Attr {
			assert.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src", "%s@%s", n.Data, a.Key)
			if a.Key == "href" {
				assert.True(t, strings.HasPrefix(a.Val, "#"), a.Val)
			}
		}
	}
	assert.Equal(t, []int{1, 1}, []int{scripts, styles})
	text := string(page)
	assert.False(t, strings.ContainsAny(text, "\u202e\x1b\x00"))
	return doc
}

// requireText requires that a page contains a text. It does not print the page, which can be long.
func requireText(t *testing.T, page, text string) {
	t.Helper()
	require.True(t, strings.Contains(page, text), "the page has no %q", text)
}

// TestPolicy: the hashes of the policy are those of the style and the script in the page, byte for byte.
func TestPolicy(t *testing.T) {
	r := newRun("links")
	page, err := r.Append(nil, Facts{Command: hostile})
	require.NoError(t, err)
	checkSafe(t, page)
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindSubmatch(page)
	require.NotNil(t, policy)
	for element, source := range map[string]string{"style": "style-src", "script": "script-src"} {
		inside := regexp.MustCompile(`(?s)<` + element + `>(.*?)</` + element + `>`).FindSubmatch(page)
		require.NotNil(t, inside)
		sum := sha256.Sum256(inside[1])
		assert.Contains(t, html.UnescapeString(string(policy[1])), fmt.Sprintf("%s 'sha256-%s'", source, base64.StdEncoding.EncodeToString(sum[:])))
	}
	assert.Contains(t, html.UnescapeString(string(policy[1])), "default-src 'none'")
}

// TestShown: a text for a page is short, has no control characters, and keeps its beginning and its end.
func TestShown(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"short text", "a b", "a b"},
		{"control characters", "a\n\x00", `a\n\x00`},
		{"bytes that are not UTF-8", "a\xff", `a\xff`},
		{"direction of text", "a\u202eb\u2066", `a\u202eb\u2066`},
		{"long text", strings.Repeat("a", 20) + strings.Repeat("b", 20), "aaaaaaaaaaaa … bbbbbb"},
		{"long text is cut between characters", strings.Repeat("é", 20), "éééééé … ééé"},
	} {
		t.Run(row.name, func(t *testing.T) { assert.Equal(t, row.want, shown(row.text, 18)) })
	}
	long := shown(strings.Repeat(hostile, 1000), longName)
	assert.LessOrEqual(t, len(long), longName+8)
	assert.True(t, strings.HasPrefix(long, `"'><script>`))
}

// TestTally: the names with the highest counts have a bar. The counts of the others are not lost.
func TestTally(t *testing.T) {
	var all tally
	for i := range mostNames + 44 {
		all.add(fmt.Sprintf("s%d", i), int64(1+i%mostNames))
	}
	c := all.chart("Links by scheme", "scheme", strings.ToUpper)
	require.Len(t, c.Bars, shownBars)
	assert.Equal(t, Bar{Name: fmt.Sprintf("s%d", mostNames-1), Class: fmt.Sprintf("S%d", mostNames-1), Count: mostNames, Share: "< 1 %", Width: "100.0"}, c.Bars[0])
	total := int64(0)
	for _, of := range all.counts {
		total += of.n
	}
	assert.Equal(t, int64(mostNames*(mostNames+1)/2+44*45/2), total+all.others)
	assert.Regexp(t, `^other schemes: \d,\d{3},\d{3}$`, c.More)
}

// FuzzPages: no document, name or message adds an element or an attribute to a page.
func FuzzPages(f *testing.F) {
	f.Add("text/html", `<base href="/q/"><a href=x><iframe srcdoc="<a href=y>">`+hostile)
	f.Add("message/rfc822", "Content-Base: http://h/a\n b/\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html\n\n<a href=x>\n--x--\n")
	f.Add("text/css", "a{background:url(x\\29)}"+hostile)
	f.Fuzz(func(t *testing.T, kind, text string) {
		if extract.FormatOf(kind) == nil {
			t.Skip()
		}
		page := NewDocument(text)
		run := newRun("rewrite")
		part := &Part{}
		x := extract.Extractor{OnProblem: page.Problem}
		d := extract.Document{Name: text, Type: kind, URL: "http://h/", Bytes: []byte(text)}
		for e, err := range x.Bases(t.Context(), d) {
			if err == nil {
				page.Entity(e)
			}
		}
		for l, err := range x.Links(t.Context(), d) {
			if err == nil {
				page.Link(l)
			}
		}
		x.OnLink, x.OnChange, x.OnProblem = part.Link, part.Change, run.Problem
		_, err := x.Rewrite(t.Context(), io.Discard, d)
		run.Collect(text, part)
		run.End(text, int64(len(text)), err)
		out, err := page.Append(nil, "absolink")
		require.NoError(t, err)
		checkSafe(t, out)
		out, err = run.Append(nil, Facts{Command: text})
		require.NoError(t, err)
		checkSafe(t, out)
	})
}
