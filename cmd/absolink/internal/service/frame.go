// Frames: a head in JSON and a body of bytes, each after its length.

package service

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// frame is one message in either direction.
type frame struct{ head, body []byte }

// readFrame reads a frame. Its head and its body have limit bytes at most. The error is io.EOF if the input ends before the
// first byte of the frame.
func readFrame(in io.Reader, limit int) (f frame, err error) {
	var prefix [8]byte // two unsigned numbers of 32 bits, the first byte is the highest
	if _, err := io.ReadFull(in, prefix[:]); err == io.EOF {
		return f, err
	} else if err != nil {
		return f, ended(err)
	}
	head, body := binary.BigEndian.Uint32(prefix[:]), binary.BigEndian.Uint32(prefix[4:])
	if longest := max(head, body); uint64(longest) > uint64(limit) {
		return f, fmt.Errorf("a frame announces %d bytes, more than the limit of %d; --max-record sets the limit", longest, limit)
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

// checkLength returns an error if a frame is too long.
func (f frame) checkLength() error {
	if uint64(len(f.head)) > longest || uint64(len(f.body)) > longest {
		return fmt.Errorf("the answer is longer than 4 GiB; use the command for this document")
	}
	return nil
}
