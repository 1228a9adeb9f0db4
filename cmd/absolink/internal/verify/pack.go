package verify

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"reflect"
	"slices"
	"strings"
)

// unpack decompresses both versions, if they are compressed, and compares the content. done reports whether they are.
func (k *checker) unpack(e entity) (d *Difference, done bool) {
	switch {
	case bytes.HasPrefix(e.old, []byte("\x1F\x8B")):
		return k.gzip(e), true
	case bytes.HasPrefix(e.old, []byte("BZh")):
		return k.bzip2(e), true
	case bytes.HasPrefix(e.old, []byte("\x28\xB5\x2F\xFD")):
		return k.unable(e.path, "the standard library has no reader for zstd"), true
	}
	return nil, false
}

// content compares the decompressed content.
func (k *checker) content(e entity, old, new []byte) *Difference {
	in := e
	in.old, in.new = old, new
	if strings.Contains(in.kind, "gzip") || strings.Contains(in.kind, "bzip2") || in.kind == "" {
		in.kind = ""
		if k.doc.TypeOf != nil {
			in.setType(k.doc.TypeOf("", old[:min(len(old), 1024)]))
		}
	}
	return k.check(in)
}

// gunzipped is a gzip file: the headers of its members, and the content of all.
type gunzipped struct {
	headers []gzip.Header
	content []byte
}

// readGzip reads a gzip file.
func (k *checker) readGzip(src []byte) (g gunzipped, err error) {
	in := bytes.NewReader(src)
	z, err := gzip.NewReader(in)
	for err == nil {
		z.Multistream(false)
		g.headers = append(g.headers, z.Header)
		var text []byte
		if text, err = k.inflate(z); err != nil {
			break
		}
		g.content = append(g.content, text...)
		err = z.Reset(in)
	}
	if err == io.EOF && g.headers != nil {
		err = nil
	}
	return g, err
}

// gzip compares two gzip files: the headers of their members, and their content.
func (k *checker) gzip(e entity) *Difference {
	old, new, d, ok := both(k, e, "compress/gzip", "file", k.readGzip)
	if !ok {
		return d
	}
	if !reflect.DeepEqual(old.headers, new.headers) {
		return e.differ(0, 0, "the headers of gzip members changed: %d members, and %d before", len(new.headers), len(old.headers))
	}
	return k.content(e, old.content, new.content)
}

// bzip2 compares the content of two bzip2 files.
func (k *checker) bzip2(e entity) *Difference {
	read := func(src []byte) ([]byte, error) { return k.inflate(bzip2.NewReader(bytes.NewReader(src))) }
	old, new, d, ok := both(k, e, "compress/bzip2", "file", read)
	if !ok {
		return d
	}
	return k.content(e, old, new)
}

// member is a file in an archive.
type member struct {
	name, header string
	content      []byte
}

// members compares the files of two archives.
func (k *checker) members(e entity, old, new []member) *Difference {
	if len(old) != len(new) {
		return e.differ(0, 0, "the archive has %d files, and had %d", len(new), len(old))
	}
	for i, m := range old {
		n := new[i]
		if m.name != n.name || m.header != n.header {
			return e.differText(m.name+" "+m.header, n.name+" "+n.header, 0, 0, "the header of the file "+m.name+" changed")
		}
		if bytes.Equal(m.content, n.content) {
			continue
		}
		kind, outer := "", e.bases
		if k.doc.TypeOf != nil {
			kind = k.doc.TypeOf(m.name, m.content[:min(len(m.content), 1024)])
		}
		if k.doc.MemberURL != nil {
			if url := k.doc.MemberURL(m.name); url != "" {
				outer = bases{base{url: url}, base{url: url}}
			}
		}
		in := e.inner(m.name, kind, m.content, n.content, outer)
		if d, done := k.unpack(in); done {
			if d != nil {
				return d
			}
			continue
		}
		if kind == "" {
			return in.differText(string(m.content), string(n.content), 0, 0, "a file of unknown type changed")
		}
		if d := k.check(in); d != nil {
			return d
		}
	}
	return nil
}

// zip compares two zip archives.
func (k *checker) zip(e entity) *Difference {
	old, new, d, ok := both(k, e, "archive/zip", "archive", k.readZip)
	if !ok {
		return d
	}
	return k.members(e, old, new)
}

// isArchive reports whether a page is also a zip archive with a page. Absolink never changes such a page, because it has
// recovery data of the archive.
func isArchive(page []byte) bool {
	z, err := zip.NewReader(bytes.NewReader(page), int64(len(page)))
	return err == nil && slices.ContainsFunc(z.File, func(f *zip.File) bool { return path.Base(f.Name) == "index.html" })
}

// readZip returns the files of a zip archive. The first one stands for the archive, with its comment.
func (k *checker) readZip(src []byte) (all []member, err error) {
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return nil, err
	}
	all = append(all, member{header: z.Comment})
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		content, err := k.inflate(in) // it checks the CRC-32
		if err != nil {
			return nil, err
		}
		all = append(all, member{f.Name, fmt.Sprintf("%d %d %v %o %q %q", f.Method, f.CreatorVersion, f.Modified, f.ExternalAttrs, f.Comment, f.Extra), content})
	}
	return all, nil
}

// tar compares two tar archives.
func (k *checker) tar(e entity) *Difference {
	old, new, d, ok := both(k, e, "archive/tar", "archive", readTar)
	if !ok {
		return d
	}
	return k.members(e, old, new)
}

// readTar returns the files of a tar archive.
func readTar(src []byte) (all []member, err error) {
	in := tar.NewReader(bytes.NewReader(src))
	for {
		h, err := in.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		size := h.Size
		h.Size = 0
		delete(h.PAXRecords, "size")
		header := fmt.Sprintf("%+v", *h)
		if size != int64(len(content)) {
			header += "sparse"
		}
		all = append(all, member{h.Name, header, content})
	}
}
