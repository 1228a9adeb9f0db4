package mark

import (
	"bytes"
	"io"
	"slices"
	"sort"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// A Mender returns, for the edits of a text, the edits that keep something else in it true that
// depends on what they change: a length, a digest. There is at least one edit, they are
// sorted, and are only read.
type Mender func(src []byte, edits []codec.Edit) []codec.Edit

// Mends adds a Mender. It is asked once all edits of the entity are known.
func (m *Marks) Mends(mend Mender) {
	m.Notes.Menders, m.Notes.Late = append(m.Notes.Menders, mend), true
}

// Mended adds to the edits of a text those of its menders.
func Mended(src []byte, menders []Mender, edits []codec.Edit) []codec.Edit {
	if len(edits) == 0 || len(menders) == 0 {
		return edits
	}
	var more []codec.Edit
	for _, m := range menders {
		more = append(more, m(src, edits)...)
	}
	codec.SortEdits(more)
	all := make([]codec.Edit, 0, len(edits)+len(more))
	for _, e := range more {
		n := sort.Search(len(edits), func(i int) bool { return edits[i].Start > e.Start })
		all = append(append(all, edits[:n]...), e)
		edits = edits[n:]
	}
	return append(all, edits...)
}

// Counts marks a field whose value is a number that counts something of a region of the
// text, such as its bytes, and that is to stay true. An empty value is no field. One that
// was not true before stays as it is; the empty lines that end a message in an mbox may be
// counted or not.
func (m *Marks) Counts(value, of codec.Span, count func([]byte) int) {
	if value.Len() == 0 {
		return
	}
	m.Mends(func(src []byte, edits []codec.Edit) []codec.Edit {
		start, end := ascii.TrimSpace(src, value.Start, value.End)
		was, err := strconv.Atoi(string(src[start:end]))
		if err != nil || !counts(src[of.Start:of.End], was, count) {
			return nil
		}
		now := was
		for _, e := range Within(edits, of) {
			now += count(e.New) - count(src[e.Start:e.End])
		}
		if now == was {
			return nil
		}
		return []codec.Edit{{Span: codec.Span{Start: start, End: end}, New: strconv.AppendInt(nil, int64(now), 10)}}
	})
}

// Within gives those of the edits that lie within a region.
func Within(edits []codec.Edit, of codec.Span) []codec.Edit {
	from := sort.Search(len(edits), func(i int) bool { return edits[i].Start >= of.Start })
	to := from
	for to < len(edits) && edits[to].End <= of.End {
		to++
	}
	return edits[from:to]
}

// Growth is by how many bytes the edits make a region longer.
func Growth(edits []codec.Edit, of codec.Span) (n int) {
	for _, e := range Within(edits, of) {
		n += len(e.New) - e.Len()
	}
	return n
}

// Edited gives a region as the edits leave it.
func Edited(src []byte, of codec.Span, edits []codec.Edit) []byte {
	return codec.Apply(nil, src[of.Start:of.End], codec.Shift(slices.Clone(Within(edits, of)), -of.Start))
}

// writeEdited writes a region as the edits leave it. The writer is one that does not fail.
func writeEdited(w io.Writer, src []byte, of codec.Span, edits []codec.Edit) {
	at := of.Start
	for _, e := range Within(edits, of) {
		w.Write(src[at:e.Start])
		w.Write(e.New)
		at = e.End
	}
	w.Write(src[at:of.End])
}

func CountBytes(b []byte) int { return len(b) }
func CountLines(b []byte) int { return bytes.Count(b, []byte("\n")) }

// counts says whether n counts something of a region.
func counts(of []byte, n int, count func([]byte) int) bool {
	return n == count(of) || n < count(of) && n >= count(bytes.TrimRight(of, "\r\n"))
}

// Changed appends the edit that puts a field of a fixed length where another stands, if
// they differ.
func Changed(edits []codec.Edit, src []byte, at int, field []byte) []codec.Edit {
	if bytes.Equal(src[at:at+len(field)], field) {
		return edits
	}
	return append(edits, codec.Edit{Span: codec.Span{Start: at, End: at + len(field)}, New: field})
}
