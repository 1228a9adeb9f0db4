package hostiletest

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// hostileLong are documents with a long text that many places compare, copy or resolve against. long and each are both
// repeated.
var hostileLong = []struct {
	name, mediaType             string
	head, long, mid, each, tail string
	size                        int // the number of repetitions of each for about half a megabyte
}{
	{"lines that begin like a long boundary", "message/rfc822", "Content-Type: multipart/mixed; boundary=\"", "bbbb", "\"\n\n", "--b\n", "", 120_000},
	{"a boundary with newlines", "message/rfc822", "Content-Type: multipart/mixed; boundary*=''", "%0A--", "x\n\n", "\n--", "", 160_000},
	{"codebases under a long relative Content-Base", "message/rfc822", group + locations("a") + "--b\nContent-Base: ", "xxxxxxxxxxxxxxxxxxxxxxxxxx", "\nContent-Type: text/html\n\n",
		"<object codebase=a data=a>", "\n--b--\n", 20_000},
	{"codebases under a long base", "text/html", "<base href='http://h/", "xxxxxxxxxxxxxxxxxxxxxxxxxx", "'>", "<object codebase=x data=y>", "", 20_000},
	{"codebases that climb from a long base", "text/html", "<base href='http://h/", strings.Repeat("x", 50), "/1/2/3/4/5/6/7/8/9/'>", "<object codebase=../../../../../../../../../../x data=y>", "", 9_000},
	{"links outside ASCII under a long base", "text/html", "<base href='http://h/", "xxxxxxxxxxxx", "'>", "<a href='é '>", "", 40_000},
	{"xml:base on the root element", "text/xml", "<feed xmlns='http://www.w3.org/2005/Atom'", " xml:base='x/'", " xml:base='http://h/'>", "<link href='y'/>", "</feed>", 32_000},
	{"hrefs of an element with a long name", "text/xml", "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h/'><", "xxxxxxxxx", "", " href='y'", "/></feed>", 55_000},
}

const group = "Content-Type: multipart/related; boundary=b\n\n"

// locations returns body parts with these Content-Locations.
func locations(urls ...string) string {
	return "--b\nContent-Location: " + strings.Join(urls, "\n\n--b\nContent-Location: ") + "\n\n"
}

func hostileLongText(i, size int) []byte {
	h := hostileLong[i]
	return []byte(h.head + strings.Repeat(h.long, size) + h.mid + strings.Repeat(h.each, size) + h.tail)
}

// TestHostileLong checks that nothing of a document is lost, and that the time grows linearly with its size. The URLs
// together may grow with the square of the size, so MaxRecord, which limits them, is small.
func TestHostileLong(t *testing.T) {
	for i, h := range hostileLong {
		t.Run(h.name, func(t *testing.T) {
			var w Walker
			Unharmed(t, &w, extract.Document{Type: h.mediaType, Bytes: hostileLongText(i, h.size/20)})
			for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.WHATWG} {
				w := Walker{Extractor: extract.Extractor{Standard: standard, MaxRecord: 2 << 20, OnProblem: func(extract.Problem) {}}}
				longtest.Linear(t, h.name, h.size, func(size int) func() {
					d := extract.Document{Type: h.mediaType, Bytes: hostileLongText(i, size)}
					return func() { require.NoError(t, w.Rewrite(io.Discard, d)) }
				})
			}
		})
	}
}

// TestHostileName has many documents in a file of an archive with a long name. Their paths have only the start of the name,
// so the time grows linearly with the length of the name and the number of documents.
func TestHostileName(t *testing.T) {
	of := func(size int) []byte {
		return []byte(TarHead("@", fmt.Sprintf("%011o", 20*size), 'L') + TarData(strings.Repeat("x", 20*size)) +
			TarFile("p", "<p>"+strings.Repeat("<iframe srcdoc='<a href=x>'></iframe>", size)))
	}
	var w Walker
	documents := 0
	require.NoError(t, w.Bases(Tar(string(of(500))), func(e *extract.Entity) error {
		documents++
		assert.Less(t, len(e.Path), 5_000)
		return nil
	}))
	assert.Equal(t, 501, documents)
	linear(t, "a long name", 12_000, of, func(src []byte) extract.Document { return Tar(string(src)) })
}
