package extract_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"path"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// below returns the files of a case below a directory, with their paths in it.
func below(dir string, c *txtar.Archive) (files []txtar.File) {
	for _, f := range c.Files {
		if name, ok := strings.CutPrefix(f.Name, dir); ok {
			files = append(files, txtar.File{Name: name, Data: f.Data})
		}
	}
	return files
}

// archiveOf returns an archive of files, of the kind that the extension of its name says: tar, gz (each file is a member of
// gzip), html (a self-extracting page), or zip for all others.
func archiveOf(t testing.TB, name string, files []txtar.File) []byte {
	require.NotEmpty(t, files)
	var out bytes.Buffer
	write := func(w io.Writer, f txtar.File) {
		_, err := w.Write(f.Data)
		require.NoError(t, err)
	}
	switch path.Ext(name) {
	case ".tar":
		w := tar.NewWriter(&out)
		for _, f := range files {
			require.NoError(t, w.WriteHeader(&tar.Header{Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))}))
			write(w, f)
		}
		require.NoError(t, w.Close())
	case ".gz":
		for _, f := range files {
			w := gzip.NewWriter(&out)
			w.Name = f.Name
			write(w, f)
			require.NoError(t, w.Close())
		}
	default:
		w := zip.NewWriter(&out)
		page := path.Ext(name) == ".html"
		if page {
			out.WriteString(loader)
			w.SetOffset(int64(out.Len()))
		}
		for _, f := range files {
			member, err := w.Create(f.Name)
			require.NoError(t, err)
			write(member, f)
		}
		require.NoError(t, w.Close())
		if page {
			out.WriteString(loaderEnd)
		}
	}
	return out.Bytes()
}

// The two parts of a page that is also a zip archive, as SingleFile writes it. The archive is between them.
const (
	loader = "<!DOCTYPE html><html data-sfz><meta charset=windows-1252><title></title><link rel=canonical href=/canonical><body hidden>" +
		"<div id='sfz-error-message'><a href='/extension'>SingleFile</a></div><script>/* the program that unpacks the archive */</script><!--"
	loaderEnd = "--><sfz-extra-data>Y2BgYGAAAA==,,</sfz-extra-data></body></html>"
)

// filesOf returns the files of an archive that archiveOf has made.
func filesOf(t *testing.T, name string, src []byte) (files []txtar.File) {
	add := func(name string, r io.Reader) {
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		files = append(files, txtar.File{Name: name, Data: data})
	}
	switch path.Ext(name) {
	case ".tar":
		r := tar.NewReader(bytes.NewReader(src))
		for h, err := r.Next(); err != io.EOF; h, err = r.Next() {
			require.NoError(t, err)
			add(h.Name, r)
		}
	case ".gz":
		in := bytes.NewReader(src)
		r, err := gzip.NewReader(in)
		for ; err != io.EOF; err = r.Reset(in) {
			require.NoError(t, err)
			r.Multistream(false)
			add(r.Name, r)
		}
	default:
		r, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
		require.NoError(t, err)
		for _, f := range r.File {
			body, err := f.Open()
			require.NoError(t, err)
			add(f.Name, body)
		}
	}
	return files
}

func rewrittenMembers(t *testing.T, w Walker, d extract.Document) []txtar.File {
	var out bytes.Buffer
	require.NoError(t, w.Rewrite(&out, d))
	return filesOf(t, d.Name, out.Bytes())
}

// checkMembers checks that a rewritten archive has the files of the case in their order. A file without a section
// rewrite/NAME must stay unchanged.
func checkMembers(t *testing.T, w Walker, d extract.Document, c *txtar.Archive) {
	change := map[string]bool{}
	for _, f := range below("rewrite/", c) {
		change[f.Name] = true
	}
	before, after := below("files/", c), rewrittenMembers(t, w, d)
	require.Len(t, after, len(before))
	for i, f := range after {
		assert.Equal(t, before[i].Name, f.Name)
		assert.Equal(t, change[f.Name], string(before[i].Data) != string(f.Data), "%s has a section rewrite/%[1]s exactly if it changes", f.Name)
	}
}
