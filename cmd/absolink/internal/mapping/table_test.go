package mapping

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func table(t testing.TB, rules ...string) *Table {
	var r Rules
	for _, s := range rules {
		require.NoError(t, r.Set(s))
	}
	table, err := New(r, nil)
	require.NoError(t, err)
	return table
}

func TestMap(t *testing.T) {
	const host, slash = "http://old.example=https://n", "http://old.example/=https://n/"
	for _, row := range []struct {
		rules, url, want string // "" if no rule matches
	}{
		// a host
		{host, "http://old.example", "https://n"},
		{host, "http://old.example/", "https://n/"},
		{host, "http://old.example/x", "https://n/x"},
		{host, "http://old.example?q", "https://n?q"},
		{host, "http://old.example#f", "https://n#f"},
		{host, "http://old.example.com/", ""},
		{host, "http://old.example:8080/", ""},
		{host, "http://user@old.example/", ""},
		{host, "http://www.old.example/", ""},
		{host, "https://old.example/", ""},
		{host, "http://old.exampl", ""},
		{host, "http://x/http://old.example/", ""},
		{host, "//old.example/", ""},
		{host, "", ""},
		{host, ":", ""},
		{slash, "http://old.example/", "https://n/"},
		{slash, "http://old.example/x", "https://n/x"},
		{slash, "http://old.example", "https://n/"},
		{slash, "http://old.example?q", "https://n/?q"},
		{slash, "http://old.example#f", "https://n/#f"},
		{slash, "http://old.example.com", ""},
		{slash, "http://old.example:80", "https://n/"},
		{slash, "http://old.example:80/", "https://n/"},
		{"http://old.example:8080/=https://n/", "http://old.example:8080/x", "https://n/x"},
		{"http://u@old.example/=https://n/", "http://u@old.example/x", "https://n/x"},
		{"http://[::1]/=https://n/", "http://[::1]/x", "https://n/x"},

		// a path
		{"http://h/a=https://n/b", "http://h/a", "https://n/b"},
		{"http://h/a=https://n/b", "http://h/a/", "https://n/b/"},
		{"http://h/a=https://n/b", "http://h/a/c", "https://n/b/c"},
		{"http://h/a=https://n/b", "http://h/a?q", "https://n/b?q"},
		{"http://h/a=https://n/b", "http://h/a#f", "https://n/b#f"},
		{"http://h/a=https://n/b", "http://h/a?q/r#f?g", "https://n/b?q/r#f?g"},
		{"http://h/a=https://n/b", "http://h/ab", ""},
		{"http://h/a=https://n/b", "http://h/a%20", ""},
		{"http://h/a=https://n/b", "http://h/", ""},
		{"http://h/a=https://n/b", "http://h", ""},
		{"http://h/a=https://n/b", "http://h/?/a", ""},
		{"http://h/a/=https://n/b/", "http://h/a/", "https://n/b/"},
		{"http://h/a/=https://n/b/", "http://h/a/c", "https://n/b/c"},
		{"http://h/a/=https://n/b/", "http://h/a/?q", "https://n/b/?q"},
		{"http://h/a/=https://n/b/", "http://h/a", ""},
		{"http://h/a/=https://n/b/", "http://h/a?q", ""},
		{"http://h/a/=https://n/b/", "http://h/a?/", ""},
		{"http://h/a//=https://n/b/", "http://h/a//c", "https://n/b/c"},

		// case
		{"HTTP://Old.Example/A=https://N/B", "http://old.example/A/c", "https://N/B/c"},
		{"http://old.example/A=https://n/B", "Http://OLD.example/A", "https://n/B"},
		{"http://old.example/A=https://n/B", "http://old.example/a", ""},
		{"http://U@old.example/=https://n/", "http://U@OLD.EXAMPLE/", "https://n/"},
		{"http://U@old.example/=https://n/", "http://u@old.example/", ""},
		{slash, "HTTP://OLD.EXAMPLE", "https://n/"},
		{slash, "HTTP://OLD.EXAMPLE/X?Q", "https://n/X?Q"},

		// each spelling of a URL
		{host, "http://old.example:80", "https://n"},
		{host, "http://old.example:80?q", "https://n?q"},
		{host, "http://Old.Example:/x", "https://n/x"},
		{host, "http://old.example:080/", ""},
		{host, "http://old.example:8/", ""},
		{host, "http://old.example:443/", ""},
		{host, "http://old.%65xample/%7E", "https://n/%7E"},
		{"https://h:443/=https://n/", "https://h/x", "https://n/x"},
		{"https://h/=https://n/", "https://h:443/x", "https://n/x"},
		{"https://h/=https://n/", "https://h:80/x", ""},
		{"foo://h/=https://n/", "foo://h:/x", "https://n/x"},
		{"foo://h/=https://n/", "foo://h:80/x", ""},
		{"foo:h=https://n", "foo:h:", ""},
		{"http://[::1]/=https://n/", "http://[::1]:80/x", "https://n/x"},
		{"http://[::80]/=https://n/", "http://[::80]/x", "https://n/x"},
		{"http://u%41:p@h/=https://n/", "http://uA:p@H:80/x", "https://n/x"},
		{"http://bücher.example/=https://n/", "http://xn--bcher-kva.example/x", "https://n/x"},
		{"http://XN--BCHER-KVA.example/=https://n/", "http://bücher.example:80/ü", "https://n/ü"},
		{"http://xn--bcher-kva.example:8080/=https://n/", "http://BÜCHER.example:8080/x", "https://n/x"},
		{"http://xn--bcher-kva.example/=https://n/", "http://bücher.example.com/", ""},
		{"foo://xn--bcher-kva/=https://n/", "foo://bücher/", ""},
		{"http://h/~joe/=https://n/", "http://h/%7Ejoe/%7Eb", "https://n/%7Eb"},
		{"http://h/%7ejoe=https://n/j", "http://h/~%6Ao%65?q=%7E", "https://n/j?q=%7E"},
		{"http://h/a?q=%7E=https://n/", "http://h/%61?q=~#%41", "https://n/#%41"},
		{"http://h/a%2Fb/=https://n/", "http://h/a/b/", ""},
		{"http://h/a%2Fb/=https://n/", "http://h/a%2fb/", ""},
		{"http://h/a%20/=https://n/", "http://h/%61%20/c", "https://n/c"},
		{"http://h/5/=https://n/", "http://h/%5/", ""},
		{"http://h/é/=https://n/", "http://h/%C3%A9/", ""},
		{"http://h/=https://n/ http://h/~k/=http://h/~k/", "http://h:80/%7Ek/", "http://h:80/%7Ek/"},

		// one slash between NEW and a path
		{"http://o=https://n/", "http://o/x", "https://n/x"},
		{"http://o=https://n/", "http://o/", "https://n/"},
		{"http://o=https://n/", "http://o", "https://n/"},
		{"http://o=https://n/", "http://o?q", "https://n/?q"},
		{"http://o=https://n/", "http://o//x", "https://n//x"},
		{"http://o/=https://n", "http://o/x", "https://n/x"},
		{"http://o/=https://n", "http://o/", "https://n"},
		{"http://o/=https://n", "http://o", "https://n"},
		{"http://o/=https://n", "http://o/?q", "https://n?q"},
		{"http://o/=https://n", "http://o//x", "https://n//x"},
		{"http://o=https://n", "http://o//x", "https://n//x"},
		{"http://o/=https://n/", "http://o//x", "https://n//x"},
		{"http://h/a=https://n/b/", "http://h/a", "https://n/b/"},
		{"http://h/a=https://n/b/", "http://h/a/c", "https://n/b/c"},
		{"http://h/a=https://n/b/", "http://h/a#f", "https://n/b/#f"},
		{"http://h/a/=https://n/b", "http://h/a/c", "https://n/b/c"},
		{"http://h/a/=https://n/b", "http://h/a/#f", "https://n/b#f"},

		// OLD with a query or a fragment
		{"http://h/a?q=http://n/b", "http://h/a?q", "http://n/b"},
		{"http://h/a?q=http://n/b", "http://h/a?q#f", "http://n/b#f"},
		{"http://h/a?q=http://n/b", "http://h/a?qr", ""},
		{"http://h/a?q=http://n/b", "http://h/a?q/r", ""},
		{"http://h/a?q=http://n/b", "http://h/a?q?r", ""},
		{"http://h/a?q=http://n/b", "http://h/a?q&r", ""},
		{"http://h/a?q=http://n/b", "http://h/a", ""},
		{"http://h/a?q/=http://n/b", "http://h/a?q/r", ""},
		{"http://h/a?q/=http://n/b/", "http://h/a?q/#f", "http://n/b/#f"},
		{"http://h?q=http://n/", "http://h?q", "http://n/"},
		{"http://h/a#f=http://n/b", "http://h/a#f", "http://n/b"},
		{"http://h/a#f=http://n/b", "http://h/a#f/g", ""},
		{"http://h/a#f=http://n/b", "http://h/a", ""},

		// NEW with a query or a fragment
		{"http://o/a=https://n/?p=1", "http://o/a", "https://n/?p=1"},
		{"http://o/a=https://n/?p=1", "http://o/a?q#f", "https://n/?p=1&q#f"},
		{"http://o/a=https://n/?p=1", "http://o/a/b", "https://n/?p=1/b"},
		{"http://o/=https://n/?p=", "http://o/x", "https://n/?p=x"},
		{"http://o/=https://n/?p=", "http://o/x?q?r", "https://n/?p=x&q?r"},
		{"http://o/=https://n/?p=", "http://o/x#f?g", "https://n/?p=x#f?g"},
		{"http://o/a=https://n/all#a", "http://o/a", "https://n/all#a"},
		{"http://o/a=https://n/all#a", "http://o/a?q#f", "https://n/all?q#a"},
		{"http://o/a=https://n/all#a", "http://o/a/b", "https://n/all/b#a"},
		{"http://o/a=https://n/?p#a?b", "http://o/a?q#f", "https://n/?p&q#a?b"},
		{"http://o/a=https://n/#a?b", "http://o/a?q", "https://n/?q#a?b"},

		// other schemes
		{"mailto:a@old.example=mailto:a@new.example", "mailto:a@old.example?subject=x", "mailto:a@new.example?subject=x"},
		{"mailto:a@old.example=mailto:a@new.example", "mailto:a@old.example.com", ""},
		{"file:///srv/www/=https://n/", "file:///srv/www/a", "https://n/a"},
		{"file:///=https://n/", "file:///a", "https://n/a"},
		{"file:///=https://n/", "file://h/a", ""},
		{"foo:/=https://n/", "foo:/a", "https://n/a"},
		{"foo:/=https://n/", "foo://h/a", ""},
		{"foo:a=https://n/", "foo:a/b", "https://n/b"},
		{"foo:A=https://n/", "foo:a/b", ""},

		// the longest OLD wins
		{slash + " http://old.example/a=https://n/b", "http://old.example/a/c", "https://n/b/c"},
		{slash + " http://old.example/a=https://n/b", "http://old.example/ab", "https://n/ab"},
		{"http://old.example/a=https://n/b " + slash, "http://old.example/a", "https://n/b"},
		{"http://h/a=https://n/1 http://h/a/=https://n/2/", "http://h/a", "https://n/1"},
		{"http://h/a=https://n/1 http://h/a/=https://n/2/", "http://h/a/", "https://n/2/"},
		{"http://h/a=https://n/1 http://h/a?q=https://n/2", "http://h/a?q#f", "https://n/2#f"},
		{"http://h/a=https://n/1 http://h/a#f=https://n/2", "http://h/a#f", "https://n/2"},
		{host + " " + strings.Replace(slash, "//n", "//m", 1), "http://old.example", "https://n"},
		{host + " " + strings.Replace(slash, "//n", "//m", 1), "http://old.example/", "https://m/"},
		{slash + " http://old.example/keep/=http://old.example/keep/", "http://old.example/keep/x", "http://old.example/keep/x"},
		{"http://a/=http://b/ http://b/=http://c/", "http://a/x", "http://b/x"},
	} {
		out, _, ok := table(t, strings.Fields(row.rules)...).Map([]byte("dst "), []byte(row.url))
		assert.Equal(t, "dst "+row.want, string(out), "%s: %s", row.rules, row.url)
		assert.Equal(t, row.want != "", ok, "%s: %s", row.rules, row.url)
	}
}

