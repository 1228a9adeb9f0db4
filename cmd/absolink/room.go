package main

import (
	"slices"
	"sync"
)

// rooms are buffers to be used again, but for the largest.
type rooms struct {
	mu   sync.Mutex
	free [len(roomSizes)][][]byte // of each size
}

const largestRoom = 6 * batchSize

var roomSizes = [...]int{largestRoom / 4, largestRoom / 2, largestRoom}

// get gives one with room for size bytes at least.
func (r *rooms) get(size int) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	least := size
	for i, room := range roomSizes {
		if room < size {
			continue
		}
		if free := r.free[i]; len(free) > 0 {
			r.free[i] = free[:len(free)-1]
			return free[len(free)-1]
		}
		if least == size {
			least = room
		}
	}
	return make([]byte, 0, least)
}

func (r *rooms) put(done ...[]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range done {
		for i, room := range slices.Backward(roomSizes[:]) {
			if room <= cap(b) && cap(b) <= largestRoom {
				r.free[i] = append(r.free[i], b[:0])
				break
			}
		}
	}
}

// room is a number of bytes that may be taken.
type room struct {
	mu     sync.Mutex
	freed  *sync.Cond
	left   int
	opened bool
}

func newRoom(n int) *room {
	r := &room{left: n}
	r.freed = sync.NewCond(&r.mu)
	return r
}

// take takes n bytes, once there are any.
func (r *room) take(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left <= 0 && !r.opened {
		r.freed.Wait()
	}
	r.left -= n
}

// give gives them back.
func (r *room) give(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left += n
	r.freed.Signal()
}

// open lets everybody in.
func (r *room) open() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opened = true
	r.freed.Broadcast()
}
