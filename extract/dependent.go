package extract

import (
	"bytes"
	"sort"
	"strconv"

	"absolink/extract/codec"
)

// dependent is a field whose value is a number that counts something of a region, and that
// is to stay true: Content-Length, Lines.
type dependent struct {
	value codec.Span
	of    codec.Span
	count func([]byte) int
}

// Counts marks a field that counts something of a region of the text, such as its bytes.
// An empty value is no field.
func (f *Finder) Counts(value, of codec.Span, count func([]byte) int) {
	if value.Len() > 0 {
		f.dependents = append(f.dependents, dependent{value, of, count})
	}
}

func countBytes(b []byte) int { return len(b) }
func countLines(b []byte) int { return bytes.Count(b, []byte("\n")) }

// keepTrue adds to the edits of a text those of the fields that depend on what they change.
// A field that was not true before stays as it is. The empty lines that end a message in
// an mbox may be counted or not.
func keepTrue(src []byte, fields []dependent, edits []codec.Edit) []codec.Edit {
	if len(edits) == 0 {
		return edits
	}
	changed := edits
	for _, f := range fields {
		start, end := trimSpace(src, f.value.Start, f.value.End)
		was, err := strconv.Atoi(string(src[start:end]))
		if err != nil || !f.holds(src, was) {
			continue
		}
		now := was
		for _, e := range changed {
			if e.Start >= f.of.Start && e.End <= f.of.End {
				now += f.count(e.New) - f.count(src[e.Start:e.End])
			}
		}
		if now != was {
			edits = append(edits[:len(edits):len(edits)], codec.Edit{Span: codec.Span{Start: start, End: end}, New: strconv.AppendInt(nil, int64(now), 10)})
		}
	}
	if len(edits) > len(changed) {
		sort.SliceStable(edits, func(i, j int) bool { return edits[i].Start < edits[j].Start })
	}
	return edits
}

// holds says whether the field counts n.
func (f *dependent) holds(src []byte, n int) bool {
	of := src[f.of.Start:f.of.End]
	if n == f.count(of) {
		return true
	}
	text := bytes.TrimRight(of, "\r\n")
	return n >= f.count(text) && n < f.count(of)
}
