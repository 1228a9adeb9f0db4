package main

import (
	"sync/atomic"

	"absolink/cmd/absolink/internal/inputs"
)

// counts are what a run has done so far. They may be read while it goes on.
type counts struct {
	done   atomic.Int64 // inputs that were read
	failed atomic.Int64 // inputs that failed
	bytes  inputs.Meter // of all of them
	found  atomic.Int64 // links, edits or bases, as the verb has it
	wrong  atomic.Int64 // problems
	before atomic.Bool  // whether an earlier run under --resume has read some

	total    atomic.Int64 // bytes of all inputs, once it is known
	document atomic.Pointer[string]
}

// readNone reports whether all inputs failed.
func (c *counts) readNone() bool {
	return c.failed.Load() > 0 && c.done.Load() == 0 && !c.before.Load()
}
