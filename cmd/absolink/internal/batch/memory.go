// The memory of documents that are not written yet: reused buffers, and the budget.

package batch

import (
	"slices"
	"sync"

	"absolink/cmd/absolink/internal/files"
)

// buffers keeps buffers of a few sizes, so that they can be reused. The garbage collector frees longer buffers.
type buffers struct {
	mu   sync.Mutex
	free [len(pooledSizes)][][]byte // the free buffers of each size
}

const largestPooled = 6 * files.MemoryBlock

var pooledSizes = [...]int{largestPooled / 4, largestPooled / 2, largestPooled}

// get returns an empty buffer with room for at least n bytes.
func (p *buffers) get(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := 0 // the size of a new buffer, if no buffer is free
	for i, size := range pooledSizes {
		if size < n {
			continue
		}
		if free := p.free[i]; len(free) > 0 {
			p.free[i] = free[:len(free)-1]
			return free[len(free)-1]
		}
		if fresh == 0 {
			fresh = size
		}
	}
	return make([]byte, 0, max(fresh, n))
}

// put returns buffers that are no longer used.
func (p *buffers) put(done ...[]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range done {
		for i, size := range slices.Backward(pooledSizes[:]) {
			if size <= cap(b) && cap(b) <= largestPooled {
				p.free[i] = append(p.free[i], b[:0])
				break
			}
		}
	}
}

// budget is a number of bytes that may be in memory at once.
type budget struct {
	mu     sync.Mutex
	freed  *sync.Cond
	left   int
	opened bool
}

func newBudget(n int) *budget {
	b := &budget{left: n}
	b.freed = sync.NewCond(&b.mu)
	return b
}

// take takes n bytes. It waits only while nothing is left. So a record that is longer than the whole budget is not blocked
// forever.
func (b *budget) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.left <= 0 && !b.opened {
		b.freed.Wait()
	}
	b.left -= n
}

// give returns n bytes to the budget. If n is negative, it takes bytes that are in memory already, and does not wait.
func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
	b.freed.Signal()
}

// open ends the limit: take does not wait any more.
func (b *budget) open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened = true
	b.freed.Broadcast()
}
