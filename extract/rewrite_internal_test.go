package extract

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
)

// writes keeps the length of each piece that was written. It fails when failing is set.
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

// The writer gathers 64 KiB. It writes longer pieces directly, after the bytes that it has.
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
			w := walker{ctx: context.Background()}
			var dst writes
			w.writes(Record{of: new(Stream)}, &dst)
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

// An edit that begins before the bytes already written is dropped: an edit around it was written. OnEdit gets the others.
// All edits of a chunk may use the whole growth again.
func TestRecordWriterPut(t *testing.T) {
	edit := func(start, end int, text string) codec.Edit {
		return codec.Edit{Span: codec.Span{Start: start, End: end}, New: []byte(text)}
	}
	type call struct {
		offset   int64
		old, new string
	}
	var calls []call
	w := walker{ctx: context.Background()}
	w.OnEdit = func(e Edit) { calls = append(calls, call{e.Offset, string(e.Old), string(e.New)}) }
	rec := Record{Offset: 100, Bytes: []byte("0123456789"), of: new(Stream)}
	var dst writes
	w.writes(rec, &dst)
	w.grown = 9
	w.out.put([]codec.Edit{edit(1, 5, "a"), edit(2, 3, "dropped"), edit(4, 5, "dropped"), edit(5, 5, "b"), edit(5, 6, "c")})
	assert.Zero(t, w.grown)
	w.grown = 9
	w.out.put([]codec.Edit{edit(5, 7, "dropped"), edit(8, 9, "d")})
	assert.Zero(t, w.grown, "for each chunk of edits")
	w.out.end()
	assert.Equal(t, "0abc67d9", dst.String())
	assert.Equal(t, []call{{101, "1234", "a"}, {105, "", "b"}, {105, "5", "c"}, {108, "8", "d"}}, calls)

	// Without an output only the growth is reset.
	calls, w.grown = nil, 9
	w.writes(rec, nil)
	w.out.put([]codec.Edit{edit(1, 5, "a")})
	w.out.end()
	assert.Zero(t, w.grown)
	assert.Empty(t, calls)
}

// After a record the rest of a longer one is copied. After an error nothing is written.
func TestRecordWriterEnd(t *testing.T) {
	rec := Record{Bytes: []byte("0123"), Rest: bytes.NewReader([]byte("45")), of: new(Stream)}
	w := walker{ctx: context.Background()}
	var dst writes
	w.writes(rec, &dst)
	w.out.put(nil)
	w.out.end()
	assert.Equal(t, "012345", dst.String())

	bad := errors.New("disk full")
	rest := bytes.NewReader([]byte("45"))
	rec.Rest, dst = iotest.OneByteReader(rest), writes{failing: bad} // without WriteTo, which would not advance
	w.writes(rec, &dst)
	w.out.end()
	require.Equal(t, bad, w.failed)
	assert.Equal(t, 2, rest.Len(), "the rest is not read")
	dst.failing = nil
	w.out.write([]byte("x"))
	w.out.flush()
	assert.Empty(t, dst.String())
}

