package pack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/gzip"

	"absolink/extract/internal/inflate"
	"absolink/extract/internal/window"
)

// members reads a gzip file member by member (RFC 1952 2.2):
//
//	| 1F 8B 08 ... header | deflated text | CRC-32 | length | next member ...
//
// A short member is read as a whole. This is faster, and finds damage before the caller uses any of the text. A long
// member is read as a stream. The compressed bytes of a member are kept until packed is called for its records. So a
// record that does not change can be copied.
type members struct {
	first  gzip.Header   // of the first member
	in     window.Window // of the compressed bytes
	offset int64         // the number of bytes of text that the caller has read

	inflater inflate.Inflater
	text     []byte // the memory for the text of a member that is read as a whole
	left     []byte // the part of text that the caller has not read

	stream *gzip.Reader  // of the member that is read as a stream; nil if there is none
	head   *bytes.Reader // the bytes that were in the window at the start of the stream
	rest   *bufio.Reader // head, and the bytes after it
	raw    *keptBytes    // of the stream
	begun  int64         // the offset of the text of the stream

	keep bool     // compressed bytes are kept
	done []member // the members that were read, if compressed bytes are kept

	salvage bool // a damaged member is copied: reading ends with ErrSalvaged
	damaged bool // the window begins with a damaged member

	// A member may contain the end of one record and the beginning of the next. Such records form a group. The group
	// ends with a record that ends at the end of a member.
	group   int64 // the offset of the first record of the group; -1 if there is no group
	grouped int   // the number of members in done that belong to the group so far
}

const (
	// A member with more bytes, compressed or decompressed, is read as a stream.
	longestMember     = 4 << 20
	longestMemberText = 16 << 20

	longestPadding = 1 << 20

	readAhead = 256 << 10 // most members are complete after the first read of this length
)

func newMembers(r *bufio.Reader) (*members, error) {
	m := &members{in: window.New(r), keep: true, group: -1}
	m.in.Fill(1 << 10)
	head, err := gzip.NewReader(bytes.NewReader(m.in.Buf))
	if err != nil {
		return nil, err
	}
	m.first = head.Header
	return m, nil
}

