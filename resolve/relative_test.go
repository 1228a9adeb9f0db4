package resolve

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/longtest"
)

// checkRelative checks what holds for the reference of any URL, and returns the reference.
func checkRelative(t *testing.T, b *Base, url []byte) (ref string, ok bool) {
	t.Helper()
	kept := bytes.Clone(url)
	out, ok := b.AppendRelative([]byte("dst"), url)
	require.Equal(t, kept, url, "the URL is read only")
	require.Equal(t, "dst", string(out[:3]))
	ref = string(out[3:])
	if !ok {
		require.Empty(t, ref)
		return "", false
	}
	got, err := b.Resolve(ref)
	require.NoError(t, err, "%s: %q under %s", b.standard, ref, b)
	require.Equal(t, string(url), got, "%s: %q under %s", b.standard, ref, b)
	require.False(t, b.IsAbsolute([]byte(ref)), "%s: %q", b.standard, ref)
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		require.False(t, mustBase(t, s, "x://h/p").IsAbsolute([]byte(ref)), "%q must be relative under %s, too", ref, s)
	}
	require.NotRegexp(t, `^[\x00- ]*[/\\][\t\n\r]*[/\\]`, ref, "a browser must not read a network path")
	inBrowser := func(base, ref string) string {
		b, err := WHATWG.Base(base)
		if err != nil {
			return "malformed"
		}
		url, err := b.Resolve(ref)
		if err != nil {
			return "malformed"
		}
		return url
	}
	require.Equal(t, inBrowser("", string(url)), inBrowser(b.String(), ref), "%s: %q under %q, in a browser", b.standard, ref, b)
	return ref, true
}

// relativeOf is checkRelative for strings. It returns "(none)" if there is no reference.
func relativeOf(t *testing.T, s Standard, base, url string) string {
	t.Helper()
	ref, ok := checkRelative(t, mustBase(t, s, base), []byte(url))
	if !ok {
		return "(none)"
	}
	return ref
}

