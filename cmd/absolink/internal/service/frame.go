// Frames, and the output of all workers. A frame is a head in JSON and a body of bytes, each after its length.

package service

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync"
)

// frame is one message in either direction.
type frame struct{ head, body []byte }

// readFrame reads a frame, whose head and body have at most limit bytes each. The error is io.EOF if the input ends
// before the first byte of the frame.
func readFrame(in io.Reader, limit int) (f frame, err error) {
	var prefix [8]byte // two big-endian numbers of 32 bits
	if _, err := io.ReadFull(in, prefix[:]); err == io.EOF {
		return f, err
	} else if err != nil {
		return f, ended(err)
	}
	head, body := binary.BigEndian.Uint32(prefix[:]), binary.BigEndian.Uint32(prefix[4:])
	if longest := max(head, body); uint64(longest) > uint64(limit) {
		return f, fmt.Errorf("a frame announces %d bytes, more than the limit of %d; --max-record sets the limit",
			longest, limit)
	}
	all := make([]byte, int(head)+int(body))
	if _, err := io.ReadFull(in, all); err != nil {
		return f, ended(err)
	}
	return frame{all[:head:head], all[head:]}, nil
}

// ended returns the error of an input that ends inside a frame.
func ended(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("the input ends inside a frame")
	}
	return err
}

// lengths returns the lengths of a frame, as they are written before it.
func (f frame) lengths() []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(f.head))), uint32(len(f.body)))
}

// longest is the limit for the head and for the body of an answer.
const longest = math.MaxUint32

func (f frame) checkLength() error {
	if uint64(len(f.head)) > longest || uint64(len(f.body)) > longest {
		return fmt.Errorf("the answer is longer than 4 GiB; use the command for this document")
	}
	return nil
}

type output struct {
	answers chan frame // that wait; a client may send Ahead requests before it reads an answer
	writing sync.Mutex // protects to and failed
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
