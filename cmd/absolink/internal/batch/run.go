package batch

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"syscall"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// Run is a run of many documents through the workers. The caller sets its fields before Do.
type Run struct {
	Sources iter.Seq2[inputs.Source, error]
	Alone   *inputs.Source // the only document; nil if there may be more
	Opener  *inputs.Opener

	Settings extract.Extractor // of every worker
	// Map returns the Map of a worker's Extractor. It may be nil.
	Map func() func(*extract.Link) (url string, ok bool)
	// Changed counts each reference that rewriting changes. If it is nil, they all become absolute.
	Changed func(extract.Change, *console.Account)
	// Linked receives each link. It may be nil.
	Linked func(*extract.Link)

	Finds    string // FindsLinks, FindsBases or FindsEdits
	Records  bool   // with several workers, documents are divided into records
	Rewrites bool   // the job writes the rewritten document to Worker.Out
	Jobs     int    // the number of workers
	FailFast bool   // the first document that fails ends the run

	KeepsRelative bool // links without a base stay relative because the user wants it

	Out     *files.Output // the output of all documents; nil if each document has its own file
	Edits   *files.Output // of --edits; nil without this flag
	Journal Journal

	finishing sync.Mutex // see Pause
	integrity integrity

	Left      *mapping.Left // finds what a move leaves; nil without --map
	left      []left        // by host, origin and cause
	leftHosts []left        // only their hosts and documents

	Problems *console.Problems
	held     []byte // problems of failed documents, which go to the end of the file of --problems
	Stats    *Stats // nil without --stats
	Counts   *console.Counts

	Page *report.Run // of --report; nil without this flag
}

// The words for the findings of a run, in messages.
const (
	FindsLinks = "links"
	FindsBases = "bases"
	FindsEdits = "edits"
)

// Do runs the job of a verb over all documents. newJob returns the job of a worker. conclude reports what belongs to no
// document, and returns what Journal.Unused keeps.
func (r *Run) Do(newJob func(*Worker) Job, conclude func(error) []string) (err error) {
	r.Counts.Incomplete.Add(r.Journal.incomplete)
	r.integrity = integrity{map[string]*pages{}, map[string]string{}}
	r.Settings.OnRecord = func() { r.Counts.Records.Add(1) }
	err = r.drive(newJob)
	if r.Out == nil {
		r.finishing.Lock() // until the process ends: see Pause
		if err != nil {    // only what belongs to finished documents stays, and what conclude reports
			_ = cmp.Or(r.Journal.rollback(r.Edits), r.hold())
		}
	}
	unused := conclude(err)
	if err == nil || r.Out == nil {
		err = cmp.Or(err, r.Journal.End(unused))
	}
	if len(r.held) > 0 {
		_, _ = r.Problems.File.Write(r.held) // EndSide returns the error
	}
	if err == nil && r.Out != nil {
		err = r.Out.Flush() // a write error must end the run
	}
	if e := r.Journal.Flush(); err == nil {
		err = e
	}
	return err
}

// open opens a document. It calls problem for problems of the file.
func (r *Run) open(in *document, problem func(extract.Problem)) (err error) {
	r.Counts.Document.Store(&in.src.Name)
	in.in, in.d, err = r.Opener.Open(in.src, problem)
	if in.in != nil && r.Journal.file != nil {
		in.state = stateOf(in.in.Stat())
	}
	return err
}

func (r *Run) problem(in *document, p extract.Problem) {
	codes.Advise(&p, r.Alone != nil)
	if p.Code == extract.CodeNoBase && p.Setting != "" { // not a redirect
		in.account.NoBase++
		if r.KeepsRelative {
			p.Severity = extract.SeverityNote
		}
	}
	r.Counts.Wrong.Add(1)
	switch p.Severity {
	case extract.SeverityWarning:
		r.Counts.Warnings.Add(1)
	case extract.SeverityError:
		in.incomplete = true
	}
	r.Stats.problem(p.Code)
	if r.Page != nil {
		r.Page.Problem(p)
	}
	r.Problems.Problem(p)
}

// end passes the end of a document to the page of --report. err is its error, or nil. skipped means that it was not
// read.
func (r *Run) end(in *document, err error, skipped bool) {
	switch {
	case r.Page == nil:
	case skipped:
		r.Page.Skip(in.src.Name)
	default:
		r.Page.End(in.src.Name, in.read, err)
	}
}

// Report counts and reports a problem of a file. Call it when all documents are done.
func (r *Run) Report(p extract.Problem) {
	r.problem(&document{}, p)
	r.Problems.EndDocument(p.Document, true)
}

