package files

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Tree is the folder of -o, with the same subfolders as the input.
type Tree struct {
	files *Set
	Root  string
	mu    sync.Mutex
	fresh bool            // the folder did not exist before
	made  map[string]bool // folders of the tree that exist and are not symbolic links

	begun int      // how many files were begun
	disk  *os.File // the folder, if it is new and syncAll can sync its disk; or nil
}

// syncedAlone is how many files of a tree are synced one by one. Beyond them, one call syncs the whole disk, which
// includes the files of all other programs and so may take longer for a few files.
const syncedAlone = 64

// NewTree returns the tree of a folder, or an error if the folder cannot be used. It writes nothing yet.
func NewTree(set *Set, root string, force bool) (*Tree, error) {
	root = filepath.Clean(root)
	info, err := os.Lstat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, denied(fmt.Errorf("-o %s: %w", root, WithAdvice(err)))
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("-o: %s is a symbolic link, and absolink does not write through links; name the "+
			"folder itself", root)
	case !info.IsDir():
		return nil, fmt.Errorf("-o: %s is a file, but there may be several documents; use the name of a folder", root)
	case !force:
		return nil, fmt.Errorf("-o: the folder %s exists; choose a new folder, or use --force to overwrite files in it",
			root)
	}
	return &Tree{files: set, Root: root, fresh: info == nil, made: map[string]bool{}}, nil
}

// Check checks that each document has its own path in the tree, and that no path is that of an input. documents yields
// the name of each document, and its path in the input folder or "".
func (t *Tree) Check(documents iter.Seq2[string, string]) error {
	places, inputs, realNames := map[string]string{}, map[string]string{}, RealNames{}
	for name, rel := range documents {
		place := placeOf(name, rel)
		if other := places[place]; other != "" {
			if filepath.Clean(other) == filepath.Clean(name) {
				return fmt.Errorf("%s is named twice; name it, or a folder around it, once",
					strings.TrimSuffix(name, "/"+rel))
			}
			return fmt.Errorf("%s and %s would both be written to %s; name one of them, or use two runs", other, name,
				Join(t.Root, place))
		}
		places[place] = name
		if !t.fresh { // a new folder has no input in it
			inputs[realNames.Of(name)] = name
		}
	}
	if t.fresh {
		return nil
	}
	real := realPath(t.Root)
	for place := range places {
		if input := inputs[filepath.Join(real, filepath.FromSlash(place))]; input != "" {
			return fmt.Errorf("-o: the input %s would be overwritten; choose another folder, or use -i to rewrite "+
				"it in place", input)
		}
	}
	return nil
}

func placeOf(name, rel string) string {
	if rel != "" {
		return rel
	}
	return filepath.Base(name) // for a PATH outside the current folder
}

// Create begins the file for a document, with the permissions of like, which is the file at from or nil. It never
// writes through a symbolic link, even one that is in the folder already.
func (t *Tree) Create(document, rel, from string, like fs.FileInfo) (*File, error) {
	place := placeOf(document, rel)
	t.mu.Lock()
	t.begun++
	err := t.makeFolder(path.Dir(place))
	// in an older folder a file may replace another, and is synced before
	later := t.disk != nil && t.begun > syncedAlone
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	name := filepath.Join(t.Root, filepath.FromSlash(place))
	var info fs.FileInfo
	if !t.fresh {
		switch info, err = os.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist):
			info = nil
		case err != nil:
			return nil, unwritten(fmt.Errorf("%s: %w", name, WithAdvice(err)))
		case !info.Mode().IsRegular():
			return nil, unwritten(fmt.Errorf("%s is not a regular file; remove it, or choose another folder with -o",
				name))
		}
	}
	file, err := t.files.begin(name, info, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, WithAdvice(err))
	}
	if like != nil {
		file.mode = func() fs.FileMode { return Perm(from, like) }
	}
	file.later = later
	return file, nil
}

// Sync writes all committed files to the disk that their commits did not. The error is an OutputError, because it names
// no file.
func (t *Tree) Sync() error {
	t.mu.Lock()
	disk, all := t.disk, t.begun
	t.mu.Unlock()
	if disk == nil || all <= syncedAlone {
		return nil
	}
	return Failed("-o "+t.Root, syncAll(disk))
}

// MakeFolder makes a folder of the tree and those above it, unless they exist.
func (t *Tree) MakeFolder(dir string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.makeFolder(dir)
}

// RemoveEmpty removes the tree if it is new and nothing was written to it, so that the corrected command needs no
// --force.
func (t *Tree) RemoveEmpty() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.fresh {
		return
	}
	for _, dir := range slices.Backward(slices.Sorted(maps.Keys(t.made))) { // inner folders first
		_ = os.Remove(filepath.Join(t.Root, filepath.FromSlash(dir))) // fails if the folder has a file
	}
	_ = os.Remove(t.Root) // "." does not sort before "#a"
}

func (t *Tree) makeFolder(dir string) error {
	if t.made[dir] {
		return nil
	}
	if dir == "." {
		if err := os.MkdirAll(t.Root, 0o777); err != nil {
			return Failed("-o "+t.Root, err) // so no document can be written
		}
		if t.fresh {
			t.disk = openDisk(t.Root)
		}
		t.made[dir] = true
		return nil
	}
	if err := t.makeFolder(path.Dir(dir)); err != nil {
		return err
	}
	name := filepath.Join(t.Root, filepath.FromSlash(dir))
	err := os.Mkdir(name, 0o777)
	if errors.Is(err, fs.ErrExist) {
		info, statErr := os.Lstat(name)
		if statErr == nil && !info.IsDir() {
			return unwritten(fmt.Errorf("%s is not a folder, and absolink does not write through links; remove it, "+
				"or choose another folder with -o", name))
		}
		err = statErr
	}
	if err != nil {
		return unwritten(fmt.Errorf("%s: %w", name, WithAdvice(err)))
	}
	t.made[dir] = true
	return nil
}
