package inputs

import (
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"howett.net/plist"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// whereFromsOf returns a property list as macOS writes it.
func whereFromsOf(t *testing.T, urls ...string) []byte {
	list, err := plist.Marshal(urls, plist.BinaryFormat)
	require.NoError(t, err)
	return list
}

// doubleOf returns an AppleDouble file with extended attributes, in the layout of XNU.
func doubleOf(attrs ...string) []byte {
	be := binary.BigEndian
	b := be.AppendUint32(nil, 0x00051607)
	b = append(be.AppendUint32(b, 0x00020000), "Mac OS X        "...)
	b = be.AppendUint16(b, 2)
	const start = 26 + 2*12
	b = be.AppendUint32(be.AppendUint32(be.AppendUint32(b, 9), start), 3760) // Finder info
	b = be.AppendUint32(be.AppendUint32(be.AppendUint32(b, 2), 3810), 286)   // resource fork
	b = append(b, make([]byte, 32+2)...)
	data := len(b) + 36
	for i := 0; i < len(attrs); i += 2 {
		data += (11 + len(attrs[i]) + 1 + 3) &^ 3
	}
	b = append(b, "ATTR"...)
	for _, n := range []uint32{0, uint32(data), uint32(data), 0, 0, 0, 0} {
		b = be.AppendUint32(b, n)
	}
	b = be.AppendUint16(be.AppendUint16(b, 0), uint16(len(attrs)/2))
	for i := 0; i < len(attrs); i += 2 {
		b = be.AppendUint32(be.AppendUint32(b, uint32(data)), uint32(len(attrs[i+1])))
		b = append(be.AppendUint16(b, 0), byte(len(attrs[i])+1))
		b = append(append(b, attrs[i]...), 0)
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
		data += len(attrs[i+1])
	}
	for i := 0; i < len(attrs); i += 2 {
		b = append(b, attrs[i+1]...)
	}
	return b
}

// Files in which other systems keep attributes.
func TestFileEvidenceBeside(t *testing.T) {
	wheres := string(whereFromsOf(t, "http://h/p/", "http://referrer/"))
	double := string(doubleOf("com.apple.quarantine", "0083;x", whereFroms, wheres))
	for _, row := range []struct {
		name, beside, text string
		want               []extract.Evidence
	}{
		{"macOS", "._page.html", double, []extract.Evidence{{By: "kMDItemWhereFroms", URL: "http://h/p/"}}},
		{"without the attribute", "._page.html", string(doubleOf("com.apple.quarantine", "0083;x")), nil},
		{"without attributes", "._page.html", double[:50], nil},
		{"an empty list", "._page.html", string(doubleOf(whereFroms, string(whereFromsOf(t)))), nil},
		{"not a property list", "._page.html", string(doubleOf(whereFroms, "bplist00")), nil},
		{"not an AppleDouble file", "._page.html", "<a href=x>", nil},
		{"Windows", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\nHostUrl=http://h/p/\r\n",
			[]extract.Evidence{{By: "Zone.Identifier", URL: "http://h/p/"}}},
		{"the stream under WSL", "page.html\uF03AZone.Identifier", "[ZoneTransfer]\nHostUrl=http://h/p/", []extract.Evidence{{By: "Zone.Identifier", URL: "http://h/p/"}}},
		{"only a referrer: no evidence", "page.html:Zone.Identifier", "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://referrer/\r\n", nil},
		{"attributes of another file", "other.html:Zone.Identifier", "HostUrl=http://h/p/", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, row.beside), []byte(row.text), 0o644))
			assert.Equal(t, row.want, fileEvidence(Source{Name: filepath.Join(dir, "page.html")}))
		})
	}
	for n := range double {
		appleDouble([]byte(double[:n]), whereFroms) // it does not matter what, but it ends
	}
	assert.Nil(t, fileEvidence(Source{Name: filepath.Join(t.TempDir(), "none")}))
}

