package main

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync"
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
// than inFlight bytes of records, and a few tasks for each worker, are on the way.

// task is a document, or one record of it, and what came of it.
type task struct {
	*input
	rec  *extract.Record // nil: all of the document
	room []byte          // that rec is kept in

	out, edits []byte
	problems   []extract.Problem
	err        error
	done       chan struct{}
}

// input is a document on its way.
type input struct {
	src    source
	d      extract.Document
	in     *reader         // nil if it could not be opened
	stream *extract.Stream // if its records are tasks
	left   atomic.Int64    // tasks that are not out yet, one more until all are known
	err    error           // the first of its tasks
}

// close ends the reading.
func (in *input) close() {
	if in.in == nil {
		return
	}
	in.in.skip()
	if in.src.name != stdinName {
		in.in.Close()
	}
}

// worker walks one document or record at a time.
type worker struct {
	walker extract.Walker
	out    *output // what it comes to; without a place to write to it is kept in memory
	edits  *output // of --edits

	document string
	count    int // its edits
	edit     func(offset int64, old, new []byte)
	problems []extract.Problem
}

// job is what a verb has a worker do. It writes to the worker's out. An error is one of
// the document, unless it is an *outputError or the disk is full.
type job struct {
	document func(src source, d extract.Document) error
	record   func(rec extract.Record) error // nil if documents are not taken apart
	rewrites bool                           // record gives what the stream is to be put
}

// inFlight is how many bytes of records may be on the way at once, unless one is longer.
const inFlight = 32 << 20

// run opens the files of --problems and --stats, has the documents walked, and tidies up.
func (w *walk) run(newJob func(*worker) job) (err error) {
	if name := w.options.problems; name != "" {
		if w.reporter.file, err = w.openOutput(name); err != nil {
			return err
		}
		defer func() { err = w.reporter.file.end(err) }()
	}
	if name := w.options.stats; name != "" {
		var file *output
		if file, err = w.openOutput(name); err != nil {
			return err
		}
		defer func() {
			file.buf = w.stats.append(file.buf, &w.counts)
			err = file.end(err)
		}()
	}
	if w.missed == nil {
		w.missed = func(name, why string) { w.log.Info("passed over: "+why, slog.String("document", name)) }
	}
	if err := w.journal.open(w.options.resume, w.out); err != nil {
		return err
	}
	defer w.journal.close()
	w.showProgress()
	defer w.messages.end()
	if jobs := w.jobs(); jobs > 1 && !w.single() {
		return w.sideBySide(jobs, newJob)
	}
	return w.oneByOne(newJob)
}

// jobs is how many workers there are to be. Under --fail-fast nothing is to come after
// what failed.
func (w *walk) jobs() int {
	if w.options.failFast {
		return 1
	}
	if w.options.jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return w.options.jobs
}

// single says whether all there is to do is one file that is not taken apart: then it need
// not wait in memory.
func (w *walk) single() bool {
	if w.several() || w.paths[0] == stdinName {
		return false
	}
	file, err := os.Open(w.paths[0])
	if err != nil {
		return true
	}
	defer file.Close()
	head, err := (&reader{file: file, counts: &counts{}}).peek()
	return err == nil && !w.settings.Splits(extract.Document{Name: w.paths[0], Type: w.options.mediaType}, head, w.finds == findsEdits)
}

// worker makes a worker, with what is asked of all. problem is told of what is wrong.
func (w *walk) worker(out, edits *output, problem func(extract.Problem)) *worker {
	k := &worker{walker: w.settings, out: out, edits: edits}
	k.walker.OnProblem = problem
	if w.finds == findsEdits {
		k.walker.OnEdit = func(offset int64, old, new []byte) {
			k.count++
			w.found.Add(1)
			if k.edits != nil {
				k.edits.buf = appendEdit(k.edits.buf, k.document, offset, old, new)
				_ = k.edits.spill() // an error is found again at the end
			}
			if k.edit != nil {
				k.edit(offset, old, new)
			}
		}
	}
	return k
}

