package extract_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// hostileURLs would end the construct around a link if they were copied unchanged.
var hostileURLs = []string{
	"http://h/\"'><script>alert(1)</script>",
	"http://h/a\nX-Header: x\n\n<b>",
	"http://h/a\r\n--=_1\r\n",
	"http://h/]]></x><y z='",
	"http://h/a, http://evil/b 2x, c",
	"http://h/a b\tc",
	"http://h/)url(http://evil/);}*{x:y",
	"http://h/</style></title></noscript><!-- --> -->",
	"http://h/&quot;&#34;&amp;<?x?>%22=3D=22",
	"http://h/\\\"\\27 \\",
	"http://h/ ",
	" http://h/",
	"http://h/\x00\x1b$B\x01",
	"http://h/é日\U0001F600",
	"http://h/>; rel=x, <http://evil/>",
	"--b",
	"--b--",
	"x",
	"",
	"#f",
}

// TestMapInjection maps every link of every case to each hostile URL. A reader of the output finds the same places, each with
// the URL, or with the old reference if the URL was refused.
func TestMapInjection(t *testing.T) {
	mapped, refused := 0, 0
	for _, d := range documents(t) {
		d.URL = "http://retrieved.example/a/b"
		for _, std := range []resolve.Standard{resolve.RFC1808, resolve.WHATWG} {
			x := extract.Extractor{Standard: std, BreakSignatures: true}
			before := placesOf(t, x, d)
			for _, url := range hostileURLs {
				m, r := mapAll(t, x, d, before, url)
				mapped, refused = mapped+m, refused+r
			}
		}
	}
	t.Logf("%d links mapped, %d refused", mapped, refused)
	assert.Greater(t, mapped, 1000)
	assert.Greater(t, refused, 10)
}

type placed struct{ place, ref string }

func placesOf(t *testing.T, x extract.Extractor, d extract.Document) (all []placed) {
	for l, err := range x.Links(t.Context(), d) {
		require.NoError(t, err)
		all = append(all, placed{l.Entity.Path + " " + l.Place(), string(l.Ref)})
	}
	return all
}

// mapAll maps all links of a document to one URL, and checks the output. It returns how many links then have the URL, and how
// many the old reference.
func mapAll(t *testing.T, x extract.Extractor, d extract.Document, before []placed, url string) (mapped, refused int) {
	t.Helper()
	unmapped := x
	problems := map[extract.Code]int{}
	x.OnProblem = func(p extract.Problem) { problems[p.Code]++ }
	x.Map = func(l *extract.Link) (string, bool) {
		if strings.HasPrefix(l.Place(), "script[") && len(url) < 5 { // it would be a bare specifier, or the same key twice
			return "", false
		}
		return url, !strings.Contains(l.Place(), "ontent-") && !strings.Contains(l.Place(), "base")
	}
	var out bytes.Buffer
	result, err := x.Rewrite(t.Context(), &out, d)
	require.NoError(t, err)
	about := fmt.Sprintf("%s, %s, %q:\n%s\nbecomes\n%s", d.Name, x.Standard, url, d.Bytes, out.Bytes())
	d.Bytes = out.Bytes()
	after := placesOf(t, unmapped, d)
	if !assert.Len(t, after, len(before), about) {
		return 0, 0
	}
	for i, l := range after {
		if before[i].place != l.place {
			assert.Equal(t, before[i].place, l.place, about)
			return mapped, refused
		}
		switch l.ref {
		case url:
			mapped++
		case before[i].ref:
			refused++
		default:
			assert.Equal(t, url, l.ref, about)
		}
	}
	if result.Refused > 0 {
		assert.NotZero(t, problems[extract.CodeRewriteRefused]+problems[extract.CodeSignatureWouldBreak], about)
	}
	return mapped, refused
}

