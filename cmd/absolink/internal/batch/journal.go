package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/files"
)

// Journal is the file of --resume: a line that says which run it is of, and one for each
// document that is done, with the length of the output then. A run that is begun again passes
// over what is listed, and takes back what a document that was interrupted had written; what one
// that fails has, is taken back at once. A last line that is torn counts as none. The zero
// Journal records nothing.
type Journal struct {
	Run  string // the verb and the flags that are the same when the run is resumed
	ID   string // the id of the run; "" in a journal of an older version
	Tree string // the folder of -o, if there is one
	file *os.File
	done map[string]bool

	incomplete int64 // documents that an earlier run has read or written incompletely
}

// journalLine is one line of it.
type journalLine struct {
	Run      string `json:"run,omitempty"` // of the first one, which has the id and no more
	ID       string `json:"id,omitempty"`
	Document string `json:"document,omitempty"`
	Bytes    []byte `json:"document_base64,omitempty"` // of a name that is not UTF-8, which JSON cannot hold
	Output   int64  `json:"output,omitempty"`          // bytes of it that are of this and all documents before

	Incomplete bool `json:"incomplete,omitempty"` // the document has a problem of severity error
}

// read takes a line of a journal, and false is for one of another file.
func (l *journalLine) read(line []byte) bool {
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	return in.Decode(l) == nil && (l.Run == "") != (l.Document == "") && isID.MatchString(l.ID) && (l.ID == "" || l.Run != "")
}

// isID matches an id, which becomes a part of file names, or none.
var isID = regexp.MustCompile(`^[0-9a-z]{0,13}$`)

// Identify sets the id of the run: that in the journal, or a new one if there is no journal yet. resumed reports whether
// there is a journal of this run.
func (j *Journal) Identify(name string) (resumed bool) {
	j.ID = files.NewID()
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false // Open reports it
	}
	defer file.Close()
	line, err := bufio.NewReader(file).ReadBytes('\n')
	var first journalLine
	if err != nil || !first.read(line) {
		return false
	}
	j.ID = first.ID
	return strings.HasPrefix(first.Run, j.Run) // Run may still lack the file of standard output
}

// isTorn reports whether a line without its end can be the beginning of one of a journal.
func isTorn(line []byte) bool {
	return slices.ContainsFunc([]string{`{"run":"`, `{"document":"`}, func(begin string) bool {
		return strings.HasPrefix(begin, string(line[:min(len(line), len(begin))]))
	})
}

// name is the document's, byte for byte.
func (l *journalLine) name() string {
	if len(l.Bytes) > 0 {
		return string(l.Bytes)
	}
	return l.Document
}

// Open reads the journal and readies the output for more. An output that is nil has
// nothing to take back; one that is there before the journal is of something else, and is
// overwritten by force only.
func (j *Journal) Open(name string, out *files.Output, force bool) (err error) {
	if name == "" {
		return nil
	}
	created := !files.Exists(name)
	defer func() {
		if err != nil {
			out.Leave()
		}
		if err != nil && created {
			j.Close()
			os.Remove(name) // the next run would take what is there for its own
		}
	}()
	if out != nil && !force && created && !out.Empty() {
		return fmt.Errorf("%s is not empty, and the journal %s does not exist; choose a new output file, or use --force to overwrite this one", out.Name, name)
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return &files.OutputError{Err: fmt.Errorf("--resume %s: %w", name, files.WithAdvice(err))}
	}
	j.file, j.done = file, map[string]bool{}
	end, last, err := j.readLines(file)
	if err != nil {
		return fmt.Errorf("--resume %s: %w", name, err)
	}
	if len(j.done) > 0 && j.Tree != "" && !files.Exists(j.Tree) {
		return fmt.Errorf("-o: %s does not exist, but the journal %s lists documents in it; restore the folder, or start with a new journal", j.Tree, name)
	}
	if err := file.Truncate(end); err != nil {
		return &files.OutputError{Err: fmt.Errorf("--resume %s: %w", name, files.WithAdvice(err))}
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return &files.OutputError{Err: fmt.Errorf("--resume %s: %w", name, files.WithAdvice(err))}
	}
	if end == 0 {
		if err := j.write(journalLine{Run: j.Run, ID: j.ID}); err != nil {
			return err
		}
	}
	if out == nil {
		return nil
	}
	if err := out.Resume(last); err != nil {
		return err
	}
	err = out.Flush() // a line of names stays, whatever is taken back
	out.Keep()
	return err
}

// readLines reads the lines of a journal. It returns the length of the lines that are whole, and the length of
// the output after the last one.
func (j *Journal) readLines(file io.Reader) (end, last int64, err error) {
	for in := bufio.NewReader(file); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && isTorn(line) {
			return end, last, nil
		}
		if err != nil && err != io.EOF {
			return 0, 0, files.WithAdvice(err)
		}
		var l journalLine
		if !l.read(line) || (l.Run != "") != (end == 0) {
			return 0, 0, errors.New("not a journal of absolink; choose another file name")
		}
		switch {
		case end > 0:
			j.done[l.name()], last = true, l.Output
			if l.Incomplete {
				j.incomplete++
			}
		case l.Run != j.Run:
			return 0, 0, fmt.Errorf("the journal belongs to another run: %s; use the same flags, or start with a new journal", l.Run)
		}
		end += int64(len(line))
	}
}

// takeBack takes back what a document that has failed had written: it comes again.
func (j *Journal) takeBack(out *files.Output) error {
	if j.file == nil || out == nil {
		return nil
	}
	return out.TakeBack()
}

// Before returns the number of documents that earlier runs have done.
func (j *Journal) Before() int { return len(j.done) }

// Has reports whether a document is done.
func (j *Journal) Has(document string) bool { return j.done[document] }

// add records that a document is done. Its output is written first.
func (j *Journal) add(in *input, out *files.Output) error {
	if j.file == nil {
		return nil
	}
	document := in.src.Name
	l := journalLine{Document: document, Incomplete: in.incomplete}
	if !utf8.ValidString(document) {
		l.Bytes = []byte(document)
	}
	if out != nil {
		if err := out.Flush(); err != nil {
			return err
		}
		out.Keep()
		l.Output = out.Written
	}
	return j.write(l)
}

// write appends a line.
func (j *Journal) write(l journalLine) error {
	line, err := json.Marshal(l)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err != nil {
		return &files.OutputError{Err: fmt.Errorf("--resume %s: %w", j.file.Name(), files.WithAdvice(err))}
	}
	return nil
}

// Close closes the file of the journal, if there is one.
func (j *Journal) Close() {
	if j.file != nil {
		j.file.Close()
	}
}
