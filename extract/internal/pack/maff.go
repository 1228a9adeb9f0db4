package pack

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// MAFF is the format of a zip archive of saved pages (Mozilla Archive Format). Each page is in its own folder. The file
// index.rdf in the folder has the URL of the page and the name of its file:
//
//	1/index.rdf   <MAF:originalurl RDF:resource="http://h/p/"/> <MAF:indexfilename RDF:resource="index.html"/>
//	1/index.html
//	1/index_files/...
//
// A zip archive by SingleFile has a manifest.json instead, in the folder of the page and in the folder of each frame.
var MAFF = &mark.Format{Name: "application/x-maff", Exts: []string{".maff"}, Holds: mark.SavedFiles, Fragment: true, Extract: extractZip}

const (
	mafIndex     = "index.rdf"
	mafPage      = "index.html" // unless MAF:indexfilename names another file
	longestIndex = 1 << 20

	singleFileIndex = "manifest.json"
)

var (
	originalURLPlace   = &mark.Place{Name: "MAF:originalurl"}
	singleFileURLPlace = &mark.Place{Name: "originalUrl"}
)

// savedPages returns the scopes of the saved pages, by the names of their files. It sets index for the files index.rdf and
// manifest.json that describe a page. An index is not marked as a document: its attributes RDF:resource also have titles
// and file names, which are not links. savedPages must be called before the first file is marked.
func (z *zipArchive) savedPages(m *mark.Marks) map[string]int32 {
	var pages map[string]int32
	var dirs []string
	left := mark.RatioFree // of the bytes that may be decompressed
	for i := range z.members {
		index := &z.members[i]
		dir, file := path.Split(index.name)
		read, place := readMAF, originalURLPlace
		switch {
		case file == mafIndex && strings.Count(dir, "/") == 1:
		case file == singleFileIndex:
			read, place = readSingleFile, singleFileURLPlace
		default:
			continue
		}
		if index.text.value > longestIndex || left < 0 {
			continue
		}
		if index.check(z.src, &m.Limits); index.why != "" {
			continue
		}
		text, err := index.codec().Decode(z.src[index.data.Start:index.data.End])
		if left -= len(text); err != nil {
			continue
		}
		url, page, is := read(text)
		if index.index = is; is {
			dirs = append(dirs, dir)
		}
		if url == "" {
			continue
		}
		if pages == nil {
			pages = map[string]int32{}
		}
		pages[dir+page] = m.Retrieved(place, index.data, codec.Constant(url))
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		if !z.isSaved(dir) {
			z.saved = append(z.saved, dir)
		}
	}
	return pages
}

// isSaved reports whether a file is in the folder of a saved page, or in a folder inside it.
func (z *zipArchive) isSaved(name string) bool {
	i, found := slices.BinarySearch(z.saved, name)
	return found || i > 0 && strings.HasPrefix(name, z.saved[i-1])
}

// longestName is the length of the longest name of a file whose links may lead to other files of the archive. No file system
// has longer paths. Without a limit, a long name and many links would take much time.
const longestName = 4096

// beside returns a function that reports whether a path leads from a document of a saved page to a file of the archive. The
// path is relative to the document. Such a file is a local copy. But if the document is a page with a URL, a link to
// itself means this URL. beside returns nil for documents that are not part of a saved page.
func (z *zipArchive) beside(document string, hasURL bool) func(path string) bool {
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
	return func(ref string) bool {
		name := path.Join(dir, ref)
		return z.names[name] && !(hasURL && name == document)
	}
}

// readMAF returns the URL and the file name in an index.rdf. They are the values of RDF:resource in the elements
// MAF:originalurl and MAF:indexfilename. Other prefixes are accepted. is is false if there is no MAF:originalurl. Then the
// file is not an index, but for example a feed.
func readMAF(src []byte) (url, page string, is bool) {
	page = mafPage
	for p := 0; ; {
		i := bytes.IndexByte(src[p:], '<')
		if i < 0 {
			return url, page, is
		}
		p += i + 1
		if bytes.HasPrefix(src[p:], []byte("!--")) {
			end := bytes.Index(src[p:], []byte("-->"))
			if end < 0 {
				return url, page, is
			}
			p += end
			continue
		}
		name := p
		for p < len(src) && !ascii.IsSpace(src[p]) && src[p] != '>' && src[p] != '/' {
			p++
		}
		value := &url
		switch localName(src[name:p]) {
		case "originalurl":
			is = true
		case "indexfilename":
			value = &page
		default:
			continue
		}
		if v, ok := resourceOf(src[p:]); ok {
			*value = v
		}
	}
}

// resourceOf returns the value of the attribute resource. src begins after the name of a tag.
func resourceOf(src []byte) (value string, ok bool) {
	for p := 0; ; {
		p = ascii.SkipSpace(src, p)
		name := p
		for p < len(src) && src[p] != '=' && src[p] != '>' && src[p] != '<' && !ascii.IsSpace(src[p]) {
			p++
		}
		attr := localName(src[name:p])
		for p < len(src) && (src[p] == '=' || ascii.IsSpace(src[p])) {
			p++
		}
		if p == len(src) || src[p] != '"' && src[p] != '\'' {
			return "", false
		}
		end := bytes.IndexByte(src[p+1:], src[p])
		if end < 0 {
			return "", false
		}
		if attr == "resource" {
			text, _ := codec.AttrDouble.Decode(src[p+1 : p+1+end])
			return string(text), true
		}
		p += end + 2
	}
}

// readSingleFile is like readMAF, for a manifest.json. A manifest.json without an indexFilename is not an index.
func readSingleFile(src []byte) (url, page string, is bool) {
	var manifest struct {
		URL  string `json:"originalUrl"`
		Page string `json:"indexFilename"`
	}
	if json.Unmarshal(src, &manifest) != nil || manifest.Page == "" {
		return "", "", false
	}
	return manifest.URL, manifest.Page, true
}

// localName returns the part of an XML name after the prefix.
func localName(name []byte) string { return string(name[bytes.IndexByte(name, ':')+1:]) }
