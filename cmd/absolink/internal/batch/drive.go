package batch

import (
	"context"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// group is the documents and records that a worker takes together, because waking a goroutine costs as much as a short
// document. Its worker owns it until it closes done, and then the caller of drive. While a group has its turn, its
// owner alone writes to the outputs of the Run.
type group struct {
	tasks []*task
	size  int // bytes of the documents and records

	turn chan struct{} // all groups before this group are completed, so its worker writes what it has
	done chan struct{}

	settled int      // how many tasks are written and ended
	memory  [][]byte // the blocks with the results of the tasks
	files   []newFile
	err     error // ends the run
}

type newFile struct {
	*task
	*files.File
	committed func() // called when a new version of the document has its name; may be nil
}

const (
	groupSize  = blockSize / 4 * 3 // a group of this many bytes is full: after rewriting they often fit in a block
	groupTasks = 64                // and so is one of this many documents and records

	// the least size of a document that becomes a file, because the file is open until it is committed
	leastFile = groupSize / 16

	// what a group with files weighs, and the most that another weighs; there is memory for the groups at work and 4
	// more
	perGroup = 1 << 20
)

// driver is what the workers of a run share.
type driver struct {
	*Run
	ctx    context.Context // is done when an error has ended the run
	memory *semaphore.Weighted
	blocks chan []byte // of results, to be used again

	taking sync.Mutex // guards next, and the sources and the builder behind it
	next   func() (*group, bool)
	groups chan *group  // that a worker has taken, in order
	atWork sync.RWMutex // a worker holds it while it works on a group whose documents are files, not pipes
}

// drive runs the job over all documents. Workers take the groups, and drive completes them in their order.
func (r *Run) drive(newJob func(*Worker) Job) (err error) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	jobs, ahead := r.Jobs, 8*r.Jobs
	if r.FailFast {
		jobs, ahead = 1, 0 // the worker hands over a group when the one before is completed
	}
	d := &driver{Run: r, ctx: ctx, memory: semaphore.NewWeighted(int64(jobs+4) * perGroup),
		blocks: make(chan []byte, 8*jobs), groups: make(chan *group, ahead)}
	var stop func()
	d.next, stop = iter.Pull(d.divide)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() { d.work(newJob) })
	}
	go func() {
		workers.Wait()
		stop()
		close(d.groups)
	}()
	for g := range d.groups {
		if err = d.complete(g); err != nil {
			end()
			d.atWork.Lock() // not workers.Wait: a worker may wait for ever for a pipe
			return err
		}
	}
	return nil
}

// take returns the next group, or nil if there is none or the run has ended.
func (d *driver) take() *group {
	d.taking.Lock()
	defer d.taking.Unlock()
	g, ok := d.next()
	if !ok || d.memory.Acquire(d.ctx, d.weight(g)) != nil || !d.hand(g) {
		return nil
	}
	return g
}

func (d *driver) weight(g *group) int64 {
	if d.Out == nil {
		return perGroup
	}
	return min(2*max(int64(g.size), blockSize), perGroup) // twice, for the result
}

// hand passes a group to the caller of drive. It returns false if the run has ended.
func (d *driver) hand(g *group) bool {
	select {
	case d.groups <- g:
		return true
	case <-d.ctx.Done():
		return false
	}
}

// complete waits until the worker of a group is done. Then it writes the rows, or commits the files, and ends the
// documents. An error ends the run.
func (d *driver) complete(g *group) error {
	close(g.turn)
	<-g.done
	err := g.err
	if err == nil {
		err = d.finish(g)
	}
	for _, block := range g.memory {
		select {
		case d.blocks <- block:
		default:
		}
	}
	d.memory.Release(d.weight(g))
	return err
}

// finish commits the files of a group, and writes the rest of its results.
func (d *driver) finish(g *group) error {
	if d.Out == nil {
		d.finishing.Lock()
		defer d.finishing.Unlock()
	}
	g.commit()
	return d.settle(g)
}

// Pause waits until no document has a new file and is not yet in the journal, however slow the disk is, and then
// commits no other file: a resumed run would find nothing to change in the file, and its edits would be lost. At the
// end of a run it waits for ever.
func (r *Run) Pause() { r.finishing.Lock() }

// commit commits the files of the tasks together, because the disk needs nearly the same time for one file as for many.
// If the commit of a file fails, its task fails.
func (g *group) commit() {
	all := make([]*files.File, len(g.files))
	for i, f := range g.files {
		all[i] = f.File
	}
	files.CommitAll(all, func(i int, err error) { g.files[i].task.err = err })
	for _, f := range g.files {
		if f.task.err != nil {
			continue
		}
		if lost := f.Lost(); len(lost) > 0 {
			severity := codes.Severity(codes.AttributesLost)
			if slices.Contains(lost, files.Owner) {
				severity = extract.SeverityWarning
			}
			f.task.problems = append(f.task.problems, extract.Problem{
				Document: f.src.Name, Code: codes.AttributesLost, Severity: severity,
				Detail: "these attributes of the old file could not be kept: " + strings.Join(lost, ", ")})
		}
		if f.committed != nil {
			f.committed()
			f.state = stateOf(os.Lstat(f.src.Name))
		}
	}
}