// TestMapInjectionInBases maps every base and every Content-Location of the cases. The output has the same links at the same
// places, in the same spelling.
func TestMapInjectionInBases(t *testing.T) {
	mapped := 0
	isBase := func(l *extract.Link) bool {
		return strings.Contains(l.Place(), "base") || strings.Contains(l.Place(), "Base") || l.Place() == "Content-Location"
	}
	list := func(d extract.Document) (all []string) {
		var x extract.Extractor
		for l, err := range x.Links(t.Context(), d) {
			require.NoError(t, err)
			ref := string(l.Ref)
			if isBase(l) {
				ref = "a base"
			}
			all = append(all, l.Entity.Path+" "+l.Place()+" "+ref)
		}
		return all
	}
	for _, d := range documents(t) {
		d.URL = "http://retrieved.example/a/b"
		want := list(d)
		for _, url := range hostileURLs {
			if url == "" {
				continue
			}
			about := fmt.Sprintf("%s, %q", d.Name, url)
			x := extract.Extractor{BreakSignatures: true, Map: func(l *extract.Link) (string, bool) { return url, isBase(l) }}
			var out bytes.Buffer
			result, err := x.Rewrite(t.Context(), &out, d)
			require.NoError(t, err, about)
			mapped += result.Changed
			if result.Changed+result.Refused == 0 {
				assert.Equal(t, string(d.Bytes), out.String(), about)
				break // no base
			}
			after := d
			after.Bytes = out.Bytes()
			assert.Equal(t, want, list(after), "%s:\n%s", about, out.Bytes())
		}
	}
	assert.Greater(t, mapped, 100)
}

// Map decides for each link separately, at any depth of nesting.
func TestMap(t *testing.T) {
	const page = `<base href=http://h/b/><a href=x>x</a><img srcset="s.png 1x, http://h/l.png 2x" src=http://h/b/i.png>` +
		`<a ping="p http://h/q" href=#f></a><iframe srcdoc="<a href='?a&amp;amp;b'>"></iframe><a href=mailto:a@h>`
	for name, row := range map[string]struct {
		to   func(l *extract.Link) (string, bool)
		want string
	}{
		"the URL of the link: absolute links stay unchanged": {
			func(l *extract.Link) (string, bool) { return string(l.URL), true },
			`<base href=http://h/b/><a href=http://h/b/x>x</a><img srcset="http://h/b/s.png 1x, http://h/l.png 2x" src=http://h/b/i.png>` +
				`<a ping="http://h/b/p http://h/q" href=http://h/b/#f></a><iframe srcdoc="<a href='http://h/b/?a&amp;amp;b'>"></iframe><a href=mailto:a@h>`,
		},
		"false leaves every link unchanged":                   {func(l *extract.Link) (string, bool) { return "http://no/", false }, page},
		"the unchanged reference leaves every link unchanged": {func(l *extract.Link) (string, bool) { return string(l.Ref), true }, page},
		"another URL for each": {
			func(l *extract.Link) (string, bool) {
				return strings.Replace(string(l.URL), "http://h/", "ftp://n/", 1), true
			},
			`<base href=ftp://n/b/><a href=ftp://n/b/x>x</a><img srcset="ftp://n/b/s.png 1x, ftp://n/l.png 2x" src=ftp://n/b/i.png>` +
				`<a ping="ftp://n/b/p ftp://n/q" href=ftp://n/b/#f></a><iframe srcdoc="<a href='ftp://n/b/?a&amp;amp;b'>"></iframe><a href=mailto:a@h>`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := extract.Extractor{Map: row.to}
			var out strings.Builder
			result, err := x.Rewrite(t.Context(), &out, extract.Document{Name: "p.html", URL: "http://r/", Bytes: []byte(page)})
			require.NoError(t, err)
			assert.Equal(t, row.want, out.String())
			assert.Equal(t, 10, result.Links, "nine links and a base")
			assert.Zero(t, result.Refused+result.Unresolved)
		})
	}
}

