package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/base"
	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/commandtest"
)

// scan returns the links that absolink finds, with the names of places that the oracle uses.
func scan(t *testing.T, doc []byte) *oracle {
	t.Helper()
	o := &oracle{links: map[string]bool{}}
	w := Walker{Extractor: extract.Extractor{NoEvidence: true}} // a tree has no evidence
	d := extract.Document{Name: "x.html", Type: "text/html; charset=utf-8", Bytes: doc}
	require.NoError(t, w.Links(d, func(l *extract.Link) error {
		place := l.Place()
		if i := strings.IndexByte(place, '['); i >= 0 {
			place = place[:i]
		}
		if strings.HasPrefix(place, "meta@content") || strings.HasSuffix(place, "style") || place == "script" || inCSS(l) {
			return nil // the grammars have separate tests
		}
		path := ""
		for _, part := range strings.Split(l.Entity.Path, "/") {
			if i := strings.IndexByte(part, '['); i >= 0 {
				path += part[:i] + "/"
			}
		}
		o.add(path+place, string(l.Ref))
		return nil
	}))
	require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
		for _, c := range e.Scope.Candidates() {
			if e.Path == "" && c.By == "BASE element" && c.Own && c.Reason != base.ReasonRefused && !o.hasBase {
				o.base, o.hasBase = c.Value, true
			}
		}
		return nil
	}))
	return o
}

func inCSS(l *extract.Link) bool {
	_, attr, _ := strings.Cut(l.Place(), "@")
	attr, _, _ = strings.Cut(attr, "[")
	return In("fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end", attr)
}

// TestHTML5Lib compares the base and the links with those of html.Parse in the documents of the html5lib tree construction
// tests, which are about unusual markup. They have few links, so each document is read again with an itemid in every tag, to
// see that both parsers take the same text for tags; and with a base at the end, to see that both are in the same state
// there, unless unlikeTree lists the document.
func TestHTML5Lib(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(commandtest.Module(t, "golang.org/x/net", "html/testdata/html5lib-tests/tree-construction"), "*.dat"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	documents := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, test := range strings.Split("\n"+string(text), "\n#data\n")[1:] {
			data, _, _ := strings.Cut(test, "\n#errors")
			for _, doc := range []string{data, probed(data), probed(data) + "<base href=/last>"} {
				documents++
				name := filepath.Base(file) + " " + data
				want, got := readTree([]byte(doc)), scan(t, []byte(doc))
				if strings.HasSuffix(doc, "<base href=/last>") && unlikeTree[name] != "" {
					assert.NotEqual(t, want.base, got.base, "%q is no longer unlike the tree", name)
					continue
				}
				assert.Equal(t, want.base, got.base, "base of %q", name)
				for l := range want.links {
					assert.Contains(t, keys(got.links), l, "link of the tree in %q", name)
				}
				for l := range got.links {
					if place, _, _ := strings.Cut(l, " "); !want.links[l] {
						assert.NotEmpty(t, ignoredTag(place, doc), "%s is more than the tree has in %q", l, name)
					}
				}
			}
		}
	}
	t.Logf("%d documents", documents)
}

// probed adds an itemid to every start tag.
func probed(doc string) string {
	var b strings.Builder
	for i := 0; i < len(doc); {
		b.WriteByte(doc[i])
		i++
		if doc[i-1] != '<' || i == len(doc) || (doc[i]|0x20) < 'a' || (doc[i]|0x20) > 'z' {
			continue
		}
		for i < len(doc) && !strings.ContainsRune(" \t\n\f\r/>", rune(doc[i])) {
			b.WriteByte(doc[i])
			i++
		}
		fmt.Fprintf(&b, " itemid=i%d ", i)
	}
	return b.String()
}

var columnTemplate = regexp.MustCompile(`(?s)<template.*<col\b`)

// ignoredTag returns the reason why the tree builder drops a tag that the scanner reads, or "" if it does not drop
// the tag. A link in such a tag is a link: no browser shows it, but the author meant a link, and making it absolute
// does no harm.
func ignoredTag(place, doc string) string {
	element, _, _ := strings.Cut(place[strings.LastIndexByte(place, '/')+1:], "@")
	switch {
	case strings.Contains(doc, "<frameset"):
		return "13.2.6.4.20: a frameset ignores what is not its own, and drops the body before it"
	case In("tr td th tbody tfoot thead caption col colgroup", element):
		return "13.2.6.4.7: the parts of a table are ignored outside one"
	case In("html head body", element):
		return "13.2.6.4.7: a second one only adds its attributes to the first"
	case element == "frame":
		return "13.2.6.4.7: a frame is ignored outside a frameset"
	case element == "form":
		return "13.2.6.4.7: a form within a form is ignored"
	case element == "select":
		return "13.2.6.4.7: a select within a select closes it"
	case strings.HasPrefix(place, "noscript/") && In("html head body frame", element):
		return "13.2.6.4.4: its start tags are ignored inside"
	case columnTemplate.MatchString(doc):
		return "13.2.6.4.12: a template that began with a col takes nothing else"
	case element == "table" && strings.Contains(doc, "<template"):
		return "13.2.6.4.9: a template that began with a part of a table ignores a table"
	}
	return ""
}

// TestCorpusTrees compares the base and the links of every page of the corpus with those of its tree.
func TestCorpusTrees(t *testing.T) {
	compared, dropped := 0, 0
	Corpus(t, "../../../testdata", func(path string, src []byte) {
		if extract.Detect("", path, src) != extract.FormatOf("text/html") {
			return
		}
		want, got := readTree(src), scan(t, src)
		if want.refused != nil { // more than 512 nested elements
			t.Logf("%s: not compared: %s", path, want.refused)
			return
		}
		compared++
		assert.Equal(t, want.base, got.base, path)
		for l := range want.links {
			assert.True(t, got.links[l], "%s: only the tree has %s", path, l)
		}
		for l := range got.links {
			if want.links[l] {
				continue
			}
			dropped++
			place, _, _ := strings.Cut(l, " ")
			assert.NotEmpty(t, ignoredTag(place, string(src)), "%s: the tree has no %s", path, l)
		}
	})
	require.NotZero(t, compared)
	t.Logf("%d pages compared with html.Parse, %d links in the tags of which it drops", compared, dropped)
}
