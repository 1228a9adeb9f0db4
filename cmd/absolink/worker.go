package main

import (
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
}

// close ends the reading, if that has not been done.
func (in *input) close() {
	if in.in == nil {
		return
	}
	in.in.Skip()
	in.read = in.in.BytesRead()
	if in.src.Name != files.Std {
		in.in.Close()
	}
	in.in = nil
}

// worker walks one document or record at a time.
type worker struct {
	walker extract.Walker
	out    *files.Output // what it comes to; without a place to write to it is kept in memory
	edits  *files.Output // of --edits

	document string
	count    int // its links, edits or bases, as the verb has it
	edit     func(offset int64, old, new []byte)
	commit   func(*files.File) error // for what a document has become: now, or with others of its batch
	found    *atomic.Int64           // the count of all workers
}

// job is what a verb has a worker do. It writes to the worker's out. An error is one of
// the document, unless it is an *outputError or the disk is full.
type job struct {
	document func(src inputs.Source, d extract.Document) error
	record   func(rec extract.Record) error // nil if documents are not taken apart
	rewrites bool                           // record gives what the stream is to be put
}

// inFlight is how many bytes of records may be on the way at once for each worker, unless one
// is longer.
const inFlight = 2 << 20

// worker makes a worker, with what is asked of all. problem is told of what is wrong.
func (r *batchRun) worker(out, edits *files.Output, problem func(extract.Problem)) *worker {
	k := &worker{walker: r.settings, out: out, edits: edits, commit: (*files.File).Commit, found: &r.counts.found}
	k.walker.OnProblem = problem
	if r.finds == findsEdits {
		if r.stats != nil {
			k.walker.OnLink = r.stats.link
		}
		k.walker.OnEdit = func(offset int64, old, new []byte) {
			k.find()
			if k.edits != nil {
				k.edits.Buf = rows.AppendEdit(k.edits.Buf, k.document, offset, old, new)
				_ = k.edits.Spill() // an error is found again by finish
			}
			if k.edit != nil {
				k.edit(offset, old, new)
			}
		}
	}
	return k
}

// do walks a document, or one record of it.
func (k *worker) do(do job, in *input, rec *extract.Record) error {
	k.document, k.count, k.edit = in.src.Name, 0, nil
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
