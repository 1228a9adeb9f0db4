// A worker, its job, and its tasks.

package batch

import (
	"cmp"
	"context"
	"io"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// task is a document or one record of it, with the result.
type task struct {
	*document
	rec  *extract.Record // nil for a whole document
	last bool            // it has no work, and only ends the document

	done     bool
	out      [][]byte // the pieces of the result that are not written, in order
	edits    []byte
	part     *report.Part
	account  console.Account
	links    int // or edits, if the job does not rewrite
	problems []extract.Problem
	told     []told
	old      []left
	err      error
}

// document is a document that is not finished.
type document struct {
	src     inputs.Source
	d       extract.Document
	in      *inputs.Reader  // nil if it could not be opened, or is closed
	stream  *extract.Stream // if the records are tasks
	pending atomic.Int64    // tasks that are not written yet, with the last one, which ends the document
	read    int64           // the bytes that were read, once it is closed
	err     error           // the first error of its tasks

	old        []left // what a move leaves in it
	incomplete bool   // a part of it was not read or not rewritten
	account    console.Account
	links      int
	state      // for the journal
}

func (in *document) close() {
	if in.in == nil {
		return
	}
	in.in.Skip()
	in.read = in.in.BytesRead()
	if !in.src.Stdin {
		in.in.Close()
	}
	in.in = nil
}

// Worker walks one document or record at a time.
type Worker struct {
	Extractor extract.Extractor
	Context   context.Context
	Out       *files.Output // of the job
	edits     *files.Output // of --edits

	src     inputs.Source
	unknown error           // the document has an unknown type; else nil
	Count   int             // links, edits or bases of the document, by the verb
	Changed int             // links of the document that Rewrite has changed
	Account console.Account // of the task; the job empties it if it keeps the old version
	links   int             // links of the document that Rewrite has found
	changes []byte          // links of the next edit, as --edits writes them
	Edit    func(extract.Edit)
	// commits the new file of a document, later, with those of other documents
	Commit  func(file *files.File, committed func())
	run     *Run
	left    []left          // what a move leaves in the document
	counted map[string]bool // pages of the document in an Account.FromDisk, by media type and path
	part    *report.Part    // of the task, for Run.Page; nil without a report
}

// Job is the work of a verb on one document, or on one record of it. It writes to Worker.Out. An error belongs to the
// document, unless it is a *files.OutputError or the disk is full.
type Job func(src inputs.Source, d extract.Document) error

func (d *driver) work(newJob func(*Worker) Job) {
	h := &holder{driver: d}
	h.out = &files.Output{W: h}
	edits := d.Edits
	if edits != nil {
		edits = files.NewOutput(&editHolder{h}, "")
	}
	k := d.worker(h.out, edits, h.problem)
	if d.Finds == FindsEdits {
		k.Extractor.OnIntegrity = func(e *extract.Entity, digests []string, changed bool) {
			h.task.told = append(h.task.told, told{extract.Problem{Document: e.Document, Entity: e.Path}, digests,
				changed})
		}
	}
	k.Context = d.ctx
	k.Commit = func(file *files.File, committed func()) {
		h.group.files = append(h.group.files, newFile{h.task, file, committed})
	}
	job := newJob(k)
	for g := d.take(); g != nil; g = d.take() {
		waits := g.tasks[0].src.Waits()
		if !waits {
			d.atWork.RLock()
		}
		h.begin(g)
		for _, t := range g.tasks {
			if t.last || g.err != nil || d.ctx.Err() != nil {
				continue
			}
			h.task = t
			t.err = k.do(job, t.document, t.rec)
			t.part, t.account, t.links = k.part, k.Account, max(k.links, k.Count)
			t.old = slices.Clone(k.left)
			if edits != nil {
				_ = edits.Flush() // g.err has the error
			}
			switch {
			case t.rec == nil:
				t.close() // its result may be written much later
			case !d.Rewrites:
				t.rec.Release()
			}
			h.end()
		}
		close(g.done)
		if !waits {
			d.atWork.RUnlock()
		}
	}
}

// worker returns a new worker with the settings of the run. problem receives the problems of the documents.
func (r *Run) worker(out, edits *files.Output, problem func(extract.Problem)) *Worker {
	k := &Worker{Extractor: r.Settings, Out: out, edits: edits, run: r}
	k.Extractor.OnProblem = k.unlessUnknown(problem)
	if r.Finds == FindsEdits {
		if r.Left != nil {
			k.Extractor.Old, k.Extractor.OnLeft = r.Left.In, k.leave
		}
		if r.Stats != nil || r.Page != nil || r.Linked != nil {
			k.Extractor.OnLink = k.Link
		}
		if r.Opener.Local != nil {
			k.Extractor.OnLocal = k.local
		}
		if r.Map != nil {
			k.Extractor.Map = r.Map()
		}
		if edits != nil || r.Changed != nil || r.Page != nil {
			k.Extractor.OnChange = k.change
		}
		k.Extractor.OnEdit = func(e extract.Edit) {
			k.Find()
			k.Account.Files = 1
			if k.edits != nil {
				k.edits.Buf = rows.AppendEdit(k.edits.Buf, k.src.Name, e, k.changes)
				k.changes = k.changes[:0]
				_ = k.edits.Spill() // endDocument returns the error
			}
			if k.Edit != nil {
				k.Edit(e)
			}
		}
	}
	return k
}

// unlessUnknown returns a function that passes problems on, but makes an unknown type the error of the document.
func (k *Worker) unlessUnknown(problem func(extract.Problem)) func(extract.Problem) {
	return func(p extract.Problem) {
		if p.Code == extract.CodeTypeUnknown {
			k.unknown = UnknownType(p.Detail)
			return
		}
		if k.unknown == nil || p.Code != extract.CodeNotRead {
			problem(p)
		}
	}
}

func (k *Worker) do(do Job, in *document, rec *extract.Record) error {
	k.src, k.counted, k.Count, k.Changed, k.changes, k.Edit = in.src, nil, 0, 0, k.changes[:0], nil
	k.unknown, k.Account, k.links = nil, console.Account{}, 0
	k.left = k.left[:0]
	if in.src.Kind == inputs.NoDocument {
		k.unknown = UnknownType("it is hidden, or HTTrack or wget keeps it for itself")
	}
	if k.run.Page != nil {
		k.part = &report.Part{}
	}
	defer func() { k.run.Counts.Found.Add(int64(k.Count % uncounted)) }()
	d := in.d
	if r := k.run.Opener.Retrieval; r.GivesFolders() {
		k.Extractor.OnCanonical = func(e *extract.Entity, url string) {
			given := d.URL
			if e.Path != "" && d.MemberURL != nil {
				given, _ = d.MemberURL(e.Path)
			}
			if given == "" && len(d.Evidence) > 0 { // of --mirror
				given = d.Evidence[0].URL
			}
			r.Canonical(given, url)
		}
	}
	if rec != nil {
		d = rec.Document()
	}
	err := cmp.Or(do(in.src, d), k.unknown)
	if k.run.Left != nil && k.unknown != nil && !in.src.Stdin {
		k.leaveUnread(in.src.Name)
	}
	return err
}

// Rewrite rewrites a document, or one record of it. It writes nothing for a document of unknown type: see
// IsUnknownType.
func (k *Worker) Rewrite(dst io.Writer, d extract.Document) error {
	k.left = k.left[:0]
	result, err := k.Extractor.Rewrite(k.Context, knownWriter{k, dst}, d)
	k.Changed += result.Changed
	k.links += result.Links
	if k.run.Changed == nil {
		k.Account.Local += int64(result.Relative)
		k.Account.Absolute += int64(result.Changed - result.Relative)
	}
	return cmp.Or(err, k.unknown)
}

// knownWriter returns an error for a document of unknown type, which the library copies.
type knownWriter struct {
	k   *Worker
	dst io.Writer
}

func (w knownWriter) Write(p []byte) (int, error) {
	if w.k.unknown != nil {
		return 0, w.k.unknown
	}
	return w.dst.Write(p)
}

// UnknownType is the error for a document of unknown type.
type UnknownType string

func (e UnknownType) Error() string { return string(e) }

func (e UnknownType) advice() string {
	switch {
	case strings.HasPrefix(string(e), "unknown type"):
		return "; use --type to set the type"
	case strings.HasPrefix(string(e), "it is a zip archive"):
		return "; use --type zip to read the files in it"
	}
	return ""
}

// uncounted is the number of findings that a worker counts alone before it adds them to the common count, which would
// be slow to update for each.
const uncounted = 256

func (k *Worker) Link(l *extract.Link) {
	k.run.Stats.Link(l)
	if k.part != nil {
		k.part.Link(l)
	}
	if k.run.Linked != nil {
		k.run.Linked(l)
	}
}

// local counts a page with a link to a file that browsers do not open from disk.
func (k *Worker) local(e *extract.Entity, file string, served bool) {
	mediaType := console.Served
	if !served {
		mediaType = k.run.Opener.Local.Unnamed(k.src, file)
	}
	if d := k.Account.Unopened(mediaType); mediaType != "" && d != nil && !k.counted[mediaType+e.Path] {
		if k.counted == nil {
			k.counted = map[string]bool{}
		}
		k.counted[mediaType+e.Path] = true
		d.Pages, d.Example = d.Pages+1, cmp.Or(d.Example, path.Base(file))
	}
}

// change passes a changed link to --edits, --map and --report.
func (k *Worker) change(c extract.Change) {
	if k.edits != nil {
		k.changes = rows.AppendChange(k.changes, c)
	}
	if k.run.Changed != nil {
		k.run.Changed(c, &k.Account)
	}
	if k.part != nil {
		k.part.Change(c)
	}
}

func (k *Worker) Base(e *extract.Entity) {
	k.run.Stats.Base(e)
	if k.part != nil {
		k.part.Base(e)
	}
}

func (k *Worker) Find() {
	if k.Count++; k.Count%uncounted == 0 {
		k.run.Counts.Found.Add(uncounted)
	}
}
