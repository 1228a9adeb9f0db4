package batch

import (
	"bytes"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// holder is where a worker writes the results of its tasks. It keeps the bytes in memory until all groups before are
// completed, and from then on passes them to the output, whose error ends the run. Short results share a block, which
// is the buffer of the output.
type holder struct {
	*driver
	out   *files.Output
	group *group
	task  *task
	from  int // the start of the result of the task in the buffer

	problems int // of the group
}

// begin begins a group with a new Output, because an old one takes no bytes after a group has failed. The run ends soon
// then.
func (h *holder) begin(g *group) {
	h.group, h.problems, *h.out = g, 0, files.Output{W: h}
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

// Write takes p. If p is the buffer of the output it is not copied, and the output continues in the rest of the block,
// or in another.
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

// passes reports whether the bytes of the task are passed on: the turn of the group has come, and the results are rows
// or the only document, and not files that must be committed first, or a record that Put must write as a whole.
func (h *holder) passes() bool {
	select {
	case <-h.group.turn:
		return h.Out != nil && (h.task.rec == nil || !h.Rewrites)
	default:
		return false
	}
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

// mostProblems is how many problems of a group are in memory. Each needs some 500 bytes, and a hostile document can
// have one for every 10 of its bytes.
const mostProblems = 1 << 13

// problem keeps a problem of the task. When there are many, the worker waits for the turn of its group, and reports
// them.
func (h *holder) problem(p extract.Problem) {
	h.task.problems = append(h.task.problems, p)
	if h.problems++; h.problems%mostProblems > 0 {
		return
	}
	select {
	case <-h.group.turn:
	case <-h.ctx.Done():
		return
	}
	switch {
	case h.Out != nil && h.group.err == nil:
		h.group.err = h.settle(h.group)
	case h.Out == nil && h.task == h.group.tasks[0]: // the files of the tasks before are not committed yet
		h.finishing.Lock() // see Pause
		h.report(h.task)
		h.finishing.Unlock()
	}
}

func (d *driver) block() []byte {
	select {
	case block := <-d.blocks:
		return block
	default:
		return make([]byte, 0, blockSize)
	}
}
