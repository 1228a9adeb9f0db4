package saved

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// Saved describes how a page was saved, if that changes the meaning of its links, and is nil for other pages. The
// documents embedded in the page share it.
type Saved struct {
	File     string // the name of the page
	Folder   bool   // a browser saved the page, with a companion folder like NAME_files
	Depth    int    // for HTTrack: the number of folders between the page and the root of its host; otherwise -1
	archived bool   // the page is from the Wayback Machine, with links into the archive
	replay   string // the page is from another archive: the URL before the time in its links, with a slash at its end
	ToFiles  bool   // HTTrack or SingleFile saved the page: its relative references may be those of files
	named    bool   // WebScrapBook saved the page: all relative references are to files that it saved

	dir, stem string // of File: the folder, and the name without its extension

	// FolderBeside reports whether a folder is beside File, if it is not known that a browser saved the page. It may be
	// nil.
	FolderBeside func(name string) bool
	Told         bool // an Unrecorded copy was reported

	// HasFile reports whether the archive of the page has a file at a path relative to File. It may be nil.
	HasFile func(path string) bool
}

// New returns a Saved for the page with the name file, which has no effect on links yet.
func New(file string) *Saved {
	s := &Saved{File: file, Depth: -1, stem: file}
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		s.dir, s.stem = file[:i], file[i+1:]
	}
	if i := strings.LastIndexByte(s.stem, '.'); i > 0 {
		s.stem = s.stem[:i]
	}
	return s
}

// By adds the effect of a saver on the links of a page to s, or to a new Saved if s is nil, and returns it. If the
// saver has no effect on links, By returns s, which may be nil. d declares the URL that the saver wrote, and file is
// the name of the page.
func (s *Saved) By(who *mark.Saver, d base.Declaration, file string) *Saved {
	if who != MarkOfTheWeb && who != HTTrack && who != SingleFile && who != WaybackSaver && who != WebScrapBook &&
		who != ReplayPrefix {
		return s
	}
	if s == nil {
		s = New(file)
	}
	switch who {
	case MarkOfTheWeb:
		// Authors write about:internet by hand, so that a browser runs the scripts of their page.
		s.Folder = s.Folder || d.Value != "about:internet"
	case HTTrack:
		_, path, _ := strings.Cut(d.Value, "://")
		path, _, _ = strings.Cut(path, "?")
		host, _, _ := strings.Cut(path, "/")
		if _, below, ok := strings.Cut("/"+file, "/"+host+"/"); ok {
			path = "/" + below // the page of a redirect has the URL after it, and the name before it
		}
		s.ToFiles, s.Depth = true, max(0, strings.Count(path, "/")-1)
	case SingleFile:
		s.ToFiles = true
	case WaybackSaver:
		s.archived = true
	case ReplayPrefix:
		// a proxy has no prefix
		if _, host, _ := strings.Cut(d.Value, "://"); d.Refuse == "" && host != "" && host[0] != '/' {
			s.replay = strings.TrimSuffix(d.Value, "/") + "/"
		}
	case WebScrapBook:
		s.named = true
	}
	return s
}

// companionEnds are the suffixes of companion folders, in lower case, in which Windows and browsers save the files of a
// page, in various languages.
var companionEnds = []string{"_files", ".files", "-dateien", "_fichiers", "_bestanden", "_file", "_archivos", "-filer",
	"_tiedostot", "_pliki", "_soubory", "_elemei", "_ficheiros", "_arquivos", "_dosyalar", "_datoteke", "_fitxers",
	"_failid", "_fails", "_bylos", "_fajlovi", "_fitxategiak"}

// LocalCopy is the error of a reference to a local copy. It says which one.
type LocalCopy string

// Unrecorded is the LocalCopy of a page of which only the name of the folder tells that a browser saved it.
const Unrecorded LocalCopy = "in a folder with the name of the page; such links stay"

func (which LocalCopy) Error() string { return "a local copy " + string(which) }

// Local returns a LocalCopy if a relative reference leads to a local copy, or else nil. s may be nil.
func (s *Saved) Local(ref []byte) error {
	ref, _, _ = bytes.Cut(ref, []byte("#"))
	ref, query, _ := bytes.Cut(ref, []byte("?"))
	if s == nil || len(ref) == 0 || ref[0] == '/' {
		return nil
	}
	switch {
	case s.Folder && s.inCompanion(string(ref)):
		return LocalCopy("in the page's companion folder")
	case s.FolderBeside != nil && s.companion(string(ref)) != "" && s.FolderBeside(s.companion(string(ref))):
		return Unrecorded
	case s.HasFile != nil && s.HasFile(path.Clean(string(ascii.PercentDecoded(ref)))):
		return LocalCopy("in the page's archive")
	case s.named:
		return LocalCopy("that WebScrapBook made")
	case s.Depth >= 0 && Climbs(string(ref), s.Depth):
		return LocalCopy("that HTTrack made of a file from another host")
	case s.Depth >= 0 && len(query) > 0 && namedByQuery(ref, query):
		return LocalCopy("that HTTrack made of a URL with a query")
	}
	return nil
}

// namedByQuery reports whether a path ends in the name that HTTrack gives a document that it retrieved with the query:
// the name ends in the first four hex digits of the query's MD5, before the extension for the document's type.
func namedByQuery(path, query []byte) bool {
	dot := bytes.LastIndexByte(path, '.')
	sum := md5.Sum(query)
	return bytes.HasSuffix(path[:max(dot, 0)], []byte(hex.EncodeToString(sum[:2])))
}

// inCompanion reports whether a path leads into the companion folder of the page. It accepts any folder name that ends
// in "_files", which is rare in a site, because the page may have been renamed. A page that is itself in a companion
// folder is a frame, and its files are in the same folder.
func (s *Saved) inCompanion(path string) bool {
	path = strings.TrimPrefix(path, "./")
	first, _, inFolder := strings.Cut(path, "/")
	if !inFolder {
		return strings.HasSuffix(s.dir, companionEnds[0])
	}
	first = string(ascii.PercentDecoded([]byte(first)))
	return strings.HasSuffix(first, companionEnds[0]) && first != companionEnds[0] || s.companion(path) != ""
}

// companion returns the folder at the start of a path if it has the name of the page, with its extension or without,
// and one of companionEnds, or "".
func (s *Saved) companion(path string) string {
	first, _, inFolder := strings.Cut(strings.TrimPrefix(path, "./"), "/")
	if !inFolder || !strings.HasPrefix(first, s.stem) && !strings.Contains(first, "%") {
		return ""
	}
	folder := ascii.PercentDecoded([]byte(first))
	for _, page := range []string{s.stem, s.File[strings.LastIndexByte(s.File, '/')+1:]} {
		end, ok := bytes.CutPrefix(folder, []byte(page))
		isEnd := func(known string) bool { return ascii.FoldEqual(end, known) }
		if ok && slices.ContainsFunc(companionEnds, isEnd) {
			return string(folder)
		}
	}
	return ""
}

// Climbs reports whether a path leaves the root, which is depth folders above the path's start.
func Climbs(path string, depth int) bool {
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
