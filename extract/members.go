package extract

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
)

// members reads a gzip file member by member (RFC 1952 2.2), and keeps the packed bytes of
// the last ones, so that a record that is a member of its own can be copied as it is.
type members struct {
	first  gzip.Header
	r      *bufio.Reader // of tee
	tee    *tee
	z      *gzip.Reader
	offset int64 // of what is unpacked
	start  int64 // of the member at hand there
	done   []member
}

// member is one that was read: what it spells, and its packed bytes, nil if they were too
// many.
type member struct {
	start, end int64
	raw        []byte
}

// longestMember is how many packed bytes of a member are kept.
const longestMember = 16 << 20

func newMembers(r *bufio.Reader) (*members, error) {
	m := &members{tee: &tee{r: r, keep: true}}
	m.r = bufio.NewReaderSize(m.tee, windowRead)
	var err error
	if m.z, err = gzip.NewReader(m.r); err != nil {
		return nil, err
	}
	m.first = m.z.Header
	m.z.Multistream(false)
	return m, nil
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		m.offset += int64(n)
		if err != io.EOF || n > 0 {
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
		if m.tee.keep {
			m.done = append(m.done, member{m.start, m.offset, m.tee.take(m.r.Buffered())})
		}
		m.start = m.offset
		if err := m.z.Reset(m.r); err != nil {
			return 0, err // io.EOF behind the last one
		}
		m.z.Multistream(false)
	}
}

// rawOf gives the packed bytes of the member that spells just the bytes in a range; nil
// without them. It is asked for the ranges in their order.
func (m *members) rawOf(start, end int64) []byte {
	for len(m.done) > 0 && m.done[0].end <= start && m.done[0].start < start {
		m.done = m.done[1:]
	}
	if len(m.done) > 0 && m.done[0].start == start && m.done[0].end == end {
		return m.done[0].raw
	}
	return nil
}

// tee keeps what is read through it.
type tee struct {
	r    io.Reader
	keep bool
	kept []byte
	lost bool // some of the member at hand
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if t.keep {
		if len(t.kept) > longestMember {
			t.kept, t.lost = append(t.kept[:0], t.kept[len(t.kept)-windowRead:]...), true
		}
		t.kept = append(t.kept, p[:n]...)
	}
	return n, err
}

// take gives what was kept but for the last bytes, which belong to the next member.
func (t *tee) take(last int) []byte {
	raw := append([]byte(nil), t.kept[:len(t.kept)-last]...)
	t.kept = append(t.kept[:0], t.kept[len(t.kept)-last:]...)
	if t.lost {
		raw, t.lost = nil, false
	}
	return raw
}

// memberwise packs each record on its own. One that does not change is copied as it was.
type memberwise struct {
	layer
	w io.WriteCloser // of the record at hand; nil before its first byte
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
			m.tee.keep, m.tee.kept, m.done = false, nil, nil
		}
	}
}

// Write is io.Writer.
func (m *memberwise) Write(p []byte) (n int, err error) {
	if m.w == nil {
		if m.w, err = m.write(m.under, m.plain); err != nil {
			return 0, err
		}
	}
	return m.w.Write(p)
}

// Close ends a record.
func (m *memberwise) Close() error {
	if m.w == nil {
		return nil
	}
	err := m.w.Close()
	m.w = nil
	return err
}

// rawOf gives the packed bytes of a record, if they are there.
func (m *memberwise) rawOf(rec Record) []byte {
	if packed, ok := m.plain.(*members); ok {
		return packed.rawOf(rec.Offset, rec.Offset+int64(len(rec.Bytes)))
	}
	return nil
}
