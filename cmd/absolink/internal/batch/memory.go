// The memory of the documents in flight: buffers that are used again, rooms that records lie in, and the budget.

package batch

import (
	"slices"
	"sync"
	"sync/atomic"
)

// buffers are kept to be used again, in a few sizes; longer ones are left to the collector.
type buffers struct {
	mu   sync.Mutex
	free [len(pooledSizes)][][]byte // of each size
}

const largestPooled = 6 * bundleSize

var pooledSizes = [...]int{largestPooled / 4, largestPooled / 2, largestPooled}

// get returns an empty buffer with room for n bytes at least.
func (p *buffers) get(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := 0 // how long one is made if none is free
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

// put takes buffers that nobody uses any more.
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

// room is a buffer with the bytes of records, of more than one batch perhaps.
type room struct {
	bytes   []byte
	holders atomic.Int32 // those batches, and who reads into it
}

// roomSize makes it seldom that a record begins in one room and ends in the next, for it is moved then.
const roomSize = largestPooled

// hold has a batch hold the room of a record that it got; nil is that of records without bytes.
func (b *bundle) hold(r *room) {
	if r != nil && (len(b.rooms) == 0 || b.rooms[len(b.rooms)-1] != r) {
		r.holders.Add(1)
		b.rooms = append(b.rooms, r)
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

// take takes n bytes. It waits while nothing is left, and not until n are: so what is longer
// than the whole budget comes through, too.
func (b *budget) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.left <= 0 && !b.opened {
		b.freed.Wait()
	}
	b.left -= n
}

// give gives n bytes back.
func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
	b.freed.Signal()
}

// open lets everybody take as much as they like from now on.
func (b *budget) open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened = true
	b.freed.Broadcast()
}
