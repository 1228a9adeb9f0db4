package batch

import (
	"sync/atomic"

	"absolink/cmd/absolink/internal/inputs"
)

// Counts are what a run has done so far. They may be read while it goes on.
type Counts struct {
	Done   atomic.Int64 // inputs that were read
	Failed atomic.Int64 // inputs that failed
	Others atomic.Int64 // inputs of other types than --only names
	Wanted atomic.Bool  // whether a document, or one inside it, is of a type that --only names
	Bytes  inputs.Meter // of all of them
	Found  atomic.Int64 // links, edits or bases, as the verb has it
	Before atomic.Bool  // whether an earlier run under --resume has read some

	Wrong      atomic.Int64 // problems of every severity
	Warnings   atomic.Int64 // problems of severity warning, and warnings about flags
	Errors     atomic.Int64 // problems of severity error
	Incomplete atomic.Int64 // documents with a problem of severity error, including those of an earlier run
	Unwritten  atomic.Int64 // documents whose files could not be written

	Total    atomic.Int64 // bytes of all inputs, once it is known
	Document atomic.Pointer[string]
}

// ReadNone reports whether all inputs failed.
func (c *Counts) ReadNone() bool {
	return c.Failed.Load() > 0 && c.Done.Load() == 0 && !c.Before.Load()
}
