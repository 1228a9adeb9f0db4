package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// BufferSize is how many bytes are collected before a write.
const BufferSize = 64 << 10

// OutputError is a failure to write the output of all documents, so the run cannot continue.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return e.Err.Error() }
func (e *OutputError) Unwrap() error { return e.Err }

// Failed wraps err, if it is not nil, in an OutputError that names the output.
func Failed(name string, err error) error {
	if err == nil {
		return nil
	}
	return &OutputError{fmt.Errorf("%s: %w", name, WithAdvice(err))}
}

// denied makes the error about an output path an OutputError if a permission is missing.
func denied(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return &OutputError{err}
	}
	return err
}

// WriteError is a failure to write the file of one document. The files of other documents can still be written.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return e.Err.Error() }
func (e *WriteError) Unwrap() error { return e.Err }

func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return &WriteError{err}
}

// Output is a stream that a run writes to: standard output, a file, or memory. Callers append to Buf or call Write.
// After a failed write nothing more is written.
type Output struct {
	Buf  []byte    // bytes that are not written yet; Spill writes them once there are enough
	W    io.Writer // nil for an output in memory
	Name string    // the name in messages

	// Escape makes bytes safe for a terminal. It is nil if the output is not a terminal or shows the bytes as they are.
	// It always gets whole lines.
	Escape func([]byte) []byte

	Copy bool // the output is a copy of one document, and a new file gets its mode

	Written int64
	kept    int64 // how many bytes Rollback keeps
	err     error // the first write error

	file    *File     // nil for standard output, and for a file that --resume continues
	open    *os.File  // standard output, or the file that --resume continues
	fresh   *Set      // set if this run created the file that --resume continues
	encoder io.Closer // applied to all bytes before they are written; may be nil
}

const StdoutName = "standard output"

// NewOutput returns an output. Its buffer has room for one more row after BufferSize bytes.
func NewOutput(w io.Writer, name string) *Output {
	open, _ := w.(*os.File)
	return &Output{W: w, Name: name, Buf: make([]byte, 0, BufferSize+BufferSize/4), open: open}
}

// Output begins an output file. The caller has checked that it may be written. Nobody can open a new file who cannot
// open each document passed to Read.
func (f *Set) Output(name string) (*Output, error) {
	file, err := f.Create(name, nil)
	if err != nil {
		return nil, Failed(name, err)
	}
	out := NewOutput(file, name)
	out.file = file
	file.mode = func() fs.FileMode { return f.outputMode(out.Copy) }
	return out, nil
}

// Target returns the file that the output writes to: standard output, a device, or the temporary file of a new file.
func (o *Output) Target() *os.File {
	if o.file != nil {
		return o.file.File
	}
	return o.open
}

// IsFile reports whether the output is a new file, and neither standard output nor a file that --resume continues.
func (o *Output) IsFile() bool { return o.file != nil }

// Discard removes the new file of the output, if there is one, and reports whether there was. The old file stays.
func (o *Output) Discard() bool {
	if o.file != nil {
		o.file.Discard()
	}
	return o.file != nil
}

// Encode sets an encoder for all later bytes. It must write to the old W.
func (o *Output) Encode(encoder io.WriteCloser) { o.W, o.encoder = encoder, encoder }

func (o *Output) Write(p []byte) (int, error) {
	if len(p) >= BufferSize && o.W != nil {
		if err := o.Flush(); err != nil {
			return 0, err
		}
		return len(p), o.put(p)
	}
	o.Buf = append(o.Buf, p...)
	return len(p), o.Spill()
}

func (o *Output) Spill() error {
	if o.W != nil && len(o.Buf) >= BufferSize {
		return o.Flush()
	}
	return nil
}

func (o *Output) Flush() error {
	err := o.put(o.Buf)
	o.Buf = o.Buf[:0]
	return err
}

func (o *Output) put(p []byte) error {
	if o.err != nil {
		return o.err
	}
	if o.Escape != nil {
		p = o.Escape(p)
	}
	n, err := o.W.Write(p)
	o.Written += int64(n)
	o.err = Failed(o.Name, err)
	return o.err
}

// Keep marks the point that Rollback goes back to.
func (o *Output) Keep() { o.kept = o.Written + int64(len(o.Buf)) }

// Grown reports whether there are bytes after that point.
func (o *Output) Grown() bool { return o.Written+int64(len(o.Buf)) > o.kept }

// Rollback removes the bytes since Keep. What was written to a pipe or a device cannot be removed.
func (o *Output) Rollback() error {
	if n := o.kept - o.Written; n >= 0 {
		o.Buf = o.Buf[:n]
		return nil
	}
	o.Buf = o.Buf[:0]
	if o.file != nil && o.file.temp == "" {
		return nil
	}
	return o.cut(o.kept)
}

