package window

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A record does not change before it is released, in whatever order, although most memory is reused.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var stream []byte
	for len(stream) < 40<<20 {
		n := 4 + r.IntN(1<<r.IntN(20))
		stream = binary.BigEndian.AppendUint32(stream, uint32(n))
		for range n - 4 {
			stream = append(stream, byte(len(stream)>>5))
		}
	}
	type record struct {
		at    int
		bytes []byte
		block *Block
	}
	var held []record
	release := func(i int) {
		rec := held[i]
		assert.True(t, bytes.Equal(stream[rec.at:rec.at+len(rec.bytes)], rec.bytes), "the record at %d has changed", rec.at)
		rec.block.Release()
		held[i] = held[len(held)-1]
		held = held[:len(held)-1]
	}
	blocks := &Blocks{}
	in := New(bytes.NewReader(stream))
	in.Blocks = blocks
	used := map[*byte]bool{}
	for at := 0; in.Fill(4); {
		n := int(binary.BigEndian.Uint32(in.Buf))
		if !assert.True(t, in.Fill(n)) {
			return
		}
		rec := record{at, in.Buf[:n:n], blocks.Use()}
		used[&rec.block.buf[:1][0]] = true
		held = append(held, rec)
		for len(held) > 8 {
			release(r.IntN(len(held)))
		}
		in.Drop(n)
		at += n
	}
	for len(held) > 0 {
		release(0)
	}
	assert.True(t, in.EOF)
	assert.Less(t, len(used), 30, "blocks for 40 MiB of records")
}