// Map receives each link with all its fields.
func TestMapSees(t *testing.T) {
	const message = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\nContent-Location: http://h/m/\n\n" +
		"--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"a?x&amp;y\">=\n</a>\n--b--\n"
	var seen []string
	x := extract.Extractor{Map: func(l *extract.Link) (string, bool) {
		line, column := l.Position()
		seen = append(seen, fmt.Sprintf("%s %s %s %s %s %s %d:%d %s", l.Entity.Path, l.Place(), l.Ref, l.URL, l.Status, l.Scope.Layer(), line, column, l.PageURL()))
		return "http://n/" + `"=` + "&é", l.Place() == "a@href"
	}}
	var out strings.Builder
	_, err := x.Rewrite(t.Context(), &out, extract.Document{Name: "m.eml", Bytes: []byte(message)})
	require.NoError(t, err)
	assert.Equal(t, []string{
		" Content-Location http://h/m/ http://h/m/ absolute embedded 3:19 ",
		"part[1] a@href a?x&y http://h/m/a?x&y resolved encapsulating 1:10 http://h/m/",
	}, seen)
	assert.Contains(t, out.String(), "<a href=3D\"http://n/&quot;=3D&amp;&#233;\">=\n</a>")
}

// Neither Map nor a standard changes an absolute URL by which feed readers recognize an entry (RFC 4287 4.2.6), because they
// would show all entries as new. A relative one is a link.
func TestMapPermanent(t *testing.T) {
	x := extract.Extractor{Standard: resolve.WHATWG, Map: func(l *extract.Link) (string, bool) { return "http://new/", true }}
	const rss = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">`
	for _, row := range []struct{ src, want string }{
		{`<feed xmlns="http://www.w3.org/2005/Atom"><id>http://old/1</id><icon>http://old/i</icon></feed>`,
			`<feed xmlns="http://www.w3.org/2005/Atom"><id>http://old/1</id><icon>http://new/</icon></feed>`},
		{`<feed xmlns="http://www.w3.org/2005/Atom"><id>1</id></feed>`, `<feed xmlns="http://www.w3.org/2005/Atom"><id>http://new/</id></feed>`},
		{`<rss><item><link>http://old/1</link><guid>HTTP://old:80/%7e1</guid></item></rss>`, `<rss><item><link>http://new/</link><guid>HTTP://old:80/%7e1</guid></item></rss>`},
		{`<rss><guid isPermaLink="true">http://old/1</guid></rss>`, `<rss><guid isPermaLink="true">http://old/1</guid></rss>`},
		{`<rss><guid isPermaLink="false">http://old/1</guid></rss>`, `<rss><guid isPermaLink="false">http://old/1</guid></rss>`},
		{`<rss><guid>1</guid></rss>`, `<rss><guid>http://new/</guid></rss>`},
		{rss + `<channel rdf:about="http://old/"><items><rdf:Seq><rdf:li rdf:resource="http://old/1"/></rdf:Seq></items></channel></rdf:RDF>`,
			rss + `<channel rdf:about="http://old/"><items><rdf:Seq><rdf:li rdf:resource="http://old/1"/></rdf:Seq></items></channel></rdf:RDF>`},
		{rss + `<item rdf:about="http://old/1"><topics><rdf:Bag><rdf:li rdf:resource="http://old/t"/></rdf:Bag></topics></item><image rdf:about="http://old/i"/></rdf:RDF>`,
			rss + `<item rdf:about="http://old/1"><topics><rdf:Bag><rdf:li rdf:resource="http://new/"/></rdf:Bag></topics></item><image rdf:about="http://new/"/></rdf:RDF>`},
	} {
		var out strings.Builder
		_, err := x.Rewrite(t.Context(), &out, extract.Document{Name: "x.xml", Bytes: []byte(row.src), URL: "http://old/"})
		require.NoError(t, err)
		assert.Equal(t, row.want, out.String())
	}
}

