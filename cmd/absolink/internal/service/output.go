package service

import (
	"io"
	"sync"
)

// output writes the answers of all workers.
type output struct {
	to     io.Writer
	broken chan error // has the first error

	mu      sync.Mutex
	written sync.Cond
	waiting [][]byte // what is not written yet
	answers int      // the answers in waiting, and those that are being written
	writing bool     // a worker writes
	failed  bool
}

func newOutput(to io.Writer) *output {
	o := &output{to: to, broken: make(chan error, 1)}
	o.written.L = &o.mu
	return o
}

// joined is the length of pieces up to which they are written together.
const joined = 64 << 10

// write writes an answer. If another worker writes, write leaves the answer to that worker.
func (o *output) write(f frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.answers >= Ahead && !o.failed {
		o.written.Wait()
	}
	o.answers++
	o.add(f)
	if o.writing {
		return
	}
	o.writing = true
	for len(o.waiting) > 0 {
		o.flush()
	}
	o.writing = false
}

// add adds the bytes of an answer to those that wait.
func (o *output) add(f frame) {
	last := len(o.waiting) - 1
	if last < 0 || len(o.waiting[last])+lengths+len(f.head) > joined {
		o.waiting = append(o.waiting, make([]byte, 0, lengths+len(f.head)+min(len(f.body), joined)))
		last++
	}
	o.waiting[last] = appendFrame(o.waiting[last], f)
	if len(o.waiting[last])+len(f.body) <= joined {
		o.waiting[last] = append(o.waiting[last], f.body...)
		return
	}
	o.waiting = append(o.waiting, f.body[:len(f.body):len(f.body)])
}

// flush writes what waits. It does not hold the lock while it writes.
func (o *output) flush() {
	pieces, answers := o.waiting, o.answers
	o.waiting = nil
	if !o.failed {
		o.mu.Unlock()
		err := writeAll(o.to, pieces)
		o.mu.Lock()
		if err != nil {
			o.failed = true
			o.broken <- err
		}
	}
	o.answers -= answers
	o.written.Broadcast()
}

func writeAll(to io.Writer, pieces [][]byte) error {
	for _, piece := range pieces {
		if _, err := to.Write(piece); err != nil {
			return err
		}
	}
	return nil
}
