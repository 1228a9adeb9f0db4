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

// A Mender returns the edits of fields that depend on edited bytes, like a length or a digest. It is called with at
// least one edit. The edits are sorted, and the Mender must not change them.
type Mender func(src []byte, edits []codec.Edit) []codec.Edit

// Mends adds a Mender. The engine calls it when all edits of the entity are known.
func (m *Marks) Mends(mend Mender) { m.Notes.Menders = append(m.Notes.Menders, mend) }

// MendsInside is Mends for what is inside some parts of the text. The deepest is mended first, because that may change
// the lengths of the parts around it.
func (m *Marks) MendsInside(depth int, mend Mender) {
	for len(m.Notes.Inner) <= depth {
		m.Notes.Inner = append(m.Notes.Inner, nil)
	}
	m.Notes.Inner[depth] = append(m.Notes.Inner[depth], mend)
}

// A Check yields the faults that the edits of a text cause.
type Check func(src []byte, edits []codec.Edit, fault func(Fault))

// Checks adds a Check. The engine calls it with the final edits of the text, sorted.
func (m *Marks) Checks(check Check) {
	m.Notes.Checks = append(m.Notes.Checks, check)
}

// Mended returns the edits of a text together with those of its menders, in the order of the bytes.
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
		all, edits = append(all, edits[:n]...), edits[n:]
		if len(all) > 0 && all[len(all)-1].End > e.Start || len(edits) > 0 && edits[0].Start < e.End {
			continue // an embedded document has updated the field already, as the message in a record of an mbox may
		}
		all = append(all, e)
	}
	return append(all, edits...)
}

// Counts marks fields whose values count something in a region of the text, like its bytes. Edits of the region update
// each number, unless it was wrong before. A number may leave out the newlines at the end of the region, because an
// mbox adds an empty line to a message. Counts keeps the slice values.
func (m *Marks) Counts(values []codec.Span, of codec.Span, count func([]byte) int) {
	if len(values) > 0 {
		m.Mends(Counter(values, of, count))
	}
}

// Counter returns the Mender of Counts.
func Counter(values []codec.Span, of codec.Span, count func([]byte) int) Mender {
	return func(src []byte, edits []codec.Edit) (mended []codec.Edit) {
		grown := 0
		for _, e := range Within(edits, of) {
			grown += count(e.New) - count(src[e.Start:e.End])
		}
		if grown == 0 {
			return nil
		}
		region := src[of.Start:of.End]
		least, most := count(bytes.TrimRight(region, "\r\n")), count(region)
		for _, value := range values {
			start, end := ascii.TrimSpace(src, value.Start, value.End)
			if was, err := strconv.Atoi(string(src[start:end])); err == nil && least <= was && was <= most {
				mended = append(mended, codec.Edit{Span: codec.Span{Start: start, End: end},
					New: strconv.AppendInt(nil, int64(was+grown), 10)})
			}
		}
		return mended
	}
}

// Within returns the edits that are inside a region.
func Within(edits []codec.Edit, of codec.Span) []codec.Edit {
	from := sort.Search(len(edits), func(i int) bool { return edits[i].Start >= of.Start })
	to := from
	for to < len(edits) && edits[to].End <= of.End {
		to++
	}
	return edits[from:to]
}

// Growth returns the number of bytes by which the edits make a region longer.
func Growth(edits []codec.Edit, of codec.Span) (n int) {
	for _, e := range Within(edits, of) {
		n += len(e.New) - e.Len()
	}
	return n
}

// Edited returns the bytes of a region after the edits.
func Edited(src []byte, of codec.Span, edits []codec.Edit) []byte {
	return codec.Apply(nil, src[of.Start:of.End], codec.Shift(slices.Clone(Within(edits, of)), -of.Start))
}

// WriteEdited is Edited, but writes the bytes to w, a hash, so that it needs no copy. A hash returns no errors.
func WriteEdited(w io.Writer, src []byte, of codec.Span, edits []codec.Edit) {
	at := of.Start
	for _, e := range Within(edits, of) {
		w.Write(src[at:e.Start])
		w.Write(e.New)
		at = e.End
	}
	w.Write(src[at:of.End])
}

// CountBytes is an argument of Counts.
func CountBytes(b []byte) int { return len(b) }

// CountLines is an argument of Counts.
func CountLines(b []byte) int { return bytes.Count(b, []byte("\n")) }

// Changed appends the edit that writes field over the bytes at src[at], unless they are the same.
func Changed(edits []codec.Edit, src []byte, at int, field []byte) []codec.Edit {
	if bytes.Equal(src[at:at+len(field)], field) {
		return edits
	}
	return append(edits, codec.Edit{Span: codec.Span{Start: at, End: at + len(field)}, New: field})
}
