package batch

import "absolink/cmd/absolink/internal/files"

// holder is where a worker writes the result of a task. It holds the bytes in memory until all groups before are finished. From then
// on it passes them on. An error of that ends the run.
type holder struct {
	*driver
	group *group
	task  *task
}

// Write is io.Writer.
func (h *holder) Write(p []byte) (int, error) {
	if h.passes() {
		if h.group.err = h.settle(h.group); h.group.err == nil {
			_, h.group.err = h.Out.Write(p)
		}
		return len(p), h.group.err
	}
	g, t := h.group, h.task
	last := len(g.memory) - 1
	if last < 0 || cap(g.memory[last])-len(g.memory[last]) < len(p) {
		g.memory, last = append(g.memory, h.block(len(p))), last+1
	}
	from := len(g.memory[last])
	g.memory[last] = append(g.memory[last], p...)
	t.out = append(t.out, g.memory[last][from:])
	return len(p), nil
}

// passes reports whether the bytes of the task are passed on: the turn of the group has come, and the results are rows or the only
// document, and not files that must be committed first, or a record that Put must write as a whole.
func (h *holder) passes() bool {
	if h.Unordered && !h.group.handed {
		h.hand(h.group)
	}
	return h.Out != nil && (h.task.rec == nil || !h.Rewrites) && h.group.turn.Load()
}

// editHolder is the holder of the lines of --edits.
type editHolder struct{ *holder }

// Write is io.Writer.
func (h *editHolder) Write(p []byte) (int, error) {
	h.task.edits = append(h.task.edits, p...)
	if h.passes() {
		h.group.err = h.settle(h.group)
	}
	return len(p), h.group.err
}

// blockSize is the usual size of a block.
const blockSize = 4 * files.BufferSize

// block returns an empty buffer with room for n bytes.
func (d *driver) block(n int) []byte {
	if n <= blockSize {
		select {
		case block := <-d.blocks:
			return block
		default:
		}
	}
	return make([]byte, 0, max(n, blockSize))
}
