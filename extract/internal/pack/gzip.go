package pack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/gzip"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/window"
)

// Members reads a gzip file member by member (RFC 1952 2.2). A member that is not too long
// is read as a whole, which is faster, and its packed bytes are kept for a while, so that a
// record that is a member of its own can be copied as it is. Others, and damaged ones, are
// read as a stream.
type Members struct {
	first gzip.Header
	in    window.Window // of what is packed
	keep  bool          // packed bytes are wanted
	Done  []member

	inflater codec.Inflater
	room     []byte // of the text of the last member that was read as a whole
	left     []byte // of it that was not asked for

	stream *gzip.Reader  // of the member that is read as a stream; else nil
	head   *bytes.Reader // what was there of the packed bytes when it began
	rest   *bufio.Reader // these, and what follows them
	packed *packedBytes  // of that member
	begun  int64         // where what it spells begins
	offset int64         // of what is unpacked and was asked for

	// Where records are written as the members that they were, what is damaged is copied, too.
	Salvage bool
	Damaged bool // the next member is, which in begins with

	// A member may hold the end of one record and the beginning of the next. Records that
	// are joined so form a group, which is over when one ends where a member does.
	group   int64 // where the first record of the group begins; -1 without a group
	grouped int   // how many members, of those done, the group is in so far
}

// member is one that was read: what it spells, and its packed bytes.
type member struct {
	start, End int64
	raw        []byte
}

// packedBytes keeps what is read through it, for as long as that is wanted.
type packedBytes struct {
	r    io.Reader
	keep bool
	raw  []byte
}

func (b *packedBytes) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.keep {
		b.raw = append(b.raw, p[:n]...)
	}
	return n, err
}

// forget keeps no more, and gives up what was kept.
func (b *packedBytes) forget() { b.keep, b.raw = false, nil }

const (
	// A member is read as a whole if it has so many bytes at most, packed and unpacked.
	longestMember     = 4 << 20
	longestMemberText = 16 << 20

	longestPadding = 1 << 20

	readAhead = 256 << 10 // so that few members are begun twice
)

func newMembers(r *bufio.Reader) (*Members, error) {
	m := &Members{in: window.New(r), keep: true, group: -1}
	m.in.Fill(1 << 10)
	head, err := gzip.NewReader(bytes.NewReader(m.in.Buf))
	if err != nil {
		return nil, err
	}
	m.first = head.Header
	return m, nil
}

