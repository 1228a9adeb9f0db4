package resolve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func mustBase(t testing.TB, s Standard, url string) *Base {
	t.Helper()
	b, err := s.Base(url)
	require.NoError(t, err)
	return b
}

func TestLookup(t *testing.T) {
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		got, ok := Lookup(s.String())
		assert.True(t, ok)
		assert.Equal(t, s, got)
	}
	_, ok := Lookup("RFC1808")
	assert.False(t, ok)
	assert.Equal(t, RFC1808, Standard{})
}

// TestThreeStandards has the table of docs/standards.md, except for its last row.
func TestThreeStandards(t *testing.T) {
	const base = "http://a/b/c/d;p?q#f"
	for _, r := range []struct{ ref, rfc1808, rfc3986, whatwg string }{
		{";x", "http://a/b/c/d;x", "http://a/b/c/;x", "http://a/b/c/;x"},
		{"../../../g", "http://a/../g", "http://a/g", "http://a/g"},
		{"/./g", "http://a/./g", "http://a/g", "http://a/g"},
		{"http:g", "http:g", "http:g", "http://a/b/c/g"},
		{"", "http://a/b/c/d;p?q#f", "http://a/b/c/d;p?q", "http://a/b/c/d;p?q"},
		{"?", "http://a/b/c/d;p?q", "http://a/b/c/d;p?", "http://a/b/c/d;p?"},
	} {
		checkRows(t, RFC1808, base, []row{{r.ref, r.rfc1808}})
		checkRows(t, RFC3986, base, []row{{r.ref, r.rfc3986}})
		checkRows(t, WHATWG, base, []row{{r.ref, r.whatwg}})
	}
}

// TestChoices1808 has the rules of RFC 1808 that are easy to miss.
func TestChoices1808(t *testing.T) {
	for _, r := range []struct{ clause, base, ref, want string }{
		{"4, 3: a net_loc without a path", rfcBase, "//h?", "http://h?"},
		{"4, 5 a: params without query", rfcBase, ";x", "http://a/b/c/d;x"},
		{"4, 3: an empty net_loc is inherited", rfcBase, "///g", "http://a/g"},
		{"4, 3: an inherited net_loc that is empty keeps its slashes", "file:///b/c", "../g", "file:///g"},
		{"4, 3: an inherited net_loc that is empty keeps its slashes", "file:///b/c", "/g", "file:///g"},
		{"2.2: a segment may be empty", "http://a/b//c", "../g", "http://a/b/g"},
		{"2.4.6: the first slash is not part of the path", "http://a/c", "../g", "http://a/../g"},
		{"4, 6 c: .. does not remove ..", "http://a/c", "../../g/../h", "http://a/../../h"},
		{"4, 6 a and c: dot segments of the base are removed, too", "http://a/b/./c/../d", "g", "http://a/b/g"},
		{"2.4.3: only a slash ends a net_loc", "http://a?q", "g", "http://a?q/g"},
		{"2.1: a slash between net_loc and path", "http://a", "g", "http://a/g"},
		{"2.4.2: any scheme character may come first", rfcBase, "1a:b", "1a:b"},
		{"2.4.2: a colon at the start ends no scheme", rfcBase, ":b", "http://a/b/c/:b"},
		{"4, 2 b: exactly as written", rfcBase, "HTTP://X/../%7e?#", "HTTP://X/../%7e?#"},
	} {
		got, err := mustBase(t, RFC1808, r.base).Resolve(r.ref)
		assert.NoError(t, err, r.clause)
		assert.Equal(t, r.want, got, "%s: %q", r.clause, r.ref)
	}
}

