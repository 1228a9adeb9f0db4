package main

import (
	"io"
	"sync"

	"absolink/extract"
)

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

const largestRoom = 256 << 10

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
