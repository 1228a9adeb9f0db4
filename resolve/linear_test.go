package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"

	"absolink/internal/literal"
	"absolink/internal/longtest"
)

// largest is the length in bytes of the largest reference or base.
const largest = 1 << 17

func many(s string, n int) string { return strings.Repeat(s, n/len(s)) }

// largeRefs returns references of about n bytes that invite quadratic time.
func largeRefs(n int) map[string]string {
	return map[string]string{
		"dot-dot":          many("../", n),
		"down and up":      many("a/../", n),
		"deep":             many("a/", n) + many("../", n),
		"dots at the end":  many("a/", n) + "..",
		"slashes":          many("/", n),
		"single dots":      many("./", n),
		"colons":           many(":", n),
		"path of colons":   "/" + many(":/", n),
		"segments":         many("a", n) + many("/a:", n),
		"fragment":         "#" + many("#?/", n),
		"query":            "?" + many("é", n),
		"unencodable":      "?" + many("ж", n),
		"host":             "http://" + many("a", n) + "/",
		"host labels":      "http://" + many("a.", n) + "/",
		"ats":              "http://" + many("@", n) + "h/",
		"port":             "http://h:" + many("0", n),
		"IPv4":             "http://" + many("1", n),
		"IPv4 parts":       "http://" + many("1.", n),
		"IPv6":             "http://[" + many(":", n) + "]",
		"IPv6 digits":      "http://[::" + many("0", n) + "]",
		"brackets":         "http://" + many("[", n),
		"IDNA label":       "http://" + many("é", n),
		"IDNA labels":      "http://" + many("é.", n),
		"IDNA long labels": "http://" + many(strings.Repeat("中文字", 110)+".", n),
		"IDNA ideographs":  "http://" + many("\U00031350\U00032b9a.", n),
		"IDNA full stops":  "http://" + many("。", n),
		"IDNA xn--":        "http://é." + many("xn--zca.", n),
		"IDNA one xn--":    "http://é.xn--" + many("a", n),
		"IDNA marks":       "http://a" + many("\u0301", n),
		"IDNA joiners":     "http://" + many("\u200d.", n),
		"ignored":          "http://é" + many("\u00ad", n),
		"percent":          "http://" + many("%61", n),
		"invalid":          many("\xe2\x82", n),
		"spaces":           many(" ", n) + "a" + many(" ", n),
		"tabs":             many("\t/", n),
		"tabs in a scheme": "ht" + many("\t", n) + "tp:" + many("\t", n) + "//h/",
		"drive letters":    "file:///C:/" + many("C|/../", n),
	}
}

// TestLinear checks that parsing a base and resolving a reference take linear time.
func TestLinear(t *testing.T) {
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		for _, ref := range []string{"y", "é y", "/é"} {
			for _, scheme := range []string{"http://h", "x:"} {
				longtest.Linear(t, fmt.Sprintf("%s %s many times with a long last segment of %s", s, ref, scheme), largest, func(n int) func() {
					b := mustBase(t, s, scheme+"/"+many("x", n))
					var dst []byte
					return func() {
						for range n / 8 {
							dst, _ = b.AppendResolve(dst[:0], []byte(ref))
						}
					}
				})
			}
		}
	}
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG, WHATWG.WithQueryEncoding(japanese.ISO2022JP)} {
		for name := range largeRefs(1) {
			for _, base := range []func(n int) string{
				func(int) string { return "http://a/b/c" },
				func(n int) string { return "http://h/" + many("x/", n) },
				func(n int) string { return "http://h/" + many("../", n) + "x" },
				func(int) string { return "x:/a" },
			} {
				longtest.Linear(t, fmt.Sprintf("%s %s with %s", s, name, base(8)), largest, func(n int) func() {
					b, ref := mustBase(t, s, base(n)), []byte(largeRefs(n)[name])
					var dst []byte
					return func() { dst, _ = b.AppendResolve(dst[:0], ref) }
				})
			}
			longtest.Linear(t, fmt.Sprintf("%s base of %s", s, name), largest, func(n int) func() {
				url := largeRefs(n)[name]
				if !strings.Contains(url[:min(len(url), 8)], ":/") {
					url = "http://h/" + url
				}
				return func() { _, _ = s.Base(url) }
			})
			longtest.Linear(t, fmt.Sprintf("%s IsAbsolute %s", s, name), largest, func(n int) func() {
				b, ref := mustBase(t, s, "http://h/"), []byte(largeRefs(n)[name])
				return func() { b.IsAbsolute(ref) }
			})
		}
	}
}

// everyString calls f with every string of at most n tokens.
func everyString(tokens []string, n int, f func(s []byte)) {
	var extend func(s []byte, n int)
	extend = func(s []byte, n int) {
		f(s)
		if n == 0 {
			return
		}
		for _, t := range tokens {
			extend(append(s, t...), n-1)
		}
	}
	extend(make([]byte, 0, 64), n)
}

// TestEveryShort compares the fast algorithms with the literal steps of the RFCs, and the short path of WHATWG with the full
// parser, for all short strings of the characters that have a meaning in a URL.
func TestEveryShort(t *testing.T) {
	n := longtest.Or(4, 6)
	rfcTokens := []string{"a", ".", "..", "/", "?", ":", "#"}
	for _, base := range []string{"http://a/b/c/d;p?q#f", "http://a", "x:a/../b", "x:/b//c"} {
		t.Run("rfc1808 "+base, func(t *testing.T) {
			b, err := RFC1808.Base(base)
			require.NoError(t, err)
			var dst []byte
			everyString(append(rfcTokens, ";"), n-1, func(ref []byte) {
				dst, _ = b.AppendResolve(dst[:0], ref)
				if want := literal.RFC1808(base, string(ref)); want != string(dst) {
					require.Equal(t, want, string(dst), "%q", ref)
				}
			})
		})
		t.Run("rfc3986 "+base, func(t *testing.T) {
			b, err := RFC3986.Base(base)
			require.NoError(t, err)
			var dst []byte
			everyString(rfcTokens, n-1, func(ref []byte) {
				dst, _ = b.AppendResolve(dst[:0], ref)
				if want := literal.RFC3986(base, string(ref)); want != string(dst) {
					require.Equal(t, want, string(dst), "%q", ref)
				}
			})
		})
	}
	webTokens := []string{"a", ".", "..", "/", "?", ":", "#", "http://", "9", "%2E", "C:", " "}
	for _, base := range []string{"http://a/b/c/d;p?q#f", "file:///C:/b/c", "file:///a/b"} {
		t.Run("whatwg "+base, func(t *testing.T) {
			b, err := WHATWG.Base(base)
			require.NoError(t, err)
			var short, full []byte
			compared := 0
			everyString(webTokens, n-1, func(ref []byte) {
				var ok bool
				if short, ok = b.appendShort(short[:0], ref); !ok {
					return
				}
				compared++
				full, err = b.appendFull(full[:0], ref)
				if err != nil || string(full) != string(short) {
					require.NoError(t, err, "%q", ref)
					require.Equal(t, string(full), string(short), "%q", ref)
				}
			})
			require.Positive(t, compared, "some references take the short path")
		})
	}
}
