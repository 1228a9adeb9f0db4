package mapping

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSet(t *testing.T) {
	for _, row := range []struct{ value, old, new string }{
		{"http://h/=https://n/", "http://h/", "https://n/"},
		{"http://h/?id=7=https://n/7", "http://h/?id=7", "https://n/7"},
		{"http://h/?id==https://n/7", "http://h/?id=", "https://n/7"},
		{"http://h/a=b/=https://n/?c=d", "http://h/a=b/", "https://n/?c=d"},
		{"http://h/?t=12:30=https://n/", "http://h/?t=12:30", "https://n/"},
		{"http://h/=https://n/?u=http://h/", "http://h/", "https://n/?u=http://h/"},
		{"urn:a:b=svn+ssh://n/", "urn:a:b", "svn+ssh://n/"},
		{"http://h/a b/=https://n/", "http://h/a b/", "https://n/"},
		{"http://h/ä=https://n/ö", "http://h/ä", "https://n/ö"},
	} {
		var r Rules
		require.NoError(t, r.Set(row.value))
		assert.Equal(t, Rules{{old: row.old, new: row.new}}, r)
		assert.Equal(t, row.value, r.String())
		assert.Equal(t, "OLD=NEW", r.Type())
	}
}

func TestSetErrors(t *testing.T) {
	const form = `write OLD=NEW with two absolute URLs; the rule is cut at the first "=" that a scheme follows, such as "=https:"`
	const twice = `more than one "=" is followed by a URL; write the rule in a file for --map-file, with a tab between OLD and NEW`
	for value, want := range map[string]string{
		"":                                  form,
		"http://h/":                         form,
		"http://h/=":                        form,
		"map.tsv":                           `this is no rule; did you mean --map-file map.tsv?`,
		"http://h/=n.example":               `NEW "n.example" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"http://h/=/new/":                   `NEW "/new/" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"old.example=n.example":             `OLD "old.example" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"http://*.h/=http://n/":             `OLD "http://*.h/": * is no wildcard, and matches only itself; write a rule for each host`,
		"http://h/?a=b:c=http://n/":         twice,
		"http://h/?u=http://x/=http://n/":   twice,
		"=http://n/":                        `OLD "" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"old.example=http://n/":             `OLD "old.example" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"//old.example/=http://n/":          `OLD "//old.example/" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		" http://h/=http://n/":              `OLD " http://h/" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"http:=https:":                      `OLD "http:" has no host; write the host, as in http://example.org/`,
		"http://=https://":                  `OLD "http://" has no host; write the host, as in http://example.org/`,
		"HTTP:///a=https://n/":              `OLD "HTTP:///a" has no host; write the host, as in http://example.org/`,
		"http://h/=https:/n":                `NEW "https:/n" has no host; write the host, as in http://example.org/`,
		"http://h/=https://?q":              `NEW "https://?q" has no host; write the host, as in http://example.org/`,
		"mailto:=https://n/":                `OLD "mailto:" is only a scheme; write the rest of the URL, too`,
		"file://=https://n/":                `OLD "file://" is only a scheme; write the rest of the URL, too`,
		"http://h/ =https://n/":             `OLD "http://h/ " ends in a space; remove it`,
		"http://h/=https://n/a b":           `NEW "https://n/a b" has a space; write it as %20`,
		"http://h/\n=https://n/":            `OLD "http://h/\n" has a control character; remove it`,
		"http://h/=https://n/\x00":          `NEW "https://n/\x00" has a control character; remove it`,
		"http://h/=https://n.example:99999": `NEW "https://n.example:99999" is not a valid URL; look at its host and port`,
	} {
		var r Rules
		assert.EqualError(t, r.Set(value), want, value)
		assert.Empty(t, r)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	tsv, json := filepath.Join(dir, "a.tsv"), filepath.Join(dir, "b.jsonl")
	require.NoError(t, os.WriteFile(tsv, []byte("\uFEFFhttp://a/\thttp://n/a/\r\n\r\nHTTP://B/\thttp://n/b/"), 0o644))
	require.NoError(t, os.WriteFile(json, []byte(`{"old": "http://c/", "new": "http://n/\u0063/", "why": 1}`+"\n\n"+`{"new":"http://n/b/","old":"http://b/"}`), 0o644))

	var r Rules
	require.NoError(t, r.Set("http://a/=http://n/a/"))
	tab, err := New(r, []string{tsv, json})
	require.NoError(t, err)
	var all []Rule
	for _, rule := range tab.All() {
		all = append(all, rule)
	}
	assert.Equal(t, []Rule{
		{Old: "http://a/", New: "http://n/a/"},
		{Old: "HTTP://B/", New: "http://n/b/"},
		{Old: "http://c/", New: "http://n/c/"},
	}, all)

	none, err := New(nil, nil)
	assert.NoError(t, err)
	assert.Nil(t, none)
	_, err = New(nil, []string{filepath.Join(dir, "missing")})
	assert.EqualError(t, err, "--map-file "+filepath.Join(dir, "missing")+": no such file or folder; check the path")
	_, err = New(nil, []string{dir})
	assert.EqualError(t, err, "--map-file "+dir+": this is a folder; use a file name")
}

func TestDoubts(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o644))
	const idle = "the rule http://h/a=http://h/a changes nothing, and is no exception to another rule; leave it out"
	for _, row := range []struct {
		rules string
		want  []string
	}{
		{"http://h/a=http://h/a", []string{idle}},
		{"http://h/a=http://h/a http://h/a/b=http://n/ http://h/ab=http://n/", []string{idle}},
		{"http://h/a=http://h/a http://h/=http://n/", nil},
		{"http://h/a=http://h/a http://H:80=http://n/", nil},
		{"http://h/a=HTTP://h/a", nil},
	} {
		var r Rules
		for _, rule := range strings.Fields(row.rules) {
			require.NoError(t, r.Set(rule))
		}
		tab, err := New(r, nil)
		require.NoError(t, err)
		assert.Equal(t, row.want, tab.Doubts(), row.rules)
		out, _, ok := tab.Map(nil, []byte("http://h/a"))
		assert.True(t, ok)
		assert.Equal(t, r[0].new, string(out), "the table is as before")
	}
	tab, err := New(nil, []string{empty})
	require.NoError(t, err)
	assert.Equal(t, []string{"--map-file " + empty + ": there is no rule in the file"}, tab.Doubts())
	assert.Nil(t, (*Table)(nil).Doubts())
}

