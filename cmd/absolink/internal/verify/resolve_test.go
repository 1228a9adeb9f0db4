package verify

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/mapping"
	"absolink/resolve"
)

// TestResolvers compares the resolvers of this package with package resolve on random references and bases.
func TestResolvers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tokens := []string{"a", "b", "1a", ".", "..", "/", "/", "//", "../", "?", "#", ";", ":", "%2E", "%", " ", "\\", "ä", "h:80", "[", "x:"}
	some := func(n int) string {
		var s strings.Builder
		for range random.IntN(n) {
			s.WriteString(tokens[random.IntN(len(tokens))])
		}
		return s.String()
	}
	origins := []string{"http://a/", "http://a", "HTTP://A:80/b/c/", "file:///", "x:/", "x://h/", "1a://h/"}
	for _, standard := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986} {
		c, judged := Config{Standard: standard.String()}, 0
		const n = 50_000
		for range n {
			from, ref := origins[random.IntN(len(origins))]+some(8), some(8)
			b, err := standard.Base(from)
			if err != nil || b.Unsuitable() != "" {
				continue
			}
			want, err := b.Resolve(ref)
			require.NoError(t, err)
			if got, ok := c.resolve(ref, base{url: from}); ok {
				judged++
				require.Equal(t, want, got, "%s: %q with %q", standard, ref, from)
			}
		}
		assert.Greater(t, judged, n/2)
		t.Log(standard, judged)
	}
}

// TestMapped compares the rules of --map in this package with package mapping on random rules and URLs.
func TestMapped(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	url := func() string {
		return one("http://one", "HTTP://One", "https://one", "http://one:81", "http://%6Fne:80", "https://one:443", "http://a@one:", "http://ö:80", "http://XN--nda") +
			one("", "/", "/a", "/a/", "/a/b", "//a", "/%61/%2F", "/a/%2f") + one("", "", "?", "?q", "?q=1&r", "?%71") + one("", "", "#", "#f")
	}
	matched := 0
	for range 10_000 {
		var rules mapping.Rules
		c := Config{}
		var all []Rule
		for range 1 + random.IntN(3) {
			r := Rule{url(), one("http://one", "http://n", "http://n/", "http://n/p", "http://n/p/", "http://n/?p=", "http://n#g")}
			require.NoError(t, rules.Set(r.Old+"="+r.New))
			all = append(all, r)
		}
		table, err := mapping.New(rules, nil)
		if err != nil {
			continue // two rules have the same Old
		}
		c.Rules = NewRules(all)
		for range 5 {
			u := url()
			want, _, ok := table.Map(nil, []byte(u))
			if matched++; !ok {
				matched, want = matched-1, []byte(u)
			}
			require.Equal(t, string(want), c.mapped(u), "%q by %v", u, all)
		}
	}
	assert.Greater(t, matched, 2000)
}
