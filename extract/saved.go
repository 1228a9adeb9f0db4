package extract

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"path"
	"strings"

	"absolink/base"
)

// saved is what the way in which a page was saved means for its links. It is nil for a
// page that was not, and shared by all that stands in the page.
type saved struct {
	file     string // its name
	folder   bool   // by a browser, with a companion folder NAME_files
	archived bool   // from the Wayback Machine, with links into it
	depth    int    // by HTTrack: folders between the page and its host's root; -1 if it was not
	named    bool   // by WebScrapBook, under names of its own: every other reference is absolute

	beside func(path string) bool // there is a file of that path from the page in its archive; or nil
}

// by takes in what one saver means for the links.
func (s *saved) by(who *saver, d base.Declaration, file string) *saved {
	if who != markOfTheWeb && who != httrack && who != waybackSaver && who != webScrapBook {
		return s
	}
	if s == nil {
		s = &saved{file: file, depth: -1}
	}
	switch who {
	case markOfTheWeb:
		// about:internet is what authors write by hand, to be let run by a browser.
		s.folder = s.folder || d.Value != "about:internet"
	case httrack:
		_, path, _ := strings.Cut(d.Value, "://")
		path, _, _ = strings.Cut(path, "?")
		s.depth = max(0, strings.Count(path, "/")-1)
	case waybackSaver:
		s.archived = true
	case webScrapBook:
		s.named = true
	}
	return s
}

// companionEnds are what Windows and browsers put behind the name of a page for the folder
// with what belongs to it, in their languages.
var companionEnds = strings.Fields("_files .files -Dateien _fichiers _bestanden _file _archivos -filer _tiedostot _pliki _soubory " +
	"_elemei _ficheiros _arquivos _dosyalar _datoteke _fitxers _failid _fails _bylos _fajlovi _fitxategiak")

// localCopy is the error of a reference to a local copy: which it is.
type localCopy string

func (which localCopy) Error() string { return "a local copy " + string(which) }

// local says which local copy a relative reference leads to; nil if to none.
func (s *saved) local(ref []byte) error {
	ref, _, _ = bytes.Cut(ref, []byte("#"))
	ref, query, _ := bytes.Cut(ref, []byte("?"))
	if len(ref) == 0 || ref[0] == '/' {
		return nil
	}
	switch {
	case s.folder && inCompanion(s.file, string(ref)):
		return localCopy("in the page's companion folder")
	case s.beside != nil && s.beside(path.Clean(string(percentDecoded(ref)))):
		return localCopy("in the page's archive")
	case s.named:
		return localCopy("by WebScrapBook")
	case s.depth >= 0 && climbs(string(ref), s.depth):
		return localCopy("by HTTrack of what is on another host")
	case s.depth >= 0 && namedByQuery(ref, query):
		return localCopy("that HTTrack has named by its query")
	}
	return nil
}

// namedByQuery says whether a path ends in a name that HTTrack gives to what was retrieved with a
// query: before its extension are the first four digits of the query's MD5, and the extension is
// that of its type.
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

// inCompanion says whether a path leads into the companion folder of a page. A page may
// have another name by now than its folder, but "_files" is hardly a name in a site. A
// frame of a page is a page in the folder itself.
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
	first = string(percentDecoded([]byte(first)))
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

// climbs says whether a path leads out of more folders than it is deep in.
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
