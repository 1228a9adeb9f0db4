package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// bufferSize is how much is gathered before it is written.
const bufferSize = 64 << 10

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

// stdoutput is standard output.
func (s *session) stdoutput() *output {
	s.printing = true
	if info, err := s.stdout.Stat(); err == nil && info.Mode().IsRegular() {
		s.printed = info
	}
	return newOutput(s.stdout, stdoutName)
}

// printsTo is ">> FILE" for a journal, which says where standard output goes, without the folder; ""
// where the system does not tell.
func (s *session) printsTo() string {
	name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", s.stdout.Fd()))
	if err != nil {
		return ""
	}
	return " >> " + filepath.Base(name)
}

// newOutput is an output that is called name in messages. Its buffer has room for the row that
// makes it worth writing.
func newOutput(w io.Writer, name string) *output {
	open, _ := w.(*os.File)
	return &output{w: w, name: name, open: open, buf: make([]byte, 0, bufferSize+bufferSize/4)}
}

// output begins the output that -o names, standard output without it.
func (w *walk) output() (*output, error) {
	o := w.options
	if err := w.apart(outputFlag{"--problems", o.problems}, outputFlag{"--stats", o.stats}, outputFlag{"-o", o.output}); err != nil {
		return nil, err
	}
	if o.output == stdinName {
		o.output = ""
	}
	if _, terminal := terminalWidth(w.stdout); terminal && o.form == asParquet && o.output == "" {
		return nil, fmt.Errorf("a terminal does not show Parquet; give -o FILE, or pipe it")
	}
	if o.resume != "" && o.output != "" {
		return appendTo(o.output)
	}
	if o.resume != "" {
		w.journal.run += w.printsTo()
	}
	if err := mayWriteFlag("-o", o.output, o.force); err != nil {
		return nil, err
	}
	return w.openOutput(o.output)
}

// end ends the output. Where no input could be read there is none: what stands there stays, and nothing
// new is in the way of the next run.
func (w *walk) end(err error) error {
	if err == nil && w.out.file != nil && w.readNone() {
		w.out.file.discard()
		return nil
	}
	return w.out.end(err)
}

// outputFlag is an output file and the flag that names it; "" and "-" are no files.
type outputFlag struct{ flag, path string }

// apart refuses, --force or not, outputs that would overwrite one another or what the run
// reads.
func (w *walk) apart(outputs ...outputFlag) error {
	for i, out := range outputs {
		if out.path == "" || out.path == stdinName {
			continue
		}
		for _, other := range append(outputs[:i:i], outputFlag{"--resume", w.options.resume}) {
			if other.path != "" && samePath(other.path, out.path) {
				return fmt.Errorf("%s is named for two outputs; name another", out.path)
			}
		}
		if of, ok := strings.CutSuffix(out.path, w.kept); ok && w.kept != "" && exists(of) {
			return fmt.Errorf("%s: %s is where -i keeps the old %s; name another file", out.flag, out.path, of)
		}
		if !exists(out.path) && (out.flag != "-o" || w.options.resume == "") {
			continue // so it is no input, nor becomes one
		}
		for _, in := range []outputFlag{{"--url-map", w.options.urlMap}, {"--files-from", w.options.filesFrom}} {
			if in.path != "" && samePath(out.path, in.path) {
				return fmt.Errorf("%s: %s is the file of %s; name another", out.flag, out.path, in.flag)
			}
		}
		there, _ := os.Stat(out.path)
		if out.flag != "-o" && w.isStdout(there) {
			return fmt.Errorf("%s: %s is where standard output goes; name another file", out.flag, out.path)
		}
		for i, path := range w.paths {
			switch folder := w.isFolder(i); {
			case folder && !isFolder(out.path) && below(out.path, path):
				return fmt.Errorf("%s: %s is a file of the input folder; name another", out.flag, out.path)
			case folder || path == stdinName || !isAt(path, there):
			case out.flag == "-o":
				return fmt.Errorf("-o: %s is the input; rewrite -i rewrites it where it stands", out.path)
			default:
				return fmt.Errorf("%s: %s is the input; name another file", out.flag, out.path)
			}
		}
	}
	return nil
}

// exists says whether there is something of that name.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isStdout says whether a file is the plain one that standard output goes to; a nil one is not there.
func (s *session) isStdout(file fs.FileInfo) bool {
	to, err := s.stdout.Stat()
	return err == nil && to.Mode().IsRegular() && os.SameFile(to, file)
}

// isAt says whether a path, of which there may be many, is that of a file; a nil one is not there.
func isAt(path string, file fs.FileInfo) bool {
	if file == nil {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, file)
}

// openOutput begins the file, or gives standard output if there is no name. That the file
// may be written has been asked before.
func (s *session) openOutput(name string) (*output, error) {
	if name == "" {
		return s.stdoutput(), nil
	}
	file, err := s.files.create(name, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, withAdvice(err))
	}
	out := newOutput(file, name)
	out.file = file
	return out, nil
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
	case o.full != nil && len(o.buf) >= batchSize:
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

func (o *output) failed(err error) error {
	return &outputError{fmt.Errorf("%s: %w", o.name, withAdvice(err))}
}
