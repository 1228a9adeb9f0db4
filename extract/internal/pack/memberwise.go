package pack

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Memberwise packs each record on its own, as a member of gzip or a frame of zstd. A member that
// does not change is copied as it was.
type Memberwise struct {
	Layer
	W    io.WriteCloser // of the record at hand; nil before its first byte
	idle io.WriteCloser // for the next one; it is large
	Raw  []byte         // of the record at hand, as it was packed; nil if that is not known
	was  gzip.Reader    // of raw

	// Records that share members are written together when the last of them has come.
	group    []byte // their text so far, rewritten
	compared int    // how much of group has been compared with what it was
	changed  bool   // that has shown a difference
}

// Packs makes m one for what is in a layer. A packer that is left from another document will do
// for gzip alone: one of zstd has a dictionary, or none.
func (m *Memberwise) Packs(l Layer) {
	_, is := l.Plain.(*Members)
	if _, was := m.Plain.(*Members); m.Plain != l.Plain && !(is && was) {
		m.idle = nil
	}
	m.Layer = l
}

// Forget keeps no packed bytes from now on.
func (m *Members) Forget() {
	m.keep, m.Done = false, nil
	if m.stream != nil {
		m.packed.forget()
	}
}

// Write is io.Writer, for the text of a record.
func (m *Memberwise) Write(p []byte) (n int, err error) {
	if m.W == nil {
		if err := m.endGroup(nil); err != nil {
			return 0, err
		}
		if again, ok := m.idle.(interface{ Reset(io.Writer) }); ok {
			again.Reset(m.Under)
			m.W = m.idle
		} else if m.W, err = m.Pack(m.Under, m.Plain); err != nil {
			return 0, err
		}
		m.keepHeader()
	}
	return m.W.Write(p)
}

// keepHeader gives a member of gzip the header that it had, with its name and time and what else
// some write into it (RFC 1952 2.3.1); the first one's, if that is not known.
func (m *Memberwise) keepHeader() {
	z, ok := m.W.(*gzip.Writer)
	if !ok {
		return
	}
	z.Header = m.Plain.(*Members).first
	if m.Raw != nil && m.was.Reset(bytes.NewReader(m.Raw)) == nil {
		z.Header = m.was.Header
	}
}

// Close ends a record.
func (m *Memberwise) Close() error {
	if m.W == nil {
		return nil
	}
	err := m.W.Close()
	m.idle, m.W = m.W, nil
	return err
}

// RawOf gives the packed bytes of a record, as members does; of one that is passed through none.
func (m *Memberwise) RawOf(offset int64, length int, passed bool) (raw []byte, shared bool) {
	packed, ok := m.Plain.(*Members)
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
	PackedWriter struct{ *Memberwise }
	SharedWriter struct{ *Memberwise }
)

func (m PackedWriter) Write(p []byte) (int, error) {
	if err := m.endGroup(nil); err != nil {
		return 0, err
	}
	return m.Under.Write(p)
}

func (m SharedWriter) Write(p []byte) (int, error) {
	m.group = append(m.group, p...)
	return len(p), nil
}

// Share ends a record that shares members, with the last one all of them.
func (m *Memberwise) Share(text, raw []byte) error {
	m.changed = m.changed || !bytes.Equal(m.group[m.compared:], text)
	m.compared = len(m.group)
	if raw == nil {
		return nil
	}
	return m.endGroup(raw)
}

// endGroup writes the records that share members: as they were packed, if that is known and there
// is no change, else as one member.
func (m *Memberwise) endGroup(raw []byte) (err error) {
	text, changed := m.group, m.changed
	if m.group, m.compared, m.changed = text[:0], 0, false; len(text) == 0 {
		return nil
	}
	if raw != nil && !changed {
		_, err = m.Under.Write(raw)
		return err
	}
	m.Raw = raw
	if _, err = m.Write(text); err == nil {
		err = m.Close()
	}
	m.Raw = nil
	return err
}

// End writes what is behind the last record: members that hold nothing, and damaged ones.
func (m *Memberwise) End() error {
	out := PackedWriter{m}
	packed, ok := m.Plain.(*Members)
	if !ok {
		return m.endGroup(nil)
	}
	for _, one := range packed.Done {
		if one.start == one.End {
			if _, err := out.Write(one.raw); err != nil {
				return err
			}
		}
	}
	if _, err := out.Write(nil); err != nil || !packed.Damaged {
		return err
	}
	if _, err := out.Write(packed.in.Buf); err != nil {
		return err
	}
	_, err := io.Copy(out, packed.in.Rest())
	return err
}

// Layer is one compression of a stream.
type Layer struct {
	*Compression
	Plain  io.Reader
	Under  io.Writer // what the packed bytes go to
	Packer io.WriteCloser
}