// Take removes the bytes since Keep from a file that --resume continues, and returns them.
func (o *Output) Take() (taken []byte, err error) {
	if n := o.Written - o.kept; n > 0 {
		taken = make([]byte, n)
		if _, err := o.open.ReadAt(taken, o.kept); err != nil {
			return nil, Failed(o.Name, err)
		}
	}
	taken = append(taken, o.Buf[max(o.kept-o.Written, 0):]...)
	return taken, o.Rollback()
}

// Become is File.Become. The output must be a new file.
func (o *Output) Become(name string) error {
	o.Buf = o.Buf[:0]
	return Failed(o.Name, o.file.Become(name))
}

func (o *Output) cut(n int64) error {
	o.Written = n
	return Failed(o.Name, Truncate(o.Target(), n))
}

// Truncate cuts a file to n bytes and moves to its end.
func Truncate(file *os.File, n int64) error {
	if err := file.Truncate(n); err != nil {
		return err
	}
	_, err := file.Seek(n, io.SeekStart)
	return err
}

// End writes the buffer and ends the output. err is the error that ended the run, or nil; with an error a new file is
// removed. End returns err or, if that is nil, the write error.
func (o *Output) End(err error) error {
	if o.file != nil && err != nil {
		o.file.Discard()
		return err
	}
	e := o.Flush()
	if o.encoder != nil && e == nil { // even after an error of the run, so that the data on standard output is complete
		e = Failed(o.Name, o.encoder.Close())
	}
	err = cmp.Or(err, e)
	if o.fresh != nil {
		err = cmp.Or(err, Failed(o.Name, chmod(o.open, o.fresh.outputMode(false))))
	}
	switch {
	case o.file != nil && err != nil:
		o.file.Discard()
	case o.file != nil:
		err = Failed(o.Name, o.file.Commit())
	case o.open != nil && err == nil:
		err = Failed(o.Name, o.open.Close()) // a network file system may report a full disk only now
	}
	return err
}

// EndSide is End for the files of --edits, --problems and --stats. A closed pipe is not an error there, as in
// --problems >(head -n 1), because the output of the documents must still be written. o may be nil.
func (o *Output) EndSide(err error) error {
	if o == nil {
		return err
	}
	if e := o.End(err); !errors.Is(e, syscall.EPIPE) {
		return e
	}
	return err
}

// SideError returns the write error of a file of --edits or --problems if it must end the run. A closed pipe does not.
// o may be nil.
func (o *Output) SideError() error {
	if o == nil || errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return o.err
}

// Leave leaves an output unchanged if the run cannot begin. It drops the header row, and removes a file that this run
// created, which the next run would take for the output of another run. o may be nil.
func (o *Output) Leave() {
	if o == nil {
		return
	}
	o.Buf, o.encoder = o.Buf[:0], nil
	if o.fresh != nil {
		os.Remove(o.Name)
	}
}

// Empty reports whether the output file has no bytes. It returns true for an output without a size, like a pipe.
func (o *Output) Empty() bool {
	file, ok := o.W.(*os.File)
	if !ok {
		return true
	}
	info, err := file.Stat()
	return err != nil || info.Size() == 0
}

// Resume cuts an output to its first n bytes, those of finished documents, so that new rows follow them.
func (o *Output) Resume(n int64) error {
	file, ok := o.W.(*os.File)
	if !ok {
		return errors.New("--resume cannot continue this format; use -f jsonl, csv, tsv or text")
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		return Failed(o.Name, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--resume must remove the rows of an unfinished document from the output file; use -o " +
			"FILE, or >> FILE")
	case info.Size() < n && o.Name == StdoutName:
		return fmt.Errorf("%s has %s, but the journal expects %d bytes; use >> instead of > to continue the file, "+
			"or start with a new journal", o.Name, countBytes(info.Size()), n)
	case info.Size() < n:
		return fmt.Errorf("%s has %s, but the journal expects %d bytes; use the file of the earlier run, or start "+
			"with a new journal", o.Name, countBytes(info.Size()), n)
	}
	if n > 0 {
		o.Buf = o.Buf[:0] // the file already has the header row
	}
	if err := o.cut(n); err != nil {
		return err
	}
	err = o.Flush() // the header row stays after a Rollback
	o.Keep()
	return err
}

// AppendTo opens the file of a flag for a run with --resume. The run writes to the file itself instead of a temporary
// file, so that the rows of finished documents survive an interruption. Until the run ends, only the owner can open a
// new file.
func (f *Set) AppendTo(flag, name string) (*Output, error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := MayCreateIn(filepath.Dir(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
	case errors.Is(err, fs.ErrPermission):
		return nil, Failed(name, err)
	case err != nil || !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s %s: --resume can continue only a regular file; choose another file name", flag, name)
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, Failed(name, err)
	}
	out := NewOutput(file, name)
	if info == nil {
		out.fresh = f
	}
	return out, nil
}

func countBytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