// TestRelative has the reference for a URL under each standard. "=" repeats the column before.
func TestRelative(t *testing.T) {
	for _, r := range []struct{ base, url, rfc1808, rfc3986, whatwg string }{
		// The same document.
		{"http://a/b/c", "http://a/b/c", "", "=", "="},
		{"http://a/b/c?q", "http://a/b/c?q", "", "=", "="},
		{"http://a/b/c?q", "http://a/b/c", "c", "=", "="},
		{"http://a/b/?q", "http://a/b/", ".", "=", "="},
		{"http://a/b/c#f", "http://a/b/c#f", "#f", "=", "="},
		{"http://a/b/c#f", "http://a/b/c", "c", "", "="},
		{"http://a/b/c?q#f", "http://a/b/c?q", "?q", "", "="},
		{"http://a/b/c?q#f", "http://a/b/c?q#", "#", "=", "="},
		{"http://a/b/c", "http://a/b/c#s", "#s", "=", "="},
		{"http://a/b/c", "http://a/b/c?y#s", "?y#s", "=", "="},
		{"http://a/b/c?q", "http://a/b/c?q#s", "#s", "=", "="},
		{"http://a/b/c?q", "http://a/b/c?", "c?", "?", "="},
		{"http://a/b/c", "http://a/b/c?", "?", "=", "="},
		{"http://a/b/c;p", "http://a/b/c;", "c;", "=", "="},
		{"http://a/b/c", "http://a/b/c;", "c;", "=", "="},
		{"http://a/b/c?", "http://a/b/c#s", "c#s", "=", "="},
		{"http://a/b/c;p?q", "http://a/b/c;p?y", "?y", "=", "="},
		{"http://a/b/c;p?q", "http://a/b/c;x", "c;x", "=", "="}, // a browser resolves ";x" to http://a/b/;x
		{"http://a/b/c;p?q", "http://a/b/c;p", "c;p", "=", "="},
		{"http://a/b/c;p?q", "http://a/b/c", "c", "=", "="},
		{"http://a/b/c;p?q", "http://a/b/c;x:y", "c;x:y", "./c;x:y", "="},
		{"http://a/b/c;p?q", "http://a/b/;x", "./;x", ";x", "="},
		{"http://a/b/;p", "http://a/b/;x", ";x", "=", "="},

		// Directories.
		{"http://a/b/c", "http://a/b/", ".", "=", "="},
		{"http://a/b/c", "http://a/b/?y", ".?y", "=", "="},
		{"http://a/b/c/d", "http://a/b/", "..", "=", "="},
		{"http://a/b/c/d", "http://a/b/#s", "..#s", "=", "="},
		{"http://a/b/c/d", "http://a/b/c", "../c", "=", "="},
		{"http://a/b/c/d", "http://a/", "/", "=", "="},
		{"http://a/b/c/d/", "http://a/x", "/x", "=", "="},
		{"http://a/b/c", "http://a/x", "/x", "=", "="},
		{"http://a/bb/c/d/e", "http://a/bb/x", "/bb/x", "=", "="},
		{"http://a/b/c/d", "http://a/b/x", "../x", "=", "="},
		{"http://a/b/c/d", "http://a/bc/x", "/bc/x", "=", "="},

		// A relative path is preferred to a whole path of the same length.
		{"http://a/b", "http://a/", ".", "=", "="},
		{"http://a/bbbb/c/d/e", "http://a/bbbb/x", "../../x", "=", "="},
		{"http://a/bbb/c/d/e", "http://a/bbb/", "../..", "=", "="},
		{"http://a/bb/c/d/e", "http://a/bb/", "/bb/", "=", "="},

		// Colons.
		{"http://a/b/c", "http://a/b/this:that", "./this:that", "=", "="},
		{"http://a/b", "http://a/this:that", "/this:that", "=", "="},
		{"http://a/b/c", "http://a/b/1a:b", "./1a:b", "=", "="},
		{"http://a/b/c", "http://a/b/:b", "./:b", "=", "="},
		{"http://a/b/c", "http://a/b/javascript:alert(1)", "./javascript:alert(1)", "=", "="},
		{"http://a/b/c", "http://a/b/d/e:f", "d/e:f", "=", "="},
		{"http://a/b/c", "http://a/b/__X__/y", "./__X__/y", "=", "="}, // not a placeholder
		{"http://a/b/c", "http://a/b/[X]", "./[X]", "=", "="},
		{"http://a/b/c", "http://a/b/$metadata", "./$metadata", "=", "="},
		{"http://a/b/c", "http://a/b/%x%", "./%x%", "=", "="},
		{"http://a/b/c", "http://a/b/Url=x", "./Url=x", "=", "="},
		{"http://a/b/c", "http://a/b/%E4?%", "%E4?%", "=", "="},
		{"http://a/b/c", "http://a/b/{x}", "./{x}", "=", "(none)"},
		{"http://a/b/c", "http://a/b/d?e:f", "d?e:f", "=", "="},
		{"http://a/b/c/d", "http://a/b/e:f", "../e:f", "=", "="},

		// Slashes.
		{"http://a/b/c", "http://a/b//g", ".//g", "=", "="},
		{"http://a/b/c", "http://a//g", "..//g", "=", "="},
		{"http://a/b/c/d", "http://a//g", "../..//g", "/.//g", "="},
		{"http://a/b", "http://a//", ".//", "=", "="},
		{"http://a/b", "http://a//evil.example/", ".//evil.example/", "=", "="},
		{"http://a//b//c", "http://a//b/c", "../c", "=", "="},
		{"http://a//b", "http://a/", "/", "=", "="},
		{"http://a/b/c", "http://a/b/d//e", "d//e", "=", "="},
		{"file:///a/b", "file:///a/c", "c", "=", "="},
		{"file:///a/b", "file:////c", "..//c", "=", "="},
		{"x:/a/b", "x:/a/c", "c", "=", "="},
		{"x:/.//a/b", "x:/c", "/c", "=", "="},
		{"x:/a", "x:/.//b", "/.//b", "(none)", ".//b"},

		// Dot segments. Only RFC 1808 keeps them.
		{"http://a/b/c/d", "http://a/../g", "/../g", "(none)", "="},
		{"http://a/b", "http://a/../g", "../g", "(none)", "="},
		{"http://a/b/c", "http://a/b/./g", "/b/./g", "(none)", "="},
		{"http://a/b/c", "http://a/b/..", "/b/..", "(none)", "="},
		{"http://a/b/c", "http://a/b/.g", ".g", "=", "="},
		{"http://a/b/c", "http://a/b/..g/h", "..g/h", "=", "="},
		{"http://a/b/../c", "http://a/b/../c#s", "#s", "=", "(none)"},
		{"http://a/b/../c", "http://a/d", "d", "=", "="},

		// Without a path.
		{"http://a", "http://a/g", "g", "=", "="},
		{"http://a", "http://a/", ".", "=", ""},
		{"http://a", "http://a", "", "=", "(none)"},
		{"http://a", "http://a#s", "#s", "=", "(none)"},
		{"http://a/b", "http://a", "(none)", "=", "="},
		{"http://a", "http://a?y", "(none)", "?y", "(none)"},

		// Another scheme or authority.
		{"http://a/b", "https://a/b", "(none)", "=", "="},
		{"http://a/b", "http://b/b", "(none)", "=", "="},
		{"http://a/b", "http://ab/b", "(none)", "=", "="},
		{"http://a/b", "http://a:81/b", "(none)", "=", "="},
		{"http://a/b", "http://u@a/b", "(none)", "=", "="},
		{"http://a/b", "http:/a/b", "(none)", "=", "="},
		{"http://a/b", "b", "(none)", "=", "="},
		{"http://a/b", "", "(none)", "=", "="},
		{"http://a/b", "HTTP://a/c", "(none)", "=", "="},
		{"http://a/b", "http://a:80/c", "(none)", "=", "="},
		{"HTTP://A:80/b", "HTTP://A:80/c", "c", "=", "(none)"},
		{"HTTP://A:80/b", "http://a/c", "(none)", "=", "c"},

		// Under WHATWG, a URL that is not serialized.
		{"http://a/b", "http://a/c d", "c d", "=", "(none)"},
		{"http://a/b", "http://a/c%20d", "c%20d", "=", "="},
		{"http://a/b", "http://a/c?'", "c?'", "=", "(none)"},

		// Bytes that a browser removes, or reads as a slash.
		{"http://a/b/c", "http://a/b/ g", "./ g", "=", "(none)"},
		{"http://a/b/c", "http://a/b/\\g", "./\\g", "=", "(none)"},
		{"http://a/b/c", "http://a/\\g", "../\\g", "=", "(none)"},
		{"http://a/b/c/d", "http://a/\\g", "../../\\g", "/./\\g", "(none)"},
		{"http://a/b/c/d", "http://a/\t/g", "../../\t/g", "/./\t/g", "(none)"},

		// Bases without relative references.
		{"", "http://a/b", "(none)", "=", "="},
		{"mailto:a@b", "mailto:a@b", "(none)", "=", "="},
		{"mailto:a@b", "mailto:c@b", "(none)", "=", "="},
		{"mailto:a@b", "mailto:/c", "(none)", "=", "="},
		{"mailto:a@b", "mailto:a@b#s", "(none)", "=", "#s"},
		{"data:,x", "data:,x#s", "(none)", "=", "="},
		{"x:a/b", "x:a/c", "(none)", "=", "="},

		// Drive letters.
		{"file:///C:/a/b", "file:///C:/c", "../c", "=", "="},
		{"file:///C:/a", "file:///D:/c", "/D:/c", "=", "="},
		{"file:///C:/a", "file:///c", "(none)", "=", "="},
		{"file:///C:/a", "file:///", "(none)", "=", "="},
		{"file:///C:/", "file:///", "(none)", "=", "="},
		{"file:///C:/a/b", "file:///", "(none)", "=", "="},
		{"file:///C:/a/b", "file:////c", "(none)", "=", "="},
		{"file:///C|/a", "file:///c", "(none)", "=", "="},
		{"FILE:///c:/a", "FILE:///c", "(none)", "=", "="},
		{"file://h/C:/a", "file://h/c", "(none)", "=", "="},
		{"file:/C:/a", "file:/c", "(none)", "=", "="},
		{"file:///C:/a/b", "file:///C:/", "..", "=", "="},
		{"file:///C:/a", "file:///C:/", ".", "=", "="},
		{"file:///C:/a", "file:///C:", "/C:", "=", "="},
		{"file:///C:", "file:///C:/x", "/C:/x", "=", "="},
		{"file:///C:/a?q", "file:///C:/a", "a", "=", "="},
		{"file:///C:/a#f", "file:///C:/a#g", "#g", "=", "="},
		{"file:///a", "file:///C:/c", "/C:/c", "=", "="},
		{"file:///a/b", "file:///a/C|/c", "/a/C|/c", "=", "="},
		{"file:///a/b/c", "file:///a/C:/d", "../C:/d", "=", "="},
		{"http://h/C:/a", "http://h/c", "/c", "=", "="},
	} {
		want := []string{r.rfc1808, r.rfc3986, r.whatwg}
		for i, s := range []Standard{RFC1808, RFC3986, WHATWG} {
			if want[i] == "=" {
				want[i] = want[i-1]
			}
			assert.Equal(t, want[i], relativeOf(t, s, r.base, r.url), "%s: %q under %q", s, r.url, r.base)
		}
	}
}

