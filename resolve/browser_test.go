package resolve

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInBrowser(t *testing.T) {
	for _, row := range []struct {
		standard             Standard
		why, base, ref, want string // "" if a browser has the same URL
	}{
		{RFC1808, "a path", "http://h/a/b", "x/y.html?q#f", ""},
		{RFC1808, "above the root: a browser removes the dots of the result, too", "http://h/a", "../../x", ""},
		{RFC1808, "an empty path with params keeps the path of the base", "http://h/a;p", ";x", "http://h/;x"},
		{RFC1808, "params with a slash in the base", "http://h/a;b/c", "x", "http://h/a;b/x"},
		{RFC1808, "a browser reads backslashes as slashes", "http://h/a", `\\host\x`, "http://host/x"},
		{RFC1808, "a backslash after a segment: in both URLs", "http://h/a/", `b\c`, ""},
		{RFC1808, "empty, with a fragment in the base", "http://h/a#f", "", "http://h/a"},
		{RFC1808, "empty", "http://h/a", "", ""},
		{RFC1808, "an empty fragment", "http://h/a#f", "#", ""},
		{RFC1808, "an empty query, with a query in the base", "http://h/a?q", "?", "http://h/a?"},
		{RFC1808, "an empty query, with a query in the base, and a fragment", "http://h/a?q", "?#s", "http://h/a?#s"},
		{RFC1808, "an empty query, without a query in the base", "http://h/a", "?", ""},
		{RFC1808, "an empty query after a path", "http://h/a?q", "x?#s", ""},
		{RFC1808, "empty params after a path", "http://h/a;p", "x;", ""},
		{RFC1808, "a base with an empty query", "http://h/a?", "#s", "http://h/a?#s"},
		{RFC1808, "a base with empty params", "http://h/a;", "#s", "http://h/a;#s"},
		{RFC1808, "a base with a query in the net_loc", "http://h?q/a", "x", "http://h/x"},
		{RFC3986, "an empty query", "http://h/a?q", "?", ""},
		{RFC1808, "spaces at the start", "http://h/a/", "  x", "http://h/a/x"},
		{RFC1808, "a space at the end: of both URLs", "http://h/a/", "x ", ""},
		{RFC1808, "the scheme of the base", "http://h/a/", "http:x", "http://h/a/x"},
		{RFC1808, "another scheme", "http://h/a/", "mailto:x", ""},
		{RFC3986, "a colon in the first segment, and no scheme", "http://h/a/", "1:2", ""},
		{RFC1808, "characters outside ASCII: encoded in both URLs", "http://h/a/", "é/ü.html", ""},
		{RFC1808, "a malformed host: of both URLs", "http://a b/", "x", ""},
		{RFC1808, "an encoded dot segment", "http://h/a/b/", "%2e%2e/../x", "http://h/x"},
		{WHATWG, "the standard of browsers", "http://h/a#f", "", ""},
	} {
		b, err := row.standard.Base(row.base)
		require.NoError(t, err, row.why)
		url, err := b.AppendResolve(nil, []byte(row.ref))
		require.NoError(t, err, row.why)
		other, differs := b.InBrowser([]byte(row.ref), url)
		assert.Equal(t, row.want, other, row.why)
		assert.Equal(t, row.want != "", differs, row.why)
	}
}

// TestAgrees checks for all short references and many bases that the URL is the same in a browser if a scan of the bytes
// says so.
func TestAgrees(t *testing.T) {
	bases := []string{"http://h", "http://h/", "HTTP://h/a/b/c", "http://h/a//b", "http://h/a;p/q", "http://h/a/b;p?q", "https://h:8/a?b/c#d", "http://h/a#", "http://h/.a/./b",
		"http://h/a/../b", "http://h/%2E%2e/b/c", `http://h/a\b/c`, "http://u@h/a|b/c", "http:///a/b", "http:a/b", "ftp://h/a/b", "file:///a/b", "foo://h/a/b", "http://h /a"}
	const letters = "a1/.;:?#\\% \t|hé"
	var refs [][]byte
	grow := [][]byte{nil}
	for range 4 {
		refs = append(refs, grow...)
		var longer [][]byte
		for _, r := range grow {
			for _, c := range []byte(letters) {
				longer = append(longer, append(r[:len(r):len(r)], c))
			}
		}
		grow = longer
	}
	refs = append(refs, grow[:len(grow):len(grow)]...)
	for _, ref := range []string{"http:a", "http:/a", "http://a", "HTTP:a", "https:a", "ftp:a", "../%2e%2e/a", "../../a", "a/%2e%2e/../b", "../a?b#c", "mailto:a"} {
		refs = append(refs, []byte(ref))
	}
	segments := []string{"..", ".", "a", "", "a;b", "%2e", "a:b", "é b", "?", "#"}
	paths := []string{"..", "a", "", "b;c"}
	for range 3 {
		var longer []string
		for _, p := range paths {
			for _, s := range segments {
				longer = append(longer, p+"/"+s)
			}
		}
		paths = longer
		for _, p := range paths {
			refs = append(refs, []byte(p))
		}
	}
	agreed := 0
	for _, std := range []Standard{RFC1808, RFC3986} {
		for _, base := range bases {
			b, err := std.Base(base)
			require.NoError(t, err)
			full, err := std.Base(base)
			require.NoError(t, err)
			full.ordinary = false
			for _, ref := range refs {
				url, same, err := b.AppendCompared(nil, ref)
				require.NoError(t, err)
				if !same && !b.agrees(ref) {
					continue
				}
				agreed++
				if other, differs := full.InBrowser(ref, url); differs {
					t.Fatalf("%s: %q and %q are %q, in a browser %q", std, base, ref, url, other)
				}
			}
		}
	}
	assert.Greater(t, agreed, 100_000)
}
