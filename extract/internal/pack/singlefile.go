// What SingleFile writes: zip archives of saved pages, and pages that are such archives.

package pack

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// SelfExtracting is the format of a page that is also a zip archive, as SingleFile writes it. A script in the page, the
// loader, shows the page that is in the archive:
//
//	<!DOCTYPE html><html data-sfz>... loader ... <!-- | zip archive | --> ... </html>
//
// The archive may be in an element instead of a comment, for example in noscript, or at the end of the file, and the
// page may begin inside a PNG picture. The files are read but not rewritten, because recovery data in the page describe
// the bytes of the archive.
var SelfExtracting = &mark.Format{Name: "text/html", Holds: mark.SavedFiles, Fragment: true,
	Mark: func(src []byte, m *mark.Marks) {
		if z := (&zipArchive{src: src}); z.mark(m) {
			z.seal(m, "page")
		}
	}}

// loaderStart is the start tag of SingleFile's loader. A browser that saves the page that the loader has shown spells
// it differently.
const loaderStart = "<html data-sfz>"

// IsSelfExtracting reports whether an HTML page is also a zip archive with a page. If the archive is truncated, the
// page must begin with SingleFile's loader. Text has no control characters like those of the signatures, so a fast
// search for one byte at the end is enough for an ordinary page.
func IsSelfExtracting(src []byte) bool {
	tail := src[max(0, len(src)-zipEndLen-longestComment):]
	return bytes.IndexByte(tail, zipEnd[2]) >= 0 && hasPage(src) ||
		bytes.IndexByte(tail, zipLocal[2]) >= 0 &&
			bytes.Contains(src[:min(len(src), mark.SniffLen)], []byte(loaderStart)) &&
			bytes.Contains(src, []byte(zipLocal))
}

// hasPage reports whether src is a zip archive with a page.
func hasPage(src []byte) bool {
	z := &zipArchive{src: src}
	isPage := func(m zipMember) bool { return m.why == "" && path.Base(m.name) == "index.html" }
	return z.read() == nil && slices.ContainsFunc(z.members, isPage)
}

var (
	originalURLPlace = &mark.Place{Name: "originalUrl"}
	resourcesPlace   = &mark.Place{Name: "resources"}
)

// savedIndex is what a manifest.json tells about a page. It is in the folder of the page, and in that of each frame.
// Others has the URLs of other files, by their names.
type savedIndex struct {
	URL    string            `json:"originalUrl"`
	Page   string            `json:"indexFilename"`
	Others map[string]string `json:"resources"`
}

const longestIndex = 1 << 20

// savedFile is the URL of a file of a saved page, and the index that has it.
type savedFile struct {
	url   string
	place *mark.Place
	index codec.Span
}

// savedFiles returns the files whose URLs are known, by their names. It marks each manifest.json that describes a page
// as an index, which is not read as a document.
func (z *zipArchive) savedFiles(m *mark.Marks) map[string]savedFile {
	files := map[string]savedFile{}
	var dirs []string
	left := mark.RatioFree // of the bytes that may be decompressed
	for i := range z.members {
		at := &z.members[i]
		dir, file := path.Split(at.name)
		if file != "manifest.json" || at.text.value > longestIndex || left < 0 {
			continue
		}
		if at.check(z.src, &m.Settings); at.why != "" {
			continue
		}
		text, err := at.codec().Decode(z.src[at.data.Start:at.data.End])
		left -= len(text)
		var index savedIndex
		if err != nil || json.Unmarshal(text, &index) != nil || index.Page == "" {
			continue
		}
		at.index, dirs = true, append(dirs, dir)
		for name, url := range index.Others {
			files[dir+name] = savedFile{url, resourcesPlace, at.data}
		}
		if index.URL != "" {
			files[dir+index.Page] = savedFile{index.URL, originalURLPlace, at.data}
		}
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		if !z.isSaved(dir) {
			z.saved = append(z.saved, dir)
		}
	}
	return files
}

// isSaved reports whether a file is in the folder of a saved page, at any depth.
func (z *zipArchive) isSaved(name string) bool {
	i, found := slices.BinarySearch(z.saved, name)
	return found || i > 0 && strings.HasPrefix(name, z.saved[i-1])
}

// longestName limits the names of files whose links may lead to other files of the archive. No file system has longer
// paths, and a long name with many links would take much time.
const longestName = 4096

// reachable returns the files of the archive to which a document of a saved page may link. Such a file is a local copy,
// except that a link of the page to itself means the URL of the page. reachable returns nil for a document that is not
// part of a saved page.
func (z *zipArchive) reachable(document string, isPage bool) *mark.Files {
	if len(document) > longestName || !z.isSaved(document) {
		return nil
	}
	if z.names == nil {
		z.names = map[string]bool{}
		for i := range z.members {
			z.names[z.members[i].name] = !z.members[i].index
		}
	}
	dir := path.Dir(document)
	return &mark.Files{Has: func(ref string) bool {
		name := path.Join(dir, ref)
		return z.names[name] && !(isPage && name == document)
	}}
}