// The names of a folder that is read, or that has many PATHs, show which files are beside its pages. The evidence is the same as if
// the files were looked for.
func TestFileEvidenceByFolder(t *testing.T) {
	ini := "[ZoneTransfer]\r\nHostUrl=http://h/p/\r\n"
	double := string(doubleOf(whereFroms, string(whereFromsOf(t, "http://h/p/"))))
	for _, row := range []struct {
		name   string
		beside map[string]string
		found  int  // pages with evidence
		bare   bool // no name is like that of a file with attributes
	}{
		{"only pages", nil, 0, true},
		{"macOS", map[string]string{"._01.html": double}, 1, false},
		{"Windows", map[string]string{"01.html:Zone.Identifier": ini, "02.html\uF03AZone.Identifier": ini}, 2, false},
		{"of another file", map[string]string{"._x": double, "x:Zone.Identifier": ini}, 0, false},
		{"another case, which the file system may ignore", map[string]string{"x:ZONE.identifier": ini}, 0, false},
		{"similar names", map[string]string{".01.html": double, "01.html:zone": ini, "_01.html": double}, 0, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			root := t.TempDir()
			dir, link := filepath.Join(root, "pages"), filepath.Join(root, "link")
			require.NoError(t, os.Mkdir(dir, 0o777))
			require.NoError(t, os.Symlink("pages", link))
			pages := writePages(t, dir, 4)
			for name, text := range row.beside {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			var linked []string
			for _, page := range pages {
				linked = append(linked, filepath.Join(link, filepath.Base(page)))
			}
			bare := row.bare && files.ListsAll(dir)
			for _, in := range []struct {
				paths []string
				times int  // each page is read
				reads bool // the folder is read
			}{
				{[]string{dir}, 1, true},
				{[]string{dir, dir}, 2, true},
				{[]string{link}, 1, true},
				{[]string{root}, 1, true},
				{pages, 1, true},
				{linked, 1, true},
				{append(pages[:4:4], link), 2, true},
				{append(pages[:3:3], linked...), 2, false}, // two rows
			} {
				found := 0
				for src := range sources(t, Config{Paths: in.paths}) {
					got := fileEvidence(src)
					assert.Equal(t, fileEvidence(Source{Name: src.Name}), got, "%s in %v", src.Name, in.paths)
					found += len(got)
					if in.reads {
						assert.Equal(t, bare, src.bare(), "%s in %v", src.Name, in.paths)
					}
				}
				if in.reads {
					assert.Equal(t, row.found*in.times, found, in.paths)
				}
			}
		})
	}
}

// A folder is read at the first of its files. A file that appears later is not seen there. It is seen where no folder is read.
func TestFileEvidenceLater(t *testing.T) {
	dir := t.TempDir()
	if !files.ListsAll(dir) {
		t.Skip("on this file system the files beside each page are looked for: " + dir)
	}
	pages := writePages(t, dir, 6)
	later := pages[4] + ":" + zoneIdentifier
	for _, row := range []struct {
		name  string
		paths []string
		found int
	}{
		{"a folder", []string{dir}, 0},
		{"many PATHs", pages, 0},
		{"a few PATHs", pages[3:], 1},
	} {
		found := 0
		for src := range sources(t, Config{Paths: row.paths}) {
			found += len(fileEvidence(src))
			require.NoError(t, os.WriteFile(later, []byte("HostUrl=http://h/p/"), 0o666))
		}
		require.NoError(t, os.Remove(later))
		assert.Equal(t, row.found, found, row.name)
	}
}

// The files beside the pages of a list are looked for if the folder only lets its files be opened, or if it has many more names.
func TestFileEvidenceUnreadFolder(t *testing.T) {
	dir := t.TempDir()
	pages := writePages(t, dir, 4)
	assert.Equal(t, files.ListsAll(dir), isBare(dir, 4))
	assert.False(t, isBare(dir, 3), "more names than are read")
	assert.False(t, isBare(filepath.Join(dir, "none"), 4))
	assert.False(t, isBare(pages[0], 4), "not a folder")

	require.NoError(t, os.WriteFile(pages[1]+":"+zoneIdentifier, []byte("HostUrl=http://h/p/"), 0o666))
	require.NoError(t, os.Chmod(dir, 0o111))
	defer os.Chmod(dir, 0o777)
	var all []extract.Evidence
	for src := range sources(t, Config{Paths: pages}) {
		all = append(all, fileEvidence(src)...)
	}
	assert.Equal(t, []extract.Evidence{{By: zoneIdentifier, URL: "http://h/p/"}}, all)
}

// writePages writes n empty pages, and returns their paths.
func writePages(t *testing.T, dir string, n int) (pages []string) {
	for i := range n {
		pages = append(pages, filepath.Join(dir, fmt.Sprintf("%02d.html", i)))
		require.NoError(t, os.WriteFile(pages[i], nil, 0o666))
	}
	return pages
}

// sources yields the selected documents, and closes them.
func sources(t *testing.T, c Config) iter.Seq[Source] {
	return func(yield func(Source) bool) {
		for src, err := range Select(c).All(true) {
			require.NoError(t, err)
			more := yield(src)
			if src.file != nil {
				require.NoError(t, src.file.Close())
			}
			if !more {
				return
			}
		}
	}
}
