package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/files"
)

// Journal is the file of --resume. Its first line identifies the run, and each other line is about a finished document,
// with the lengths of the outputs after it. A resumed run skips these documents, truncates the outputs after the last
// of them, and ignores an incomplete last line. The output of a document that fails is removed at once. If the outputs
// must be synced, the lines wait for Sync, which is called at most once a second. The zero Journal records nothing.
type Journal struct {
	Run string // the verb and the flags that must be the same when the run is resumed
	// the id of the run, which removes temporary files with this id, so no other run may use a copy of the journal; ""
	// in an old one
	ID      string
	Tree    string       // the folder of -o, or ""
	Sync    func() error // writes the outputs of all documents so far to the disk; nil if they are there already
	Resumed bool         // Identify has found a journal of this run
	Unused  []string     // messages about flags that match no document of the job, if the last run ended
	file    *os.File
	outs    []*files.Output // the files that the run continues
	done    map[string]state

	mu      sync.Mutex
	waiting []byte    // lines that wait for Sync
	written time.Time // the time of the last Sync

	incomplete int64 // documents that earlier runs have read or written incompletely
}

// state tells whether a document has changed since it was done and its new version had its name.
type state struct {
	Size int64 `json:"size,omitempty"`
	Time int64 `json:"time,omitempty"` // in nanoseconds; 0 if it was not a regular file
}

func stateOf(info fs.FileInfo, err error) state {
	if err != nil || !info.Mode().IsRegular() {
		return state{}
	}
	return state{info.Size(), info.ModTime().UnixNano()}
}

type journalLine struct {
	End      bool    `json:"end,omitempty"` // the line is about the rows at the end of a run
	Run      string  `json:"run,omitempty"` // only in the first line, which has also the id
	ID       string  `json:"id,omitempty"`
	Document string  `json:"document,omitempty"`
	Bytes    []byte  `json:"document_base64,omitempty"` // a name that is not UTF-8, which JSON cannot have
	Outputs  []int64 `json:"outputs,omitempty"`         // the lengths of the outputs after this document

	Incomplete bool     `json:"incomplete,omitempty"` // the document has a problem of severity error
	Unused     []string `json:"unused,omitempty"`     // of the end: see Journal.Unused
	state
}

// read parses a line. It returns false if this is not a line of a journal.
func (l *journalLine) read(line []byte) bool {
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	return in.Decode(l) == nil && (l.Run == "") != (l.Document == "" && !l.End) &&
		isID(l.ID) && (l.ID == "" || l.Run != "")
}

// isID reports whether s is an id or "". An id becomes a part of file names.
func isID(s string) bool {
	return len(s) <= 13 && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// Identify sets the id of the run: the id in the journal, or a new id if there is no journal yet. It locks the journal.
func (j *Journal) Identify(name string) error {
	j.ID = files.NewID()
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil // Open reports it
	}
	if err := j.open(name, 0); err != nil {
		return err
	}
	line, err := bufio.NewReader(io.NewSectionReader(j.file, 0, math.MaxInt64)).ReadBytes('\n')
	var first journalLine
	if err == nil && first.read(line) {
		j.ID = first.ID
		j.Resumed = strings.HasPrefix(first.Run, j.Run) // Run may still lack the file of standard output
	}
	return nil
}

var errUsed = errors.New("another run is using this journal; wait until it has ended, or give each run its own journal")

// open opens and locks the file.
func (j *Journal) open(name string, flag int) (err error) {
	j.file, err = os.OpenFile(name, os.O_RDWR|flag, 0o666)
	if err == nil && !files.Lock(j.file) {
		err = errUsed
	}
	return files.Failed("--resume "+name, err)
}

// isTorn reports whether a line without an end can be the beginning of a line of a journal.
func isTorn(line []byte) bool {
	return slices.ContainsFunc([]string{`{"end":true`, `{"run":"`, `{"document":"`}, func(begin string) bool {
		return strings.HasPrefix(begin, string(line[:min(len(line), len(begin))]))
	})
}

func (l *journalLine) name() string {
	if len(l.Bytes) > 0 {
		return string(l.Bytes)
	}
	return l.Document
}

// Open reads the journal, and truncates the outputs after the last finished document. An output may be nil. Without a
// line in it, an output that is not empty belongs to another run, so Open refuses it unless force is set.
func (j *Journal) Open(name string, force bool, outs ...*files.Output) (err error) {
	if name == "" {
		return nil
	}
	created := !files.Exists(name)
	j.outs = slices.DeleteFunc(outs, func(out *files.Output) bool { return out == nil })
	defer func() {
		if err != nil {
			j.unopen(name, created, errors.Is(err, errUsed))
		}
	}()
	if j.file == nil {
		if err := j.open(name, os.O_CREATE); err != nil {
			return err
		}
	}
	j.done = map[string]state{}
	end, last, err := j.readLines(j.file)
	if err != nil {
		return fmt.Errorf("--resume %s: %w", name, err)
	}
	lacks := "is empty"
	if created {
		lacks = "does not exist"
	}
	for _, out := range j.outs {
		if !force && end == 0 && !out.Empty() {
			return fmt.Errorf("%s is not empty, and the journal %s %s; choose a new output file, or use --force to "+
				"overwrite this one",
				out.Name, name, lacks)
		}
	}
	if len(j.done) > 0 && j.Tree != "" && !files.Exists(j.Tree) {
		return fmt.Errorf("-o: %s does not exist, but the journal %s lists documents in it; restore the folder, or "+
			"start with a new journal", j.Tree, name)
	}
	if err := files.Truncate(j.file, end); err != nil {
		return files.Failed("--resume "+name, err)
	}
	if end == 0 {
		if err := j.write(journalLine{Run: j.Run, ID: j.ID}); err != nil {
			return err
		}
	}
	for i, out := range j.outs {
		if err := out.Resume(last[i]); err != nil {
			return err
		}
	}
	return nil
}

