package pack

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"absolink/extract/internal/window"
)

// members reads a file member by member: a member of gzip (RFC 1952 2.2) or a frame of zstd (RFC 8878 3.1).
//
// A short member is read as a whole. This is faster, and finds damage before the caller uses any of the text. A long
// member is read as a stream. The compressed bytes of a member are kept until packed is called for its records. So a
// record that does not change can be copied.
type members struct {
	memberCodec
	in     window.Window // of the compressed bytes
	offset int64         // the number of bytes of text that the caller has read

	text []byte // the memory for the text of a member that is read as a whole
	left []byte // the part of text that the caller has not read

	stream io.Reader     // of the member that is read as a stream; nil if there is none
	head   *bytes.Reader // the bytes that were in the window at the start of the stream
	rest   *bufio.Reader // head, and the bytes after it
	raw    *keptBytes    // of the stream
	begun  int64         // the offset of the text of the stream
	failed error         // the stream could not be begun

	keep keeping
	done []member // the members that were read

	salvage bool // a damaged member is copied: reading ends with ErrSalvaged
	damaged bool // the window begins with a damaged member

	// A member may contain the end of one record and the beginning of the next. Such records form a group. The group
	// ends with a record that ends at the end of a member.
	group   int64 // the offset of the first record of the group; -1 if there is no group
	grouped int   // the number of members in done that belong to the group so far
}

// memberCodec reads and writes the members of one compression.
type memberCodec interface {
	// whole returns the text of the member at the start of src, in the memory of text if possible, and the length of the
	// member. The error is io.ErrUnexpectedEOF if src ends before the member, io.ErrShortBuffer if text is too short, and
	// errLong if the text is longer than longestMemberText.
	whole(text, src []byte) (got []byte, n int, err error)
	// reader returns a reader of the member at the start of r. It ends after the member.
	reader(r *bufio.Reader) (io.Reader, error)
	// writer returns a writer of a member.
	writer(dst io.Writer) (io.WriteCloser, error)
	// first returns the bytes before the first member.
	first() []byte
	// padding returns the length of the padding after a member, at the start of src.
	padding(src []byte) int
}

// keeping is what members keeps of the members that were read.
type keeping uint8

const (
	keepNothing keeping = iota
	keepLengths
	keepBytes
)

const (
	// A member with more bytes, compressed or decompressed, is read as a stream.
	longestMember     = 4 << 20
	longestMemberText = 16 << 20

	longestPadding = 1 << 20

	readAhead = 256 << 10 // most members are complete after the first read of this length
)

var (
	errLong     = errors.New("the text of the member is long")
	errChecksum = errors.New("the checksum is wrong")
)

func newMembers(c memberCodec, in window.Window) *members {
	return &members{memberCodec: c, in: in, group: -1}
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
			if m.raw.n == m.rest.Buffered() {
				return n, io.ErrUnexpectedEOF
			}
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
	if m.failed != nil {
		return m.failed
	}
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

// skipPadding skips the padding after a member.
func (m *members) skipPadding() {
	if !m.in.Fill(1) || m.padding(m.in.Buf) == 0 {
		return
	}
	m.in.Fill(longestPadding)
	n := m.padding(m.in.Buf)
	m.add(m.offset, n, m.in.Buf)
	m.in.Drop(n)
}

// add takes note of a member of n bytes, which are at the start of raw. Its text ends at the offset end.
func (m *members) add(end int64, n int, raw []byte) {
	one := member{start: m.offset, end: end, n: n}
	switch m.keep {
	case keepNothing:
		return
	case keepBytes:
		one.raw = bytes.Clone(raw[:n])
	}
	m.done = append(m.done, one)
}

// readWhole reads a member as a whole. read is false if the member is too long or damaged. damaged is true if it is known
// to be damaged. Otherwise the caller reads it as a stream, which may report damage later.
func (m *members) readWhole() (read, damaged bool) {
	m.in.Fill(readAhead)
	for {
		text, n, err := m.whole(m.text, m.in.Buf)
		switch err {
		case nil:
			m.text = text[:0]
			m.add(m.offset+int64(len(text)), n, m.in.Buf)
			m.left = text
			m.in.Drop(n)
			return true, false
		case io.ErrUnexpectedEOF:
			before := len(m.in.Buf)
			if m.in.Fill(2 * before); before > longestMember || len(m.in.Buf) == before {
				return false, before <= longestMember && m.in.Err == nil
			}
		case io.ErrShortBuffer:
			m.text = make([]byte, 0, min(max(4*cap(m.text), 32<<10), longestMemberText))
		case errChecksum:
			return false, true
		default:
			return false, m.salvage && m.damagedAhead()
		}
	}
}

// damagedAhead reports whether the next member is damaged, and not only too long.
func (m *members) damagedAhead() bool {
	r, err := m.reader(bufio.NewReader(bytes.NewReader(m.in.Buf)))
	if err == nil {
		_, err = io.CopyN(io.Discard, r, longestMemberText+1)
	}
	truncated := err == io.ErrUnexpectedEOF && !m.in.EOF // the member continues after the window
	return err != nil && err != io.EOF && !truncated
}

func (m *members) beginStream() error {
	m.head = bytes.NewReader(m.in.Buf)
	m.raw = &keptBytes{r: io.MultiReader(m.head, m.in.Rest()), keep: m.keep == keepBytes}
	m.begun, m.rest = m.offset, bufio.NewReaderSize(m.raw, window.Read)
	stream, err := m.reader(m.rest)
	if m.failed = err; err == nil {
		m.stream = stream
	}
	return err
}

// endStream goes back to the window after a member that was read as a stream.
func (m *members) endStream() {
	ahead := m.rest.Buffered()
	if m.raw.keep || m.keep == keepLengths {
		one := member{start: m.begun, end: m.offset, n: m.raw.n - ahead}
		if m.raw.keep {
			one.raw = m.raw.bytes[:one.n]
		}
		m.done = append(m.done, one)
	}
	if left := m.head.Len(); left > 0 {
		m.in.Drop(len(m.in.Buf) - left - ahead)
	} else { // drop the old readers: each of many long members would add one more
		next, _ := m.rest.Peek(ahead)
		m.in.Replace(bytes.Clone(next))
	}
	m.stream, m.head, m.rest, m.raw = nil, nil, nil, nil
}

// keptBytes counts the bytes that are read, and keeps them as long as keep is set.
type keptBytes struct {
	r     io.Reader
	keep  bool
	n     int
	bytes []byte
}

func (k *keptBytes) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	k.n += n
	if k.keep {
		k.bytes = append(k.bytes, p[:n]...)
	}
	return n, err
}

// forget drops the kept bytes, and keeps no more bytes.
func (k *keptBytes) forget() { k.keep, k.bytes = false, nil }

// member is a member that was read, or padding after a member. Padding has no text.
type member struct {
	start, end int64 // of its text, as offsets in the text of the file
	n          int   // the number of its compressed bytes
	raw        []byte
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
		p := Packed{shared: from < start, parts: make([]part, n)}
		for i, one := range m.done[:n] { // members, or padding
			p.parts[i] = part{int(one.end - start), one.raw}
		}
		m.done = m.done[n:]
		return p
	case at > end && at-from <= longestMemberText:
		m.group, m.grouped = from, n
		return Packed{shared: true}
	}
	return Packed{}
}

// only keeps the lengths of members from now on, or nothing.
func (m *members) only(keep keeping) {
	m.keep = keep
	if keep == keepNothing {
		m.done = nil
	}
	for i := range m.done {
		m.done[i].raw = nil
	}
	if m.stream != nil {
		m.raw.forget()
	}
}