// headOf matches the scheme, the userinfo and the host of a URL.
var headOf = regexp.MustCompile(`^([a-zA-Z]+:)(?:(//(?:[^/?#]*@)?)([^/?#]*))?`)

// matches is the documentation in code: it reports whether OLD matches a URL.
func matches(old, url string) bool {
	fold := func(url string) (string, int) {
		m := headOf.FindStringSubmatch(url)
		return strings.ToLower(m[1]) + m[2] + strings.ToLower(m[3]) + url[len(m[0]):], len(m[0])
	}
	old, _ = fold(old)
	url, head := fold(url)
	switch {
	case len(old) < head || !strings.HasPrefix(url, old):
		return false
	case url == old:
		return true
	case strings.Contains(old, "#"):
		return false
	case strings.Contains(old, "?"):
		return url[len(old)] == '#'
	}
	return strings.HasSuffix(old, "/") || strings.IndexByte("/?#", url[len(old)]) >= 0
}

// longest returns the index of the rule with the longest OLD that matches a URL, or -1.
func longest(rules []rule, url string) int {
	found := -1
	for i, r := range rules {
		if matches(r.old, url) && (found < 0 || len(r.old) > len(rules[found].old)) {
			found = i
		}
	}
	head := headOf.FindStringSubmatch(url)
	if rest := url[len(head[0]):]; found >= 0 || head[2] == "" || strings.HasPrefix(rest, "/") {
		return found
	}
	return slices.IndexFunc(rules, func(r rule) bool { // the path "" is "/"
		return strings.HasSuffix(r.old, "/") && matches(r.old, head[0]+"/")
	})
}

