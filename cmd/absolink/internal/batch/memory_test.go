package batch

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A room is not reused while the beginning of a record is still to be moved from it.
func TestRooms(t *testing.T) {
	var p pipeline
	old := p.newRoom(0)
	assert.Equal(t, roomSize, cap(old))
	p.newRoom(2 * largestPooled)
	assert.NotSame(t, &old[:1][0], &p.buffers.get(0)[:1][0])
}
