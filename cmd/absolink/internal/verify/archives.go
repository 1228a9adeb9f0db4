// Compressed files and archives, read by the standard library.

package verify

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// unpack compares the content of both versions if they are compressed, and reports whether they are.
func (k *checker) unpack(e entity) (d *Difference, done bool) {
	switch {
	case bytes.HasPrefix(e.old, []byte("\x1F\x8B")) && e.path != "" && strings.HasPrefix(e.kind, "text/") &&
		bytes.Equal(e.old, e.new): // it need not be read
		return nil, true
	case bytes.HasPrefix(e.old, []byte("\x1F\x8B")):
		return k.archive(e, "compress/gzip", k.readGzip), true
	case bytes.HasPrefix(e.old, []byte("BZh")):
		return k.archive(e, "compress/bzip2", func(src []byte) ([]member, error) {
			text, err := k.inflate(bzip2.NewReader(bytes.NewReader(src)), nil)
			return []member{{name: "bzip2", content: text}}, err
		}), true
	case bytes.HasPrefix(e.old, []byte("\x28\xB5\x2F\xFD")) && !bytes.Equal(e.old, e.new):
		return k.unable(e.path, "the standard library has no reader for zstd"), true
	}
	return nil, false
}

// member is a file in an archive, or the content of a compressed file.
type member struct {
	name, file, header string // file is the name if it is that of a file, which may determine the type
	content            []byte
}

// same returns what all files have with the same name and content.
func (m *member) same() any { return [2]any{m.name, crc32.ChecksumIEEE(m.content)} }

func (k *checker) readGzip(src []byte) ([]member, error) {
	in := bytes.NewReader(src)
	m := member{name: "gzip"}
	z, err := gzip.NewReader(in)
	for err == nil {
		z.Multistream(false)
		var text []byte
		text, err = k.inflate(z, nil)
		m.header += fmt.Sprintf("%q %+v %t\n", z.Extra, z.Header, bytes.HasPrefix(text, []byte("WARC/")))
		if m.content = append(m.content, text...); err == nil {
			err = z.Reset(in)
		}
	}
	if err == io.EOF && m.header != "" {
		err = nil
	}
	return []member{m}, err
}

func (k *checker) archive(e entity, reader string, read func([]byte) ([]member, error)) *Difference {
	old, err := read(e.old)
	new, err2 := read(e.new)
	switch {
	case err != nil && bytes.Equal(e.old, e.new):
	case err2 != nil && k.doc.Malformed[e.path]:
		return k.unable(e.path, "absolink calls an archive malformed")
	case err != nil || err2 == errTooLong:
		k.unable(e.path, reader+" cannot read the file to its end", fmt.Sprint(err, err2))
	case err2 != nil:
		return e.differ(0, 0, "%s cannot read the new version: %v", reader, err2)
	}
	switch {
	case len(old) == len(new):
	case err != nil:
		return nil
	default:
		return e.differ(0, 0, "the archive has %d files, and had %d", len(new), len(old))
	}
	if e.kind == bookType {
		e.bases = bases{} // no base around a book applies in it (EPUB 3.3, 6.1.5)
	}
	files, names := k.localFiles(&e, old), map[any]int{}
	for _, m := range old {
		names[m.name]++
		names[m.same()]++
	}
	for i, m := range old {
		n := new[i]
		in := k.memberIn(&e, m, n.content, files)
		in.plain = in.plain && err == nil
		joined := m.file == "" && joinsMembers().MatchString(in.kind) && n.header != "" &&
			strings.HasPrefix(m.header, n.header)
		if m.name != n.name || m.header != n.header && !joined {
			return e.differText(m.name+" "+m.header, n.name+" "+n.header, 0, 0, "the headers of "+reader+" changed")
		}
		record := ""
		if m.file != "" && e.file && !e.member {
			record, k.result.Unit = in.path, "files"
			k.result.All++
		}
		if names[m.name] > names[m.same()] { // absolink's links in all of them have the same path
			k.unable(in.path, "an archive has different files of the same name")
		} else if d := k.check(in); d != nil && !k.noted(record, d) {
			return d
		}
	}
	return nil
}

