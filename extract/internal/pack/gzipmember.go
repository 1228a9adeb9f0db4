package pack

import (
	"bytes"
	"encoding/binary"
)

// member is a member of gzip that was read, or padding. Padding has no text.
type member struct {
	start, end int64 // of its text, as offsets in the text of the file
	raw        []byte
}

// gzipTail is the length of what follows the data of a member: CRC32 and ISIZE (RFC 1952 2.3.1).
const gzipTail = 8

// Bits of the header byte FLG (RFC 1952 2.3.1).
const (
	gzipHeaderCRC = 1 << 1
	gzipExtra     = 1 << 2
	gzipName      = 1 << 3
	gzipComment   = 1 << 4
)

// gzipBody returns the index of the data of the member in src, or 0 if src does not begin with a complete header.
func gzipBody(src []byte) int {
	if len(src) < 10 || src[0] != 0x1F || src[1] != 0x8B || src[2] != 8 {
		return 0
	}
	flags, p := src[3], 10
	if flags&gzipExtra != 0 {
		if len(src) < p+2 {
			return 0
		}
		p += 2 + int(binary.LittleEndian.Uint16(src[p:]))
	}
	for _, flag := range []byte{gzipName, gzipComment} { // each ends with a zero
		if flags&flag != 0 {
			n := bytes.IndexByte(src[min(p, len(src)):], 0)
			if n < 0 {
				return 0
			}
			p += n + 1
		}
	}
	if flags&gzipHeaderCRC != 0 {
		p += 2
	}
	if p > len(src) {
		return 0
	}
	return p
}

// packed returns how the record with the text [start, end) was compressed. It is called for each record, in their
// order, after what follows the record was looked at. It drops the members before the record.
func (m *members) packed(start, end int64) Packed {
	if m.stream != nil && m.begun < end {
		m.raw.forget()
	}
	from, n := m.group, m.grouped
	if from < 0 {
		from, n = start, 0
	}
	for len(m.done) > 0 && m.done[0].start < from {
		m.done = m.done[1:]
	}
	at := from
	if n > 0 {
		at = m.done[n-1].end
	}
	for n < len(m.done) && m.done[n].start == at && (at < end || m.done[n].end == end) {
		at = m.done[n].end
		n++
	}
	m.group = -1
	switch {
	case n > 0 && at == end:
		raw := m.done[0].raw
		for _, one := range m.done[1:n] { // several members, or padding
			raw = append(raw, one.raw...)
		}
		m.done = m.done[n:]
		return Packed{raw: raw, shared: from < start}
	case at > end && at-from <= longestMemberText:
		m.group, m.grouped = from, n
		return Packed{shared: true}
	}
	return Packed{}
}

// forget drops the compressed bytes of members, and keeps no more.
func (m *members) forget() {
	m.keep, m.done = false, nil
	if m.stream != nil {
		m.raw.forget()
	}
}