// TestRelativeShortest tries every short reference, and checks that no reference to the URL is shorter than the result.
func TestRelativeShortest(t *testing.T) {
	n := longtest.Or(4, 5)
	tokens := []string{"a", "b", ".", "..", "/", "?", ":", "#", ";"}
	for _, base := range []string{rfcBase, "http://a/b/a/b", "http://a/b//a//b?a#b", "http://a/a;a", "http://a/", "http://a", "http://a/../b/a", "x:/a/b", "x:/.//a/b", "x://a//b/", "file:///a/b"} {
		for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
			b, shortest := mustBase(t, s, base), map[string]string{}
			everyString(tokens, n, func(ref []byte) {
				if url, ok := inverted(b, ref); ok {
					if old, ok := shortest[string(url)]; !ok || len(ref) < len(old) {
						shortest[string(url)] = string(ref)
					}
				}
			})
			require.Greater(t, len(shortest), 100)
			for url, short := range shortest {
				got, ok := b.AppendRelative(nil, []byte(url))
				if !ok || len(got) > len(short) {
					assert.Fail(t, "not the shortest", "%s: %s under %s: %q, %q", s, url, base, got, short)
				}
			}
		}
	}
}

// inverted returns the URL of ref. If ok is true, AppendRelative must have a reference for it that is no longer than ref.
func inverted(b *Base, ref []byte) (url []byte, ok bool) {
	path := ref
	if i := bytes.IndexAny(ref, "?#"); i >= 0 {
		path = ref[:i]
	}
	switch p := split(ref); {
	case b.url == "", b.Unsuitable() != "":
		return nil, false
	case p.netLoc != nil, len(path) > 0 && path[0] != '/' && (misread(path) || len(p.path) > 0 && misread(p.path)):
		return nil, false // some programs misread this reference
	case b.standard == RFC1808 && bytes.Contains(ref, []byte(".;")):
		return nil, false // browsers read it as a name
	case b.standard == RFC1808 && p.path == nil && inheritsEmpty(b, p, len(ref) == 0):
		return nil, false // a browser does not inherit this component
	}
	if b.standard == WHATWG && b.web.scheme == schemeFile && b.drive() != "" {
		return nil, false // ".." does not remove a drive letter
	}
	for _, c := range ref {
		if class[c]&(encodeFragment|encodeSpecialQuery|encodePath) != 0 && c != '?' && c != '#' || c == '\\' || c == '|' {
			return nil, false // WHATWG changes it
		}
	}
	url, err := b.AppendResolve(nil, ref)
	if err != nil || b.standard == WHATWG {
		return url, err == nil
	}
	if _, differs := b.InBrowser(ref, url); differs {
		return nil, false
	}
	// The URL may have another authority: of "?y" with http://a under RFC 1808, and of "/.//g" with x:/ under RFC 3986.
	base, got := split([]byte(b.url)), split(url)
	return url, (base.netLoc == nil) == (got.netLoc == nil) && bytes.Equal(base.netLoc, got.netLoc)
}

