package extract

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/gzip"

	"absolink/extract/codec"
)

// members reads a gzip file member by member (RFC 1952 2.2). A member that is not too long
// is read as a whole, which is faster, and its packed bytes are kept for a while, so that a
// record that is a member of its own can be copied as it is. Others, and damaged ones, are
// read as a stream.
type members struct {
	first gzip.Header
	in    window // of what is packed
	keep  bool   // packed bytes are wanted
	done  []member

	inflater codec.Inflater
	room     []byte // of the text of the last member that was read as a whole
	left     []byte // of it that was not asked for

	stream *gzip.Reader  // of the member that is read as a stream; else nil
	head   *bytes.Reader // what was there of the packed bytes when it began
	rest   *bufio.Reader // these, and what follows them
	packed *packedBytes  // of that member
	begun  int64         // where what it spells begins
	offset int64         // of what is unpacked and was asked for

	group   int64 // where the first of the records begins that share members with the last one; -1 without them
	grouped int   // how many of done these are in
}

// member is one that was read: what it spells, and its packed bytes.
type member struct {
	start, end int64
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

func newMembers(r *bufio.Reader) (*members, error) {
	m := &members{in: window{r: r}, keep: true, group: -1}
	m.in.fill(1 << 10)
	head, err := gzip.NewReader(bytes.NewReader(m.in.buf))
	if err != nil {
		return nil, err
	}
	m.first = head.Header
	return m, nil
}

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
			m.streamed()
			err = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// lend is part of lender.
func (m *members) lend() (next []byte, edge bool, err error) {
	if err := m.ready(); err != nil || m.stream != nil {
		return nil, false, err
	}
	next, m.left = m.left, nil
	m.offset += int64(len(next))
	return next, true, nil
}

// ready reads the next member, if it can be read as a whole, or begins to read it as a stream.
func (m *members) ready() error {
	for len(m.left) == 0 && m.stream == nil {
		m.padding()
		if !m.in.fill(1) {
			if m.in.err != nil {
				return m.in.err
			}
			return io.EOF
		}
		if !m.whole() {
			if err := m.begin(); err != nil {
				return err
			}
		}
	}
	return nil
}

// padding passes over zeros behind a member, which fill up a block of a tape, as gzip(1) does.
func (m *members) padding() {
	if !m.in.fill(1) || m.in.buf[0] != 0 {
		return
	}
	m.in.fill(longestPadding)
	n := len(m.in.buf) - len(bytes.TrimLeft(m.in.buf, "\x00"))
	if m.keep {
		m.done = append(m.done, member{m.offset, m.offset, bytes.Clone(m.in.buf[:n])})
	}
	m.in.drop(n)
}

// whole reads a member as a whole; false if that cannot be done.
func (m *members) whole() bool {
	m.in.fill(readAhead)
	for {
		body := gzipBody(m.in.buf)
		text, n, err := m.inflater.Inflate(m.room, m.in.buf[body:], longestMemberText)
		m.room = text[:0]
		end := body + n + gzipTail
		switch {
		case body == 0, err == codec.ErrShort, err == nil && end > len(m.in.buf):
			before := len(m.in.buf)
			if m.in.fill(2 * before); before > longestMember || len(m.in.buf) == before {
				return false
			}
			continue
		case err != nil:
			return false
		}
		tail := m.in.buf[end-gzipTail : end]
		if binary.LittleEndian.Uint32(tail) != crc32.ChecksumIEEE(text) || binary.LittleEndian.Uint32(tail[4:]) != uint32(len(text)) {
			return false
		}
		if m.keep {
			m.done = append(m.done, member{m.offset, m.offset + int64(len(text)), bytes.Clone(m.in.buf[:end])})
		}
		m.left = text
		m.in.drop(end)
		return true
	}
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
func (m *members) begin() (err error) {
	m.head = bytes.NewReader(m.in.buf)
	m.packed = &packedBytes{r: io.MultiReader(m.head, m.in.r), keep: m.keep}
	m.begun, m.rest = m.offset, bufio.NewReaderSize(m.packed, windowRead)
	if m.stream, err = gzip.NewReader(m.rest); err != nil {
		return err
	}
	m.stream.Multistream(false)
	return nil
}

// streamed goes on behind the member that was read as a stream.
func (m *members) streamed() {
	ahead := m.rest.Buffered()
	if m.packed.keep {
		m.done = append(m.done, member{m.begun, m.offset, m.packed.raw[:len(m.packed.raw)-ahead]})
	}
	if left := m.head.Len(); left > 0 {
		m.in.drop(len(m.in.buf) - left - ahead)
	} else { // no reader of what the last one has: there may be any number of them
		next, _ := m.rest.Peek(ahead)
		m.in.buf = bytes.Clone(next)
	}
	m.stream, m.head, m.rest, m.packed = nil, nil, nil, nil
}

// rawOf gives the packed bytes of the members that spell just the bytes in a range; nil without
// them. It is asked for the ranges in their order, each when what is behind it was looked at.
// shared says that the range has members in common with others: then the last of these gets the
// bytes of all, if they are known.
func (m *members) rawOf(start, end int64) (raw []byte, shared bool) {
	if m.stream != nil && m.begun < end {
		m.packed.forget()
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
		raw = m.done[0].raw
		for _, one := range m.done[1:n] { // it is in several, or some hold nothing
			raw = append(raw, one.raw...)
		}
		m.done = m.done[n:]
		return raw, from < start
	case at > end && at-from <= longestMemberText:
		m.group, m.grouped = from, n
		return nil, true
	}
	return nil, false
}

// memberwise packs each record on its own, as a member of gzip or a frame of zstd. A member that
// does not change is copied as it was.
type memberwise struct {
	layer
	w    io.WriteCloser // of the record at hand; nil before its first byte
	idle io.WriteCloser // for the next one; it is large
	raw  []byte         // of the record at hand, as it was packed; nil if that is not known
	was  gzip.Reader    // of raw

	group   []byte // the text of records that share members, rewritten, without their end
	known   int    // of how much of it it is known whether it is another
	changed bool   // it is
}

// memberwise has each record packed on its own from now on, if that is how the format is
// packed; else nothing of members has to be kept.
func (s *Stream) memberwise(f *Format) {
	for i, l := range s.layers {
		m, ok := l.plain.(*members)
		innermost := i == len(s.layers)-1
		if innermost && f.members && l.packer != nil {
			s.in = &memberwise{layer: l}
			s.layers[i].packer, s.dst = nil, s.in
		} else if ok {
			m.forget()
		}
	}
}

// forget keeps no packed bytes from now on.
func (m *members) forget() {
	m.keep, m.done = false, nil
	if m.stream != nil {
		m.packed.forget()
	}
}

// copied gives what tells, by the first record, whether those that do not change are copied as they
// were packed: it is a member of gzip of its own. It is asked for before the records.
func (s *Stream) copied() func(first Record) bool {
	member := int64(-1)
	if f, n := s.format(), len(s.layers); f != nil && f.members && n > 0 {
		if m, ok := s.layers[n-1].plain.(*members); ok && len(m.done) > 0 {
			member = m.done[0].end
		}
	}
	return func(first Record) bool { return first.Offset == 0 && !first.More && int64(len(first.Bytes)) == member }
}

// Write is io.Writer, for the text of a record.
func (m *memberwise) Write(p []byte) (n int, err error) {
	if m.w == nil {
		if err := m.endGroup(nil); err != nil {
			return 0, err
		}
	}
	if again, ok := m.idle.(interface{ Reset(io.Writer) }); m.w == nil && ok {
		again.Reset(m.under)
		m.w = m.idle
		m.keepHeader()
	}
	if m.w == nil {
		if m.w, err = m.write(m.under, m.plain); err != nil {
			return 0, err
		}
		m.keepHeader()
	}
	return m.w.Write(p)
}

// keepHeader gives a member of gzip the header that it had, with its name and time and what else
// some write into it (RFC 1952 2.3.1); the first one's, if that is not known.
func (m *memberwise) keepHeader() {
	z, ok := m.w.(*gzip.Writer)
	if !ok {
		return
	}
	z.Header = m.plain.(*members).first
	if m.raw != nil && m.was.Reset(bytes.NewReader(m.raw)) == nil {
		z.Header = m.was.Header
	}
}

// Close ends a record.
func (m *memberwise) Close() error {
	if m.w == nil {
		return nil
	}
	err := m.w.Close()
	m.idle, m.w = m.w, nil
	return err
}

// rawOf gives the packed bytes of a record, as members does.
func (m *memberwise) rawOf(rec Record) (raw []byte, shared bool) {
	packed, ok := m.plain.(*members)
	if !ok {
		return nil, false
	}
	raw, shared = packed.rawOf(rec.Offset, rec.Offset+int64(len(rec.Bytes)))
	if rec.Format == nil { // it is packed anew, apart from others
		packed.group, raw, shared = -1, nil, false
	}
	return raw, shared
}

// packedWriter takes records that are packed already, sharedWriter the text of those that share
// members.
type (
	packedWriter struct{ *memberwise }
	sharedWriter struct{ *memberwise }
)

func (m packedWriter) Write(p []byte) (int, error) {
	if err := m.endGroup(nil); err != nil {
		return 0, err
	}
	return m.under.Write(p)
}

func (m sharedWriter) Write(p []byte) (int, error) {
	m.group = append(m.group, p...)
	return len(p), nil
}

// share ends a record that shares members, with the last one all of them.
func (m *memberwise) share(rec Record) error {
	m.changed = m.changed || !bytes.Equal(m.group[m.known:], rec.Bytes)
	m.known = len(m.group)
	if rec.raw == nil {
		return nil
	}
	return m.endGroup(rec.raw)
}

// endGroup writes the records that share members: as they were packed, if that is known and there
// is no change, else as one member.
func (m *memberwise) endGroup(raw []byte) (err error) {
	text, changed := m.group, m.changed
	if m.group, m.known, m.changed = text[:0], 0, false; len(text) == 0 {
		return nil
	}
	if raw != nil && !changed {
		_, err = m.under.Write(raw)
		return err
	}
	m.raw = raw
	if _, err = m.Write(text); err == nil {
		err = m.Close()
	}
	m.raw = nil
	return err
}

// rest gives the members behind the last record, which hold nothing.
func (m *memberwise) rest() (raw []byte) {
	if packed, ok := m.plain.(*members); ok {
		for _, one := range packed.done {
			if one.start == one.end {
				raw = append(raw, one.raw...)
			}
		}
	}
	return raw
}
