package inputs

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"howett.net/plist"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// A file that is replaced by a symbolic link between the listing of its folder and its opening is not read through the link,
// unless links are followed.
func TestReplacedByLink(t *testing.T) {
	if files.NoFollow == 0 {
		t.Skip("the system has no flag for opening a file that must not be a symbolic link")
	}
	for _, follow := range []bool{false, true} {
		root := t.TempDir()
		dir, target := filepath.Join(root, "site"), filepath.Join(root, "target.html")
		require.NoError(t, os.Mkdir(dir, 0o777))
		require.NoError(t, os.WriteFile(target, nil, 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.html"), nil, 0o666))
		require.NoError(t, os.Symlink(target, filepath.Join(dir, "b.html")))
		var read []string
		for src, err := range Select(Config{Paths: []string{dir}, Follow: follow}).All(true) {
			require.NoError(t, err)
			if filepath.Base(src.Name) == "a.html" {
				require.NoError(t, os.Remove(src.Name))
				require.NoError(t, os.Symlink(target, src.Name))
			}
			in, _, err := (&Opener{Retrieval: &Retrieval{}, Meter: &Meter{}}).Open(src, nil)
			if filepath.Base(src.Name) == "a.html" {
				assert.EqualError(t, err, "a symbolic link has replaced the file since its folder was read; run again")
				continue
			}
			require.NoError(t, err)
			require.NoError(t, in.Close())
			read = append(read, filepath.Base(src.Name))
		}
		assert.Equal(t, follow, len(read) == 1, "b.html is a link that --follow follows")
	}
}

func TestGlobs(t *testing.T) {
	for _, row := range []struct {
		name     string
		patterns []string
		yes, no  []string
	}{
		{"no pattern", nil, []string{"a.html", "s/a"}, nil},
		{"a name, in any folder", []string{"*.html"}, []string{"a.html", "s/t/a.html"}, []string{"a.htm", "a.html/b"}},
		{"a path", []string{"s/*.html"}, []string{"s/a.html"}, []string{"a.html", "s/t/a.html", "t/s/a.html"}},
		{"at the root only", []string{"/*.html"}, []string{"a.html"}, []string{"s/a.html"}},
		{"any folders", []string{"s/**/*.html"}, []string{"s/a.html", "s/t/u/a.html"}, []string{"a.html", "t/s/a.html"}},
		{"a folder at any depth", []string{"**/s/**"}, []string{"s/a", "t/s/u/a"}, []string{"a", "t/a"}},
		{"one character", []string{"?.html"}, []string{"a.html", "é.html"}, []string{"ab.html"}},
		{"a class", []string{"[a-c].html", "[!0-9]"}, []string{"b.html", "x"}, []string{"d.html", "5"}},
		{"a choice", []string{"*.{html,xhtml}"}, []string{"a.html", "a.xhtml"}, []string{"a.css"}},
		{"an escaped character", []string{`a\*.html`}, []string{"a*.html"}, []string{"ab.html"}},
		{"one of several", []string{"*.html", "*.css"}, []string{"a.html", "a.css"}, []string{"a.js"}},
		{"excluded", []string{"!*.css", "!s/**"}, []string{"a.html"}, []string{"a.css", "s/a.html"}},
		{"excluded, in any order", []string{"!index.*", "*.html"}, []string{"a.html"}, []string{"index.html", "a.css"}},
		{"case counts", []string{"*.html"}, nil, []string{"A.HTML"}},
	} {
		g, err := NewGlobs(row.patterns)
		require.NoError(t, err, row.name)
		for _, rel := range row.yes {
			assert.True(t, g.match(rel), "%s: %s", row.name, rel)
		}
		for _, rel := range row.no {
			assert.False(t, g.match(rel), "%s: %s", row.name, rel)
		}
	}
	for _, pattern := range []string{"", "!", "[a", "{a,b", `a\`} {
		_, err := NewGlobs([]string{pattern})
		assert.Error(t, err, pattern)
	}
}

// The parts were computed by another program, from the offset basis and the prime of FNV.
func TestShard(t *testing.T) {
	for _, row := range []struct {
		document      string
		of2, of3, of8 string
	}{
		{"", "2/2", "3/3", "6/8"},
		{"-", "1/2", "2/3", "1/8"},
		{"a", "1/2", "2/3", "5/8"},
		{"site/a.html", "2/2", "2/3", "6/8"},
		{"site/b.html", "1/2", "1/3", "3/8"},
		{"caf\xE9.html", "2/2", "3/3", "4/8"},
	} {
		for _, part := range []string{row.of2, row.of3, row.of8, "1/1"} {
			var s Shard
			require.NoError(t, s.Set(part))
			assert.Equal(t, part, s.String())
			for i := uint64(1); i <= s.of; i++ {
				other := Shard{part: i, of: s.of}
				assert.Equal(t, i == s.part, other.has(row.document), "%q in %s", row.document, other.String())
			}
		}
		assert.True(t, (&Shard{}).has(row.document))
	}
	for _, bad := range []string{"", "1", "0/2", "3/2", "1/0", "1/", "-1/2", "1/2/3", "a/b", "1/99999999999"} {
		assert.Error(t, (&Shard{}).Set(bad), bad)
	}
}

func TestShortNames(t *testing.T) {
	for _, f := range extract.Formats() {
		assert.NotEmpty(t, ShortNames(f), f.Name)
	}
	seen := map[string]bool{}
	for _, short := range shortNames {
		assert.NotNil(t, extract.FormatOf(short.mediaType), short.name)
		assert.False(t, seen[short.name], short.name)
		seen[short.name] = true
	}
	assert.Equal(t, "text/html", longType("Html"))
	assert.Equal(t, "text/html; charset=koi8-r", longType("html; charset=koi8-r"))
	assert.Equal(t, "text/*", longType("text/*"))
}

func whereFromsOf(t *testing.T, urls ...string) []byte {
	list, err := plist.Marshal(urls, plist.BinaryFormat)
	require.NoError(t, err)
	return list
}

// Systems other than Windows keep the stream as a file, which is opened only in a folder that lists one.
func TestFileEvidenceBeside(t *testing.T) {
	for _, row := range []struct {
		name, beside, text string
		noZone             bool
		want               []extract.Evidence
	}{
		{"Windows", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\nHostUrl=http://h/p/?a=b\r\n", false,
			[]extract.Evidence{{By: "Zone.Identifier", URL: "http://h/p/?a=b"}}},
		{"only a referrer: no evidence", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\n", false, nil},
		{"attributes of another file", "other.html:Zone.Identifier", "HostUrl=http://h/p/", false, nil},
		{"no such file in the folder", "page.html.txt", "HostUrl=http://h/p/", runtime.GOOS != "windows", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, row.beside), []byte(row.text), 0o644))
			page := filepath.Join(dir, "page.html")
			require.NoError(t, os.WriteFile(page, nil, 0o644))
			for src, err := range Select(Config{Paths: []string{dir}}).All(true) {
				require.NoError(t, err)
				assert.Equal(t, row.noZone, src.noZone)
			}
			assert.Equal(t, row.want, fileEvidence(page, !row.noZone))
		})
	}
	assert.Empty(t, firstOf(whereFromsOf(t)), "an empty list")
	assert.Empty(t, firstOf([]byte("bplist00")), "not a property list")
}