// Read is io.Reader.
func (m *members) Read(p []byte) (int, error) {
	for {
		if err := m.ready(); err != nil {
			return 0, err
		}
		if m.stream == nil {
			n := copy(p, m.left)
			m.left = m.left[n:]
			m.offset += int64(n)
			return n, nil
		}
		n, err := m.stream.Read(p)
		m.offset += int64(n)
		if err == io.EOF {
			m.endStream()
			err = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

func (m *members) Lend() (next []byte, edge bool, err error) {
	if err := m.ready(); err != nil || m.stream != nil {
		return nil, false, err
	}
	next, m.left = m.left, nil
	m.offset += int64(len(next))
	return next, true, nil
}

// ready makes text available: it reads members as a whole until there is text, or begins to read a member as a stream. At
// the end of the file it returns io.EOF.
func (m *members) ready() error {
	for len(m.left) == 0 && m.stream == nil {
		m.skipPadding()
		if !m.in.Fill(1) {
			if m.in.Err != nil {
				return m.in.Err
			}
			return io.EOF
		}
		read, damaged := m.readWhole()
		switch {
		case read:
		case damaged && m.salvage:
			m.damaged = true
			return ErrSalvaged
		default:
			if err := m.beginStream(); err != nil {
				return err
			}
		}
	}
	return nil
}

// skipPadding skips zeros after a member, as gzip(1) does. They fill a block of a tape.
func (m *members) skipPadding() {
	if !m.in.Fill(1) || m.in.Buf[0] != 0 {
		return
	}
	m.in.Fill(longestPadding)
	n := len(m.in.Buf) - len(bytes.TrimLeft(m.in.Buf, "\x00"))
	if m.keep {
		m.done = append(m.done, member{m.offset, m.offset, bytes.Clone(m.in.Buf[:n])})
	}
	m.in.Drop(n)
}

// readWhole reads a member as a whole. read is false if the member is too long or damaged. damaged is true if it is known
// to be damaged. Otherwise the caller reads it as a stream, which may report damage later.
func (m *members) readWhole() (read, damaged bool) {
	m.in.Fill(readAhead)
	for {
		body := gzipBody(m.in.Buf)
		text, n, err := m.inflater.Inflate(m.text, m.in.Buf[body:])
		end := body + n + gzipTail
		switch {
		case body == 0, err == io.ErrUnexpectedEOF, err == nil && end > len(m.in.Buf):
			before := len(m.in.Buf)
			if m.in.Fill(2 * before); before > longestMember || len(m.in.Buf) == before {
				return false, before <= longestMember && m.in.Err == nil
			}
			continue
		case err == io.ErrShortBuffer && cap(m.text) < longestMemberText:
			m.text = make([]byte, 0, min(max(4*cap(m.text), 32<<10), longestMemberText))
			continue
		case err != nil:
			return false, m.salvage && m.damagedAhead()
		}
		tail := m.in.Buf[end-gzipTail : end]
		if binary.LittleEndian.Uint32(tail) != crc32.ChecksumIEEE(text) || binary.LittleEndian.Uint32(tail[4:]) != uint32(len(text)) {
			return false, true
		}
		if m.keep {
			m.done = append(m.done, member{m.offset, m.offset + int64(len(text)), bytes.Clone(m.in.Buf[:end])})
		}
		m.left = text
		m.in.Drop(end)
		return true, false
	}
}

// damagedAhead reports whether the next member is damaged, and not only too long.
func (m *members) damagedAhead() bool {
	r, err := gzip.NewReader(bytes.NewReader(m.in.Buf))
	if err == nil {
		_, err = io.CopyN(io.Discard, r, longestMemberText+1)
	}
	truncated := err == io.ErrUnexpectedEOF && !m.in.EOF // the member continues after the window
	return err != nil && err != io.EOF && !truncated
}

func (m *members) beginStream() (err error) {
	m.head = bytes.NewReader(m.in.Buf)
	m.raw = &keptBytes{r: io.MultiReader(m.head, m.in.Rest()), keep: m.keep}
	m.begun, m.rest = m.offset, bufio.NewReaderSize(m.raw, window.Read)
	if m.stream, err = gzip.NewReader(m.rest); err != nil {
		return err
	}
	m.stream.Multistream(false)
	return nil
}

// endStream goes back to the window after a member that was read as a stream.
func (m *members) endStream() {
	ahead := m.rest.Buffered()
	if m.raw.keep {
		m.done = append(m.done, member{m.begun, m.offset, m.raw.bytes[:len(m.raw.bytes)-ahead]})
	}
	if left := m.head.Len(); left > 0 {
		m.in.Drop(len(m.in.Buf) - left - ahead)
	} else { // drop the old readers: each of many long members would add one more
		next, _ := m.rest.Peek(ahead)
		m.in.Replace(bytes.Clone(next))
	}
	m.stream, m.head, m.rest, m.raw = nil, nil, nil, nil
}

// keptBytes keeps the bytes that are read, as long as keep is set.
type keptBytes struct {
	r     io.Reader
	keep  bool
	bytes []byte
}

func (k *keptBytes) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	if k.keep {
		k.bytes = append(k.bytes, p[:n]...)
	}
	return n, err
}

// forget drops the kept bytes, and keeps no more bytes.
func (k *keptBytes) forget() { k.keep, k.bytes = false, nil }

// member is a member of gzip that was read, or padding after a member. Padding has no text.
type member struct {
	start, end int64 // of its text, as offsets in the text of the file
	raw        []byte
}

// gzipTail is the length of CRC32 and ISIZE after the data of a member (RFC 1952 2.3.1).
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

// packed returns the compressed bytes of the record with the text [start, end). It is called for each record, in order,
// after the bytes that follow the record were read. It drops the members before the record.
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

// forget drops the compressed bytes of members, and keeps no more bytes.
func (m *members) forget() {
	m.keep, m.done = false, nil
	if m.stream != nil {
		m.raw.forget()
	}
}
