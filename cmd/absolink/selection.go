package main

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"absolink/cmd/absolink/internal/files"
)

// source is one document that comes in.
type source struct {
	name  string      // what it is called: the PATH, for a file found in a folder joined with "/"
	rel   string      // its path in the tree it belongs to, with "/"; "" if it is in none
	kind  string      // its media type, if the folder tells
	found bool        // in a folder, not given by name
	file  *os.File    // nil if it is not open yet
	info  fs.FileInfo // of the open file
}

// selectionConfig are the flags and the PATHs that choose documents.
type selectionConfig struct {
	paths  []string
	listed bool  // some PATHs are those of a list, which may have any number of them
	globs  globs // patterns for the files of folders
	hidden bool  // read hidden files and folders
	follow bool  // follow symbolic links
	shard  shard

	journal string // a file that is no document; or ""
}

// selection is the documents that the user has chosen.
type selection struct {
	selectionConfig
	kinds []pathKind // of each PATH that was looked at

	kept   string                 // the suffix of old versions that are kept; see folders
	done   func(name string) bool // reports whether an earlier run has read a document
	missed func(name, why string) // is called for each file of a folder that is no document
}

// pathKind is what a PATH was found to be, so that the disk is asked once.
type pathKind uint8

const (
	notAsked pathKind = iota
	isFile            // or cannot be looked at, which whoever opens it tells
	isTree
)

// newSelection returns the documents of a configuration. It reads nothing yet.
func newSelection(c selectionConfig) *selection {
	return &selection{
		selectionConfig: c, kinds: make([]pathKind, len(c.paths)),
		done:   func(string) bool { return false },
		missed: func(string, string) {},
	}
}

// several reports whether there may be more than one document. A list may have one document today and two
// tomorrow.
func (s *selection) several() bool {
	return s.listed || len(s.paths) > 1 || s.isFolder(0)
}

// isFolder reports whether the PATH of that number is a folder.
func (s *selection) isFolder(i int) bool {
	if s.kinds[i] == notAsked && s.paths[i] != files.Std {
		s.kinds[i] = isFile
		if files.IsFolder(s.paths[i]) {
			s.kinds[i] = isTree
		}
	}
	return s.kinds[i] == isTree
}

// all yields the documents of all PATHs, those of a folder sorted by name. An error is one of the source
// that it comes with. If the documents are to be read, files may come open, and missed is called.
func (s *selection) all(read bool) iter.Seq2[source, error] {
	missed := func(name, why string) {}
	if read {
		missed = s.missed
	}
	return func(yield func(source, error) bool) {
		f := &folders{globs: s.globs, hidden: s.hidden, follow: s.follow, opens: read, kept: s.kept, missed: missed,
			yield: func(src source, err error) bool {
				if s.shard.has(src.name) && !(src.found && s.isJournal(src.name)) && !s.done(src.name) {
					return yield(src, err)
				}
				if src.file != nil {
					src.file.Close()
				}
				return true
			}}
		for i, path := range s.paths {
			more := false
			if s.kinds[i] == isFile {
				more = f.yield(source{name: path, rel: relative(path)}, nil)
			} else {
				more = f.path(path)
			}
			if !more {
				return
			}
		}
	}
}

// isJournal reports whether a file is the journal of the run, which may be in a folder that is read.
func (s *selection) isJournal(name string) bool {
	return s.journal != "" && filepath.Base(name) == filepath.Base(s.journal) && files.SamePath(name, s.journal)
}

// relative gives a path that is below the current folder relative to it, with "/"; "" if
// it is not below.
func relative(path string) string {
	if filepath.Separator == '/' && fs.ValidPath(path) {
		return path // as most are
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