// inheritsEmpty reports whether a reference without a path has an empty component, and inherits it or the query of the base.
// The reference without bytes inherits the fragment as well.
func inheritsEmpty(b *Base, p parts, noBytes bool) bool {
	params, query := b.queryAt > b.paramsAt+1, b.fragmentAt > b.queryAt+1
	return noBytes && b.fragmentAt < len(b.url) ||
		p.params != nil && len(p.params) == 0 && (params || query && len(p.query) == 0) ||
		p.query != nil && len(p.query) == 0 && query && len(p.params) == 0
}

// checkInverse checks the reference for the URL of ref.
func checkInverse(t *testing.T, b *Base, ref []byte) {
	t.Helper()
	url, must := inverted(b, ref)
	if !must {
		if url, err := b.AppendResolve(nil, ref); err == nil {
			checkRelative(t, b, url)
		}
		return
	}
	got, ok := checkRelative(t, b, url)
	require.True(t, ok, "%s: %q resolves to %q under %q", b.standard, ref, url, b)
	require.LessOrEqual(t, len(got), len(ref), "%s: %q is longer than %q under %q", b.standard, got, ref, b)
}

func FuzzRelative(f *testing.F) {
	seed(f)
	f.Add("http://h", []byte("%;")) // the path without its params looks like a placeholder
	f.Fuzz(func(t *testing.T, base string, ref []byte) {
		for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
			b, err := s.Base(base)
			if err != nil {
				continue
			}
			checkRelative(t, b, ref)
			checkRelative(t, b, append([]byte(b.String()), ref...))
			checkInverse(t, b, ref)
		}
	})
}