// endDocument ends a document: it reports its last problems and its error, counts it, and adds it to the journal. A
// returned error ends the run.
func (r *Run) endDocument(in *document) error {
	in.close()
	for _, p := range r.Opener.Retrieval.Unknown(in.src.Name) {
		r.problem(in, p)
	}
	if in.err == nil || IsUnknownType(in.err) {
		r.endLeft(in)
	}
	r.Problems.EndDocument(in.src.Name, in.links > 0)
	if in.incomplete {
		r.Counts.Incomplete.Add(1)
	}
	if err := r.sideError(); err != nil {
		return err
	}
	err := in.err
	_, stop := errors.AsType[*files.OutputError](err)
	switch {
	case err == nil:
		r.endDone(in)
	case stop:
		return err
	case errors.Is(err, inputs.ErrOtherType), in.src.Found && IsUnknownType(err):
		r.endSkipped(in)
	case errors.Is(err, inputs.ErrOwnOutput) && in.src.Found:
		r.end(in, nil, true)
		r.Problems.Document(slog.LevelWarn, in.src.Name, "skipped: "+err.Error())
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT): // every other document would fail as well
		return &files.OutputError{Err: r.full(in, err)}
	default:
		return r.endFailed(in) // not in the journal: a resumed run reads it again
	}
	return r.Journal.add(in)
}

func (r *Run) endDone(in *document) {
	r.end(in, nil, false)
	r.Counts.Done.Add(1)
	in.account.Files = min(in.account.Files, 1)
	r.Counts.Account.Add(&in.account)
	if r.Edits != nil {
		r.Edits.Keep()
	}
}

// endSkipped ends a document that is not read because of its type.
func (r *Run) endSkipped(in *document) {
	r.end(in, nil, true)
	r.Counts.Bytes.Read.Add(-in.read) // a skipped file does not count as input
	r.Counts.Bytes.Skipped.Add(in.read)
	unknown, what := IsUnknownType(in.err), "skipped: "
	if !unknown {
		r.Counts.Others.Add(1)
	} else if r.Journal.Tree != "" {
		what = "copied unchanged: "
	}
	r.Problems.Document(slog.LevelDebug, in.src.Name, what+in.err.Error())
	if unknown && in.src.Kind != inputs.NoDocument {
		r.Problems.Problem(extract.Problem{Document: in.src.Name, Code: extract.CodeTypeUnknown,
			Severity: extract.SeverityNote, Detail: "skipped: " + in.err.Error()})
	}
}

// endFailed ends a document with an error, and removes what the run has written for it.
func (r *Run) endFailed(in *document) error {
	err := WithAdvice(in.err)
	r.end(in, err, false)
	r.Counts.Failed.Add(1)
	if _, unwritten := errors.AsType[*files.WriteError](in.err); unwritten {
		r.Counts.Unwritten.Add(1)
	}
	r.Problems.Document(slog.LevelError, in.src.Name, err.Error())
	if r.FailFast {
		return ErrFailFast
	}
	if r.Edits != nil { // the edits of this document were not made
		if err := r.Edits.Rollback(); err != nil {
			return err
		}
	}
	return cmp.Or(r.Journal.rollback(r.Out), r.hold())
}

// full returns the error for a full disk. The folder of -o has some documents then.
func (r *Run) full(in *document, err error) error {
	if r.Journal.Tree == "" {
		return fmt.Errorf("%s: %w", in.src.Name, WithAdvice(err))
	}
	full, _, _ := strings.Cut(WithAdvice(err).Error(), ";")
	how := "with --force, which writes all again"
	if r.Journal.file != nil {
		how = "again, which writes the others"
	}
	there := console.AppendCount(nil, r.Counts.Done.Load()+int64(r.Journal.Before()), "documents")
	return fmt.Errorf("-o %s: %s; %s are there, each complete; free some space, and run the same command %s",
		r.Journal.Tree, full, there, how)
}

// hold moves the problems of a failed document after those of all others, because a resumed run reports them again.
func (r *Run) hold() error {
	if r.Journal.file == nil || r.Problems.File == nil {
		return nil
	}
	lines, err := r.Problems.File.Take()
	r.held = append(r.held, lines...)
	return err
}

// sideError returns an error of --edits or --problems that must end the run.
func (r *Run) sideError() error { return cmp.Or(r.Edits.SideError(), r.Problems.File.SideError()) }

// ErrFailFast ends a run under --fail-fast. The error of the document has been reported.
var ErrFailFast = errors.New("an input failed")

// WithAdvice is files.WithAdvice, with advice for a document of unknown type, and for a limit.
func WithAdvice(err error) error {
	if limit, is := errors.AsType[*extract.LimitError](err); is {
		return fmt.Errorf("%w; %s", err, codes.Advice(limit.Setting, false))
	}
	if kind, is := errors.AsType[UnknownType](err); is {
		return fmt.Errorf("%w%s", err, kind.advice())
	}
	return files.WithAdvice(err)
}

// IsUnknownType reports whether the error is that of a document of unknown type.
func IsUnknownType(err error) bool {
	_, is := errors.AsType[UnknownType](err)
	return is
}
