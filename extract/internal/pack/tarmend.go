package pack

import (
	"bytes"
	"strconv"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// mend is a mark.Mender. It updates the size of a file, and the checksum and the padding that depend on the size.
func (m *tarMember) mend(src []byte, edits []codec.Edit) []codec.Edit {
	was := int64(m.data.Len())
	now := was + int64(mark.Growth(edits, m.data))
	if now == was {
		return nil
	}
	var out []codec.Edit
	if m.pax >= 0 {
		record := paxRecord("size", strconv.FormatInt(now, 10))
		out = append(out, codec.Edit{Span: m.paxRecord, New: record})
		if grown := int64(len(record) - m.paxRecord.Len()); grown != 0 {
			out = tarResized(out, src, m.pax, m.paxData.End, int64(m.paxData.Len()), int64(m.paxData.Len())+grown)
		}
	}
	// If an extended header has the size, the size in the own header of the file does not count.
	if size, _ := tarNumber(src[m.header+tarSize.Start : m.header+tarSize.End]); size == was {
		return tarResized(out, src, m.header, m.data.End, was, now)
	}
	return tarPadded(out, src, m.data.End, was, now)
}

// tarResized appends the edits that change the size in a header from was to now. They also change the checksum of the
// header, and the padding after the data. The data ends at src[end].
func tarResized(edits []codec.Edit, src []byte, header, end int, was, now int64) []codec.Edit {
	block := bytes.Clone(src[header : header+tarBlock])
	unsigned, signed := tarSumOf(block)
	putTarNumber(block[tarSize.Start:tarSize.End], now)
	newUnsigned, newSigned := tarSumOf(block)
	sum, _ := tarNumber(block[tarSum.Start:tarSum.End])
	if sum == signed && sum != unsigned {
		newUnsigned = newSigned
	}
	putTarNumber(block[tarSum.Start:tarSum.End], newUnsigned)
	edits = mark.Changed(edits, src, header+tarSize.Start, block[tarSize.Start:tarSize.End])
	edits = mark.Changed(edits, src, header+tarSum.Start, block[tarSum.Start:tarSum.End])
	return tarPadded(edits, src, end, was, now)
}

// tarPadded appends the edit that changes the padding at src[end:] for another size. It keeps as many bytes of the old
// padding as possible. At the end of an archive, a part of the padding may be missing.
func tarPadded(edits []codec.Edit, src []byte, end int, was, now int64) []codec.Edit {
	old, padding := min(tarPadding(was), len(src)-end), tarPadding(now)
	switch {
	case padding == old:
		return edits
	case padding < old:
		return append(edits, codec.Edit{Span: codec.Span{Start: end + padding, End: end + old}})
	}
	return append(edits, codec.Edit{Span: codec.Span{Start: end + old, End: end + old}, New: make([]byte, padding-old)})
}