// TestChangesOf has a row for each way in which edits make changes. The span of a change ends with its reference; an edit
// may begin later and end earlier. The changes before an edit were refused.
func TestChangesOf(t *testing.T) {
	type spans = [][2]int // start and end
	span := func(s [2]int) codec.Span { return codec.Span{Start: s[0], End: s[1]} }
	for _, row := range []struct {
		name                 string
		changes, edits, want spans
		rest                 int
	}{
		{"one", spans{{5, 8}}, spans{{5, 8}}, spans{{5, 8}}, 0},
		{"an edit of a part of the reference", spans{{5, 8}}, spans{{6, 7}}, spans{{5, 8}}, 0},
		{"an edit after the reference", spans{{5, 8}}, spans{{8, 8}}, spans{{5, 8}}, 0},
		{"an edit before the reference", spans{{5, 8}}, spans{{5, 5}, {7, 7}}, spans{{5, 8}}, 0},
		{"changes that were refused", spans{{1, 2}, {3, 4}, {5, 8}}, spans{{5, 8}}, spans{{5, 8}}, 0},
		{"the next edit", spans{{5, 8}, {9, 12}}, spans{{5, 8}, {9, 12}}, spans{{5, 8}}, 1},
		{"all changes were refused", spans{{1, 2}}, spans{{5, 8}}, spans{}, 0},
		{"a joined edit", spans{{5, 6}, {8, 10}, {12, 13}}, spans{{5, 10}}, spans{{5, 6}, {8, 10}}, 1},
		{"a joined edit that ends where the last reference begins", spans{{5, 6}, {10, 14}}, spans{{5, 10}}, spans{{5, 6}, {10, 14}}, 0},
		{"and the next edit begins where that reference ends", spans{{5, 6}, {10, 14}}, spans{{5, 10}, {14, 15}}, spans{{5, 6}, {10, 14}}, 0},
		{"an edit that ends where the reference of the next edit begins", spans{{9, 10}, {10, 14}}, spans{{9, 10}, {13, 14}}, spans{{9, 10}}, 1},
	} {
		var changes []change
		for _, s := range row.changes {
			changes = append(changes, change{Span: span(s)})
		}
		var edits []codec.Edit
		for _, s := range row.edits {
			edits = append(edits, codec.Edit{Span: span(s)})
		}
		made, rest := changesOf(changes, edits, 0)
		got := spans{}
		for _, c := range made {
			got = append(got, [2]int{c.Start, c.End})
		}
		assert.Equal(t, row.want, got, row.name)
		assert.Len(t, rest, row.rest, row.name)
	}

	w := walker{}
	w.changes = []change{{Span: codec.Span{Start: 90, End: 91}}, {Span: codec.Span{Start: 1, End: 2}}, {Span: codec.Span{Start: 5, End: 8}}}
	w.settle(1, []codec.Edit{{Span: codec.Span{Start: 5, End: 8}}})
	assert.Equal(t, []change{{Span: codec.Span{Start: 90, End: 91}}, {Span: codec.Span{Start: 5, End: 8}}}, w.changes, "the changes before the index stay")
}

// Changes move into the text around theirs: "bb" is at 3 in the decoded text, and "YmI=" is at 7 in the outer text.
func TestChangesOutward(t *testing.T) {
	w := walker{}
	w.changes = []change{{Span: codec.Span{Start: 1, End: 2}}, {Span: codec.Span{Start: 3, End: 4}}, {Span: codec.Span{Start: 0, End: 3}}}
	w.outward(1, &source.Text{Codec: codec.Base64, Src: []byte("YWFhYmI="), Bytes: []byte("aaabb"), Start: 3})
	assert.Equal(t, []change{{Span: codec.Span{Start: 1, End: 2}}, {Span: codec.Span{Start: 7, End: 11}}, {Span: codec.Span{Start: 3, End: 7}}}, w.changes)
}

// RFC 1864: the digest is that of the body without its transfer encoding. Text has CRLF line ends then (section 2).
func TestContentMD5Spellings(t *testing.T) {
	digest := func(text string) string {
		sum := md5.Sum([]byte(text))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	for _, row := range []struct {
		name         string
		text         bool
		body         string
		before, want string // whose digest is in the field; no want: it stays
	}{
		{"2: text with CRLF", true, "x\r\ny\r\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"2: text with LF has the digest with CRLF", true, "x\ny\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"2: text with both", true, "x\r\ny\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"base64 of LF", true, "x\ny\n", "x\ny\n", "http\ny\n"},
		{"CRLF, and the digest with LF", true, "x\r\ny\r\n", "x\ny\n", ""},
		{"no text has no line ends", false, "x\ny\n", "x\ny\n", "http\ny\n"},
		{"no text, and the digest with CRLF", false, "x\ny\n", "x\r\ny\r\n", ""},
		{"an mbox adds an empty line", true, "x\n\n", "x\r\n", "http\r\n"},
		{"an mbox adds an empty line with CRLF", true, "x\r\n\r\n", "x\r\n", "http\r\n"},
		{"an mbox adds an empty line to base64", true, "x\n\n", "x\n", "http\n"},
		{"not two", true, "x\n\n\n", "x\r\n", ""},
		{"no newline", true, "x", "x", "http"},
		{"of other bytes", true, "x\n", "y\n", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := []byte("Content-MD5: \t" + digest(row.before) + " \r\n")
			p := &mark.Part{Text: row.text, MD5: codec.Span{Start: len("Content-MD5:"), End: len(src) - 2}}
			edits := []codec.Edit{{Span: codec.Span{Start: 0, End: 1}, New: []byte("http")}}
			got := contentMD5(src, p, []byte(row.body), edits)
			want := string(src)
			if row.want != "" {
				require.Len(t, got, 1)
				want = "Content-MD5: \t" + digest(row.want) + " \r\n"
			}
			assert.Equal(t, want, string(codec.Apply(nil, src, got)))
		})
	}
}
