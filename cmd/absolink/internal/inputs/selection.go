package inputs

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/files"
)

type Source struct {
	Name   string      // the PATH; for a file in a folder the PATH, "/" and the path in it
	Rel    string      // the path in the tree, with "/"; "" if in none
	Kind   string      // the media type, if the folder determines it
	Found  bool        // it was found in a folder
	Stdin  bool        // it is standard input
	needed bool        // it is one of Config.Needed
	plain  bool        // its folder lists it as a regular file, so a symbolic link in its place is not followed
	noZone bool        // its folder lists no NAME:Zone.Identifier
	info   fs.FileInfo // of a PATH that is a file; nil if it could not be read, or is not known yet
}

// Stdin returns standard input as a source. Only one with a name has a path in a tree.
func Stdin(name string) Source {
	src := Source{Name: name, Stdin: true}
	if name != files.Std {
		src.Rel = Relative(name)
	}
	return src
}

// Waits reports whether reading the source may wait for another program, because it is standard input, a pipe or a
// device.
func (s *Source) Waits() bool { return s.Stdin || s.info != nil && !s.info.Mode().IsRegular() }

type Config struct {
	Paths  []string
	Stdin  string // the name of standard input
	Listed bool   // some PATHs are from a list
	Globs  Globs  // patterns for the files of folders
	Hidden bool   // read hidden files and folders
	Follow bool   // follow symbolic links
	Shard  Shard
	Mirror bool // with --mirror

	Needed []Source // files that documents of a list need; they are copied, too

	Journal string // the journal, which is not a document; or ""
}

// Selection finds the documents that the user selected.
type Selection struct {
	Config
	Found // set at the end of All with read

	InPlace bool // the files are rewritten in place, so a pipe or a device, which could wait forever, is not opened

	Searches bool // hidden files, which are not read, are searched for old URLs

	Kept   string                            // the suffix with which -i keeps old files; "" if it keeps none
	Done   func(name string, read bool) bool // reports whether an earlier run has done a document; read is that of All
	Missed func(name, why string)            // is called for each file or folder in a folder that is not read

	// Empty is called for each folder that a copy must have although it has no document: an empty folder, and the
	// folders cur, new and tmp of a Maildir. The documents after the folder follow later. rel is the path of the folder
	// in the PATH.
	Empty func(rel string) error
}

// Found is what was found in the folders besides the documents.
type Found struct {
	Tried, Matched int // how many files were compared with the Globs, and how many match

	// Roots are the folders that the paths of the documents are relative to: each PATH that is a folder, and "." for
	// those that are files.
	Roots []string

	Tools   Skipped // files that HTTrack and wget keep for themselves
	Backups Skipped // copies of other files: with InPlace those of isCopy, else the files NAME.bak beside a NAME
}

// Select returns the documents of a configuration. It reads nothing yet.
func Select(c Config) *Selection {
	return &Selection{
		Config: c,
		Done:   func(string, bool) bool { return false },
		Missed: func(string, string) {},
		Empty:  func(string) error { return nil },
	}
}

// Several reports whether there may be more than one document, as in every list, even one with a single PATH.
func (s *Selection) Several() bool {
	return s.Listed || len(s.Paths) > 1 || s.IsFolder(0)
}

// Alone returns the only document. Call it only if Several returns false.
func (s *Selection) Alone() *Source {
	src := Source{Name: s.Paths[0]}
	if src.Name == files.Std {
		src = Stdin(s.Stdin)
	}
	return &src
}

func (s *Selection) IsFolder(i int) bool {
	return s.Paths[i] != files.Std && files.IsFolder(s.Paths[i])
}

// All yields the documents of all PATHs, and those of a folder sorted by name. An error belongs to the source that is
// yielded with it. Only with read are Missed and Empty called.
func (s *Selection) All(read bool) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		f := &folders{Selection: s, reads: read, missed: func(string, string) {},
			empty: func(string) error { return nil }, rooted: map[string]bool{},
			yield: func(src Source, err error) bool {
				if s.Shard.has(src.Name) && !(src.Found && s.isJournal(src.Name)) && !s.Done(src.Name, read) {
					return yield(src, err)
				}
				return true
			}}
		if read {
			f.missed, f.empty = s.Missed, s.Empty
			defer func() { s.Found = f.Found }()
		}
		for i, path := range s.Paths {
			if s.Shard.hasPath(i) && !f.path(Source{Name: path, Rel: Relative(path)}) {
				return
			}
		}
		for _, src := range s.Needed {
			if !s.InPlace && !f.yield(src, nil) {
				return
			}
		}
	}
}

// isJournal recognizes the journal of the run, which may be in a folder that is read.
func (s *Selection) isJournal(name string) bool {
	return s.Journal != "" && filepath.Base(name) == filepath.Base(s.Journal) && files.SamePath(name, s.Journal)
}

// Relative returns the path relative to the current folder, with "/", or "" if it is not below that folder.
func Relative(path string) string {
	if filepath.Separator == '/' && fs.ValidPath(path) {
		return path // the common case
	}
	if filepath.IsAbs(path) {
		here, err := os.Getwd()
		if err != nil {
			return ""
		}
		if path, err = filepath.Rel(here, path); err != nil {
			return ""
		}
	}
	path = filepath.Clean(path)
	if !filepath.IsLocal(path) {
		return ""
	}
	return filepath.ToSlash(path)
}
