package batch

import (
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"syscall"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// Run is a run of many documents through the workers. Its fields are set before Do, and not changed after.
type Run struct {
	Sources iter.Seq2[inputs.Source, error]
	Alone   *inputs.Source // the only document; nil if there may be more
	Opener  *inputs.Opener

	Settings extract.Extractor // of every worker
	// Map makes the Map of a worker's Extractor; nil for none.
	Map func() func(*extract.Link) (url string, ok bool)
	// Changed receives each reference that a rewriting changes; nil for none.
	Changed func(extract.Change)

	Finds     string // Links, Bases or Edits
	Jobs      int    // how many workers
	Unordered bool   // rows are written as soon as they are ready
	FailFast  bool   // the first document that fails ends the run

	Out     *files.Output // what the documents come to, one after the other; nil if they have files of their own
	Edits   *files.Output // of --edits; nil without
	Journal Journal

	Reporter Reporter
	Logger   *slog.Logger
	Stats    *Stats // nil without --stats
	Counts   *Counts
}

// Reporter shows what is wrong with documents. The batch does not know where.
type Reporter interface {
	Problem(p extract.Problem)
	EndDocument(document string)
	Err() error // what is to end the run
}

// What a run finds, as people call it.
const (
	Links = "links"
	Bases = "bases"
	Edits = "edits"
)

// Do runs the job of a verb over all documents.
func (r *Run) Do(newJob func(*Worker) Job) (err error) {
	r.Counts.Incomplete.Add(r.Journal.incomplete)
	if (r.Jobs > 1 || r.Out == nil) && !r.FailFast && !r.single(newJob) {
		err = r.sideBySide(newJob)
	} else {
		err = r.oneByOne(newJob)
	}
	if err == nil && r.Out != nil {
		err = r.Out.Flush() // what could not be written does not count as done
	}
	return err
}

// single reports whether all there is to do is one file that is not divided into records: then it need
// not wait in memory. A pipe that has a name cannot be looked at and read again.
func (r *Run) single(newJob func(*Worker) Job) bool {
	if r.Alone == nil {
		return false
	}
	if !r.probe(newJob).Records {
		return true
	}
	name, in := r.Alone.Name, r.Opener.Stdin
	if !r.Alone.Stdin {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			return err != nil
		}
		file, err := os.Open(name)
		if err != nil {
			return true
		}
		defer file.Close()
		in = inputs.NewReader(file, &inputs.Meter{})
	}
	return !r.Settings.Splits(extract.Document{Name: name, Type: r.Opener.Kind, Reader: in}, in.Peek, r.Finds == Edits)
}

// probe returns a job that is not done: it shows what those of the workers can do.
func (r *Run) probe(newJob func(*Worker) Job) Job {
	return newJob(r.worker(&files.Output{}, nil, nil))
}

// oneByOne walks the documents on one worker.
func (r *Run) oneByOne(newJob func(*Worker) Job) error {
	var in *input
	k := r.worker(r.Out, r.Edits, func(p extract.Problem) { r.problem(in, p) })
	do := newJob(k)
	for src, err := range r.Sources {
		in = &input{src: src, err: err}
		if err == nil {
			in.err = r.open(in, func(p extract.Problem) { r.problem(in, p) })
		}
		if in.err == nil {
			in.err = k.do(do, in, nil)
		}
		if err := r.finish(in); err != nil {
			return err
		}
	}
	return nil
}

// open opens a document. problem is called with what is wrong with its file.
func (r *Run) open(in *input, problem func(extract.Problem)) (err error) {
	r.Counts.Document.Store(&in.src.Name)
	in.in, in.d, err = r.Opener.Open(in.src, problem)
	return err
}

// problem counts and reports a problem of a document.
func (r *Run) problem(in *input, p extract.Problem) {
	r.Counts.Wrong.Add(1)
	switch p.Severity {
	case extract.Warning:
		r.Counts.Warnings.Add(1)
	case extract.Error:
		r.Counts.Errors.Add(1)
		in.incomplete = true
	}
	r.Stats.problem(p.Code)
	r.Reporter.Problem(p)
}

// Report counts and reports a problem of the file of a document, when all documents are done.
func (r *Run) Report(p extract.Problem) {
	r.problem(&input{}, p)
	r.Reporter.EndDocument(p.Document)
}

// finish ends a document: it is counted, and what went wrong is told. An error ends the run.
func (r *Run) finish(in *input) error {
	in.close()
	r.Reporter.EndDocument(in.src.Name)
	if in.incomplete {
		r.Counts.Incomplete.Add(1)
	}
	if err := r.beside(); err != nil {
		return err
	}
	err := in.err
	if err == nil {
		r.Counts.Done.Add(1)
		if r.Edits != nil {
			r.Edits.Keep()
		}
		return r.Journal.add(in, r.Out)
	}
	if _, stop := errors.AsType[*files.OutputError](err); stop {
		return err
	}
	if errors.Is(err, inputs.ErrOtherType) {
		r.Counts.Others.Add(1)
	}
	switch {
	case errors.Is(err, inputs.ErrOtherType), in.src.Found && IsUnknownType(err):
		r.Counts.Bytes.Read.Add(-in.read) // however far that was, it is no input
		r.Counts.Bytes.Skipped.Add(in.read)
		r.Logger.Debug("skipped: "+err.Error(), slog.String("document", in.src.Name))
	case errors.Is(err, inputs.ErrOwnOutput) && in.src.Found:
		r.Logger.Warn("skipped: "+err.Error(), slog.String("document", in.src.Name))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		// Every document after it would fail alike, and be half an answer.
		return &files.OutputError{Err: fmt.Errorf("%s: %w", in.src.Name, typeAdvice(err))}
	default:
		r.Counts.Failed.Add(1)
		if _, unwritten := errors.AsType[*files.WriteError](err); unwritten {
			r.Counts.Unwritten.Add(1)
		}
		r.Logger.Error(typeAdvice(err).Error(), slog.String("document", in.src.Name))
		if r.FailFast {
			return ErrFailFast
		}
		if r.Edits != nil { // they were not made
			if err := r.Edits.TakeBack(); err != nil {
				return err
			}
		}
		return r.Journal.takeBack(r.Out)
	}
	return r.Journal.add(in, r.Out)
}

// beside is the error of what is written beside the output, which is to end the run. A reader that has
// gone does not end it: the documents are for others.
func (r *Run) beside() error {
	if err := r.Edits.ErrBeside(); err != nil {
		return err
	}
	return r.Reporter.Err()
}

// ErrFailFast ends a run under --fail-fast. What failed has been told.
var ErrFailFast = errors.New("an input failed")

// typeAdvice is files.WithAdvice for an error of a document, which may be of an unknown type.
func typeAdvice(err error) error {
	if IsUnknownType(err) {
		return fmt.Errorf("%w; use --type to set the type", err)
	}
	return files.WithAdvice(err)
}

// IsUnknownType reports whether an error is that no format claims a document.
func IsUnknownType(err error) bool {
	_, is := errors.AsType[*extract.UnknownTypeError](err)
	return is
}
