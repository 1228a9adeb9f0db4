// Paths: whether an output may be written there, and whether two of them lead to one file.

package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Std is the PATH that means standard input, or standard output where an output is named.
const Std = "-"

func mayWrite(path string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return MayCreateIn(filepath.Dir(path))
	case err != nil:
		return denied(fmt.Errorf("%s: %w", path, WithAdvice(err)))
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Stat(path)
		if err == nil && special(to) { // as /dev/stdout does
			return nil
		}
		return fmt.Errorf("%s is a symbolic link, and absolink does not write through links; name the file itself",
			path)
	case info.IsDir():
		return fmt.Errorf("%s is a folder; use a file name", path)
	case !special(info) && !force:
		return fmt.Errorf("%s exists; --force overwrites it", path)
	}
	return nil
}

// MayWriteFlag returns an error if the file named by a flag cannot be written. It returns nil for the path "".
func MayWriteFlag(flag, path string, force bool) error {
	if path == "" {
		return nil
	}
	if path == Std {
		return fmt.Errorf("%s -: this output must be a file; use a file name", flag)
	}
	if err := mayWrite(path, force); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// MayCreateIn returns an error unless dir is a folder, so that an output file can be created in it.
func MayCreateIn(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such folder; create it first", dir)
	case err != nil:
		return denied(fmt.Errorf("%s: %w", dir, WithAdvice(err)))
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder; choose another path", dir)
	}
	return nil
}

// realPath resolves the symbolic links in a path as far as the path exists.
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

// RealNames caches the paths of folders without symbolic links.
type RealNames map[string]string

// Of returns the real path of a file.
func (r RealNames) Of(file string) string {
	dir, name := filepath.Split(file)
	if r[dir] == "" {
		r[dir] = realPath(dir)
	}
	return filepath.Join(r[dir], name)
}

// Below reports whether a path is a folder or something in it. It follows symbolic links.
func Below(path, folder string) bool {
	rel, err := filepath.Rel(realPath(folder), realPath(path))
	return err == nil && filepath.IsLocal(rel)
}

// SamePath reports whether two paths lead to one file.
func SamePath(a, b string) bool { return a == b || b != Std && realPath(a) == realPath(b) }

func IsFolderName(name string) bool { return os.IsPathSeparator(name[len(name)-1]) }

// Exists reports whether a file or folder exists. A symbolic link exists even if it is broken.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Join appends a name to the path of a folder, which stays as the user wrote it.
func Join(folder, name string) string {
	if folder == "" || strings.HasSuffix(folder, "/") {
		return folder + name
	}
	return folder + "/" + name
}
