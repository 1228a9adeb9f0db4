package resolve

import (
	neturl "net/url"
	"testing"

	nlnwa "github.com/nlnwa/whatwg-url/url"
)

// realistic contains references like those of documentation pages.
var realistic = []string{
	"../library/os.html#os.path", "_static/pygments.css", "#section-2", "https://example.org/docs/intro",
	"/abs/path?q=1&r=2", "?page=2", "a/b/../c.html", "../_images/logo.png", "index.html", "",
	"./faq.html", "https://www.example.com/", "../../genindex.html", "//cdn.example.net/lib/jquery-3.7.1.min.js",
	"search.html?q=base+url", "whatsnew/3.13.html#summary", "http://docs.example.org/3/tutorial/index.html#top",
	"/static/css/site.css?v=20240101", "mailto:someone@example.org", "javascript:void(0)",
}

const benchBase = "https://docs.example.org/3/library/urllib.parse.html?highlight=url#module"

func BenchmarkResolve(b *testing.B) {
	refs := make([][]byte, len(realistic))
	for i, r := range realistic {
		refs[i] = []byte(r)
	}
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		b.Run(s.String(), func(b *testing.B) {
			base, _ := s.Base(benchBase)
			dst := make([]byte, 0, 256)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				dst, _ = base.AppendResolve(dst[:0], refs[i%len(refs)])
			}
		})
	}
	b.Run("whatwg/full", func(b *testing.B) {
		base, _ := WHATWG.Base(benchBase)
		dst := make([]byte, 0, 256)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			dst, _ = base.appendFull(dst[:0], refs[i%len(refs)])
		}
	})
	b.Run("net-url", func(b *testing.B) {
		base, _ := neturl.Parse(benchBase)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			u, err := neturl.Parse(realistic[i%len(realistic)])
			if err == nil {
				_ = base.ResolveReference(u).String()
			}
		}
	})
	b.Run("nlnwa", func(b *testing.B) {
		base, _ := nlnwa.Parse(benchBase)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			u, err := base.Parse(realistic[i%len(realistic)])
			if err == nil {
				_ = u.Href(false)
			}
		}
	})
}