func TestRelativeLinear(t *testing.T) {
	tails := map[string]string{
		"equal": "x/", "siblings": "y/", "slashes": "/", "dot-dot": "../", "single dots": "./", "colons": "x:/", "params": ";",
		"queries": "?x", "percent": "%61", "not serialized": "ä",
	}
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		for _, base := range []string{"http://h/", "x:/"} {
			for _, segment := range []string{"x/", "x"} {
				longtest.Linear(t, fmt.Sprintf("%s AppendRelative many times under %s and many %s", s, base, segment), largest, func(n int) func() {
					b := mustBase(t, s, base+many(segment, n))
					var dst []byte
					return func() {
						for range n / 8 {
							dst, _ = b.AppendRelative(dst[:0], []byte(base+"y"))
						}
					}
				})
			}
		}
		for name, tail := range tails {
			for _, deep := range []string{"x/", "x//", "../", "?"} {
				longtest.Linear(t, fmt.Sprintf("%s AppendRelative %s under %s", s, name, deep), largest, func(n int) func() {
					b, url := mustBase(t, s, "http://h/"+many(deep, n)+"x"), []byte("http://h/"+many(tail, n))
					var dst []byte
					return func() { dst, _ = b.AppendRelative(dst[:0], url) }
				})
			}
		}
	}
}

func TestRelativeNoAllocation(t *testing.T) {
	dst := make([]byte, 0, 512)
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		b := mustBase(t, s, benchBase)
		for _, ref := range realistic {
			url, err := b.AppendResolve(nil, []byte(ref))
			require.NoError(t, err)
			assert.Zero(t, testing.AllocsPerRun(5, func() { _, _ = b.AppendRelative(dst, url) }), "%s %q", s, ref)
		}
	}
}
