package service

import (
	"bufio"
	"io"
	"sync"
)

// output writes the answers of all workers.
type output struct {
	answers chan frame // that wait; a client may be Ahead requests before the answers that it has read
	writing sync.Mutex // protects to
	to      *bufio.Writer
	broken  chan error // has the first error
	failed  bool
}

func newOutput(to io.Writer) *output {
	return &output{answers: make(chan frame, Ahead), to: bufio.NewWriterSize(to, 64<<10), broken: make(chan error, 1)}
}

// write writes an answer. If another worker writes, write leaves the answer to that worker.
func (o *output) write(f frame) {
	o.answers <- f
	for len(o.answers) > 0 && o.writing.TryLock() {
		if err := o.flush(); err != nil && !o.failed {
			o.failed = true
			o.broken <- err
		}
		o.writing.Unlock()
	}
}

// flush writes all answers that wait. After an error it only drops them.
func (o *output) flush() error {
	for {
		select {
		case f := <-o.answers:
			_, _ = o.to.Write(f.lengths())
			_, _ = o.to.Write(f.head)
			_, _ = o.to.Write(f.body)
		default:
			return o.to.Flush()
		}
	}
}