// unopen leaves the outputs as they are. used means that another run has the journal, and therefore the outputs, too.
func (j *Journal) unopen(name string, created, used bool) {
	for _, out := range j.outs {
		if used {
			out.Buf = out.Buf[:0]
		} else {
			out.Leave()
		}
	}
	if created && !used {
		j.Close()
		os.Remove(name) // otherwise the next run would resume this one
	}
}

// readLines reads the lines of a journal. It returns the length of the complete lines, and the lengths of the outputs
// in the last of them.
func (j *Journal) readLines(file io.Reader) (end int64, last []int64, err error) {
	last = make([]int64, len(j.outs))
	for in := bufio.NewReader(file); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && isTorn(line) {
			return end, last, nil
		}
		if err != nil && err != io.EOF {
			return 0, nil, files.WithAdvice(err)
		}
		var l journalLine
		if !l.read(line) || (l.Run != "") != (end == 0) || end > 0 && len(l.Outputs) != len(j.outs) {
			return 0, nil, errors.New("not a journal of absolink; choose another file name")
		}
		switch {
		case l.End:
			j.Unused, last = l.Unused, l.Outputs
		case end > 0:
			j.Unused = nil
			j.done[l.name()], last = l.state, l.Outputs
			if l.Incomplete {
				j.incomplete++
			}
		case l.Run != j.Run:
			return 0, nil, fmt.Errorf("the journal belongs to another run: %s; use the same flags, or start with a "+
				"new journal", l.Run)
		}
		end += int64(len(line))
	}
}

// rollback removes the partial output of a failed document, so that a resumed run can write it again.
func (j *Journal) rollback(out *files.Output) error {
	if j.file == nil || out == nil {
		return nil
	}
	return out.Rollback()
}

// Incomplete returns the number of documents that earlier runs have read or written incompletely.
func (j *Journal) Incomplete() int64 { return j.incomplete }

// Before returns the number of documents that earlier runs have done.
func (j *Journal) Before() int { return len(j.done) }

func (j *Journal) Has(document string) bool {
	_, done := j.done[document]
	return done
}

// Changed reports whether a document has changed since an earlier run did it.
func (j *Journal) Changed(document string) bool {
	then := j.done[document]
	return then.Time != 0 && then != stateOf(os.Stat(document))
}

// add records that a document is done. It writes the outputs of the document first.
func (j *Journal) add(in *document) error {
	if j.file == nil {
		return nil
	}
	document := in.src.Name
	l := journalLine{Document: document, Incomplete: in.incomplete, state: in.state}
	if !utf8.ValidString(document) {
		l.Bytes = []byte(document)
	}
	return j.keep(l)
}

// keep writes the outputs, and a line with their lengths.
func (j *Journal) keep(l journalLine) error {
	for _, out := range j.outs {
		if err := out.Flush(); err != nil {
			return err
		}
		out.Keep()
		l.Outputs = append(l.Outputs, out.Written)
	}
	return j.write(l)
}

// End keeps what was written after the last document, and what no document has matched.
func (j *Journal) End(unused []string) error {
	if j.file == nil || len(unused) == 0 && !slices.ContainsFunc(j.outs, (*files.Output).Grown) {
		return nil
	}
	return j.keep(journalLine{End: true, Unused: unused})
}

// linesWait is how long lines wait for Sync.
const linesWait = time.Second

// write appends a line, now or with a later one.
func (j *Journal) write(l journalLine) error {
	line, err := json.Marshal(l)
	if err != nil {
		panic(err) // strings and numbers cannot fail
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = append(append(j.waiting, line...), '\n')
	if j.Sync != nil && time.Since(j.written) < linesWait {
		return nil
	}
	return j.flush()
}

// Flush syncs the outputs and writes the lines that wait for this. Call it at the end of a run, even without a journal.
// Another goroutine may write lines.
func (j *Journal) Flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.flush()
}

func (j *Journal) flush() error {
	if j.Sync != nil {
		if err := j.Sync(); err != nil {
			j.waiting = nil // the system reports the error only once, and these outputs may be lost
			return err
		}
		j.written = time.Now()
	}
	if len(j.waiting) == 0 {
		return nil
	}
	_, err := j.file.Write(j.waiting)
	j.waiting = j.waiting[:0]
	return files.Failed("--resume "+j.file.Name(), err)
}

// Close closes the file of the journal, if there is one.
func (j *Journal) Close() {
	if j.file != nil {
		j.file.Close()
	}
}
