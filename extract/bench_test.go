package extract_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// The benchmarks read the pages below ABSOLINK_CORPUS, or the pages of testdata several times:
//
//	ABSOLINK_CORPUS=/usr/share/doc go test ./extract -run '^$' -bench 'Links|Rewrite' -cpu 1
//
// "peer" does the same work with the Tokenizer of x/net/html and net/url, for the attributes
// that are usual in pages.

func corpus(b *testing.B, exts string) (pages [][]byte) {
	root, total := os.Getenv("ABSOLINK_CORPUS"), 0
	if root == "" {
		root = "../testdata"
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.Contains(exts, filepath.Ext(path)+" ") || total > 200<<20 {
			return err
		}
		page, err := os.ReadFile(path)
		pages, total = append(pages, page), total+len(page)
		return err
	})
	if err != nil || total == 0 {
		b.Skip("no pages in ", root, ": ", err)
	}
	b.SetBytes(int64(total))
	b.ResetTimer()
	return pages
}

const benchURL = "http://corpus.example/a/b/page.html"

func BenchmarkLinks(b *testing.B) {
	b.Run("absolink", func(b *testing.B) {
		var w Walker
		var n int
		for pages := corpus(b, ".html "); b.Loop(); {
			for _, p := range pages {
				w.Links(extract.Document{Type: "text/html", URL: benchURL, Bytes: p}, func(l *extract.Link) error { n += len(l.URL); return nil })
			}
		}
	})
	b.Run("peer", func(b *testing.B) {
		var n int
		for pages := corpus(b, ".html "); b.Loop(); {
			for _, p := range pages {
				peerLinks(p, func(u string) { n += len(u) })
			}
		}
	})
}

func BenchmarkRewrite(b *testing.B) {
	b.Run("absolink", func(b *testing.B) {
		var w Walker
		for pages := corpus(b, ".html "); b.Loop(); {
			for _, p := range pages {
				w.Rewrite(io.Discard, extract.Document{Type: "text/html", URL: benchURL, Bytes: p})
			}
		}
	})
	b.Run("peer", func(b *testing.B) {
		for pages := corpus(b, ".html "); b.Loop(); {
			for _, p := range pages {
				peerRewrite(io.Discard, p)
			}
		}
	})
}

// peerAttr reports whether an attribute of an element is a URL ('u') or a srcset ('s').
func peerAttr(tag, attr string) byte {
	switch attr {
	case "href":
		switch tag {
		case "a", "area", "link":
			return 'u'
		}
	case "src":
		switch tag {
		case "img", "script", "iframe", "source", "video", "audio", "track", "embed", "input", "frame":
			return 'u'
		}
	case "srcset":
		switch tag {
		case "img", "source":
			return 's'
		}
	case "cite":
		switch tag {
		case "blockquote", "q", "ins", "del":
			return 'u'
		}
	case "action":
		if tag == "form" {
			return 'u'
		}
	case "formaction":
		if tag == "button" || tag == "input" {
			return 'u'
		}
	case "data":
		if tag == "object" {
			return 'u'
		}
	case "poster":
		if tag == "video" {
			return 'u'
		}
	case "background":
		if tag == "body" || tag == "table" || tag == "td" {
			return 'u'
		}
	}
	return 0
}

// peerLinks finds the base and the links with the Tokenizer. The base may be after the links,
// so the references are kept until the end.
func peerLinks(page []byte, visit func(string)) {
	base, _ := url.Parse(benchURL)
	var refs []string
	based := false
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			for _, r := range refs {
				if u, err := url.Parse(r); err == nil {
					visit(base.ResolveReference(u).String())
				}
			}
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := string(name) // the compiler does not allocate for short comparisons only
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				if tag == "base" && !based && string(k) == "href" {
					based = true
					if u, err := url.Parse(string(bytes.TrimSpace(v))); err == nil {
						base = base.ResolveReference(u)
					}
				}
				switch peerAttr(tag, string(k)) {
				case 'u':
					refs = append(refs, string(bytes.TrimSpace(v)))
				case 's':
					for _, c := range strings.Split(string(v), ", ") {
						if f := strings.Fields(c); len(f) > 0 {
							refs = append(refs, f[0])
						}
					}
				}
			}
		}
	}
}

// peerRewrite copies Raw() of every token without a link, and prints the tags with a link.
func peerRewrite(w io.Writer, page []byte) {
	type attr struct{ key, val []byte }
	base, _ := url.Parse(benchURL)
	var out []byte
	var attrs []attr
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		tt := z.Next()
		if tt == html.ErrorToken {
			w.Write(out)
			return
		}
		mark := len(out)
		out = append(out, z.Raw()...) // before TagName, which changes the buffer to lower case
		if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
			continue
		}
		name, more := z.TagName()
		changed := false
		attrs = attrs[:0]
		for more {
			var k, v []byte
			k, v, more = z.TagAttr()
			if peerAttr(string(name), string(k)) == 'u' {
				if u, err := url.Parse(string(bytes.TrimSpace(v))); err == nil && !u.IsAbs() {
					v, changed = []byte(base.ResolveReference(u).String()), true
				}
			}
			attrs = append(attrs, attr{k, v})
		}
		if !changed {
			continue
		}
		out = append(append(out[:mark], '<'), name...)
		for _, a := range attrs {
			out = append(append(append(out, ' '), a.key...), `="`...)
			out = append(append(out, html.EscapeString(string(a.val))...), '"')
		}
		out = append(out, '>')
	}
}

// BenchmarkXML reads feeds, pictures and other XML. Its peer reads the tokens of encoding/xml,
// and resolves only attributes with net/url.
func BenchmarkXML(b *testing.B) {
	const exts = ".xml .svg .xhtml .atom .rss "
	b.Run("absolink", func(b *testing.B) {
		var w Walker
		var n int
		for docs := corpus(b, exts); b.Loop(); {
			for _, d := range docs {
				w.Links(extract.Document{Type: "text/xml", URL: benchURL, Bytes: d}, func(l *extract.Link) error { n += len(l.URL); return nil })
			}
		}
	})
	b.Run("peer", func(b *testing.B) {
		base, _ := url.Parse(benchURL)
		var n int
		for docs := corpus(b, exts); b.Loop(); {
			for _, doc := range docs {
				d := xml.NewDecoder(bytes.NewReader(doc))
				d.Strict = false
				d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
				for {
					token, err := d.RawToken()
					if err != nil {
						break
					}
					if e, ok := token.(xml.StartElement); ok {
						for _, a := range e.Attr {
							switch a.Name.Local {
							case "href", "src", "url", "uri":
								if u, err := base.Parse(a.Value); err == nil {
									n += len(u.String())
								}
							}
						}
					}
				}
			}
		}
	})
}
