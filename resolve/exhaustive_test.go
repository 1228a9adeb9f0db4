package resolve

import (
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/internal/literal"
	"absolink/internal/longtest"
)

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
