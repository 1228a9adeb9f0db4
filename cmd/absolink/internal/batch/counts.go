package batch

import (
	"sync/atomic"

	"absolink/cmd/absolink/internal/inputs"
)

// Counts are what a run has done so far. They may be read while it goes on.
type Counts struct {
	Done   atomic.Int64 // inputs that were read
	Failed atomic.Int64 // inputs that failed
	Bytes  inputs.Meter // of all of them
	Found  atomic.Int64 // links, edits or bases, as the verb has it
	Wrong  atomic.Int64 // problems
	Before atomic.Bool  // whether an earlier run under --resume has read some

	Total    atomic.Int64 // bytes of all inputs, once it is known
	Document atomic.Pointer[string]
}

// ReadNone reports whether all inputs failed.
func (c *Counts) ReadNone() bool {
	return c.Failed.Load() > 0 && c.Done.Load() == 0 && !c.Before.Load()
}