// TestEmptyComponents has references with empty components. A reference without bytes is "entirely empty" (RFC 1808, 4,
// step 2 a). In others an empty component inherits (steps 3 and 5), unless the base has no such component or a component
// before it is not empty: then step 7 writes its delimiter.
func TestEmptyComponents(t *testing.T) {
	for _, r := range []struct{ ref, full, short, ends string }{
		{"", "http://a/b/c/d;p?q#f", "http://a/b", "http://a/b;?#"},
		{"#", "http://a/b/c/d;p?q#", "http://a/b#", "http://a/b#"},
		{"?", "http://a/b/c/d;p?q", "http://a/b?", "http://a/b?"},
		{";", "http://a/b/c/d;p?q", "http://a/b;", "http://a/b;"},
		{"?#", "http://a/b/c/d;p?q#", "http://a/b?#", "http://a/b?#"},
		{"?#s", "http://a/b/c/d;p?q#s", "http://a/b?#s", "http://a/b?#s"},
		{"#s", "http://a/b/c/d;p?q#s", "http://a/b#s", "http://a/b#s"},
		{";#", "http://a/b/c/d;p?q#", "http://a/b;#", "http://a/b;#"},
		{";?", "http://a/b/c/d;p?q", "http://a/b;?", "http://a/b;?"},
		{";?y", "http://a/b/c/d;p?y", "http://a/b;?y", "http://a/b;?y"},
		{"?y", "http://a/b/c/d;p?y", "http://a/b?y", "http://a/b?y"},
		{";x?", "http://a/b/c/d;x?", "http://a/b;x?", "http://a/b;x?"},
		{"x?", "http://a/b/c/x?", "http://a/x?", "http://a/x?"},
		{"x;", "http://a/b/c/x;", "http://a/x;", "http://a/x;"},
		{"x#", "http://a/b/c/x#", "http://a/x#", "http://a/x#"},
		{"x?#s", "http://a/b/c/x?#s", "http://a/x?#s", "http://a/x?#s"},
		{"x;?y", "http://a/b/c/x;?y", "http://a/x;?y", "http://a/x;?y"},
		{"x;#s", "http://a/b/c/x;#s", "http://a/x;#s", "http://a/x;#s"},
		{"/?#", "http://a/?#", "http://a/?#", "http://a/?#"},
		{"//h?", "http://h?", "http://h?", "http://h?"},
		{"//", "http://a/b/c/d;p?q", "http://a/b", "http://a/b"},
		{"///x", "http://a/x", "http://a/x", "http://a/x"},
	} {
		checkRows(t, RFC1808, rfcBase+"#f", []row{{r.ref, r.full}})
		checkRows(t, RFC1808, "http://a/b", []row{{r.ref, r.short}})
		checkRows(t, RFC1808, "http://a/b;?#", []row{{r.ref, r.ends}})
	}
}

// TestChoices3986 has the rules of RFC 3986 that are easy to miss. An empty component does not inherit, unlike under RFC 1808.
func TestChoices3986(t *testing.T) {
	checkRows(t, RFC3986, "http://a/b?", []row{
		{"", "http://a/b?"}, {"#", "http://a/b?#"}, {"?", "http://a/b?"}, {"g?", "http://a/g?"}, {"g#", "http://a/g#"},
		{"1a:b", "http://a/1a:b"}, {"x:/a/../../b", "x:/b"}, {"mailto:a@b", "mailto:a@b"}, {"//", "http://"}, {"///g", "http:///g"},
	})
	checkRows(t, RFC3986, "http://a", []row{{"g", "http://a/g"}, {"?y", "http://a?y"}, {"../g", "http://a/g"}})
	checkRows(t, RFC3986, "x:a/b", []row{{"g", "x:a/g"}, {"../g", "x:/g"}, {"../../g", "x:/g"}}) // 5.2.4, 2 C
}

// TestNoBase: with the base "", only absolute references have a URL (RFC 1808, 3.4).
func TestNoBase(t *testing.T) {
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		b := mustBase(t, s, "")
		assert.Empty(t, b.String())
		assert.Empty(t, b.Unsuitable())
		got, err := b.Resolve("http://a/b")
		assert.NoError(t, err)
		assert.Equal(t, "http://a/b", got)
		for _, ref := range []string{"", "g", "#s", "?y", "//a/b", "/g"} {
			_, err = b.Resolve(ref)
			assert.ErrorIs(t, err, ErrNoBase, "%s %q", s, ref)
			assert.False(t, b.IsAbsolute([]byte(ref)))
		}
		_, err = s.Base("/a/b")
		assert.ErrorIs(t, err, ErrRelative)
	}
}

