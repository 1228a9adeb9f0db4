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
	waiting []piece // what is not written yet
	answers int     // the answers in waiting, and those in the piece that is being written
	writing bool    // a worker writes
	failed  bool
}

// piece is a part of the output that one call writes. It has the ends of a number of answers.
type piece struct {
	bytes   []byte
	answers int
}

func newOutput(to io.Writer) *output {
	o := &output{to: to, broken: make(chan error, 1)}
	o.written.L = &o.mu
	return o
}

// joined is the length of answers up to which one call writes them.
const joined = 64 << 10

// most is the limit for answers in memory. The client may have read all answers of the piece that is being written, which are
// Ahead at most, and it may have sent Ahead more requests.
const most = 2 * Ahead

// write writes an answer. If another worker writes, write leaves the answer to that worker.
func (o *output) write(f frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.answers >= most && !o.failed {
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

// add adds an answer to those that wait.
func (o *output) add(f frame) {
	length := lengths + len(f.head) + len(f.body)
	last := len(o.waiting) - 1
	switch {
	case length > joined:
		start := appendFrame(nil, f)
		o.waiting = append(o.waiting, piece{start, 0}, piece{f.body, 1})
		return
	case last < 0 || len(o.waiting[last].bytes)+length > joined || o.waiting[last].answers == Ahead:
		o.waiting = append(o.waiting, piece{bytes: make([]byte, 0, length)})
		last++
	}
	p := &o.waiting[last]
	p.bytes = append(appendFrame(p.bytes, f), f.body...)
	p.answers++
}

// flush writes the first piece. It does not hold the lock while it writes.
func (o *output) flush() {
	p := o.waiting[0]
	o.waiting = o.waiting[1:]
	if !o.failed {
		o.mu.Unlock()
		_, err := o.to.Write(p.bytes)
		o.mu.Lock()
		if err != nil {
			o.failed = true
			o.broken <- err
		}
	}
	o.answers -= p.answers
	o.written.Broadcast()
}
