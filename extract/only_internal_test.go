package extract

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// onlyDocuments returns the documents in testdata, and those in its cases.
func onlyDocuments(t *testing.T) (all []Document) {
	require.NoError(t, filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil || len(src) > 1<<20 {
			return err
		}
		if !strings.HasSuffix(path, ".txtar") {
			all = append(all, Document{Name: path, Bytes: src})
			return nil
		}
		for _, f := range txtar.Parse(src).Files {
			all = append(all, Document{Name: path + "/" + f.Name, Bytes: f.Data})
		}
		return nil
	}))
	return all
}

// Only leaves the links and bases of the wanted documents, and of everything inside them, as they are without it.
func TestOnly(t *testing.T) {
	types := []string{"text/html", "text/css", "text/plain", "image/svg+xml", "message/rfc822", "application/warc", "application/mbox", "application/har+json", "application/atom+xml", "none"}
	found := map[string]int{}
	for _, d := range onlyDocuments(t) {
		for _, only := range types {
			wanted := func(mediaType string) bool { return mediaType == only }
			all := onlyRows(t, d, nil, func(e *Entity) bool {
				for at := e; at != nil; at = at.parent {
					if at.Type == only {
						return true
					}
				}
				return false
			})
			rows := onlyRows(t, d, wanted, func(*Entity) bool { return true })
			require.Equal(t, all, rows, "%s of %s", only, d.Name)
			found[only] += len(rows)
		}
		var out bytes.Buffer
		x := Extractor{Only: func(string) bool { return false }}
		if _, err := x.Rewrite(t.Context(), &out, d); err == nil {
			require.True(t, bytes.Equal(d.Bytes, out.Bytes()), d.Name)
		}
	}
	for _, only := range types[:9] {
		assert.NotZero(t, found[only], only)
	}
	damaged := Document{Name: "m.eml", Bytes: []byte("Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n!!!!\n")}
	x := Extractor{Only: func(mediaType string) bool { return mediaType == "text/markdown" }, OnProblem: func(p Problem) { assert.Fail(t, p.Error(), "it is not wanted") }}
	_, err := x.Rewrite(t.Context(), io.Discard, damaged)
	assert.NoError(t, err)
}

// onlyRows returns a line for each link and base whose entity takes accepts.
func onlyRows(t *testing.T, d Document, only func(string) bool, takes func(*Entity) bool) (rows []string) {
	x := Extractor{Only: only}
	for l, err := range x.Links(t.Context(), d) {
		if err == nil && takes(l.Entity) {
			rows = append(rows, fmt.Sprint("link ", l.Entity.Path, " ", l.Place(), " ", l.Offset, " ", string(l.Ref), " ", string(l.URL), " ", l.Part, " ", l.Scope.Base(), " ", l.PageURL()))
		}
	}
	for e, err := range x.Bases(t.Context(), d) {
		if err == nil && takes(e) {
			rows = append(rows, fmt.Sprint("base ", e.Path, " ", e.Type, " ", e.Scope.Base(), " ", e.Scope.By()))
		}
	}
	return rows
}