// The table finds the rule that a loop over all rules finds.
// TestInvalidHost: a host that the URL Standard does not allow matches no rule.
func TestInvalidHost(t *testing.T) {
	_, _, ok := table(t, "http://h/=http://n/").Map(nil, []byte("http://\u00E9%/x"))
	assert.False(t, ok)
}

func TestFind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func(letters string, most int) string {
		var b strings.Builder
		for range random.IntN(most + 1) {
			b.WriteByte(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	url := func() string {
		head := []string{"http://h", "HTTP://H", "http://hh", "http://a@H", "foo:", "foo://", "foo:a"}[random.IntN(7)]
		if rest := word("//aA?#", 5); rest == "" || strings.IndexByte("/?#", rest[0]) >= 0 || head == "foo:" {
			return head + rest
		}
		return head
	}
	found := 0
	for range 3000 {
		tab := &Table{index: map[string]int{}}
		for range 1 + random.IntN(4) {
			if old := url(); check(old, "http://n/") == nil {
				require.NoError(t, tab.add(rule{old: old, new: "http://n/"}))
			}
		}
		tab.counts = make([]counts, len(tab.rules))
		for range 10 {
			u := url()
			want := longest(tab.rules, u)
			got, _, ok := tab.find([]byte(u))
			require.Equal(t, want >= 0, ok, "%q in %v", u, tab.rules)
			if ok {
				found++
				require.Equal(t, want, got, "%q in %v", u, tab.rules)
			}
		}
	}
	assert.Greater(t, found, 1000)
}

func TestCounts(t *testing.T) {
	tab := table(t, "http://a/=http://n/", "http://b/=http://n/", "http://c/=http://c/")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				tab.Map(nil, []byte("http://c/x"))
				tab.Map(nil, []byte("http://d/x"))
				_, rule, _ := tab.Map(nil, []byte("http://a/x"))
				tab.Changed(rule, 1)
			}
		})
	}
	all.Wait()
	var rules []Rule
	for i, r := range tab.All() {
		assert.Len(t, rules, i)
		rules = append(rules, r)
	}
	assert.Equal(t, []Rule{{"http://a/", "http://n/", 400, 400}, {"http://b/", "http://n/", 0, 0}, {"http://c/", "http://c/", 400, 0}}, rules)
	assert.Equal(t, 3, tab.Len())
}

// The time for a URL depends on the longest OLD, not on the length of the URL.
func TestLongURL(t *testing.T) {
	tab := table(t, "http://h/a/=http://n/")
	url := []byte("http://h/" + strings.Repeat("/", 1<<20))
	assert.Zero(t, testing.AllocsPerRun(1000, func() { tab.find(url) }))
	out, _, ok := tab.Map(nil, append([]byte("HTTP://h/a"), url[8:]...))
	assert.True(t, ok)
	assert.Len(t, out, len("http://n/")+1<<20)
}