// oneByOne walks the documents on one worker.
func (w *walk) oneByOne(newJob func(*worker) job) error {
	k := w.worker(w.out, w.edits, w.reporter.problem)
	do := newJob(k)
	for src, err := range w.sources(w.missed) {
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
	if rec != nil {
		return do.record(*rec)
	}
	return do.document(in.src, in.d)
}

// open opens a document.
func (w *walk) open(in *input) error {
	src, d := in.src, &in.d
	*d = extract.Document{Name: src.name, Type: cmp.Or(w.options.mediaType, src.kind)}
	d.URL, d.URLBy = w.retrieval.of(src)
	if d.URL == "" && w.options.mirror && src.rel != "" {
		w.log.Warn("in no host's folder, so --mirror does not tell its URL", slog.String("document", src.name))
	}
	w.document.Store(&src.name)
	from := &reader{file: w.stdin, counts: &w.counts}
	if src.name != stdinName {
		file, err := os.Open(src.name)
		if err != nil {
			return err
		}
		from.file = file
		if !w.options.noEvidence {
			d.Evidence = fileEvidence(src.name)
		}
	}
	in.in, d.Reader = from, from
	if only := w.options.only; len(only) > 0 {
		head, err := from.peek()
		if err != nil {
			return err
		}
		if !only.has(extract.Detect(d.Type, d.Name, head)) {
			return errOtherType
		}
	}
	return nil
}

// finish ends a document: it is counted, and what went wrong is told. An error ends the run.
func (w *walk) finish(in *input) error {
	in.close()
	w.reporter.end(in.src.name)
	err := in.err
	if stop := (*outputError)(nil); errors.As(err, &stop) {
		return err
	}
	unknown := (*extract.UnknownTypeError)(nil)
	switch {
	case err == nil:
		w.done.Add(1)
	case errors.Is(err, errOtherType), in.src.found && errors.As(err, &unknown):
		w.log.Debug("passed over: "+err.Error(), slog.String("document", in.src.name))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		// Every document after it would fail alike, and be half an answer.
		return &outputError{&documentError{in.src.name, withAdvice(err)}}
	default:
		w.failed.Add(1)
		w.log.Error(withAdvice(err).Error(), slog.String("document", in.src.name))
		if w.options.failFast {
			return errFailFast
		}
		return nil
	}
	return w.journal.add(in.src.name, w.out)
}

// documentError is an error with the document it is about.
type documentError struct {
	document string
	err      error
}

func (e *documentError) Error() string { return e.document + ": " + e.err.Error() }
func (e *documentError) Unwrap() error { return e.err }

// errFailFast ends a run under --fail-fast. What failed has been told.
var errFailFast = errors.New("an input failed")

// errOtherType says that a document is of no type that --only asks for.
var errOtherType = errors.New("of another type than --only names")

// sideBySide walks the documents, and records of documents that have many, on workers.
func (w *walk) sideBySide(jobs int, newJob func(*worker) job) error {
	p := &pipeline{walk: w, work: make(chan *task), out: make(chan *task, 4*jobs), quit: make(chan struct{}), room: newRoom(inFlight)}
	probe := w.worker(&output{}, nil, nil)
	p.job = newJob(probe)
	go p.produce()
	var workers sync.WaitGroup
	for range jobs {
		workers.Add(1)
		go func() {
			defer workers.Done()
			p.worker(newJob)
		}()
	}
	if w.options.unordered {
		go func() { workers.Wait(); close(p.out) }()
	}
	var err error
	for t := range p.out {
		<-t.done
		if err == nil {
			if err = p.emit(t); err != nil {
				close(p.quit) // and the rest is let go
				p.room.open()
			}
		}
		p.room.give(t.size())
		p.rooms.put(t.room)
		p.rooms.put(t.out)
	}
	workers.Wait()
	return err
}

// pipeline is one run of several workers.
type pipeline struct {
	*walk
	job  job // of nobody: what it can do is asked of it
	work chan *task
	out  chan *task // in order, or as they are done
	quit chan struct{}

	room  *room
	rooms rooms
}

// size is how many bytes of a record the task holds.
func (t *task) size() int {
	if t.rec == nil {
		return 0
	}
	return len(t.rec.Bytes)
}

// produce makes the tasks.
func (p *pipeline) produce() {
	defer func() {
		close(p.work)
		if !p.options.unordered {
			close(p.out)
		}
	}()
	var problems []extract.Problem
	splitter := p.settings
	splitter.OnProblem = func(problem extract.Problem) { problems = append(problems, problem) }
	for src, err := range p.sources(p.missed) {
		in := &input{src: src}
		in.left.Store(1)
		if err == nil {
			err = p.open(in)
		}
		if err == nil && p.splits(&splitter, in) {
			err = p.records(&splitter, in, &problems)
		} else if err == nil {
			in.left.Add(1)
			if !p.send(&task{input: in}) {
				return
			}
		}
		// The last one carries no work: with it all of the document are known.
		if !p.send(&task{input: in, err: err, problems: problems, done: finished}) {
			return
		}
		problems = nil
	}
}

// finished is the done of a task without work.
var finished = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// splits says whether the records of a document are to be tasks.
func (p *pipeline) splits(w *extract.Walker, in *input) bool {
	if p.job.record == nil {
		return false
	}
	head, err := in.in.peek()
	return err == nil && w.Splits(in.d, head, p.job.rewrites)
}

// records makes tasks of the records of a document.
func (p *pipeline) records(w *extract.Walker, in *input, problems *[]extract.Problem) (err error) {
	var dst io.Writer
	if p.job.rewrites {
		dst = p.walk.out
	}
	if in.stream, err = w.Open(in.d, dst); err != nil {
		return err
	}
	for rec, err := range in.stream.Records() {
		if err != nil {
			return err
		}
		in.left.Add(1)
		t := &task{input: in, rec: &rec, room: rec.Keep(p.rooms.get()), problems: *problems}
		*problems = nil
		p.room.take(len(rec.Bytes))
		if !p.send(t) {
			return nil
		}
	}
	return nil
}

// send hands a task on; false if the run has ended.
func (p *pipeline) send(t *task) bool {
	idle := t.done == finished
	if !idle {
		t.done = make(chan struct{})
	}
	if !p.options.unordered || idle {
		select {
		case p.out <- t:
		case <-p.quit:
			return false
		}
	}
	if idle {
		return true
	}
	select {
	case p.work <- t:
		return true
	case <-p.quit:
		close(t.done)
		return false
	}
}

// worker does tasks until there are no more.
func (p *pipeline) worker(newJob func(*worker) job) {
	var problems []extract.Problem
	edits := p.edits
	if edits != nil {
		edits = &output{}
	}
	k := p.walk.worker(&output{}, edits, func(problem extract.Problem) { problems = append(problems, problem) })
	do := newJob(k)
	for t := range p.work {
		t.err = k.do(do, t.input, t.rec)
		t.problems, problems = append(t.problems, problems...), nil
		t.out, k.out.buf = k.out.buf, p.rooms.get()
		if edits != nil {
			t.edits, edits.buf = edits.buf, nil
		}
		close(t.done)
		if p.options.unordered {
			p.out <- t
		}
	}
}

// emit writes what came of a task. An error ends the run.
func (p *pipeline) emit(t *task) error {
	for _, problem := range t.problems {
		p.reporter.problem(problem)
	}
	in := t.input
	if in.err == nil {
		in.err = t.err
	}
	var err error
	switch {
	case t.rec != nil && p.job.rewrites:
		if in.err == nil {
			err = in.stream.Put(*t.rec, t.out)
		}
	case len(t.out) > 0:
		_, err = p.walk.out.Write(t.out)
	}
	if err == nil && p.edits != nil {
		_, err = p.edits.Write(t.edits)
	}
	if in.left.Add(-1) > 0 || err != nil {
		return err
	}
	if in.err == nil && in.stream != nil && p.job.rewrites {
		in.err = in.stream.Close()
	}
	return p.finish(in)
}

// rooms are buffers to be used again, but for the largest.
type rooms struct{ pool sync.Pool }

const largestRoom = 4 << 20

func (r *rooms) get() []byte {
	if b, ok := r.pool.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

func (r *rooms) put(b []byte) {
	if 0 < cap(b) && cap(b) <= largestRoom {
		r.pool.Put(&b)
	}
}

// room is a number of bytes that may be taken.
type room struct {
	mu     sync.Mutex
	freed  *sync.Cond
	left   int
	opened bool
}

func newRoom(n int) *room {
	r := &room{left: n}
	r.freed = sync.NewCond(&r.mu)
	return r
}

// take takes n bytes, once there are any.
func (r *room) take(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left <= 0 && !r.opened {
		r.freed.Wait()
	}
	r.left -= n
}

// give gives them back.
func (r *room) give(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left += n
	r.freed.Signal()
}

// open lets everybody in.
func (r *room) open() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opened = true
	r.freed.Broadcast()
}