// TestMalformed has the names of the validation errors (URL Standard, 1.1). After an error dst is unchanged.
func TestMalformed(t *testing.T) {
	_, err := WHATWG.Base("http://a b/")
	assert.ErrorIs(t, err, ErrMalformed)
	b := mustBase(t, WHATWG, "http://a/")
	for ref, name := range map[string]string{
		"http://h:x/": "port-invalid", "//h:65536": "port-out-of-range", "//[::": "IPv6-unclosed", "https://": "host-missing",
		"//1.2.3.256": "IPv4-out-of-range-part", "//%00": "domain-to-ASCII", "x://a b": "host-invalid-code-point", "//[::1.2.3x4]": "IPv4-in-IPv6-invalid-code-point",
		"//[::1:]": "IPv6-invalid-code-point", "//[1:2:3:4:5:6:7:8:9]": "IPv6-too-many-pieces", "//[1:2]": "IPv6-too-few-pieces", "//[1::2::3]": "IPv6-multiple-compression", "//[:1]": "IPv6-invalid-compression",
		"//[::.1.2.3]": "IPv4-in-IPv6-invalid-code-point", "//[1:2:3:4:5:6:7:1.2.3.4]": "IPv4-in-IPv6-too-many-pieces", "//[::1.2.3.256]": "IPv4-in-IPv6-out-of-range-part", "//[::1.2.3]": "IPv4-in-IPv6-too-few-parts",
		`http:/\h:99999/`: "port-out-of-range", // the special relative or authority state returns the error of the relative state
	} {
		got, err := b.AppendResolve([]byte("dst"), []byte(ref))
		assert.ErrorIs(t, err, ErrMalformed)
		assert.ErrorContains(t, err, name)
		assert.Equal(t, "dst", string(got))
	}
	opaque := mustBase(t, WHATWG, "mailto:a@b")
	_, err = opaque.Resolve("g")
	assert.ErrorIs(t, err, ErrNoBase)
	got, err := opaque.Resolve("#s")
	assert.NoError(t, err)
	assert.Equal(t, "mailto:a@b#s", got)
}

func TestUnsuitable(t *testing.T) {
	for _, url := range []string{"mailto:a@b", "NEWS:a", "telnet://h/", "data:,x", "JavaScript:0", "about:blank", "blob:http://a/b",
		"cid:a", "mid:a/b", "tel:1", "urn:a:b", "http:g", "x:"} {
		assert.NotEmpty(t, mustBase(t, RFC1808, url).Unsuitable(), url)
		assert.NotEmpty(t, mustBase(t, RFC3986, url).Unsuitable(), url)
	}
	for _, url := range []string{"http://a/b", "file:/a", "gopher://h/1", "x:/a"} {
		assert.Empty(t, mustBase(t, RFC1808, url).Unsuitable(), url)
		assert.Empty(t, mustBase(t, RFC3986, url).Unsuitable(), url)
	}
	for _, url := range []string{"data:,x", "JavaScript:0"} {
		assert.NotEmpty(t, mustBase(t, WHATWG, url).Unsuitable(), url)
	}
	for _, url := range []string{"mailto:a@b", "about:blank", "http:g", "tel:1"} {
		assert.Empty(t, mustBase(t, WHATWG, url).Unsuitable(), url)
	}
	assert.Equal(t, "news: URLs are never used with relative URLs", mustBase(t, RFC1808, "NEWS:a").Unsuitable())
	assert.Equal(t, `a URL without "/" after "x:" cannot be a base`, mustBase(t, RFC3986, "x:a").Unsuitable())
	assert.Equal(t, "HTML does not allow a data: URL as a base", mustBase(t, WHATWG, "DATA:,x").Unsuitable())
}

