package resolve

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/literal"
)

// seedBases and seedRefs are the seeds of the fuzz targets. Table tests resolve each reference against each base.
var seedBases = []string{
	"http://a/b/c/d;p?q#f", "http://a", "http://a/", "http://a?q", "http://a/b//c/../d/./e", "http:///b/c", "file:///a/b", "file:///C:/a/b",
	"file:///C:", "file://h/x/y?z", "x:a/b/c", "x:", "x:/", "x:/a", "x:../../a", "x:./a", "x:a", "x:a/../b/", "x://h/../a", "x://h//a//b", "x:/.//a/b",
	"mailto:a@b", "data:a b ?c", "https://user:pw@h:81/p/q?r#s", "1a:b/c", "http://a/../b/../../c/", "http://a/b/../../../c/d", "ws://h/a?b", "x:..//a/",
}

var seedRefs = []string{
	"", "#", "?", ";", "//", "///g", "g", "./g", "../g", "../../g", "../../../g", "/g", "/./g", "/../g", "//g", "//g/../h", "g?y#s", "g;x?y#s", ";x", "g?", "g#",
	"g;", ".", "..", "./", "../", "../..", "../../", "a/../b", "a/../../b", "a//../b", "a/./../b/.", "a/b/..", "...", ".../..", "..a/..b", "a/b/../../..", "//../g",
	"..//g", "..//../g", "./../g/./.", ":g", "a:b", "1a:b", "./a:b", "a/b:c", "http:g", "http:/g", "http://g", "http:", "file:g", "file:/g", "file:///g", "C|/x",
	"C:/x", "/C|/x", "x/C|/..", "\\g", "\\\\h\\g", "a\\..\\b", "%2e%2E/g", ".%2e", "%2e", "a%2", "a b", "ä", "\xff\xfe", "\xe2\x82", "a\tb\n", " x ", "?'\"<>", "#`<>",
	"http://h:80/", "http://h:81", "http://1.2.3", "http://0x7f.1/", "http://[::1]:80/x", "http://ä.de/", "http://a.1/", "http://a.b1/", "http://A/", "http://a./x",
	"https://x.org/a/../b?c#d", "https://x.org?c", "https://x.org#d", "https://x.org/%2e%2e/", "http://u@h/", "x:/..//a", "x:/a", "a|b", "a^b", "{a}", "http://h?a/../b",
	"mailto:a@b", "javascript:void(0)", "data:x  ?y", "//h:9/../x", "//1.2/", "?a?b#c?d", "#a#b", "g/.?/..", "//h", "//h?x", "//h#x", "/a:b", "a/:", "d/../x:y",
}

// realistic contains references like those of documentation pages.
var realistic = []string{
	"../library/os.html#os.path", "_static/pygments.css", "#section-2", "https://example.org/docs/intro",
	"/abs/path?q=1&r=2", "?page=2", "a/b/../c.html", "../_images/logo.png", "index.html", "",
	"./faq.html", "https://www.example.com/", "../../genindex.html", "//cdn.example.net/lib/jquery-3.7.1.min.js",
	"search.html?q=base+url", "whatsnew/3.13.html#summary", "http://docs.example.org/3/tutorial/index.html#top",
	"/static/css/site.css?v=20240101", "mailto:someone@example.org", "javascript:void(0)",
}

const benchBase = "https://docs.example.org/3/library/urllib.parse.html?highlight=url#module"

// TestShortPathWHATWG compares the short path with the full parser, and checks that realistic references take it.
func TestShortPathWHATWG(t *testing.T) {
	for _, base := range append([]string{"", benchBase}, seedBases...) {
		b, err := WHATWG.Base(base)
		if base == "1a:b/c" {
			assert.ErrorIs(t, err, ErrRelative)
			continue
		}
		require.NoError(t, err, base)
		for _, ref := range append(realistic, seedRefs...) {
			checkShort(t, b, []byte(ref))
		}
	}
	b := mustBase(t, WHATWG, benchBase)
	for _, ref := range realistic {
		needsFull := ref == "mailto:someone@example.org" || ref == "javascript:void(0)"
		assert.Equal(t, !needsFull, checkShort(t, b, []byte(ref)), "%q takes the short path", ref)
	}
}

