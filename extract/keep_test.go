package extract_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// Without Keep, each of these settings changes both documents of each kind. A kept document stays, and only it.
func TestKeep(t *testing.T) {
	const page = `<base href="http://b/"><a href="http://web.archive.org/web/2020/http://h/two.html">`
	settings := map[string]extract.Extractor{
		"BASE":      {BaseURLs: extract.BaseRemove},
		"empty":     {BaseURLs: extract.BaseEmpty},
		"Unarchive": {Unarchive: true},
		"Map":       {Map: func(*extract.Link) (string, bool) { return "http://n/", true }},
		"Local":     {},
	}
	for kind, d := range pairs(t, page) {
		for name, x := range settings {
			if d.Local != nil != (name == "Local") && name != "BASE" {
				continue
			}
			keep := map[string]bool{}
			x.Keep = func(path string) bool { return keep[path] }
			require.NotContains(t, Rewrite(t, &Walker{Extractor: x}, d), page, "%s %s", kind, name)
			for _, path := range paths[kind] {
				keep = map[string]bool{path: true}
				assert.Equal(t, 1, strings.Count(Rewrite(t, &Walker{Extractor: x}, d), page), "%s %s %s", kind, name, path)
			}
			keep = map[string]bool{paths[kind][0]: true, paths[kind][1]: true}
			assert.Equal(t, string(d.Bytes), Rewrite(t, &Walker{Extractor: x}, d), "%s %s", kind, name)
		}
	}
}

var paths = map[string][]string{"mbox": {"message[1]", "message[2]"}, "warc": {"record[1]", "record[2]"}, "zip": {"one.html", "two.html"}, "tar": {"one.html", "two.html"},
	"zip, local": {"one.html", "two.html"}, "tar, local": {"one.html", "two.html"}}

// pairs returns documents with two pages each, by their kinds.
func pairs(t *testing.T, page string) map[string]extract.Document {
	message := "From a@b Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n" + page + "\n\n"
	record := fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://web.archive.org/web/2020/http://h/p\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(page), page)
	var zipped, tarred bytes.Buffer
	z, w := zip.NewWriter(&zipped), tar.NewWriter(&tarred)
	for _, name := range []string{"one.html", "two.html"} {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		require.NoError(t, err)
		_, err = f.Write([]byte(page))
		require.NoError(t, err)
		require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Size: int64(len(page)), Mode: 0o644}))
		_, err = w.Write([]byte(page))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, w.Close())
	local := func(string) string { return "" }
	return map[string]extract.Document{
		"mbox": {Name: "d.mbox", Bytes: []byte(message + message)}, "warc": {Name: "d.warc", Bytes: []byte(record + record)},
		"zip": {Name: "d.zip", Bytes: zipped.Bytes()}, "tar": {Name: "d.tar", Bytes: tarred.Bytes()},
		"zip, local": {Name: "d.zip", Bytes: zipped.Bytes(), Local: local}, "tar, local": {Name: "d.tar", Bytes: tarred.Bytes(), Local: local},
	}
}
