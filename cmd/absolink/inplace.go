package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lateFile is a new version of a file that is begun at the first byte in which it differs
// from the old one. So a file with nothing to change costs no writing and keeps its time.
type lateFile struct {
	files *files
	path  string
	old   *os.File    // until the new one is begun
	info  fs.FileInfo // of it, before it was read
	room  []byte
	same  int64    // bytes that both have
	out   *outFile // nil before the first difference
}

func (f *files) late(path string) (*lateFile, error) {
	old, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := old.Stat()
	if err != nil {
		old.Close()
		return nil, err
	}
	return &lateFile{files: f, path: path, old: old, info: info, room: make([]byte, bufferSize)}, nil
}

// Write is io.Writer.
func (l *lateFile) Write(p []byte) (int, error) {
	n := 0
	for l.out == nil && n < len(p) {
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
	if l.out == nil || n == len(p) {
		return n, nil
	}
	more, err := l.out.Write(p[n:])
	return n + more, err
}

// begin begins the file with what is the same so far.
func (l *lateFile) begin() (err error) {
	if l.out, err = l.files.begin(l.path, l.info, nil); err != nil {
		return err
	}
	l.out.read = l.info
	if _, err := l.old.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.CopyN(l.out, l.old, l.same)
	return err
}

// end says whether there is a new file, which is then to be committed.
func (l *lateFile) end() (changed bool, err error) {
	if l.out != nil {
		return true, nil
	}
	switch n, err := l.old.Read(l.room); {
	case n > 0:
		return true, l.begin() // it is the old one's beginning
	case err != io.EOF:
		return false, err
	}
	return false, nil
}

// discard leaves the old file as it is.
func (l *lateFile) discard() {
	if l.out != nil {
		l.out.discard()
	}
}

// Close closes the old file.
func (l *lateFile) Close() error { return l.old.Close() }

// replaces sets the file that the new version is made of, if it was opened before: the file of that name
// may be another one by now.
func (l *lateFile) replaces(opened fs.FileInfo) { l.info = opened }

// keepTime gives the new version the time of the old one.
func (l *lateFile) keepTime() error { return os.Chtimes(l.out.Name(), time.Time{}, l.info.ModTime()) }

// backup keeps the file at name under a second name, unless an interrupted run has done so. It overwrites
// another file of that name only with force.
func (f *files) backup(name, backup string, info fs.FileInfo, force bool) error {
	switch there, err := os.Lstat(backup); {
	case err != nil: // not there
	case os.SameFile(there, info), there.Mode().IsRegular() && sameBytes(name, backup): // a copy where links cannot be
		return nil
	case !force:
		return fmt.Errorf("%s exists; --force overwrites it", backup)
	}
	if err := f.keep(name, backup, info); err != nil {
		return fmt.Errorf("%s: %w", backup, withAdvice(err))
	}
	return nil
}

// keep gives the file a second name, the one of its backup, or copies it where the file
// system has no such links.
func (f *files) keep(name, backup string, info fs.FileInfo) error {
	if f.link(name, backup) == nil {
		return nil
	}
	out, err := f.create(backup, info)
	if err != nil {
		return err
	}
	if err := copyFrom(out, name); err != nil {
		out.discard()
		return err
	}
	return out.commit()
}

func (f *files) link(name, backup string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	temp, err := openTemp(filepath.Dir(backup))
	if err != nil {
		return err
	}
	temp.Close()
	defer os.Remove(temp.Name()) // renaming one link to another of the same file does nothing
	if err := os.Remove(temp.Name()); err != nil {
		return err
	}
	if err := os.Link(name, temp.Name()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), backup)
}
