package main

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

// A run goes over documents on one worker, or on several side by side:
//
//	sources -> tasks -> workers -> emit
//
// With one worker a task is a document, and what it comes to goes to the output as it is
// made. With several, a task is a document or one record of it, and what it comes to waits
// in memory until all before it is out, or goes out as it comes under --unordered. No more
// than inFlight bytes of records, and a few batches of tasks for each worker, are on the way.
// So it is with one worker, too, where each document becomes a file: files are committed
// together. Under --fail-fast nothing is to come after what failed, so one goes after the other.

// batchRun is a run of many documents through the workers.
type batchRun struct {
	sources iter.Seq2[inputs.Source, error]
	alone   *inputs.Source // the only document; nil if there may be more
	opener  *inputs.Opener

	settings  extract.Walker // of every worker
	finds     string         // one of those below
	jobs      int            // how many workers
	unordered bool
	failFast  bool

	out     *files.Output // what the documents come to, one after the other; nil if they have files of their own
	edits   *files.Output // of --edits; nil without
	journal journal

	reporter reporter
	logger   *slog.Logger
	stats    *stats // nil without --stats
	counts   *counts
}

// reporter shows what is wrong with documents. The batch does not know where.
type reporter interface {
	Problem(p extract.Problem)
	EndDocument(document string)
	Err() error // what is to end the run
}

// What a walk finds, as people call it.
const (
	findsLinks = "links"
	findsBases = "bases"
	findsEdits = "edits"
)

// do runs the job of a verb over all documents.
func (r *batchRun) do(newJob func(*worker) job) (err error) {
	if (r.jobs > 1 || r.out == nil) && !r.failFast && !r.single(newJob) {
		err = r.sideBySide(newJob)
	} else {
		err = r.oneByOne(newJob)
	}
	if err == nil && r.out != nil {
		err = r.out.Flush() // what could not be written does not count as done
	}
	return err
}

// single reports whether all there is to do is one file that is not divided into records: then it need
// not wait in memory. A pipe that has a name cannot be looked at and read again.
func (r *batchRun) single(newJob func(*worker) job) bool {
	if r.alone == nil {
		return false
	}
	if r.probe(newJob).record == nil {
		return true
	}
	name, in := r.alone.Name, r.opener.Stdin
	if name != files.Std {
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
	return !r.settings.Splits(extract.Document{Name: name, Type: r.opener.Kind, Reader: in}, in.Peek, r.finds == findsEdits)
}

// probe gives a job that is not done: it shows what those of the workers can do.
func (r *batchRun) probe(newJob func(*worker) job) job {
	return newJob(r.worker(&files.Output{}, nil, nil))
}

// oneByOne walks the documents on one worker.
func (r *batchRun) oneByOne(newJob func(*worker) job) error {
	k := r.worker(r.out, r.edits, r.problem)
	do := newJob(k)
	for src, err := range r.sources {
		in := &input{src: src, err: err}
		if err == nil {
			in.err = r.open(in)
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

// open opens a document.
func (r *batchRun) open(in *input) (err error) {
	r.counts.document.Store(&in.src.Name)
	in.in, in.d, err = r.opener.Open(in.src)
	return err
}

// problem takes a problem of a document.
func (r *batchRun) problem(p extract.Problem) {
	r.counts.wrong.Add(1)
	r.stats.problem(p.Code)
	r.reporter.Problem(p)
}

// finish ends a document: it is counted, and what went wrong is told. An error ends the run.
func (r *batchRun) finish(in *input) error {
	in.close()
	r.reporter.EndDocument(in.src.Name)
	if err := r.beside(); err != nil {
		return err
	}
	err := in.err
	if err == nil {
		r.counts.done.Add(1)
		if r.edits != nil {
			r.edits.Keep()
		}
		return r.journal.add(in.src.Name, r.out)
	}
	if _, stop := errors.AsType[*files.OutputError](err); stop {
		return err
	}
	switch {
	case errors.Is(err, inputs.ErrOtherType), in.src.Found && isUnknownType(err):
		r.counts.bytes.Read.Add(-in.read) // however far that was, it is no input
		r.counts.bytes.Skipped.Add(in.read)
		r.logger.Debug("passed over: "+err.Error(), slog.String("document", in.src.Name))
	case errors.Is(err, inputs.ErrOwnOutput) && in.src.Found:
		r.logger.Warn("passed over: "+err.Error(), slog.String("document", in.src.Name))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		// Every document after it would fail alike, and be half an answer.
		return &files.OutputError{Err: fmt.Errorf("%s: %w", in.src.Name, typeAdvice(err))}
	default:
		r.counts.failed.Add(1)
		r.logger.Error(typeAdvice(err).Error(), slog.String("document", in.src.Name))
		if r.failFast {
			return errFailFast
		}
		if r.edits != nil { // they were not made
			if err := r.edits.TakeBack(); err != nil {
				return err
			}
		}
		return r.journal.takeBack(r.out)
	}
	return r.journal.add(in.src.Name, r.out)
}

// beside is the error of what is written beside the output, which is to end the run. A reader that has
// gone does not end it: the documents are for others.
func (r *batchRun) beside() error {
	if err := r.edits.ErrBeside(); err != nil {
		return err
	}
	return r.reporter.Err()
}

// errFailFast ends a run under --fail-fast. What failed has been told.
var errFailFast = errors.New("an input failed")

// typeAdvice is withAdvice for an error of a document, which may be of an unknown type.
func typeAdvice(err error) error {
	if isUnknownType(err) {
		return fmt.Errorf("%w; say with --type what it is", err)
	}
	return files.WithAdvice(err)
}

// isUnknownType reports whether an error is that no format claims a document.
func isUnknownType(err error) bool {
	_, is := errors.AsType[*extract.UnknownTypeError](err)
	return is
}
