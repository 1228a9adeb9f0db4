// A worker, the job that it does, and what it works on.

package batch

import (
	"context"
	"io"
	"sync/atomic"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

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
	src    inputs.Source
	d      extract.Document
	in     *inputs.Reader  // nil if it could not be opened, or is closed
	stream *extract.Stream // if its records are tasks
	left   atomic.Int64    // tasks that are not out yet, the one that ends the document among them
	read   int64           // bytes of it, once it is closed
	err    error           // the first of its tasks

	incomplete bool // a part of it was not read or not rewritten
}

// close ends the reading, if that has not been done.
func (in *input) close() {
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
	Out       *files.Output // the output of the job; kept in memory if it has no writer
	edits     *files.Output // of --edits

	document string
	Count    int    // its links, edits or bases, as the verb has it
	Changed  int    // its links that Rewrite has changed
	changes  []byte // these links, as the next edit has them in --edits
	Edit     func(extract.Edit)
	Commit   func(*files.File) error // for what a document has become: now, or with others of its batch
	found    *atomic.Int64           // the count of all workers
}

// Job is what a verb has a worker do. It writes to the worker's out. An error is one of
// the document, unless it is a *files.OutputError or the disk is full.
type Job struct {
	Document func(src inputs.Source, d extract.Document) error // of a document, or of one record
	Records  bool                                              // documents are divided into records
	Rewrites bool                                              // Document writes the rewritten document
}

// worker makes a worker, with what is asked of all. problem is told of what is wrong.
func (r *Run) worker(out, edits *files.Output, problem func(extract.Problem)) *Worker {
	k := &Worker{Extractor: r.Settings, Context: context.Background(), Out: out, edits: edits, Commit: (*files.File).Commit, found: &r.Counts.Found}
	k.Extractor.OnProblem = problem
	if r.Finds == Edits {
		if r.Stats != nil {
			k.Extractor.OnLink = r.Stats.Link
		}
		if r.Map != nil {
			k.Extractor.Map = r.Map()
		}
		if edits != nil || r.Changed != nil {
			k.Extractor.OnChange = func(c extract.Change) {
				if edits != nil {
					k.changes = rows.AppendChange(k.changes, c)
				}
				if r.Changed != nil {
					r.Changed(c)
				}
			}
		}
		k.Extractor.OnEdit = func(e extract.Edit) {
			k.Find()
			if k.edits != nil {
				k.edits.Buf = rows.AppendEdit(k.edits.Buf, k.document, e, k.changes)
				k.changes = k.changes[:0]
				_ = k.edits.Spill() // an error is found again by finish
			}
			if k.Edit != nil {
				k.Edit(e)
			}
		}
	}
	return k
}

// do walks a document, or one record of it.
func (k *Worker) do(do Job, in *input, rec *extract.Record) error {
	k.document, k.Count, k.Changed, k.changes, k.Edit = in.src.Name, 0, 0, k.changes[:0], nil
	defer func() { k.found.Add(int64(k.Count % untold)) }()
	if rec != nil {
		return do.Document(in.src, rec.Document())
	}
	return do.Document(in.src, in.d)
}

// Rewrite rewrites a document, or one record of it.
func (k *Worker) Rewrite(dst io.Writer, d extract.Document) error {
	result, err := k.Extractor.Rewrite(k.Context, dst, d)
	k.Changed += result.Changed
	return err
}

// untold is how many of its findings a worker keeps to itself: to count them one by one together
// with others takes longer than some of them do.
const untold = 256

// Find counts what the verb finds.
func (k *Worker) Find() {
	if k.Count++; k.Count%untold == 0 {
		k.found.Add(untold)
	}
}
