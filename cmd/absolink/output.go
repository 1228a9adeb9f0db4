package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// bufferSize is how much is gathered before it is written.
const bufferSize = 64 << 10

// memoryBlock is the length at which the buffer of an output in memory is full.
const memoryBlock = 256 << 10

// outputError is an error of writing what all documents write to: the run cannot go on.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// output is a stream that a run writes to: standard output, or a file. Without w it is
// kept in buf.
type output struct {
	buf  []byte // rows are appended here; spill writes them when there are enough
	w    io.Writer
	name string
	file *outFile // nil for standard output, and for what --resume goes on with
	open *os.File // that one, to be closed

	fresh bool // what --resume is to go on with was not there

	full    func(buf []byte, n int) []byte // takes buf and gives one with room for n, where there is no w; or nil
	written int64                          // bytes that came to w
	err     error                          // the first of writing: behind what is not there nothing is written
	kept    int64                          // bytes that takeBack leaves

	encoder io.Closer // of what is written, before it comes to file; nil if there is none
}

// stdoutName is what standard output is called in messages.
const stdoutName = "standard output"

// newOutput is an output that is called name in messages. Its buffer has room for the row that
// makes it worth writing.
func newOutput(w io.Writer, name string) *output {
	open, _ := w.(*os.File)
	return &output{w: w, name: name, open: open, buf: make([]byte, 0, bufferSize+bufferSize/4)}
}

// output begins an output file. That it may be written has been checked before.
func (f *files) output(name string) (*output, error) {
	file, err := f.create(name, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, withAdvice(err))
	}
	out := newOutput(file, name)
	out.file = file
	return out, nil
}

// isFile reports whether the output is a file of its own, and not standard output.
func (o *output) isFile() bool { return o.file != nil }

// discard removes the new file of the output, and reports whether there was one. The old file stays.
func (o *output) discard() bool {
	if o.file != nil {
		o.file.discard()
	}
	return o.file != nil
}

// encode puts an encoder, which writes to w, before all that is to come.
func (o *output) encode(encoder io.WriteCloser) { o.w, o.encoder = encoder, encoder }

// Write is io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if len(p) >= bufferSize && o.w != nil {
		if err := o.flush(); err != nil {
			return 0, err
		}
		return len(p), o.put(p)
	}
	if o.full != nil && len(p) > cap(o.buf)-len(o.buf) {
		o.buf = o.full(o.buf, len(p))
	}
	o.buf = append(o.buf, p...)
	return len(p), o.spill()
}

// spill writes what was appended to buf if it is enough to be worth it.
func (o *output) spill() error {
	switch {
	case o.w != nil && len(o.buf) >= bufferSize:
		return o.flush()
	case o.full != nil && len(o.buf) >= memoryBlock:
		o.buf = o.full(o.buf, 0)
	}
	return nil
}

// flush writes what was appended to buf.
func (o *output) flush() error {
	err := o.put(o.buf)
	o.buf = o.buf[:0]
	return err
}

// put writes to w.
func (o *output) put(p []byte) error {
	if o.err != nil {
		return o.err
	}
	n, err := o.w.Write(p)
	if o.written += int64(n); err != nil {
		o.err = o.failed(err)
	}
	return o.err
}

// keep keeps what has come so far, whatever is taken back.
func (o *output) keep() { o.kept = o.written + int64(len(o.buf)) }

// takeBack takes back what has come since keep. What went into a pipe is gone.
func (o *output) takeBack() error {
	if n := o.kept - o.written; n >= 0 {
		o.buf = o.buf[:n]
		return nil
	}
	o.buf = o.buf[:0]
	if o.file != nil && o.file.temp == "" {
		return nil
	}
	return o.cut(o.kept)
}

// cut ends what was written to a file after n bytes.
func (o *output) cut(n int64) error {
	file, ok := o.w.(*os.File)
	if !ok {
		file = o.file.File
	}
	if err := file.Truncate(n); err != nil {
		return o.failed(err)
	}
	if _, err := file.Seek(n, io.SeekStart); err != nil {
		return o.failed(err)
	}
	o.written = n
	return nil
}

// end writes what is left and ends the output. A file takes its name only if the run came
// to its end: err is what ended it. The error is err, else that of writing.
func (o *output) end(err error) error {
	if o.file != nil && err != nil {
		o.file.discard()
		return err
	}
	if e := o.flush(); err == nil {
		err = e
	}
	if o.encoder != nil && err == nil {
		if err = o.encoder.Close(); err != nil {
			err = o.failed(err)
		}
	}
	if o.file == nil {
		if o.open != nil && err == nil {
			if err = o.open.Close(); err != nil { // a file system of the net may find only now that there is no space
				err = o.failed(err)
			}
		}
		return err
	}
	if err != nil {
		o.file.discard()
		return err
	}
	if err := o.file.commit(); err != nil {
		return o.failed(err)
	}
	return nil
}

// endBeside is end for what is written beside the output. A reader of it that has gone is no error, for
// which the output would not be written.
func (o *output) endBeside(err error) error {
	if e := o.end(err); !errors.Is(e, syscall.EPIPE) {
		return e
	}
	return err
}

// errBeside returns the error of writing an output beside the documents, if it is to end the run. A reader
// that has gone does not end it. There may be no output.
func (o *output) errBeside() error {
	if o == nil || errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return o.err
}

func (o *output) failed(err error) error {
	return &outputError{fmt.Errorf("%s: %w", o.name, withAdvice(err))}
}

// leave leaves an output as it was when the run cannot begin: a line of names would overwrite what is
// there, and the next run would take a new file for one of something else. There may be no output.
func (o *output) leave() {
	if o == nil {
		return
	}
	o.buf = o.buf[:0]
	if o.fresh {
		os.Remove(o.name)
	}
}

// empty says whether an output is no file with something in it.
func (o *output) empty() bool {
	file, ok := o.w.(*os.File)
	if !ok {
		return true
	}
	info, err := file.Stat()
	return err != nil || info.Size() == 0
}

// resume cuts an output to what is of documents that are done, and goes on from there.
func (o *output) resume(n int64) error {
	file, ok := o.w.(*os.File)
	if !ok {
		return errors.New("--resume goes on with text, JSON lines, CSV or TSV only; Parquet is written as a whole")
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		return o.failed(err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--resume needs a file as output, to take back what a document that was interrupted left; give -o FILE, or >> FILE")
	case info.Size() < n && o.name == stdoutName:
		return fmt.Errorf("%s has %s, and the journal speaks of %d; give >> to go on with a file that is there, or begin with a new journal", o.name, countBytes(info.Size()), n)
	case info.Size() < n:
		return fmt.Errorf("%s has %s, and the journal speaks of %d; bring back the file that belongs to it, or begin with a new journal", o.name, countBytes(info.Size()), n)
	}
	if n > 0 {
		o.buf = o.buf[:0] // a line of names is there already
	}
	return o.cut(n)
}

// appendTo opens a file that a run under --resume goes on with: it is not written beside
// its target, for what is done is to stay if the run is interrupted.
func appendTo(name string) (*output, error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := mayCreateIn(filepath.Dir(name)); err != nil {
			return nil, fmt.Errorf("-o: %w", err)
		}
	case err != nil || !info.Mode().IsRegular():
		return nil, fmt.Errorf("-o %s: --resume goes on with a plain file only", name)
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, withAdvice(err))
	}
	out := newOutput(file, name)
	out.fresh = info == nil
	return out, nil
}

// countBytes returns "1 byte", or the number of bytes.
func countBytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
