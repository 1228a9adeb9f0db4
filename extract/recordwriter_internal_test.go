package extract

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// writes keeps the length of each piece that is written, or returns failing.
type writes struct {
	bytes.Buffer
	lens    []int
	failing error
}

func (w *writes) Write(b []byte) (int, error) {
	if w.failing != nil {
		return 0, w.failing
	}
	w.lens = append(w.lens, len(b))
	return w.Buffer.Write(b)
}

// The writer gathers 64 KiB, and writes longer pieces directly, after what it has gathered.
func TestRecordWriterGathers(t *testing.T) {
	for _, row := range []struct {
		name       string
		pieces     []int
		want, rest []int // the lengths before the end, and at the end
	}{
		{"a full buffer", []int{1, gathered - 1}, nil, []int{gathered}},
		{"one byte more", []int{1, gathered}, []int{1}, []int{gathered}},
		{"a full buffer, and one byte", []int{gathered, 1}, []int{gathered}, []int{1}},
		{"a piece as long as the buffer", []int{gathered}, nil, []int{gathered}},
		{"a longer piece", []int{gathered + 1}, []int{gathered + 1}, nil},
		{"a longer piece after a short one", []int{5, gathered + 1, 6}, []int{5, gathered + 1}, []int{6}},
		{"nothing", []int{0}, nil, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := new(Extractor).walker(context.Background())
			var dst writes
			w.out.begin(Record{of: new(Stream)}, &dst)
			var all []byte
			for i, n := range row.pieces {
				piece := bytes.Repeat([]byte{byte('a' + i)}, n)
				all = append(all, piece...)
				w.out.write(piece)
			}
			assert.Equal(t, row.want, dst.lens)
			w.out.flush()
			assert.Equal(t, append(row.want, row.rest...), dst.lens)
			assert.True(t, bytes.Equal(all, dst.Bytes()), "the bytes in their order")
			w.out.flush()
			assert.Len(t, dst.lens, len(row.want)+len(row.rest), "nothing is written twice")
		})
	}
}

// The edits of a record are written in their order, and OnEdit gets them.
func TestRecordWriterPut(t *testing.T) {
	edit := func(start, end int, text string) codec.Edit {
		return codec.Edit{Span: codec.Span{Start: start, End: end}, New: []byte(text)}
	}
	type call struct {
		offset   int64
		old, new string
	}
	var calls []call
	w := new(Extractor).walker(context.Background())
	w.x.OnEdit = func(e Edit) { calls = append(calls, call{e.Offset, string(e.Old), string(e.New)}) }
	rec := Record{Offset: 100, Bytes: []byte("0123456789"), of: new(Stream)}
	var dst writes
	w.out.begin(rec, &dst)
	w.out.put([]codec.Edit{edit(1, 5, "a"), edit(5, 5, "b"), edit(5, 6, "c"), edit(8, 9, "d")})
	w.out.end()
	assert.Equal(t, "0abc67d9", dst.String())
	assert.Equal(t, []call{{101, "1234", "a"}, {105, "", "b"}, {105, "5", "c"}, {108, "8", "d"}}, calls)

	calls = nil
	w.out.begin(rec, nil)
	w.out.put([]codec.Edit{edit(1, 5, "a")})
	w.out.end()
	assert.Empty(t, calls)
}

// After the read part of a long record, its rest is copied. After an error nothing is written.
func TestRecordWriterEnd(t *testing.T) {
	rec := Record{Bytes: []byte("0123"), Rest: bytes.NewReader([]byte("45")), of: new(Stream)}
	w := new(Extractor).walker(context.Background())
	var dst writes
	w.out.begin(rec, &dst)
	w.out.put(nil)
	w.out.end()
	assert.Equal(t, "012345", dst.String())

	bad := errors.New("disk full")
	rest := bytes.NewReader([]byte("45"))
	rec.Rest, dst = iotest.OneByteReader(rest), writes{failing: bad} // without WriteTo, which would not advance
	w.out.begin(rec, &dst)
	w.out.end()
	require.Equal(t, bad, w.call.failed)
	assert.Equal(t, 2, rest.Len(), "the rest is not read")
	dst.failing = nil
	w.out.write([]byte("x"))
	w.out.flush()
	assert.Empty(t, dst.String())
}
