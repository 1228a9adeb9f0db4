package pack

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Memberwise compresses each record separately: as a member of gzip, a frame of zstd, or a stream of bzip2. It copies a
// member of gzip that does not change.
//
// The engine has one Memberwise for the stream, which Layer.Memberwise returned. It writes all records in order. Each
// walker has its own Memberwise, and calls Begin for each record. So several walkers compress records at the same time.
type Memberwise struct {
	c     *Compression
	plain io.Reader // the reader that decompresses the stream
	dst   io.Writer // of the compressed bytes

	w    io.WriteCloser // of the record that is written; nil before its first byte
	idle io.WriteCloser // the w of the last record; it is large, so it is reused
	raw  []byte         // the original compressed bytes of the record; nil if they are not known
	was  gzip.Reader    // of the header in raw

	// Records that share members are written together, after the last of them.
	group    []byte // the rewritten text of these records so far
	compared int    // the length of the text in group that was compared with the original text
	changed  bool   // the rewritten text differs from the original text
}

// Packed describes how a record of a compressed stream was compressed.
type Packed struct {
	raw    []byte // the compressed bytes; nil if they are not known
	shared bool   // the record shares members with other records; the last of these records has raw for all of them
}

func (p Packed) Shared() bool { return p.shared }

// Replaced returns how a record with other text is compressed.
func (p Packed) Replaced() Packed { return Packed{shared: p.shared} }

// Packed returns how a record was compressed. offset and length are those of its text. Packed must be called for each
// record, in order. If skip is set, the record is not rewritten, and is compressed again as a separate member.
func (m *Memberwise) Packed(offset int64, length int, skip bool) Packed {
	in, ok := m.plain.(*members)
	if !ok {
		return Packed{}
	}
	p := in.packed(offset, offset+int64(length))
	if skip {
		in.group, p = -1, Packed{}
	}
	return p
}

// Begin begins a record of the stream that m0 writes, whose compressed bytes go to dst. The record must not share members.
// After Begin, only Write, Close, Copies and Copy may be called.
func (m *Memberwise) Begin(m0 *Memberwise, p Packed, dst io.Writer) {
	_, is := m0.plain.(*members)
	if _, was := m.plain.(*members); m.plain != m0.plain && !(is && was) {
		m.idle = nil // the compressor of another document may have another dictionary; a gzip compressor has none
	}
	m.c, m.plain, m.dst = m0.c, m0.plain, dst
	m.w, m.raw = nil, p.raw
}

// Copies reports whether the record can be copied, because its original compressed bytes are known.
func (m *Memberwise) Copies() bool { return m.raw != nil }

func (m *Memberwise) Copy() error {
	if len(m.raw) == 0 {
		return nil
	}
	_, err := m.dst.Write(m.raw)
	return err
}

// Write is io.Writer for the text of a record. The record ends with Close.
func (m *Memberwise) Write(p []byte) (n int, err error) {
	if m.w == nil {
		if err := m.endGroup(nil); err != nil {
			return 0, err
		}
		if again, ok := m.idle.(interface{ Reset(io.Writer) }); ok {
			again.Reset(m.dst)
			m.w = m.idle
		} else if m.w, err = m.c.compress(m.dst, m.plain); err != nil {
			return 0, err
		}
		m.keepHeader()
	}
	return m.w.Write(p)
}

// keepHeader sets the header of a member of gzip, with the name, the time and the extra fields (RFC 1952 2.3.1), to its
// original header, or to that of the first member.
func (m *Memberwise) keepHeader() {
	z, ok := m.w.(*gzip.Writer)
	if !ok {
		return
	}
	z.Header = m.plain.(*members).first
	if m.raw != nil && m.was.Reset(bytes.NewReader(m.raw)) == nil {
		z.Header = m.was.Header
	}
}

func (m *Memberwise) Close() error {
	if m.w == nil {
		return nil
	}
	err := m.w.Close()
	m.idle, m.w = m.w, nil
	return err
}

// Writer returns the writer for a rewritten record. Compressed bytes are written to it, or text if the record shares
// members. EndRecord ends the record.
func (m *Memberwise) Writer(p Packed) io.Writer {
	if p.shared {
		return sharedWriter{m}
	}
	return packedWriter{m}
}

type (
	packedWriter struct{ *Memberwise }
	sharedWriter struct{ *Memberwise }
)

func (m packedWriter) Write(p []byte) (int, error) {
	if err := m.endGroup(nil); err != nil {
		return 0, err
	}
	return m.dst.Write(p)
}

func (m sharedWriter) Write(p []byte) (int, error) {
	m.group = append(m.group, p...)
	return len(p), nil
}

// EndRecord ends a record that was written to a Writer. text is its original text. After the last of several records that
// share members, EndRecord writes all of them.
func (m *Memberwise) EndRecord(p Packed, text []byte) error {
	if !p.shared {
		return nil
	}
	m.changed = m.changed || !bytes.Equal(m.group[m.compared:], text)
	m.compared = len(m.group)
	if p.raw == nil {
		return nil
	}
	return m.endGroup(p.raw)
}

// endGroup writes the records that share members. If raw is known and no record has changed, raw is copied. Otherwise the
// records become one member.
func (m *Memberwise) endGroup(raw []byte) (err error) {
	text, changed := m.group, m.changed
	if m.group, m.compared, m.changed = text[:0], 0, false; len(text) == 0 {
		return nil
	}
	if raw != nil && !changed {
		_, err = m.dst.Write(raw)
		return err
	}
	m.raw = raw
	if _, err = m.Write(text); err == nil {
		err = m.Close()
	}
	m.raw = nil
	return err
}

// End writes the rest of the stream after the last record: members without text, padding, a damaged member and all bytes
// after it.
func (m *Memberwise) End() error {
	if err := m.endGroup(nil); err != nil {
		return err
	}
	in, ok := m.plain.(*members)
	if !ok {
		return nil
	}
	for _, one := range in.done {
		if one.start == one.end {
			if _, err := m.dst.Write(one.raw); err != nil {
				return err
			}
		}
	}
	if !in.damaged {
		return nil
	}
	if _, err := m.dst.Write(in.in.Buf); err != nil {
		return err
	}
	_, err := io.Copy(m.dst, in.in.Rest())
	return err
}