func TestConflict(t *testing.T) {
	var r Rules
	require.NoError(t, r.Set("http://h/=http://n/1"))
	require.NoError(t, r.Set("HTTP://H/=http://n/2"))
	_, err := New(r, nil)
	assert.EqualError(t, err, "--map HTTP://H/=http://n/2: OLD HTTP://H/ already has another NEW, http://n/1 (--map http://h/=http://n/1); leave out one of the two rules")
}

func TestReadErrors(t *testing.T) {
	const first = "http://a/\thttp://n/a\n\n"
	for line, want := range map[string]string{
		"http://h/":                              "no tab between OLD and NEW",
		"http://h/ http://n/":                    "no tab between OLD and NEW",
		"http://h/\t":                            "no tab between OLD and NEW",
		"\thttp://n/":                            "no tab between OLD and NEW",
		"# comment":                              "no tab between OLD and NEW",
		"http://h/\thttp://n/\t301":              "more than OLD and NEW; leave out the other columns",
		"http://h/\tn":                           `NEW "n" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"/h/\thttp://n/":                         `OLD "/h/" is not an absolute URL; write the scheme, too, as in http://example.org/`,
		"http://h/\thttp://n/ ":                  `NEW "http://n/ " has a space; write it as %20`,
		"{":                                      `not a JSON object with the strings "old" and "new"`,
		`{"old": "http://h/"}`:                   `not a JSON object with the strings "old" and "new"`,
		`{"old": "http://h/", "new": 1}`:         `not a JSON object with the strings "old" and "new"`,
		`{"old": "http://h/", "new":"http:/\n"}`: `NEW "http:/\n" has a control character; remove it`,
		"http://h/\thttp://n/\xff":               "not UTF-8; save the file as UTF-8",
		"http://a/\thttp://n/b":                  "OLD http://a/ already has another NEW, http://n/a (f.tsv:1); leave out one of the two rules",
		"http://%61:80/\thttp://n/b":             "OLD http://%61:80/ already has another NEW, http://n/a (f.tsv:1); leave out one of the two rules",
		"http://h/" + strings.Repeat("a", 1<<20): "the line is longer than 1 MiB; write one rule on each line",
	} {
		tab := &Table{index: map[string]int{}}
		assert.EqualError(t, tab.read(strings.NewReader(first+line+"\n"), "f.tsv"), "f.tsv:3: "+want, "%.50q", line)
	}
	tab := &Table{index: map[string]int{}}
	failed := errors.New("failed")
	assert.EqualError(t, tab.read(iotest.ErrReader(failed), "f.tsv"), "f.tsv: failed")
}

// An accepted rule maps its OLD to its NEW, and its String is the same rule.
func FuzzRules(f *testing.F) {
	for _, s := range []string{"http://h/=https://n/", "http://h/?a=b=http://n/#f", "HTTP://U@H=mailto:a@b", "a:=b:", "http://bücher.h:80/%7e=http://n", "\uFEFFhttp://h/\thttp://n/\r\n", `{"old":"http://h","new":"foo:a"}`} {
		f.Add(s, "http://h/x?q#f")
	}
	f.Fuzz(func(t *testing.T, text, url string) {
		var r Rules
		if r.Set(text) == nil {
			var again Rules
			require.NoError(t, again.Set(r.String()))
			require.Equal(t, r, again)
		}
		tab := &Table{index: map[string]int{}}
		for _, rule := range r {
			require.NoError(t, tab.add(rule))
		}
		if err := tab.read(strings.NewReader(text), "f.tsv"); err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "f.tsv:"))
		}
		tab.counts = make([]counts, len(tab.rules))
		for i, r := range tab.rules {
			out, rule, ok := tab.Map(nil, []byte(r.old))
			require.True(t, ok)
			require.Equal(t, i, rule)
			require.Equal(t, r.new, string(out))
		}
		before := []byte(url)
		out, rule, ok := tab.Map([]byte("x"), before)
		require.Equal(t, url, string(before))
		require.Equal(t, byte('x'), out[0])
		if !ok {
			return
		}
		if r := tab.rules[rule]; r.old == r.new {
			require.Equal(t, url, string(out[1:]))
		} else {
			new, _, _ := strings.Cut(r.new, "#")
			require.True(t, strings.HasPrefix(string(out[1:]), new))
		}
		key, _ := common(before) // another spelling of the URL
		_, same, ok := tab.Map(nil, key)
		require.True(t, ok)
		require.Equal(t, rule, same)
	})
}
