package console

import (
	"sync/atomic"

	"absolink/cmd/absolink/internal/inputs"
)

// Counts are the numbers of a run so far, which may be read while the run continues.
type Counts struct {
	Done    atomic.Int64 // inputs that were read
	Records atomic.Int64 // records that were read, even of inputs that are not done
	Failed  atomic.Int64 // inputs that failed
	Others  atomic.Int64 // inputs of a type that --only does not select
	Wanted  atomic.Bool  // a document, or an embedded one, is of a type of --only
	Bytes   inputs.Meter // of all inputs
	Found   atomic.Int64 // links, edits or bases, by the verb
	Account Account      // of a rewriting; only the goroutine that ends the documents uses it
	Before  atomic.Bool  // an input was skipped, because an earlier run under --resume has done it

	Wrong      atomic.Int64 // problems of every severity
	Warnings   atomic.Int64 // problems of severity warning, and warnings about flags
	Incomplete atomic.Int64 // documents with a problem of severity error, including those of an earlier run
	Unwritten  atomic.Int64 // documents whose files could not be written

	Total    atomic.Int64           // bytes of all inputs; 0 until it is known
	Document atomic.Pointer[string] // the name of the current document
}

// ReadNone reports whether all inputs failed.
func (c *Counts) ReadNone() bool {
	return c.Failed.Load() > 0 && c.Done.Load() == 0 && !c.Before.Load()
}
