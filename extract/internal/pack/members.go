package pack

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"absolink/extract/internal/window"
)

// members reads a file by its members: those of gzip (RFC 1952 2.2), or the frames of zstd (RFC 8878 3.1).
//
// A short member is read as a whole, which is faster, and finds damage before the caller uses any of the text. A long
// member is read as a stream. The compressed bytes of a member are kept until packed is called for its records, so that
// a record that does not change can be copied.
type members struct {
	memberCodec
	in     window.Window // of the compressed bytes
	offset int64         // how much of the text the caller has read

	text []byte // reused for the text of members that are read as a whole
	left []byte // the part of it that the caller has not read

	stream io.Reader     // of the member that is read as a stream; nil if there is none
	head   *bytes.Reader // the bytes that were in the window at the start of the stream
	rest   *bufio.Reader // head, and the bytes after it
	raw    *keptBytes    // of the stream
	begun  int64         // the offset of the text of the stream
	failed error         // why the stream could not be begun

	keep keeping
	done []member // those that were read

	salvage bool // a damaged member is to be copied: reading ends with ErrSalvaged
	damaged bool // the window begins with a damaged member

	// A member may contain the end of one record and the beginning of the next. Such records form a group, which ends
	// with a record that ends where a member ends.
	group   int64 // the offset of the first record of the group; -1 if there is no group
	grouped int   // how many members in done belong to the group so far
}

// memberCodec reads and writes the members of one compression.
type memberCodec interface {
	// whole returns the text of the member at the start of src, in the memory of text if possible, and the length of
	// the member. The error is io.ErrUnexpectedEOF if src ends before the member, io.ErrShortBuffer if text is too
	// short, errLong if the text is longer than longestMemberText, and errChecksum if the checksum is wrong.
	whole(text, src []byte) (got []byte, n int, err error)
	// reader returns a reader of the member at the start of r, which ends after it.
	reader(r *bufio.Reader) (io.Reader, error)
	writer(dst io.Writer) (io.WriteCloser, error)
	// first returns the bytes before the first member.
	first() []byte
	// padding returns the length of the padding after a member, at the start of src.
	padding(src []byte) int
}

// keeping is what members keeps of those that were read.
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

	// A file may have millions of members without text, which are like one, and so are those after so many others.
	mostMembers = 1 << 16

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

// ready makes text available, either of members that are read as a whole or of one that is read as a stream. It returns
// io.EOF at the end of the file.
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

func (m *members) skipPadding() {
	if !m.in.Fill(1) || m.padding(m.in.Buf) == 0 {
		return
	}
	m.in.Fill(longestPadding)
	n := m.padding(m.in.Buf)
	m.add(m.offset, n, m.in.Buf)
	m.in.Drop(n)
}

// add records a member of n bytes at the start of raw. Its text ends at the offset end.
func (m *members) add(end int64, n int, raw []byte) {
	if m.keep == keepNothing {
		return
	}
	if m.keep == keepLengths {
		raw = nil
	} else {
		raw = raw[:n]
	}
	if last := len(m.done) - 1; last >= 0 && m.done[last].end == m.offset {
		if one := &m.done[last]; last >= mostMembers || one.start == end {
			one.end, one.n, one.raw = end, one.n+n, append(one.raw, raw...)
			return
		}
	}
	m.done = append(m.done, member{m.offset, end, n, append([]byte(nil), raw...)})
}

// readWhole reads a member as a whole. read is false if the member is too long or damaged, and damaged is true if it is
// known to be damaged. If neither, the caller reads it as a stream, which may meet the damage later.
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

// damagedAhead reports whether the next member is damaged, rather than only too long.
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

// endStream returns to the window after a member that was read as a stream.
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
	} else { // drop the old readers, because each of many long members would add one more
		next, _ := m.rest.Peek(ahead)
		m.in.Replace(bytes.Clone(next))
	}
	m.stream, m.head, m.rest, m.raw = nil, nil, nil, nil
}

// keptBytes counts the bytes that are read, and keeps them while keep is set.
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

func (k *keptBytes) forget() { k.keep, k.bytes = false, nil }

// member is a member that was read, or the padding after one, which has no text. It may be several: see mostMembers.
type member struct {
	start, end int64 // of its text, as offsets in the text of the file
	n          int   // the number of its compressed bytes
	raw        []byte
}

// packed returns the compressed bytes of the record with the text [start, end), and drops the members before it. It
// must be called for each record, in order, after the bytes that follow the record were read.
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