// TestShortPathRFC checks which references take the short paths. FuzzLiteral checks their results.
func TestShortPathRFC(t *testing.T) {
	for _, r := range []struct {
		ref              string
		rfc1808, rfc3986 bool
	}{
		{"g", true, true}, {"../g?y#s", true, true}, {"/g", true, true}, {"a/b:c", true, true}, {"./a:b", true, true}, {"g;x", true, true},
		{";x", false, true}, {"", false, false}, {"?y", false, false}, {"#s", false, false}, {"//g", false, false}, {"a:b", false, false},
	} {
		_, _, ok := mustBase(t, RFC1808, rfcBase).short1808(nil, []byte(r.ref))
		assert.Equal(t, r.rfc1808, ok, "rfc1808 %q", r.ref)
		_, _, ok = mustBase(t, RFC3986, rfcBase).short3986(nil, []byte(r.ref))
		assert.Equal(t, r.rfc3986, ok, "rfc3986 %q", r.ref)
	}
}

// checkShort compares the short path of WHATWG with the full parser. It reports whether ref takes the short path.
func checkShort(t *testing.T, b *Base, ref []byte) bool {
	t.Helper()
	got, ok := b.appendShort([]byte("dst"), ref)
	if !ok {
		require.Equal(t, "dst", string(got))
		return false
	}
	want, err := b.appendFull([]byte("dst"), ref)
	require.NoError(t, err, "%q with %q", ref, b)
	require.Equal(t, string(want), string(got), "%q with %q", ref, b)
	return true
}

func seed(f *testing.F) {
	for i, ref := range seedRefs {
		f.Add(seedBases[i%len(seedBases)], []byte(ref))
		f.Add(seedBases[0], []byte(ref))
	}
	for _, base := range seedBases {
		f.Add(base, []byte("../x/./y?z#f"))
	}
}

// FuzzLiteral compares the RFC standards with the literal steps of the RFCs.
func FuzzLiteral(f *testing.F) {
	for _, base := range seedBases {
		for _, ref := range seedRefs {
			f.Add(base, []byte(ref))
		}
	}
	f.Fuzz(func(t *testing.T, base string, ref []byte) {
		for s, literally := range map[Standard]func(base, ref string) string{RFC1808: literal.RFC1808, RFC3986: literal.RFC3986} {
			b, err := s.Base(base)
			if err != nil || base == "" {
				continue
			}
			got, err := b.AppendResolve([]byte("dst"), ref)
			require.NoError(t, err)
			require.Equal(t, "dst"+literally(base, string(ref)), string(got), "%s: %q with %q", s, ref, base)
		}
	})
}

// FuzzShortPathWHATWG compares the short path of WHATWG with the full parser.
func FuzzShortPathWHATWG(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, base string, ref []byte) {
		if b, err := WHATWG.Base(base); err == nil {
			checkShort(t, b, ref)
		}
	})
}

// FuzzResolve checks the laws that hold for any bytes under every standard.
func FuzzResolve(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, base string, ref []byte) {
		for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
			b, err := s.Base(base)
			if err != nil {
				require.True(t, errors.Is(err, ErrRelative) || s == WHATWG && errors.Is(err, ErrMalformed))
				continue
			}
			b.Unsuitable()
			checkLaws(t, s, b, ref)
		}
	})
}

// checkLaws checks that AppendResolve keeps ref and dst, that an absolute ref does not depend on the base, and that the URL
// is absolute and resolves to itself.
func checkLaws(t *testing.T, s Standard, b *Base, ref []byte) {
	t.Helper()
	kept := bytes.Clone(ref)
	got, err := b.AppendResolve([]byte("dst"), ref)
	require.Equal(t, kept, ref, "the reference is read only")
	if err != nil {
		require.Equal(t, "dst", string(got))
		require.True(t, errors.Is(err, ErrNoBase) || s == WHATWG && errors.Is(err, ErrMalformed))
		require.False(t, b.String() == "" && errors.Is(err, ErrNoBase) && b.IsAbsolute(ref))
		return
	}
	require.Equal(t, "dst", string(got[:3]))
	got = got[3:]

	if b.IsAbsolute(ref) {
		none, err := s.Base("")
		require.NoError(t, err)
		alone, err := none.AppendResolve(nil, ref)
		require.NoError(t, err, "%q", ref)
		require.Equal(t, string(alone), string(got), "%s: absolute with and without %q", s, b)
	}

	// RFC 3986, 5.2.2 leaves dot segments in an inherited path, and removes them
	// the next time.
	if s != RFC3986 || !strings.Contains(b.String(), ".") {
		again, err := b.AppendResolve(nil, got)
		require.NoError(t, err, "%q", got)
		require.Equal(t, string(got), string(again), "%s: %q", s, ref)
	}
	require.Positive(t, schemeLen1808(got), "%q is absolute", got)
}