func (m *Members) Read(p []byte) (int, error) {
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
			m.streamed()
			err = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Lend is part of lender.
func (m *Members) Lend() (next []byte, edge bool, err error) {
	if err := m.ready(); err != nil || m.stream != nil {
		return nil, false, err
	}
	next, m.left = m.left, nil
	m.offset += int64(len(next))
	return next, true, nil
}

// ready reads the next member, if it can be read as a whole, or begins to read it as a stream.
func (m *Members) ready() error {
	for len(m.left) == 0 && m.stream == nil {
		m.padding()
		if !m.in.Fill(1) {
			if m.in.Err != nil {
				return m.in.Err
			}
			return io.EOF
		}
		read, damaged := m.whole()
		switch {
		case read:
		case damaged && m.Salvage:
			m.Damaged = true
			return ErrSalvaged
		default:
			if err := m.begin(); err != nil {
				return err
			}
		}
	}
	return nil
}

// padding passes over zeros behind a member, which fill up a block of a tape, as gzip(1) does.
func (m *Members) padding() {
	if !m.in.Fill(1) || m.in.Buf[0] != 0 {
		return
	}
	m.in.Fill(longestPadding)
	n := len(m.in.Buf) - len(bytes.TrimLeft(m.in.Buf, "\x00"))
	if m.keep {
		m.Done = append(m.Done, member{m.offset, m.offset, bytes.Clone(m.in.Buf[:n])})
	}
	m.in.Drop(n)
}

// ErrSalvaged ends what can be read, but nothing is lost.
var ErrSalvaged = errors.New("a member is damaged or cut off")

// whole reads a member as a whole, if it is not too long; or says that it is seen to be damaged.
func (m *Members) whole() (read, damaged bool) {
	m.in.Fill(readAhead)
	for {
		body := gzipBody(m.in.Buf)
		text, n, err := m.inflater.Inflate(m.room, m.in.Buf[body:], longestMemberText)
		m.room = text[:0]
		end := body + n + gzipTail
		switch {
		case body == 0, err == codec.ErrShort, err == nil && end > len(m.in.Buf):
			before := len(m.in.Buf)
			if m.in.Fill(2 * before); before > longestMember || len(m.in.Buf) == before {
				return false, before <= longestMember && m.in.Err == nil
			}
			continue
		case err != nil:
			return false, m.Salvage && m.damagedAhead()
		}
		tail := m.in.Buf[end-gzipTail : end]
		if binary.LittleEndian.Uint32(tail) != crc32.ChecksumIEEE(text) || binary.LittleEndian.Uint32(tail[4:]) != uint32(len(text)) {
			return false, true
		}
		if m.keep {
			m.Done = append(m.Done, member{m.offset, m.offset + int64(len(text)), bytes.Clone(m.in.Buf[:end])})
		}
		m.left = text
		m.in.Drop(end)
		return true, false
	}
}

// damagedAhead says whether the next member is damaged, as far as can be seen, and not only too long.
func (m *Members) damagedAhead() bool {
	r, err := gzip.NewReader(bytes.NewReader(m.in.Buf))
	if err == nil {
		_, err = io.CopyN(io.Discard, r, longestMemberText+1)
	}
	cut := err == io.ErrUnexpectedEOF && !m.in.EOF // there is more of it
	return err != nil && err != io.EOF && !cut
}

// gzipTail is the length of what is behind the data of a member: a checksum and a length.
const gzipTail = 8

// gzipBody gives where the data of the member begins; 0 if its header is not all there, or
// none.
func gzipBody(src []byte) int {
	if len(src) < 10 || src[0] != 0x1F || src[1] != 0x8B || src[2] != 8 {
		return 0
	}
	flags, p := src[3], 10
	if flags&4 != 0 { // extra field
		if len(src) < p+2 {
			return 0
		}
		p += 2 + int(binary.LittleEndian.Uint16(src[p:]))
	}
	for _, flag := range []byte{8, 16} { // name, comment
		if flags&flag != 0 {
			n := bytes.IndexByte(src[min(p, len(src)):], 0)
			if n < 0 {
				return 0
			}
			p += n + 1
		}
	}
	if flags&2 != 0 { // checksum of the header
		p += 2
	}
	if p > len(src) {
		return 0
	}
	return p
}

// begin reads the next member as a stream.
func (m *Members) begin() (err error) {
	m.head = bytes.NewReader(m.in.Buf)
	m.packed = &packedBytes{r: io.MultiReader(m.head, m.in.Rest()), keep: m.keep}
	m.begun, m.rest = m.offset, bufio.NewReaderSize(m.packed, window.Read)
	if m.stream, err = gzip.NewReader(m.rest); err != nil {
		return err
	}
	m.stream.Multistream(false)
	return nil
}

// streamed goes on behind the member that was read as a stream.
func (m *Members) streamed() {
	ahead := m.rest.Buffered()
	if m.packed.keep {
		m.Done = append(m.Done, member{m.begun, m.offset, m.packed.raw[:len(m.packed.raw)-ahead]})
	}
	if left := m.head.Len(); left > 0 {
		m.in.Drop(len(m.in.Buf) - left - ahead)
	} else { // no reader of what the last one has: there may be any number of them
		next, _ := m.rest.Peek(ahead)
		m.in.Replace(bytes.Clone(next))
	}
	m.stream, m.head, m.rest, m.packed = nil, nil, nil, nil
}

// rawOf gives the packed bytes of a record, the text of which is a range; nil if no members
// spell just that. It is asked for the records in their order, each when what is behind it was
// looked at. shared says that the record is in a group: then raw is nil for all of the group but
// the last record, which gets the bytes of all its members if they are known.
func (m *Members) rawOf(start, end int64) (raw []byte, shared bool) {
	if m.stream != nil && m.begun < end {
		m.packed.forget()
	}
	from, n := m.group, m.grouped
	if from < 0 {
		from, n = start, 0
	}
	for len(m.Done) > 0 && m.Done[0].start < from {
		m.Done = m.Done[1:]
	}
	at := from
	if n > 0 {
		at = m.Done[n-1].End
	}
	for n < len(m.Done) && m.Done[n].start == at && (at < end || m.Done[n].End == end) {
		at = m.Done[n].End
		n++
	}
	m.group = -1
	switch {
	case n > 0 && at == end:
		raw = m.Done[0].raw
		for _, one := range m.Done[1:n] { // more than one spells it, or some hold nothing
			raw = append(raw, one.raw...)
		}
		m.Done = m.Done[n:]
		return raw, from < start
	case at > end && at-from <= longestMemberText:
		m.group, m.grouped = from, n
		return nil, true
	}
	return nil, false
}
