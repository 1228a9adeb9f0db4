package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"

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

// task is a document, or one record of it, and what came of it.
type task struct {
	*input
	work bool            // false for the task that comes behind the others and ends the document
	rec  *extract.Record // nil: all of the document

	out      [][]byte // one after the other
	edits    []byte
	problems []extract.Problem
	err      error
}

// input is a document on its way.
type input struct {
	src    source
	d      extract.Document
	in     *reader         // nil if it could not be opened, or is closed
	stream *extract.Stream // if its records are tasks
	left   atomic.Int64    // tasks that are not out yet, the one that ends the document among them
	read   int64           // bytes of it, once it is closed
	err    error           // the first of its tasks
}

// close ends the reading, if that has not been done.
func (in *input) close() {
	if in.in == nil {
		return
	}
	in.in.skip()
	in.read = in.in.n
	if in.src.name != stdinName {
		in.in.Close()
	}
	in.in = nil
}

// worker walks one document or record at a time.
type worker struct {
	walker extract.Walker
	out    *output // what it comes to; without a place to write to it is kept in memory
	edits  *output // of --edits

	document string
	count    int // its links, edits or bases, as the verb has it
	edit     func(offset int64, old, new []byte)
	commit   func(*outFile) error // for what a document has become: now, or with others of its batch
	found    *atomic.Int64        // the count of all workers
}

// job is what a verb has a worker do. It writes to the worker's out. An error is one of
// the document, unless it is an *outputError or the disk is full.
type job struct {
	document func(src source, d extract.Document) error
	record   func(rec extract.Record) error // nil if documents are not taken apart
	rewrites bool                           // record gives what the stream is to be put
}

// inFlight is how many bytes of records may be on the way at once for each worker, unless one
// is longer.
const inFlight = 2 << 20

// run opens the files of --problems and --stats, has the documents walked, and tidies up.
func (w *walk) run(newJob func(*worker) job) (err error) {
	if name := w.options.problems; name != "" {
		if w.reporter.file, err = w.openOutput(name); err != nil {
			w.out.leave()
			return err
		}
		defer func() { err = w.reporter.file.endBeside(err) }()
	}
	if name := w.options.stats; name != "" {
		var file *output
		if file, err = w.openOutput(name); err != nil {
			w.out.leave()
			return err
		}
		defer func() {
			file.buf = w.stats.append(file.buf, &w.counts)
			err = file.endBeside(err)
		}()
	}
	if w.missed == nil {
		w.missed = func(name, why string) { w.log.Info("passed over: "+why, slog.String("document", name)) }
	}
	if err := w.journal.open(w.options.resume, w.out, w.options.force); err != nil {
		return err
	}
	defer w.journal.close()
	jobs := w.jobs()
	side := (jobs > 1 || w.out == nil) && !w.options.failFast && !w.single(newJob)
	w.showProgress() // from here on others look at what the PATHs are, too
	defer w.messages.end()
	defer w.reporter.last()
	if side {
		err = w.sideBySide(jobs, newJob)
	} else {
		err = w.oneByOne(newJob)
	}
	if err == nil && w.out != nil {
		err = w.out.flush() // what could not be written does not count as done
	}
	if err == nil && w.foundNone() {
		which := "to read"
		if len(w.options.globs) > 0 {
			which = "that --glob chooses"
		}
		w.log.Warn("there is no document " + which + "; -v tells what is passed over, and absolink help inputs why")
	}
	return err
}

// foundNone says whether there was no document in the PATHs, which may be meant only if some are chosen.
func (w *walk) foundNone() bool {
	o := w.options
	return w.done.Load()+w.failed.Load() == 0 && o.filesFrom == "" && o.resume == "" && o.shard.of == 0 && len(o.only) == 0
}

// jobs is how many workers there are to be.
func (w *walk) jobs() int {
	if w.options.jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return w.options.jobs
}

// single says whether all there is to do is one file that is not taken apart: then it need
// not wait in memory. A pipe that has a name cannot be looked at and read again.
func (w *walk) single(newJob func(*worker) job) bool {
	if w.several() {
		return false
	}
	if w.probe(newJob).record == nil {
		return true
	}
	in := w.piped
	if w.paths[0] != stdinName {
		if info, err := os.Stat(w.paths[0]); err != nil || !info.Mode().IsRegular() {
			return err != nil
		}
		file, err := os.Open(w.paths[0])
		if err != nil {
			return true
		}
		defer file.Close()
		in = &reader{file: file, counts: &counts{}}
	}
	return !w.settings.Splits(extract.Document{Name: w.paths[0], Type: w.options.mediaType, Reader: in}, in.peek, w.finds == findsEdits)
}

// worker makes a worker, with what is asked of all. problem is told of what is wrong.
func (w *walk) worker(out, edits *output, problem func(extract.Problem)) *worker {
	k := &worker{walker: w.settings, out: out, edits: edits, commit: (*outFile).commit, found: &w.found}
	k.walker.OnProblem = problem
	if w.finds == findsEdits {
		if w.stats != nil {
			k.walker.OnLink = w.stats.link
		}
		k.walker.OnEdit = func(offset int64, old, new []byte) {
			k.find()
			if k.edits != nil {
				k.edits.buf = appendEdit(k.edits.buf, k.document, offset, old, new)
				_ = k.edits.spill() // an error is found again by finish
			}
			if k.edit != nil {
				k.edit(offset, old, new)
			}
		}
	}
	return k
}

