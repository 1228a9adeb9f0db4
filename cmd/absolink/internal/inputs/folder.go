package inputs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"absolink/cmd/absolink/internal/files"
)

// folders walks the PATHs, and yields the files of each folder and its subfolders sorted by name.
type folders struct {
	*Selection
	Found
	reads  bool // yield a PATH that cannot be read without an error, because opening it reports a better one
	missed func(name, why string)
	empty  func(rel string) error
	yield  func(Source, error) bool

	rooted map[string]bool // the folders that are in Roots
	above  []fs.FileInfo   // with Follow: the current folder and those around it
}

// path yields the document of a PATH, or those of a folder. Like the methods below, it returns false if no more are
// wanted.
func (f *folders) path(src Source) bool {
	path := src.Name
	if path == files.Std {
		f.root(".")
		return f.yield(Stdin(f.Stdin), nil)
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		f.root(".")
		switch src.info = info; {
		case err != nil && f.reads:
			err = nil
		case err == nil && f.InPlace && !info.Mode().IsRegular():
			err = ErrNotRegular
		}
		return f.yield(src, err)
	}
	f.root(filepath.Clean(path))
	dir, name := filepath.Split(filepath.Clean(path))
	return f.below(Source{Name: path}, kindIn(isMaildir(dir), name))
}

var ErrNotRegular = errors.New("not rewritten: -i rewrites only regular files; name the file itself")

func (f *folders) root(path string) {
	if !f.rooted[path] {
		f.Roots, f.rooted[path] = append(f.Roots, path), true
	}
}

// folder yields the files of a folder. kind is their media type, or "" if the folder does not determine it.
func (f *folders) folder(path, rel, kind string) bool {
	entries, err := os.ReadDir(path)
	if err != nil && !f.yield(Source{Name: path}, err) {
		return false
	}
	if len(entries) == 0 && err == nil && len(f.Globs.with) == 0 && !f.keep(path, rel) {
		return false
	}
	maildir := isMaildir(path)
	// on Windows it is a stream, which no folder lists
	noZone := runtime.GOOS != "windows" && !slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		return strings.HasSuffix(entry.Name(), ":"+zoneIdentifier)
	})
	for _, entry := range entries {
		name := entry.Name()
		src := Source{Name: files.Join(path, name), Rel: files.Join(rel, name), Kind: kind, Found: true,
			plain: entry.Type().IsRegular(), noZone: noZone}
		mode, err := entry.Type(), error(nil)
		if mode&fs.ModeSymlink != 0 && f.Follow {
			mode, err = modeOf(src.Name)
		}
		if f.ofTool(path, rel, name, mode) {
			src.Kind = NoDocument
		}
		if maildir && mode.IsDir() && slices.Contains(maildirFolders, name) && !f.keep(src.Name, src.Rel) {
			return false
		}
		hidden := f.isHidden(src.Name, name, mode)
		switch {
		case files.IsTemp(name):
		case hidden && !f.hidden(src, mode):
			return false
		case hidden:
		case mode.IsDir() && maildir && name == "tmp":
			f.missed(src.Name, "messages of a Maildir that are not delivered yet")
		case mode.IsDir() && f.Globs.leaveOut(src.Rel, true):
		case mode.IsDir():
			if src.Kind != NoDocument {
				src.Kind = kindIn(maildir, name)
			}
			if !f.below(src, src.Kind) {
				return false
			}
		case mode&fs.ModeSymlink != 0:
			f.missed(src.Name, "symbolic link; --follow follows it")
		case !mode.IsRegular():
			f.missed(src.Name, "not a regular file (a pipe, a socket or a device)")
		case !f.file(src, err):
			return false
		}
	}
	return true
}

// file yields a file, with an error if it is a broken link, unless it is a copy or no glob selects it.
func (f *folders) file(src Source, err error) bool {
	globs := f.Globs
	of, bak := strings.CutSuffix(src.Name, ".bak")
	bak = bak && !files.IsFolderName(of) && files.Exists(of) // an old version that -i.bak has kept
	switch {
	case f.InPlace && f.isCopy(src.Name):
		if f.missed(src.Name, "copy of a file in the same folder"); globs.match(src.Rel) {
			f.Backups.add(src.Name)
		}
	case !f.InPlace && bak && len(globs.with) == 0 && globs.match(src.Rel): // else a glob decides
		f.Backups.add(src.Name)
	case f.matches(src):
		return f.yield(src, err)
	}
	return true
}

// matches reports whether --glob selects a file, and counts both kinds.
func (f *folders) matches(src Source) bool {
	f.Tried++
	if !f.Globs.match(src.Rel) {
		return false
	}
	if f.Matched++; src.Kind == NoDocument {
		f.Tools.add(src.Name)
	}
	return true
}

// keep calls empty for a folder inside a PATH, and yields its error.
func (f *folders) keep(path, rel string) bool {
	if rel == "" {
		return true
	}
	err := f.empty(rel)
	return err == nil || f.yield(Source{Name: path}, err)
}

// modeOf returns the mode of what a symbolic link leads to. For a broken link it returns that of a regular file, and an
// error.
func modeOf(link string) (fs.FileMode, error) {
	info, err := os.Stat(link)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ELOOP):
		return 0, files.Advise(err, "the symbolic link is broken; repair it, or exclude it with --glob")
	case err != nil:
		return 0, err
	}
	return info.Mode(), nil
}

// below yields the files of a folder, unless it is a link to a folder that contains it.
func (f *folders) below(src Source, kind string) bool {
	if !f.Follow {
		return f.folder(src.Name, src.Rel, kind)
	}
	info, err := os.Stat(src.Name)
	if err != nil {
		return f.yield(Source{Name: src.Name}, err)
	}
	for _, above := range f.above {
		if os.SameFile(info, above) {
			f.missed(src.Name, "symbolic link to a folder that contains it")
			return true
		}
	}
	f.above = append(f.above, info)
	defer func() { f.above = f.above[:len(f.above)-1] }()
	return f.folder(src.Name, src.Rel, kind)
}

// hidden passes over a hidden file or folder. A file in which URLs are searched is yielded as no document.
func (f *folders) hidden(src Source, mode fs.FileMode) bool {
	if f.Searches && mode.IsRegular() && f.Globs.match(src.Rel) {
		src.Kind = NoDocument
		return f.yield(src, nil)
	}
	f.missed(src.Name, "hidden; --hidden reads it")
	return true
}

// isHidden reports whether a file or folder is skipped because its name begins with a dot. The folders of a Maildir++
// have such names, but are read.
func (f *folders) isHidden(path, name string, mode fs.FileMode) bool {
	return name[0] == '.' && !f.Hidden && !(mode.IsDir() && isMaildir(path))
}

var maildirFolders = []string{"cur", "new", "tmp"}

// isMaildir reports whether a folder has the folders cur and new, whose files are messages whatever their names are.
// The files in tmp are incomplete.
func isMaildir(path string) bool {
	return files.IsFolder(filepath.Join(path, "cur")) && files.IsFolder(filepath.Join(path, "new"))
}

// kindIn returns the media type of the files in the folder called name, or "". maildir says whether it is in a Maildir.
func kindIn(maildir bool, name string) string {
	if maildir && (name == "cur" || name == "new") {
		return "message/rfc822"
	}
	return ""
}
