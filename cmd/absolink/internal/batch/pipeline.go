// The way of tasks through several workers: produce makes them, hand hands them on in bundles, worker does them,
// and emit writes what comes of them, in order.

package batch

import (
	"context"
	"io"
	"runtime"
	"sync"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// inFlight is how many bytes of records may be in memory at once for each worker, unless one record
// is longer.
const inFlight = 2 << 20

// sideBySide walks the documents, and records of documents that have many, on workers. With one worker this
// pays where each document becomes a file: files are committed together. Under --fail-fast nothing may come
// after what failed, so oneByOne is for that.
func (r *Run) sideBySide(newJob func(*Worker) Job) error {
	p := &pipeline{
		Run:     r,
		job:     r.probe(newJob),
		work:    make(chan *bundle, min(r.Jobs+2, bundlesReady)),
		out:     make(chan *bundle, 8*r.Jobs),
		quit:    make(chan struct{}),
		written: make(chan *bundle, bundlesWaiting),
		budget:  newBudget(r.Jobs * inFlight),
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
					close(p.quit) // and the rest is let go
					p.budget.open()
				}
			}
			p.budget.give(t.size())
		}
		p.leave(b.rooms...)
		p.buffers.put(b.out...)
	}
	workers.Wait()
	return err
}

// pipeline is one run of several workers.
type pipeline struct {
	*Run
	job  Job           // from probe
	next *bundle       // tasks that are not handed on yet
	room *room         // what records are read into; nil if there is none
	old  *room         // the one before, while a record that was begun in it may be moved to the next; else nil
	work chan *bundle  // what workers take
	out  chan *bundle  // what is written: in order, or as they are done
	quit chan struct{} // closed when an error has ended the run

	written chan *bundle // whose files are to be committed

	budget  *budget // for the records on the way
	buffers buffers
}

// bundle is tasks that go from hand to hand together, for waking the goroutine that takes them
// costs as much as a short task.
type bundle struct {
	tasks []*task
	size  int      // bytes of the documents, or of the records
	rooms []*room  // what the records lie in
	out   [][]byte // buffers with what the tasks come to
	files []taskFile
	done  chan struct{}
}

// A bundle is handed on when it is as long as this.
const (
	bundleSize  = files.MemoryBlock
	bundleTasks = 64

	leastDocument = bundleSize / 16 // what a shorter one counts as, for it is an open file

	bundlesReady = 16 // at most, for however many workers: all documents in them are open files
)

// size is how many bytes of a record the task holds.
func (t *task) size() int {
	if t.rec == nil {
		return 0
	}
	return len(t.rec.Bytes)
}

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

// tasks makes those of all documents; false if the run has ended.
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
		if err == nil && p.splits(&splitter, in) {
			more, err = p.records(&splitter, in, &problems)
		} else if err == nil {
			in.left.Add(1)
			t := &task{input: in, work: true, problems: problems}
			problems = nil
			more = p.send(t, max(in.in.Size(), leastDocument))
		}
		// The last one carries no work: with it all of the document are known.
		if !more || !p.send(&task{input: in, err: err, problems: problems}, 0) {
			return false
		}
		problems = nil
	}
	return true
}

// splits reports whether the records of a document are to be tasks.
func (p *pipeline) splits(x *extract.Extractor, in *input) bool {
	return p.job.Records && x.Splits(in.d, in.in.Peek, p.job.Rewrites)
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
	defer func() { p.leave(p.old, p.room); p.old, p.room = nil, nil }()
	for rec, err := range in.stream.RecordsIn(p.newRoom) {
		p.leave(p.old)
		p.old = nil
		if err != nil {
			return true, err
		}
		in.left.Add(1)
		p.next.hold(p.room)
		t := &task{input: in, work: true, rec: &rec, problems: *problems}
		*problems = nil
		p.budget.take(len(rec.Bytes))
		if !p.send(t, len(rec.Bytes)) {
			return false, nil
		}
	}
	return true, nil
}

// newRoom returns memory that records are read into from now on. The room before it is not left before the
// next record has come: the beginning of that is still to be moved.
func (p *pipeline) newRoom(n int) []byte {
	p.leave(p.old)
	p.old, p.room = p.room, &room{bytes: p.buffers.get(max(n, roomSize))}
	p.room.holders.Store(1)
	return p.room.bytes
}

// leave tells rooms that one holder each is done with them. The last one gives them back.
func (p *pipeline) leave(rooms ...*room) {
	for _, r := range rooms {
		if r != nil && r.holders.Add(-1) == 0 {
			p.buffers.put(r.bytes)
		}
	}
}

// send puts a task of so many bytes to the others; false if the run has ended.
func (p *pipeline) send(t *task, size int) bool {
	p.next.tasks = append(p.next.tasks, t)
	p.next.size += size
	if p.next.size < bundleSize && len(p.next.tasks) < bundleTasks {
		return true
	}
	return p.hand()
}

// hand hands on the tasks that have come together; false if the run has ended.
func (p *pipeline) hand() bool {
	b := p.next
	p.next, b.done = &bundle{}, make(chan struct{})
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

// worker does tasks until there are no more.
func (p *pipeline) worker(newJob func(*Worker) Job) {
	var problems []extract.Problem
	edits := p.Edits
	if edits != nil {
		edits = &files.Output{}
	}
	var now *task     // the one at hand
	var from int      // where what it comes to begins in the buffer
	var full [][]byte // buffers before it
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
			if t.rec == nil {
				t.input.close() // long before it is out, perhaps
			}
			t.problems, problems = append(t.problems, problems...), nil
			t.out, from = append(t.out, k.Out.Buf[from:]), len(k.Out.Buf)
			if edits != nil {
				t.edits, edits.Buf = edits.Buf, nil
			}
		}
		b.out, full = append(full, k.Out.Buf), nil
		if b.files != nil && b.size <= inFlight {
			p.written <- b
			continue
		}
		commitTasks(b.files) // none, or long ones: it is the room on the disk that counts
		p.end(b)
	}
}

// end says that a batch is done.
func (p *pipeline) end(b *bundle) {
	close(b.done)
	if p.Unordered {
		p.out <- b
	}
	runtime.Gosched() // to who writes it, and to who makes more: a worker hardly ever stops by itself
}

// emit writes what came of a task. An error ends the run.
func (p *pipeline) emit(t *task) error {
	for _, problem := range t.problems {
		p.problem(t.input, problem)
	}
	in := t.input
	if in.err == nil {
		in.err = t.err
	}
	var err error
	switch {
	case t.rec != nil && p.job.Rewrites:
		if in.err == nil {
			err = in.stream.Put(*t.rec, t.out...)
		}
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
