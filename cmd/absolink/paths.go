package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// stdinName is the PATH that means standard input, or standard output where an output is named.
const stdinName = "-"

// mayWrite says whether an output file may be begun.
func mayWrite(path string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return mayCreateIn(filepath.Dir(path))
	case err != nil:
		return fmt.Errorf("%s: %w", path, withAdvice(err))
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Stat(path)
		if err == nil && special(to) { // /dev/stdout
			return nil
		}
		return fmt.Errorf("%s is a symbolic link, and nothing is written through one; name the file itself", path)
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name a file", path)
	case !special(info) && !force:
		return fmt.Errorf("%s exists; --force overwrites it", path)
	}
	return nil
}

// mayWriteFlag is mayWrite for the file that a flag names; none is fine.
func mayWriteFlag(flag, path string, force bool) error {
	if path == "" {
		return nil
	}
	if path == stdinName {
		return fmt.Errorf("%s writes a file; give its name", flag)
	}
	if err := mayWrite(path, force); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// mayCreateIn says whether the folder of an output file is there.
func mayCreateIn(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such folder; make it first", dir)
	case err != nil:
		return fmt.Errorf("%s: %w", dir, withAdvice(err))
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder; name another", dir)
	}
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

// exists says whether there is something of that name.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// join puts a name behind a folder as it was given.
func join(folder, name string) string {
	if folder == "" || strings.HasSuffix(folder, "/") {
		return folder + name
	}
	return folder + "/" + name
}