// memberIn returns the entity of a member of an archive. A file has the URL that the document has for it.
func (k *checker) memberIn(e *entity, m member, new []byte, files *local) entity {
	in := e.inner(m.name, "", m.content, new, e.bases)
	in.plain, in.kind, in.charset, in.evidence = in.plain && !k.doc.Malformed[e.path], e.kind, e.charset, e.evidence
	if m.file != "" || in.kind == "" || strings.Contains(in.kind, "zip") {
		in.setType(k.doc.TypeOf(m.file, m.content[:min(len(m.content), 1024)]))
	}
	if m.file != "" {
		in.member, in.folder, in.local = true, e.folder+m.file+"/", files.of(m.file, in.kind)
		if in.disk = ""; e.path == "" && filepath.IsLocal(m.file) && !isContainer().MatchString(in.kind) {
			in.disk = path.Join(k.doc.Path, m.file)
		}
	}
	if m.file == "" || !e.file || k.doc.MemberURL == nil || k.doc.URL != "" {
		return in
	}
	switch url := k.doc.MemberURL(e.folder + m.name); {
	case url == "":
	case k.doc.Guessed && isPageType().MatchString(in.kind):
		in.evidence = url
	default:
		in.bases, in.url = bases{base{url: url}, base{url: url}}, url
	}
	return in
}

// joinsMembers matches the documents of which several members of gzip become one.
var joinsMembers = pattern(`^application/(?:mbox|x-tar)`)

// isPageType matches the documents that may record their own URL, which takes precedence over a guess.
var isPageType = pattern(`^(?:text/html|application/xhtml|message/rfc822)`)

// isArchive reports whether a page is also a zip archive with a page. absolink never changes one, because it has
// recovery data of the archive.
func isArchive(page []byte) bool {
	z, err := zip.NewReader(bytes.NewReader(page), int64(len(page)))
	return err == nil &&
		slices.ContainsFunc(z.File, func(f *zip.File) bool { return path.Base(f.Name) == "index.html" })
}

// readZip returns the files of a zip archive, after a member without a name that has the comment of the archive.
func (k *checker) readZip(src []byte) (all []member, err error) {
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return nil, err
	}
	before, _, _ := bytes.Cut(src, []byte("PK\x03\x04"))
	all = append(all, member{header: z.Comment + string(before)})
	for _, f := range z.File {
		in, err := f.Open()
		content, err := k.inflate(in, err) // it checks the CRC-32
		if f.Flags&0x2001 != 0 {
			content, err = nil, nil // it is encrypted, so its CRC-32 tells whether it is the same
			f.Comment += fmt.Sprint(f.CRC32)
		}
		if err != nil {
			return all, err
		}
		at, _ := f.DataOffset()
		local := src[max(0, bytes.LastIndex(src[:at], []byte("PK\x03\x04"))):at] // with the CRC-32 and sizes from 14 on
		header := fmt.Sprintf("%d %d %v %o %q %q %x %q %q", f.Method, f.CreatorVersion, f.Modified, f.ExternalAttrs,
			f.Comment, f.Extra, f.Flags, local[:14], local[26:min(30+len(f.Name), len(local))])
		name := nameOf(f)
		if f.CreatorVersion>>8 == 0 && !strings.Contains(name, "/") {
			name = strings.ReplaceAll(name, `\`, "/")
		}
		all = append(all, member{name: name, file: name, header: header, content: content})
	}
	return all, nil
}

// nameOf returns the name of a file in UTF-8: that of its Info-ZIP Unicode Path field, or decoded from code page 437.
func nameOf(f *zip.File) string {
	for extra := []byte(f.Extra); len(extra) >= 4; {
		n := 4 + int(binary.LittleEndian.Uint16(extra[2:]))
		if n > len(extra) {
			break
		}
		if field := extra[4:n]; binary.LittleEndian.Uint16(extra) == 0x7075 && len(field) > 5 && field[0] == 1 &&
			binary.LittleEndian.Uint32(field[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) {
			return string(field[5:])
		}
		extra = extra[n:]
	}
	if f.NonUTF8 && !utf8.ValidString(f.Name) {
		if name, err := charmap.CodePage437.NewDecoder().String(f.Name); err == nil {
			return name
		}
	}
	return f.Name
}

func readTar(src []byte) (all []member, err error) {
	raw, end := bytes.NewReader(src), 0 // end is that of the last file
	in := tar.NewReader(raw)
	for {
		h, err := in.Next()
		if n := len(all); err == io.EOF {
			if n > 0 {
				all[n-1].header += string(src[end:])
			}
			return all, nil
		}
		content, err2 := io.ReadAll(in)
		end = min((len(src)-raw.Len()+511)&^511, len(src))
		if err = cmp.Or(err, err2); err != nil {
			return all, err
		}
		h.Size = 0
		delete(h.PAXRecords, "size")
		all = append(all, member{name: h.Name, file: h.Name, header: fmt.Sprintf("%+v", *h), content: content})
	}
}