// probe gives a job that is not done: it shows what those of the workers can do.
func (w *walk) probe(newJob func(*worker) job) job { return newJob(w.worker(&output{}, nil, nil)) }

// oneByOne walks the documents on one worker.
func (w *walk) oneByOne(newJob func(*worker) job) error {
	k := w.worker(w.out, w.edits, w.reporter.problem)
	do := newJob(k)
	for src, err := range w.sources(true) {
		in := &input{src: src, err: err}
		if err == nil {
			in.err = w.open(in)
		}
		if in.err == nil {
			in.err = k.do(do, in, nil)
		}
		if err := w.finish(in); err != nil {
			return err
		}
	}
	return nil
}

// do walks a document, or one record of it.
func (k *worker) do(do job, in *input, rec *extract.Record) error {
	k.document, k.count, k.edit = in.src.name, 0, nil
	defer func() { k.found.Add(int64(k.count % untold)) }()
	if rec != nil {
		return do.record(*rec)
	}
	return do.document(in.src, in.d)
}

// untold is how many of its findings a worker keeps to itself: to count them one by one together
// with others takes longer than some of them do.
const untold = 256

// find counts what the verb finds.
func (k *worker) find() {
	if k.count++; k.count%untold == 0 {
		k.found.Add(untold)
	}
}

// describe says what is known of a document before it is opened.
func (w *walk) describe(src source) extract.Document {
	d := extract.Document{Name: src.name, Type: cmp.Or(w.options.mediaType, src.kind)}
	d.URL, d.URLBy = w.retrieval.of(src)
	if extract.HoldsFiles(d.Type, src.name) {
		d.MemberURL = w.retrieval.member(src)
	}
	switch {
	case d.MemberURL != nil:
		d.URL, d.URLBy = "", ""
	case d.URL == "" && w.options.mirror && src.rel != "":
		w.reporter.stray(src.name)
	}
	return d
}

// open opens a document.
func (w *walk) open(in *input) error {
	in.d = w.describe(in.src)
	src, d := in.src, &in.d
	w.document.Store(&src.name)
	from := w.piped
	if src.name == stdinName {
		if w.prints(w.stdin, nil) {
			return errOwnOutput
		}
	} else {
		file, err := src.file, error(nil)
		if file == nil {
			file, err = openFile(src.name, os.O_RDONLY, 0)
		}
		if err != nil {
			return err
		}
		if w.prints(file, src.info) {
			file.Close()
			return errOwnOutput
		}
		from = &reader{file: file, info: src.info, counts: &w.counts}
		if !w.options.noEvidence && (d.URL == "" || w.finds == findsBases) { // else nothing asks for it
			d.Evidence = fileEvidence(src.name)
		}
	}
	in.in, d.Reader = from, from
	if only := w.options.only; len(only) > 0 {
		head, err := from.peek()
		if err != nil {
			return err
		}
		if f, _ := extract.DetectUnpacked(d.Type, d.Name, head); !only.has(f) {
			return errOtherType
		}
	}
	return nil
}

// prints says whether a file is the one that standard output goes to. Its info may be nil.
func (s *session) prints(file *os.File, info fs.FileInfo) bool {
	if s.printed == nil {
		return false
	}
	if info == nil {
		var err error
		if info, err = file.Stat(); err != nil {
			return false
		}
	}
	return os.SameFile(info, s.printed)
}

// finish ends a document: it is counted, and what went wrong is told. An error ends the run.
func (w *walk) finish(in *input) error {
	in.close()
	w.reporter.end(in.src.name)
	if err := w.beside(); err != nil {
		return err
	}
	err := in.err
	if err == nil {
		w.done.Add(1)
		if w.edits != nil {
			w.edits.keep()
		}
		return w.journal.add(in.src.name, w.out)
	}
	if _, stop := errors.AsType[*outputError](err); stop {
		return err
	}
	switch {
	case errors.Is(err, errOtherType), in.src.found && isUnknownType(err):
		w.bytes.Add(-in.read) // however far that was, it is no input
		w.skipped.Add(in.read)
		w.log.Debug("passed over: "+err.Error(), slog.String("document", in.src.name))
	case errors.Is(err, errOwnOutput) && in.src.found:
		w.log.Warn("passed over: "+err.Error(), slog.String("document", in.src.name))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		// Every document after it would fail alike, and be half an answer.
		return &outputError{fmt.Errorf("%s: %w", in.src.name, withAdvice(err))}
	default:
		w.failed.Add(1)
		w.log.Error(withAdvice(err).Error(), slog.String("document", in.src.name))
		if w.options.failFast {
			return errFailFast
		}
		if w.edits != nil { // they were not made
			if err := w.edits.takeBack(); err != nil {
				return err
			}
		}
		return w.journal.takeBack(w.out)
	}
	return w.journal.add(in.src.name, w.out)
}

// beside is the error of what is written beside the output, which is to end the run. A reader that has
// gone does not end it: the documents are for others.
func (w *walk) beside() error {
	for _, out := range []*output{w.edits, w.reporter.file} {
		if out != nil && out.err != nil && !errors.Is(out.err, syscall.EPIPE) {
			return out.err
		}
	}
	return nil
}

// errFailFast ends a run under --fail-fast. What failed has been told.
var errFailFast = errors.New("an input failed")

// errOtherType says that a document is of no type that --only asks for.
var errOtherType = errors.New("of another type than --only names")

// errOwnOutput says that what would be read is what the run writes.
var errOwnOutput = errors.New("the output goes there; write it elsewhere")
