package pack

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// MAFF is a zip archive of saved pages (Mozilla Archive Format): each has a folder of its
// own at the top, and in it an index.rdf that says what URL it is from, and which file it is.
// A zip archive by SingleFile has a manifest.json for that, beside its page and in the folder of
// each frame.
var MAFF = &mark.Format{Name: "application/x-maff", Exts: []string{".maff"}, Holds: mark.NamedFiles, Fragment: true, Extract: extractZip}

const (
	mafIndex     = "index.rdf"
	mafPage      = "index.html" // where MAF:indexfilename says nothing else
	longestIndex = 1 << 20

	singleFileIndex = "manifest.json"
)

var (
	originalURLPlace   = &mark.Place{Name: "MAF:originalurl"}
	singleFileURLPlace = &mark.Place{Name: "originalUrl"}
)

// savedPages gives the scopes of those files that are pages, by their names. What says so
// is a part of the archive's directory rather than a document in it: it has to be known
// before the first file is marked, and is not marked itself, for what it has in RDF:resource
// are a title and a file's name as well.
func (z *zipArchive) savedPages(f *mark.Marks) map[string]int32 {
	var pages map[string]int32
	left := mark.RatioFree // of what is unpacked for it
	for i := range z.members {
		m := &z.members[i]
		dir, file := path.Split(m.name)
		read, place := readMAF, originalURLPlace
		switch {
		case file == mafIndex && strings.Count(dir, "/") == 1:
		case file == singleFileIndex:
			read, place = readSingleFile, singleFileURLPlace
		default:
			continue
		}
		if m.text.value > longestIndex || left < 0 {
			continue
		}
		if m.check(z.src, f); m.why != "" {
			continue
		}
		text, err := m.codec().Decode(z.src[m.data.Start:m.data.End])
		if left -= len(text); err != nil {
			continue
		}
		url, page, is := read(text)
		m.index = is
		if url == "" {
			continue
		}
		if pages == nil {
			pages = map[string]int32{}
		}
		pages[dir+page] = f.Retrieved(place, m.data, codec.Constant(url))
	}
	return pages
}

// beside says which paths from a page lead to files of its folder, which are its local copies.
func (z *zipArchive) beside(page string) func(path string) bool {
	dir, file := page[:strings.LastIndexByte(page, '/')+1], page[strings.LastIndexByte(page, '/')+1:]
	if z.names == nil {
		z.names = map[string]bool{}
		for i := range z.members {
			z.names[z.members[i].name] = true
		}
	}
	return func(path string) bool { return path != file && z.names[dir+path] }
}

// readMAF gives what an index.rdf says: the values of RDF:resource on two elements, whatever
// their prefixes. It is another file of that name, such as a feed, if it has no MAF:originalurl.
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

// resourceOf gives the value of the attribute resource in what is left of a tag.
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

// readSingleFile is readMAF for a manifest.json. Another file of that name has no indexFilename.
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

// localName is a name of XML without its prefix.
func localName(name []byte) string { return string(name[bytes.IndexByte(name, ':')+1:]) }
