package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
)

// tree is the folder of -o, in which the folders of the input are laid out again.
type tree struct {
	files *files
	root  string
	mu    sync.Mutex
	fresh bool            // it was not there before
	made  map[string]bool // folders in it that are there and are no symbolic links
}

// newTree checks that every document has a place of its own in the folder, and that none
// of these is one of the inputs. Nothing is written.
func (w *walk) newTree(root string, force bool) (*tree, error) {
	root = filepath.Clean(root)
	info, err := os.Lstat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("-o %s: %w", root, withAdvice(err))
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("-o: %s is a symbolic link, and nothing is written through one; name the folder itself", root)
	case !info.IsDir():
		return nil, fmt.Errorf("-o: %s is a file, and several documents come in; name a folder", root)
	case !force:
		return nil, fmt.Errorf("-o: %s exists; name a new folder, or overwrite what is in it with --force", root)
	}
	t := &tree{files: w.files, root: root, fresh: info == nil, made: map[string]bool{}}
	for i, path := range w.paths {
		if path == stdinName {
			return nil, fmt.Errorf("standard input has no name to be laid out by; give it alone, with -o FILE")
		}
		if w.isFolder(i) && below(root, path) {
			return nil, fmt.Errorf("-o: %s is inside the input %s; name a folder outside of it", root, path)
		}
	}
	return t, w.checkTree(t)
}

// checkTree looks at every document and its place.
func (w *walk) checkTree(t *tree) error {
	places, inputs, realNames := map[string]string{}, map[string]string{}, realNames{}
	for src, err := range w.sources(false) {
		if err != nil {
			continue // it is told when the document is opened
		}
		place := t.place(src)
		if other := places[place]; other != "" {
			return fmt.Errorf("%s and %s would both be written to %s; give one of them, or rewrite them in two runs", other, src.name, join(t.root, place))
		}
		places[place] = src.name
		if !t.fresh { // else no input can be in it
			inputs[realNames.of(src.name)] = src.name
		}
	}
	if t.fresh {
		return nil
	}
	real := realPath(t.root)
	for place := range places {
		if input := inputs[filepath.Join(real, filepath.FromSlash(place))]; input != "" {
			return fmt.Errorf("-o: the input %s would be overwritten; name another folder, or give -i to rewrite it where it stands", input)
		}
	}
	return nil
}

// place is where a document goes, relative to the root, with "/".
func (t *tree) place(src source) string {
	if src.rel != "" {
		return src.rel
	}
	return filepath.Base(src.name) // a file given by name from elsewhere
}

// create begins the file for a document, with the mode of like. Nothing is written through a
// symbolic link, were it one that stands in the folder since before.
func (t *tree) create(src source, like fs.FileInfo) (*outFile, error) {
	place := t.place(src)
	t.mu.Lock()
	err := t.makeFolder(path.Dir(place))
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	name := filepath.Join(t.root, filepath.FromSlash(place))
	var info fs.FileInfo
	if !t.fresh {
		switch info, err = os.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist):
			info = nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, withAdvice(err))
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s is no plain file; take it away", name)
		}
	}
	file, err := t.files.begin(name, info, like)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, withAdvice(err))
	}
	return file, nil
}

// makeFolder makes a folder of the tree, and those above it.
func (t *tree) makeFolder(dir string) error {
	if t.made[dir] {
		return nil
	}
	if dir == "." {
		if err := os.MkdirAll(t.root, 0o777); err != nil {
			return &outputError{fmt.Errorf("-o %s: %w", t.root, withAdvice(err))} // no document has a place
		}
		t.made[dir] = true
		return nil
	}
	if err := t.makeFolder(path.Dir(dir)); err != nil {
		return err
	}
	name := filepath.Join(t.root, filepath.FromSlash(dir))
	err := os.Mkdir(name, 0o777)
	if errors.Is(err, fs.ErrExist) {
		info, statErr := os.Lstat(name)
		if statErr == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder, and nothing is written through a link; take it away", name)
		}
		err = statErr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, withAdvice(err))
	}
	t.made[dir] = true
	return nil
}

// realPath resolves the symbolic links in a path as far as it exists.
func realPath(name string) string {
	name, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	rest := ""
	for {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(name)
		if parent == name {
			return filepath.Join(name, rest)
		}
		name, rest = parent, filepath.Join(filepath.Base(name), rest)
	}
}

// realNames gives the real paths of files. It asks for that of a folder once.
type realNames map[string]string

func (r realNames) of(file string) string {
	dir, name := filepath.Split(file)
	if r[dir] == "" {
		r[dir] = realPath(dir)
	}
	return filepath.Join(r[dir], name)
}

// below says whether a path is that of a folder, or of something in it or in one of its folders,
// wherever symbolic links lead.
func below(path, folder string) bool {
	rel, err := filepath.Rel(realPath(folder), realPath(path))
	return err == nil && filepath.IsLocal(rel)
}

// samePath says whether two names are of one file.
func samePath(a, b string) bool { return a == b || b != stdinName && realPath(a) == realPath(b) }

// isFolderName says whether a name is spelled as that of a folder.
func isFolderName(name string) bool { return os.IsPathSeparator(name[len(name)-1]) }
