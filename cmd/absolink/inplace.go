package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// lateFile is a new version of a file that is begun when the first edit is told. Until
// then what is written is what stands in the file, so a file with nothing to change costs
// no writing and keeps its time.
type lateFile struct {
	files *files
	path  string
	out   *outFile // nil before the first edit
	same  int64    // bytes before it that the old file has too
	err   error
}

// begin begins the file with what is the same so far.
func (l *lateFile) begin() {
	if l.out != nil || l.err != nil {
		return
	}
	if l.out, l.err = l.files.create(l.path, nil); l.err != nil || l.same == 0 {
		return
	}
	old, err := os.Open(l.path)
	if err != nil {
		l.err = err
		return
	}
	defer old.Close()
	_, l.err = io.CopyN(l.out, old, l.same)
}

// Write is io.Writer.
func (l *lateFile) Write(p []byte) (int, error) {
	switch {
	case l.err != nil:
		return 0, l.err
	case l.out == nil:
		l.same += int64(len(p))
		return len(p), nil
	}
	return l.out.Write(p)
}

// discard leaves the old file as it is.
func (l *lateFile) discard() {
	if l.out != nil {
		l.out.discard()
	}
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
		return fmt.Errorf("a second name for the file: %w", err)
	}
	return os.Rename(temp.Name(), backup)
}
