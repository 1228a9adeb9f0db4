package extract

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// memberwise packs each record on its own, as a member of gzip or a frame of zstd. A member that
// does not change is copied as it was.
type memberwise struct {
	layer
	w    io.WriteCloser // of the record at hand; nil before its first byte
	idle io.WriteCloser // for the next one; it is large
	raw  []byte         // of the record at hand, as it was packed; nil if that is not known
	was  gzip.Reader    // of raw

	// Records that share members are written together when the last of them has come.
	group    []byte // their text so far, rewritten
	compared int    // how much of group has been compared with what it was
	changed  bool   // that has shown a difference
}

// packs makes m one for what is in a layer. A packer that is left from another document will do
// for gzip alone: one of zstd has a dictionary, or none.
func (m *memberwise) packs(l layer) {
	_, is := l.plain.(*members)
	if _, was := m.plain.(*members); m.plain != l.plain && !(is && was) {
		m.idle = nil
	}
	m.layer = l
}

// forget keeps no packed bytes from now on.
func (m *members) forget() {
	m.keep, m.done = false, nil
	if m.stream != nil {
		m.packed.forget()
	}
}

// Write is io.Writer, for the text of a record.
func (m *memberwise) Write(p []byte) (n int, err error) {
	if m.w == nil {
		if err := m.endGroup(nil); err != nil {
			return 0, err
		}
		if again, ok := m.idle.(interface{ Reset(io.Writer) }); ok {
			again.Reset(m.under)
			m.w = m.idle
		} else if m.w, err = m.write(m.under, m.plain); err != nil {
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

// rawOf gives the packed bytes of a record, as members does; of one that is passed through none.
func (m *memberwise) rawOf(offset int64, length int, passed bool) (raw []byte, shared bool) {
	packed, ok := m.plain.(*members)
	if !ok {
		return nil, false
	}
	raw, shared = packed.rawOf(offset, offset+int64(length))
	if passed { // it is packed anew, apart from others
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
func (m *memberwise) share(text, raw []byte) error {
	m.changed = m.changed || !bytes.Equal(m.group[m.compared:], text)
	m.compared = len(m.group)
	if raw == nil {
		return nil
	}
	return m.endGroup(raw)
}

// endGroup writes the records that share members: as they were packed, if that is known and there
// is no change, else as one member.
func (m *memberwise) endGroup(raw []byte) (err error) {
	text, changed := m.group, m.changed
	if m.group, m.compared, m.changed = text[:0], 0, false; len(text) == 0 {
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

// end writes what is behind the last record: members that hold nothing, and damaged ones.
func (m *memberwise) end() error {
	out := packedWriter{m}
	packed, ok := m.plain.(*members)
	if !ok {
		return m.endGroup(nil)
	}
	for _, one := range packed.done {
		if one.start == one.end {
			if _, err := out.Write(one.raw); err != nil {
				return err
			}
		}
	}
	if _, err := out.Write(nil); err != nil || !packed.damaged {
		return err
	}
	if _, err := out.Write(packed.in.buf); err != nil {
		return err
	}
	_, err := io.Copy(out, packed.in.r)
	return err
}

// layer is one compression of a stream.
type layer struct {
	*compression
	plain  io.Reader
	under  io.Writer // what the packed bytes go to
	packer io.WriteCloser
}
