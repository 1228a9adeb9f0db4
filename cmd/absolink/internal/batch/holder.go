package batch

import (
	"bytes"

	"absolink/cmd/absolink/internal/files"
)

// holder is where a worker writes the results of its tasks. It keeps the bytes in memory until all groups before are completed, and
// from then on passes them to the output, whose error ends the run. Short results share a block, which is the buffer of the output.
type holder struct {
	*driver
	out   *files.Output
	group *group
	task  *task
	from  int // the start of the result of the task in the buffer
}

// begin begins a group with a new Output, because an old one takes no bytes after a group has failed. The run ends soon then.
func (h *holder) begin(g *group) {
	h.group, *h.out = g, files.Output{W: h}
	h.next()
}

// next makes another block the buffer of the output.
func (h *holder) next() {
	block := h.block()
	h.group.memory = append(h.group.memory, block)
	h.out.Buf, h.from = block, 0
}

// end ends the task. What is in the buffer is the rest of its result.
func (h *holder) end() {
	h.task.out = append(h.task.out, h.out.Buf[h.from:])
	h.from, h.task.done = len(h.out.Buf), true
}

// Write takes p. If p is the buffer of the output it is not copied, and the output continues in the rest of the block, or in another.
func (h *holder) Write(p []byte) (int, error) {
	n, isBuffer := len(p), len(p) > 0 && &p[0] == &h.out.Buf[:1][0]
	if isBuffer {
		p, h.from = p[h.from:], 0
	}
	switch {
	case h.passes():
		if h.group.err = h.settle(h.group); h.group.err == nil {
			_, h.group.err = h.Out.Write(p)
		}
	case !isBuffer && n > blockSize:
		h.task.out = append(h.task.out, bytes.Clone(p))
	default:
		if !isBuffer { // the buffer is empty
			if n > cap(h.out.Buf) {
				h.next()
			}
			p = append(h.out.Buf, p...)
		}
		h.task.out = append(h.task.out, p)
		if h.out.Buf = p[len(p):]; cap(h.out.Buf) < blockSize/3 {
			h.next()
		}
	}
	return n, h.group.err
}

// passes reports whether the bytes of the task are passed on: the turn of the group has come, and the results are rows or the only
// document, and not files that must be committed first, or a record that Put must write as a whole. With Unordered, it hands the
// group over first.
func (h *holder) passes() bool {
	if h.Unordered && !h.group.handed {
		h.hand(h.group)
	}
	return h.Out != nil && (h.task.rec == nil || !h.Rewrites) && h.group.turn.Load()
}

// editHolder is the holder of the lines of --edits.
type editHolder struct{ *holder }

func (h *editHolder) Write(p []byte) (int, error) {
	h.task.edits = append(h.task.edits, p...)
	if h.passes() {
		h.group.err = h.settle(h.group)
	}
	return len(p), h.group.err
}

const blockSize = 4 * files.BufferSize

func (d *driver) block() []byte {
	select {
	case block := <-d.blocks:
		return block
	default:
		return make([]byte, 0, blockSize)
	}
}