// For each link that is written, OnChange receives the entity, the place and the offset that Map received. Map may be called
// for one that is not, because its charset turns out to lack a character.
func TestMapWritten(t *testing.T) {
	type at struct {
		entity, place string
		offset        int
	}
	var mapped, written []at
	x := extract.Extractor{
		Map: func(l *extract.Link) (string, bool) {
			mapped = append(mapped, at{l.Entity.Path, l.Place(), l.Offset})
			if bytes.HasSuffix(l.URL, []byte("no")) {
				return "http://日/", true
			}
			return string(l.URL) + "?id", true
		},
		OnChange: func(c extract.Change) { written = append(written, at{c.Entity, c.Place, c.Offset}) },
	}
	body := `<base href=b/><a href=a><img srcset="1, 2 2x"><p style="x:url('3')"><iframe srcdoc="<a href=&quot;4&quot;>">`
	d := extract.Document{Name: "a.eml", URL: "http://h/", Bytes: []byte("Link: <no>\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(body)))}
	result, err := x.Rewrite(t.Context(), io.Discard, d)
	require.NoError(t, err)
	assert.Equal(t, 1, result.Refused)
	require.Len(t, mapped, 7)
	assert.Equal(t, at{"", "Link[1]", len("Link: <")}, mapped[0])
	assert.Equal(t, at{"part[1]", "a@href", strings.Index(body, "a>")}, mapped[2])
	assert.Equal(t, mapped[1:], written)
}

// Map is called once for each link, even if a document is walked several times to find out whether a compressed document
// changes, or whether a link needs the BASE elements.
func TestMapOnce(t *testing.T) {
	several := 0
	for _, of := range documents(t) {
		packed := Gzipped(t, string(of.Bytes))
		for i := range 12 {
			asked := map[string]int{}
			x := extract.Extractor{BaseURLs: extract.BaseURLs(i % 3), Map: func(l *extract.Link) (string, bool) {
				at := fmt.Sprint(l.Entity.Path, " ", l.Place(), " ", l.Offset, " ", string(l.Raw))
				if asked[at]++; i < 6 { // an edit
					return string(l.URL) + "?new", len(l.URL)%2 == 0
				}
				return " ", i%2 == 0 // refused, or unchanged
			}, OnProblem: func(extract.Problem) {}}
			d := extract.Document{Name: of.Name, Bytes: of.Bytes, URL: "http://retrieved.example/a/b"}
			if i%2 == 0 {
				d.Name, d.Bytes = d.Name+".gz", []byte(packed)
			}
			result, err := x.Rewrite(t.Context(), io.Discard, d)
			require.NoError(t, err, d.Name)
			assert.GreaterOrEqual(t, result.Refused, 0, d.Name)
			for at, n := range asked {
				assert.Equal(t, 1, n, "%s %d: %s", d.Name, i, at)
			}
			several += len(asked)
		}
	}
	assert.Greater(t, several, 1000)
}

// A relative link that Map maps to itself stays relative, so it needs the BASE element.
func TestMapToItself(t *testing.T) {
	page := "<base href=http://h/a/><a href=x>"
	x := extract.Extractor{BaseURLs: extract.BaseRemove, Map: func(l *extract.Link) (string, bool) { return string(l.Ref), true }}
	var out strings.Builder
	_, err := x.Rewrite(t.Context(), &out, extract.Document{Name: "a.html", Bytes: []byte(page)})
	require.NoError(t, err)
	assert.Equal(t, page, out.String())
}

// Map is not called for a reference to a body part that has no URL.
func TestMapOfAReferenceToAPart(t *testing.T) {
	src := Message("MIME-Version: 1.0\n" + Related("b", "",
		"Content-Type: text/html\nContent-Location: http://h/p/\n\n<a href=x><img src=i.png>\n",
		"Content-Type: image/png\nContent-Location: i.png\n\nabc\n")).Bytes
	x := extract.Extractor{Map: func(l *extract.Link) (string, bool) { return strings.Replace(string(l.URL), "//h/", "//n/", 1), true }}
	var out strings.Builder
	_, err := x.Rewrite(t.Context(), &out, extract.Document{Type: "message/rfc822", Bytes: src})
	require.NoError(t, err)
	assert.Equal(t, strings.NewReplacer("//h/", "//n/", "=x", "=http://n/p/x").Replace(string(src)), out.String())
}