// settle writes the results of the tasks that are done, and ends their documents. Then it writes what the task after
// them has so far. Only one goroutine calls it at a time: the worker when it is the turn of its group, and then the
// caller of drive.
func (r *Run) settle(g *group) error {
	for ; g.settled < len(g.tasks); g.settled++ {
		t := g.tasks[g.settled]
		if err := r.write(t); err != nil || !t.done {
			return err
		}
		if err := r.endTask(t); err != nil {
			return err
		}
	}
	return nil
}

// write writes what a task has so far: its problems, rows and edits.
func (r *Run) write(t *task) error {
	r.report(t)
	for _, told := range t.told {
		if t.err == nil {
			r.integrity.add(told)
		}
	}
	t.told = nil
	for _, l := range t.old {
		addLeft(&t.document.old, l)
	}
	t.old = nil
	if t.rec == nil || !r.Rewrites { // endTask writes the rewritten record
		for _, out := range t.out {
			if r.Out != nil {
				if _, err := r.Out.Write(out); err != nil {
					return err
				}
			}
		}
		t.out = nil
	}
	if r.Edits == nil {
		return nil
	}
	_, _ = r.Edits.Write(t.edits)
	t.edits = nil
	return r.sideError()
}

// report reports the problems that a task has so far.
func (r *Run) report(t *task) {
	for _, p := range t.problems {
		r.problem(t.document, p)
	}
	t.problems = t.problems[:0]
}

// endTask ends a task, and with its last task the document.
func (r *Run) endTask(t *task) error {
	doc := t.document
	if r.Page != nil && t.part != nil {
		r.Page.Collect(doc.src.Name, t.part)
	}
	if doc.err == nil {
		doc.err = t.err
	}
	doc.account.Add(&t.account)
	doc.links += t.links
	if t.rec != nil && r.Rewrites {
		if doc.err == nil {
			if err := doc.stream.Put(*t.rec, t.out...); err != nil {
				return err
			}
		}
		t.rec.Release()
	}
	if doc.pending.Add(-1) > 0 {
		return nil
	}
	if doc.err == nil && doc.stream != nil && r.Rewrites {
		doc.err = doc.stream.Close()
	}
	return r.endDocument(doc)
}

// divide opens the sources, and yields groups of their documents, or of the records of one.
func (d *driver) divide(yield func(*group) bool) {
	b := &builder{driver: d, yield: yield, group: newGroup()}
	for src, err := range d.Sources {
		doc := &document{src: src}
		doc.pending.Store(1)
		more := true
		if src.Waits() { // the documents before must not wait with it
			more = b.flush()
		}
		if err == nil {
			err = d.open(doc, b.note)
		}
		switch {
		case err != nil || !more:
		case d.Jobs > 1 && d.Records && splits(doc.d, doc.in):
			more, err = b.records(doc)
		default:
			size := doc.in.Size()
			if d.Out == nil {
				size = max(size, leastFile)
			}
			more = b.add(&task{document: doc}, size)
		}
		// A last task without work ends the document, because no record says that it is the last one.
		if !more || !b.add(&task{document: doc, last: true, done: true, err: err}, 0) {
			return
		}
	}
	b.flush()
}

type builder struct {
	*driver
	yield    func(*group) bool
	group    *group
	problems []extract.Problem // of the next task
}

func (b *builder) note(p extract.Problem) { b.problems = append(b.problems, p) }

func newGroup() *group {
	return &group{turn: make(chan struct{}), done: make(chan struct{})}
}

// add adds a task of size bytes to the group. It returns false if the run has ended.
func (b *builder) add(t *task, size int) bool {
	if size >= groupSize && !b.flush() { // a long document is the first of its group: see holder.problem
		return false
	}
	t.problems, b.problems = b.problems, nil
	g := b.group
	if !t.last {
		t.pending.Add(1)
	}
	g.tasks, g.size = append(g.tasks, t), g.size+size
	if !t.last && t.rec == nil {
		return true // its last task follows, and the group that commits a file also ends the document: see Pause
	}
	if g.size < groupSize && len(g.tasks) < groupTasks && !(t.last && (b.FailFast || t.src.Waits())) {
		return true
	}
	return b.flush()
}

func (b *builder) flush() bool {
	g := b.group
	if len(g.tasks) == 0 {
		return true
	}
	b.group = newGroup()
	return b.yield(g)
}

// records adds the records of a document. It returns more as add does.
func (b *builder) records(doc *document) (more bool, err error) {
	x := b.Settings
	x.OnProblem = b.note
	var dst io.Writer
	if b.Rewrites {
		dst = b.Out
	}
	if doc.stream, err = x.Open(context.Background(), doc.d, dst); err != nil {
		return true, err
	}
	for rec, err := range doc.stream.Records() {
		if err != nil {
			return true, err
		}
		if !b.add(&task{document: doc, rec: &rec}, len(rec.Bytes)) {
			return false, nil
		}
	}
	return true, nil
}

// splits reports whether a document has many records, each of which becomes a task.
func splits(d extract.Document, in *inputs.Reader) bool {
	if f := extract.Detect("", d.Name, nil); d.Type == "" && f != nil && !f.Records {
		return false // the name is enough, even of a compressed file or an HTTP response
	}
	head, err := in.Peek(inputs.HeadLen)
	if err != nil {
		return false // the task finds the error again
	}
	f, _ := extract.DetectUnpacked(d.Type, d.Name, head)
	return f != nil && f.Records
}