func TestIsAbsolute(t *testing.T) {
	for _, r := range []struct {
		base, ref                string
		rfc1808, rfc3986, whatwg bool
	}{
		{"http://a/b", "g", false, false, false},
		{"http://a/b", "", false, false, false},
		{"http://a/b", "//g", false, false, false},
		{"http://a/b", "g:h", true, true, true},
		{"http://a/b", "1a:b", true, false, false},
		{"http://a/b", ":b", false, false, false},
		{"http://a/b", "a/b:c", false, false, false},
		{"http://a/b", "http:g", true, true, false},
		{"http://a/b", "HTTP:/g", true, true, false},
		{"http://a/b", "http://g", true, true, true},
		{"http://a/b", `http:\\g`, true, true, true},
		{"http://a/b", "https:g", true, true, false},
		{"http://a/b", "https:/g", true, true, false},
		{"http://a/b", "https:///g", true, true, true},
		{"x://a/b", "http:g", true, true, false},
		{"http://a/b", " \x00ht\ntp:\t/\r/g", false, false, true},
		{"http://a/b", " ht\ntp:g", false, false, false},
		{"file:///a", "file:g", true, true, false},
		{"file:///a", "file:/g", true, true, false},
		{"file:///a", "file:///g", true, true, true},
		{"x://a/b", "x:g", true, true, true},
		{"x://a/b", "webcal+x-y.z:g", true, true, true},
		{"", "http:g", true, true, true},
	} {
		ref := []byte(r.ref)
		assert.Equal(t, r.rfc1808, mustBase(t, RFC1808, r.base).IsAbsolute(ref), "rfc1808 %q %q", r.base, r.ref)
		assert.Equal(t, r.rfc3986, mustBase(t, RFC3986, r.base).IsAbsolute(ref), "rfc3986 %q %q", r.base, r.ref)
		assert.Equal(t, r.whatwg, mustBase(t, WHATWG, r.base).IsAbsolute(ref), "whatwg %q %q", r.base, r.ref)
	}
}

func TestSplit(t *testing.T) {
	for _, url := range append(seedRefs, seedBases...) {
		assert.Equal(t, url, string(split([]byte(url)).append(nil)))
	}
	p := split([]byte("s://n?o;t/p;a?;q#"))
	assert.Equal(t, []string{"s", "n?o;t", "/p", "a", ";q", ""},
		[]string{string(p.scheme), string(p.netLoc), string(p.path), string(p.params), string(p.query), string(p.fragment)})
	assert.NotNil(t, p.fragment, "present and empty")
	p = split([]byte("g?"))
	assert.NotNil(t, p.query, "present and empty")
	assert.Nil(t, p.fragment, "absent")
	assert.Nil(t, p.netLoc, "absent")
	assert.NotNil(t, split([]byte("//")).netLoc, "present and empty")
}

// TestInvalidUTF8 checks that each truncated sequence becomes one U+FFFD (Encoding Standard, 8.1.1). Some rows are from
// table 3-8 of Unicode.
func TestInvalidUTF8(t *testing.T) {
	const bad = "%EF%BF%BD"
	b := mustBase(t, WHATWG, "http://a/")
	for ref, want := range map[string]string{
		"\xff": bad, "\xe2\x82": bad, "\xe2\x82x": bad + "x", "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A": strings.Repeat(bad, 8) + "A",
		"\xed\xa0\x80": strings.Repeat(bad, 3), "\xf4\x91\x92\x93\xff\x41\x80\xbfB": strings.Repeat(bad, 5) + "A" + bad + bad + "B",
		"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41": strings.Repeat(bad, 4) + "A", "\xe2\t\x82": bad + bad, "\xc3\xa4": "%C3%A4",
	} {
		got, err := b.Resolve(ref)
		assert.NoError(t, err)
		assert.Equal(t, "http://a/"+want, got, "%q", ref)
	}
}

// TestNoAllocation checks that AppendResolve does not allocate if dst has room, even for references that need the full
// parser of WHATWG or are malformed.
func TestNoAllocation(t *testing.T) {
	dst := make([]byte, 0, 512)
	for _, s := range []Standard{RFC1808, RFC3986, WHATWG} {
		b := mustBase(t, s, benchBase)
		for _, ref := range append([]string{"ä ö", "//U:p@H:81/%2e/é?ß", "http://1.2", "//[::1]/", "http://:", "//h:x"}, realistic...) {
			in := []byte(ref)
			assert.Zero(t, testing.AllocsPerRun(5, func() { _, _ = b.AppendResolve(dst, in) }), "%s %q", s, ref)
		}
	}
}
