package saved

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"path"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// Saved describes how a page was saved, if that decides what its links mean. It is nil for a page that was not saved.
// The documents that are embedded in the page share it.
type Saved struct {
	File     string // the name of the page
	Folder   bool   // by a browser, with a companion folder NAME_files
	Archived bool   // from the Wayback Machine, with links into it
	Depth    int    // by HTTrack: folders between the page and its host's root; -1 if it was not
	named    bool   // by WebScrapBook, under names of its own: every other reference is absolute

	Beside func(path string) bool // reports whether the archive of the page has a file at a path, relative to the page; or nil
}

// By adds what a saver means for the links of a page. d declares the URL that the saver wrote, and file is the name of
// the page. s may be nil. By returns s, or a new Saved, or nil if the saver does not change what links mean.
func (s *Saved) By(who *mark.Saver, d base.Declaration, file string) *Saved {
	if who != MarkOfTheWeb && who != HTTrack && who != WaybackSaver && who != WebScrapBook {
		return s
	}
	if s == nil {
		s = &Saved{File: file, Depth: -1}
	}
	switch who {
	case MarkOfTheWeb:
		// Authors write about:internet by hand, so that a browser runs the scripts of the page.
		s.Folder = s.Folder || d.Value != "about:internet"
	case HTTrack:
		_, path, _ := strings.Cut(d.Value, "://")
		path, _, _ = strings.Cut(path, "?")
		s.Depth = max(0, strings.Count(path, "/")-1)
	case WaybackSaver:
		s.Archived = true
	case WebScrapBook:
		s.named = true
	}
	return s
}

// companionEnds are the suffixes that Windows and browsers add to the name of a page, in their languages. The result is
// the name of the folder with the files of the page.
var companionEnds = strings.Fields("_files .files -Dateien _fichiers _bestanden _file _archivos -filer _tiedostot _pliki _soubory " +
	"_elemei _ficheiros _arquivos _dosyalar _datoteke _fitxers _failid _fails _bylos _fajlovi _fitxategiak")

// LocalCopy is the error of a reference to a local copy. Its value describes the copy.
type LocalCopy string

func (which LocalCopy) Error() string { return "a local copy " + string(which) }

// Local returns a LocalCopy if a relative reference leads to a local copy, or nil.
func (s *Saved) Local(ref []byte) error {
	ref, _, _ = bytes.Cut(ref, []byte("#"))
	ref, query, _ := bytes.Cut(ref, []byte("?"))
	if len(ref) == 0 || ref[0] == '/' {
		return nil
	}
	switch {
	case s.Folder && inCompanion(s.File, string(ref)):
		return LocalCopy("in the page's companion folder")
	case s.Beside != nil && s.Beside(path.Clean(string(ascii.PercentDecoded(ref)))):
		return LocalCopy("in the page's archive")
	case s.named:
		return LocalCopy("by WebScrapBook")
	case s.Depth >= 0 && climbs(string(ref), s.Depth):
		return LocalCopy("by HTTrack of what is on another host")
	case s.Depth >= 0 && namedByQuery(ref, query):
		return LocalCopy("that HTTrack has named by its query")
	}
	return nil
}

// namedByQuery reports whether a path ends in a name that HTTrack uses for a document that was retrieved with a query.
// The first four digits of the MD5 of the query are before the extension. The extension is that of the document's type.
func namedByQuery(path, query []byte) bool {
	if len(query) == 0 {
		return false
	}
	const digits = 4
	dot := bytes.LastIndexByte(path, '.')
	if dot < digits {
		return false
	}
	sum := md5.Sum(query)
	return string(path[dot-digits:dot]) == hex.EncodeToString(sum[:])[:digits]
}

// inCompanion reports whether a path leads into the companion folder of a page. The page may have been renamed, so any
// folder name that ends in "_files" is accepted: it is rare in a site. A frame of a page is itself a page in the folder.
func inCompanion(document, path string) bool {
	dir, name := "", document
	if i := strings.LastIndexByte(document, '/'); i >= 0 {
		dir, name = document[:i], document[i+1:]
	}
	path = strings.TrimPrefix(path, "./")
	first, _, inFolder := strings.Cut(path, "/")
	if !inFolder {
		return strings.HasSuffix(dir, companionEnds[0])
	}
	first = string(ascii.PercentDecoded([]byte(first)))
	if strings.HasSuffix(first, companionEnds[0]) && first != companionEnds[0] {
		return true
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	for _, end := range companionEnds {
		if first == name+end {
			return true
		}
	}
	return false
}

// climbs reports whether a path leads out of more folders than it is deep in.
func climbs(path string, depth int) bool {
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return true
			}
		default:
			depth++
		}
	}
	return false
}
