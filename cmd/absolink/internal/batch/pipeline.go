// The tasks of several workers: produce makes tasks, hand sends them in bundles, worker does them, and emit writes their
// results in order.

package batch

import (
	"context"
	"io"
	"runtime"
	"sync"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// The bytes of records and results that may be in memory: fewest, and perWorker for each worker. The next bundle is sent as
// long as this limit is not reached. So one bundle may exceed the limit, and long results may, too.
const (
	fewest    = 4 << 20
	perWorker = 1 << 20
)

// sideBySide walks the documents on several workers. A document with many records is divided into records. With one worker this
// is faster if each document becomes a file, because files are committed together. A run under --fail-fast uses oneByOne,
// because nothing may be done after a failure.
func (r *Run) sideBySide(newJob func(*Worker) Job) error {
	p := &pipeline{
		Run:     r,
		job:     r.probe(newJob),
		work:    make(chan *bundle, min(r.Jobs+2, bundlesReady)),
		out:     make(chan *bundle, 8*r.Jobs),
		quit:    make(chan struct{}),
		written: make(chan *bundle, bundlesWaiting),
		budget:  newBudget(fewest + r.Jobs*perWorker),
	}
	go p.produce()
	var workers sync.WaitGroup
	for range r.Jobs {
		workers.Go(func() { p.worker(newJob) })
	}
	go func() { workers.Wait(); close(p.written) }()
	go func() {
		p.commit()
		if r.Unordered {
			close(p.out)
		}
	}()
	var err error
	for b := range p.out {
		<-b.done
		for _, t := range b.tasks {
			if err == nil {
				if err = p.emit(t); err != nil {
					close(p.quit) // the other tasks are dropped
					p.budget.open()
				}
			}
		}
		p.budget.give(b.held)
		p.buffers.put(b.out...)
	}
	workers.Wait()
	return err
}

// pipeline is one run of several workers.
type pipeline struct {
	*Run
	job  Job           // from probe
	next *bundle       // tasks that are not sent yet
	work chan *bundle  // to the workers
	out  chan *bundle  // to be written, in order; with --unordered in the order in which the bundles are done
	quit chan struct{} // closed when an error has ended the run

	written chan *bundle // bundles with files to be committed

	budget  *budget // of the records in memory
	buffers buffers
}

// bundle is a list of tasks that are sent together: to wake a goroutine costs as much as a short task.
type bundle struct {
	tasks []*task
	size  int      // bytes of the documents, or of the records
	held  int      // bytes that are taken from the budget
	out   [][]byte // buffers with the results of the tasks
	files []taskFile
	done  chan struct{}
}

// A bundle is sent when it has so many bytes or tasks.
const (
	bundleSize  = files.MemoryBlock / 4 * 3 // the rewritten records often fit in one block
	bundleTasks = 64

	leastDocument = bundleSize / 16 // the size of a shorter document in a bundle, because it is an open file

	bundlesReady = 16 // limits the number of open files, for any number of workers

	longFiles = 2 << 20 // the files of a longer bundle are committed without other bundles
)

// produce makes the tasks.
func (p *pipeline) produce() {
	p.next = &bundle{}
	if p.tasks() {
		p.hand()
	}
	close(p.work)
	if !p.Unordered {
		close(p.out)
	}
}

// tasks makes the tasks of all documents. It returns false if the run has ended.
func (p *pipeline) tasks() bool {
	var problems []extract.Problem
	splitter := p.Settings
	splitter.OnProblem = func(problem extract.Problem) { problems = append(problems, problem) }
	for src, err := range p.Sources {
		in := &input{src: src}
		in.left.Store(1)
		if err == nil {
			err = p.open(in, splitter.OnProblem)
		}
		more := true
		if err == nil && p.job.Records && splits(in.d, in.in) {
			more, err = p.records(&splitter, in, &problems)
		} else if err == nil {
			in.left.Add(1)
			t := &task{input: in, work: true, problems: problems}
			problems = nil
			more = p.send(t, max(in.in.Size(), leastDocument))
		}
		// The last task has no work. It ends the document.
		if !more || !p.send(&task{input: in, err: err, problems: problems}, 0) {
			return false
		}
		problems = nil
	}
	return true
}

// records makes tasks of the records of a document; more is false if the run has ended.
func (p *pipeline) records(x *extract.Extractor, in *input, problems *[]extract.Problem) (more bool, err error) {
	var dst io.Writer
	if p.job.Rewrites {
		dst = p.Run.Out
	}
	if in.stream, err = x.Open(context.Background(), in.d, dst); err != nil {
		return true, err
	}
	for rec, err := range in.stream.Records() {
		if err != nil {
			return true, err
		}
		in.left.Add(1)
		t := &task{input: in, work: true, rec: &rec, problems: *problems}
		*problems = nil
		p.next.held += len(rec.Bytes)
		if !p.send(t, len(rec.Bytes)) {
			return false, nil
		}
	}
	return true, nil
}

// send adds a task of size bytes to the next bundle. It returns false if the run has ended.
func (p *pipeline) send(t *task, size int) bool {
	p.next.tasks = append(p.next.tasks, t)
	p.next.size += size
	if p.next.size < bundleSize && len(p.next.tasks) < bundleTasks {
		return true
	}
	return p.hand()
}

// hand sends the next bundle. It returns false if the run has ended.
func (p *pipeline) hand() bool {
	b := p.next
	p.next, b.done = &bundle{}, make(chan struct{})
	b.held += pooledSizes[0] // the results need at least one buffer
	p.budget.take(b.held)
	if !p.Unordered {
		select {
		case p.out <- b:
		case <-p.quit:
			return false
		}
	}
	select {
	case p.work <- b:
		return true
	case <-p.quit:
		close(b.done)
		return false
	}
}

// worker does tasks until there are no more tasks.
func (p *pipeline) worker(newJob func(*Worker) Job) {
	var problems []extract.Problem
	edits := p.Edits
	if edits != nil {
		edits = &files.Output{}
	}
	var now *task     // the current task
	var from int      // the start of its result in the buffer
	var full [][]byte // the buffers before this buffer
	out := &files.Output{Full: func(buf []byte, n int) []byte {
		now.out, from = append(now.out, buf[from:]), 0
		full = append(full, buf)
		return p.buffers.get(n)
	}}
	k := p.Run.worker(out, edits, func(problem extract.Problem) { problems = append(problems, problem) })
	do := newJob(k)
	for b := range p.work {
		k.Commit = func(file *files.File) error { b.files = append(b.files, taskFile{now, file}); return nil }
		k.Out.Buf, from = p.buffers.get(0), 0
		for _, t := range b.tasks {
			if !t.work {
				continue
			}
			now = t
			t.err = k.do(do, t.input, t.rec)
			t.part = k.Part
			if t.rec != nil && !p.job.Rewrites {
				t.rec.Release()
			}
			if t.rec == nil {
				t.input.close() // its result may be written much later
			}
			t.problems, problems = append(t.problems, problems...), nil
			t.out, from = append(t.out, k.Out.Buf[from:]), len(k.Out.Buf)
			if edits != nil {
				t.edits, edits.Buf = edits.Buf, nil
			}
		}
		p.keep(b, append(full, k.Out.Buf))
		full = nil
		if b.size <= longFiles && files.Waits(filesOf(b.files)) {
			p.written <- b
			continue
		}
		commitTasks(b.files) // none, or long files, which would need much space on the disk
		p.end(b)
	}
}

// keep keeps the buffers with the results of a bundle until they are written, and takes their bytes from the budget. A
// bundle whose results are all in files needs no buffer.
func (p *pipeline) keep(b *bundle, out [][]byte) {
	if len(out) == 1 && len(out[0]) == 0 {
		p.buffers.put(out...)
		out = nil
	}
	more := -pooledSizes[0] // taken before
	for _, buf := range out {
		more += cap(buf)
	}
	for _, t := range b.tasks {
		more += cap(t.edits)
	}
	b.out = out
	b.held += more
	p.budget.give(-more)
}

// end marks a bundle as done.
func (p *pipeline) end(b *bundle) {
	close(b.done)
	if p.Unordered {
		p.out <- b
	}
	runtime.Gosched() // to the goroutines that write results and make tasks: a worker rarely blocks
}

// emit writes the result of a task. An error ends the run.
func (p *pipeline) emit(t *task) error {
	for _, problem := range t.problems {
		p.problem(t.input, problem)
	}
	in := t.input
	p.collect(in, t.part)
	if in.err == nil {
		in.err = t.err
	}
	var err error
	switch {
	case t.rec != nil && p.job.Rewrites:
		if in.err == nil {
			err = in.stream.Put(*t.rec, t.out...)
		}
		t.rec.Release()
	case p.Run.Out != nil:
		for _, out := range t.out {
			if err == nil {
				_, err = p.Run.Out.Write(out)
			}
		}
	}
	if err == nil && p.Edits != nil {
		_, _ = p.Edits.Write(t.edits)
		err = p.beside()
	}
	if in.left.Add(-1) > 0 || err != nil {
		return err
	}
	if in.err == nil && in.stream != nil && p.job.Rewrites {
		in.err = in.stream.Close()
	}
	return p.finish(in)
}
