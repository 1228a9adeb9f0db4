package files

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Update is a new version of a file. It is begun at the first byte that differs from the old file. A file without
// changes is therefore not written and keeps its time, by which make, rsync and backups find what has changed.
type Update struct {
	files *Set
	path  string
	old   *os.File    // the old file, which is read until the new file is begun
	info  fs.FileInfo // of the old file when it was opened
	room  []byte
	same  int64 // equal bytes at the start of both files
	New   *File // nil before the first difference
}

// Update opens the file at path to be rewritten in place, and leaves it alone until the first different byte. info is
// that of the document, which was opened earlier: by now another file may have its name.
func (f *Set) Update(path string, info fs.FileInfo) (*Update, error) {
	old, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Update{files: f, path: path, old: old, info: info, room: make([]byte, BufferSize)}, nil
}

func (l *Update) Write(p []byte) (int, error) {
	n := 0
	for l.New == nil && n < len(p) {
		room := l.room[:min(len(p)-n, len(l.room))]
		read, err := io.ReadFull(l.old, room)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return n, err
		}
		if read < len(room) || !bytes.Equal(room, p[n:n+read]) {
			if err := l.begin(); err != nil {
				return n, err
			}
			break
		}
		n, l.same = n+read, l.same+int64(read)
	}
	if l.New == nil || n == len(p) {
		return n, nil
	}
	more, err := l.New.Write(p[n:])
	return n + more, err
}

func (l *Update) begin() (err error) {
	if l.New, err = l.files.begin(l.path, l.info, nil); err != nil {
		return err
	}
	l.New.read = l.info
	if _, err := l.old.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err = io.CopyN(l.New, l.old, l.same); err == io.EOF { // the file became shorter meanwhile
		return errChanged
	}
	return err
}

// Changed ends the new version, and reports whether it differs from the old file and must be committed.
func (l *Update) Changed() (changed bool, err error) {
	if l.New != nil {
		return true, nil
	}
	switch n, err := l.old.Read(l.room); {
	case n > 0:
		return true, l.begin() // the new version is a prefix of the old file
	case err != io.EOF:
		return false, err
	}
	return false, nil
}

func (l *Update) Discard() {
	if l.New != nil {
		l.New.Discard()
	}
}

func (l *Update) Close() error { return l.old.Close() }

func (l *Update) KeepTime() error { return os.Chtimes(l.New.Name(), time.Time{}, l.info.ModTime()) }

// Backup keeps the file at name under a second name, unless an interrupted run has done so. Only with force does it
// overwrite another file that has the second name.
func (f *Set) Backup(name, backup string, info fs.FileInfo, force bool) error {
	switch there, err := os.Lstat(backup); {
	case err != nil:
	// a copy, if the file system has no links
	case os.SameFile(there, info), there.Mode().IsRegular() && sameBytes(name, backup):
		return nil
	case !force:
		return fmt.Errorf("%s exists, and may be the original; use another suffix, or --force to overwrite it", backup)
	}
	if err := f.keep(name, backup, info); err != nil {
		return fmt.Errorf("%s: %w", backup, WithAdvice(err))
	}
	return nil
}

// keep links the file to the name of the backup. Where the file system has no hard links, as on a USB stick, it copies
// the file with its owner, mode, attributes and time.
func (f *Set) keep(name, backup string, info fs.FileInfo) error {
	if f.link(name, backup) == nil {
		return nil
	}
	out, err := f.begin(backup, nil, info) // it replaces a file of this name, as a link would
	if err != nil {
		return err
	}
	out.from = name
	err = CopyFrom(out, name)
	if err == nil {
		err = os.Chtimes(out.temp, time.Time{}, info.ModTime())
	}
	if err != nil {
		out.Discard()
		return err
	}
	return out.Commit()
}

func (f *Set) link(name, backup string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	temp := f.tempName(filepath.Dir(backup))
	if err := os.Link(name, temp); err != nil {
		return err
	}
	defer os.Remove(temp) // renaming one link to another link of the same file does nothing
	return os.Rename(temp, backup)
}

// Links counts the hard links of replaced files, because replacing one name leaves the others with the old version: cp
// -l and deduplicating mirrors make such files. Many goroutines may use it.
type Links struct {
	mu sync.Mutex
	of map[inode]*linked
}

type linked struct {
	names []string // the names that were replaced
	total int      // the number of names before
}

// Replace prepares for the replacement of a file at one of its names, and returns a function to call when it is done.
// Call Replace before backup, which may be "", becomes a link to the file.
func (l *Links) Replace(name, backup string, info fs.FileInfo) (replaced func()) {
	id, n := linksOf(info)
	l.mu.Lock()
	defer l.mu.Unlock()
	file := l.of[id]
	if file == nil {
		// An interrupted run may have made the backup.
		if there, err := os.Lstat(backup); backup != "" && err == nil && os.SameFile(there, info) {
			n--
		}
		if n < 2 {
			return func() {}
		}
		if l.of == nil {
			l.of = map[inode]*linked{}
		}
		file = &linked{total: n}
		l.of[id] = file
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		file.names = append(file.names, name)
	}
}

// Kept returns the replaced names of files whose other names still lead to the old version, in no particular order.
func (l *Links) Kept() (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, file := range l.of {
		if len(file.names) < file.total {
			names = append(names, file.names...)
		}
	}
	return names
}
