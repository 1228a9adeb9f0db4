package pack

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
)

// Memberwise compresses each record separately, as a member of gzip, a frame of zstd, or a stream of bzip2, and copies
// the members of records that do not change.
//
// The engine has one Memberwise for the stream, from Packing.Memberwise or Alone, which writes all records in order.
// Each walker has its own, and calls Begin for each record, so that several walkers can compress at the same time.
type Memberwise struct {
	packings []*Packing // the outermost first; several only for a document that is one record
	// from which the stream is read; nil for other compressions, and for a document that is one record
	in  *members
	dst io.Writer // of the compressed bytes

	w     io.WriteCloser // of the current member; nil before its first byte
	idle  io.WriteCloser // the w of the last member, reused because it is large
	parts []part         // of the current record, from the current member on
	raw   []byte         // the original compressed bytes of the current member; nil if unknown
	was   gzip.Reader    // reads the header in raw

	// Records that share members are written together, after the last of them.
	group    []byte // the rewritten text of these records so far
	compared int    // how much of group was compared with the original text
	changed  bool   // the rewritten text differs from the original text
}

// Packed is how a record of a compressed stream was compressed.
type Packed struct {
	parts  []part // the members; nil if unknown
	shared bool   // the record shares members with others; the last of these has the parts of all of them
}

// part is a member of a record.
type part struct {
	end int // of its text in the record
	raw []byte
}

func (p Packed) Shared() bool { return p.shared }

// Replaced is how the record is compressed after its text has been replaced.
func (p Packed) Replaced() Packed { return Packed{shared: p.shared} }

// Memberwise returns a writer that compresses each record of the stream separately. It must be called before the first
// record is written.
func (l *Packing) Memberwise(dst io.Writer) (*Memberwise, error) {
	m := &Memberwise{packings: []*Packing{l}, dst: dst}
	if m.in, _ = l.plain.(*members); m.in != nil && m.in.first() != nil {
		if _, err := dst.Write(m.in.first()); err != nil {
			return nil, fmt.Errorf("%s: %w", l.c.Name, err)
		}
	}
	return m, nil
}

// Alone returns a writer of a document that is one record, in the compressions packings, which must not have been read
// to the end.
func Alone(packings []*Packing, dst io.Writer) *Memberwise {
	keep := keepLengths
	if len(packings) > 1 {
		keep = keepNothing
	}
	for _, l := range packings {
		l.only(keep)
	}
	return &Memberwise{packings: packings, dst: dst}
}

// Packed returns how the record at offset was compressed; length is that of its text. It must be called for each
// record, in order. With skip, the record is not rewritten but compressed again as a member of its own.
func (m *Memberwise) Packed(offset int64, length int, skip bool) Packed {
	if m.in == nil {
		return Packed{}
	}
	p := m.in.packed(offset, offset+int64(length))
	if skip {
		m.in.group, p = -1, Packed{}
	}
	return p
}

// PackedAs returns how a document that is one record, and was read to its end, was compressed. length is that of its
// text.
func (m *Memberwise) PackedAs(o *Original, length int) Packed {
	if o.Lost() {
		return Packed{}
	}
	in, ok := m.packings[0].plain.(*members)
	if !ok || len(m.packings) > 1 {
		return Packed{parts: []part{{length, o.kept}}}
	}
	var p Packed
	raw := o.kept
	add := func(end int64, n int) {
		p.parts = append(p.parts, part{int(end), raw[:n:n]})
		raw = raw[n:]
	}
	if n := len(in.first()); n > 0 {
		add(0, n)
	}
	for _, one := range in.done {
		add(one.end, one.n)
	}
	return p
}

// Begin begins a record of the stream that m0 writes. Its compressed bytes go to dst. The record must not share
// members. Until the next Begin, only Part, Written, Join, Copy, Write, Close and EndPart may be called.
func (m *Memberwise) Begin(m0 *Memberwise, p Packed, dst io.Writer) {
	if same := len(m.packings) == 1 && m.packings[0] == m0.packings[0]; !same && !(m.gzips() && m0.gzips()) {
		m.idle = nil // the compressor of another document may have another dictionary; a gzip compressor has none
	}
	m.packings, m.in, m.dst = m0.packings, m0.in, dst
	m.w, m.raw, m.parts = nil, nil, p.parts
	m.next()
}

// gzips reports whether gzip is the only compression.
func (m *Memberwise) gzips() bool { return len(m.packings) == 1 && m.packings[0].c.Name == "gzip" }

// Part returns the end of the current member in the text of the record. ok is false if the members are unknown.
func (m *Memberwise) Part() (end int, ok bool) {
	if len(m.parts) == 0 {
		return 0, false
	}
	return m.parts[0].end, true
}

// Written reports whether a part of the current member was written.
func (m *Memberwise) Written() bool { return m.w != nil }

// Join makes the current member and the next one a single member.
func (m *Memberwise) Join() { m.parts = m.parts[1:] }

// Copy copies the current member, of which nothing may have been written, and goes to the next.
func (m *Memberwise) Copy() error {
	raw := m.parts[0].raw
	m.Join()
	m.next()
	if len(raw) == 0 {
		return nil
	}
	_, err := m.dst.Write(raw)
	return err
}

// next sets raw for the current member.
func (m *Memberwise) next() {
	if m.raw = nil; len(m.parts) > 0 {
		m.raw = m.parts[0].raw
	}
}

// Write is io.Writer for the text of the current member, which Close or EndPart ends.
func (m *Memberwise) Write(p []byte) (n int, err error) {
	if m.w == nil {
		if err := m.endGroup(nil); err != nil {
			return 0, err
		}
		if again, ok := m.idle.(interface{ Reset(io.Writer) }); ok {
			again.Reset(m.dst)
			m.w = m.idle
		} else if m.w, err = m.compress(); err != nil {
			return 0, err
		}
		m.keepHeader()
	}
	return m.w.Write(p)
}

// compress returns a compressor of a member, or of a document that is one record.
func (m *Memberwise) compress() (io.WriteCloser, error) {
	// the bytes before the first member are already written
	if l := m.packings[0]; len(m.packings) == 1 && (m.in != nil || m.parts != nil) {
		return l.c.compress(m.dst, l.plain)
	}
	var all chain
	dst := m.dst
	for _, l := range m.packings {
		w, err := l.compress(dst)
		if err != nil {
			return nil, err
		}
		all, dst = append(all, w), w
	}
	return all, nil
}

// chain writes through several compressions, the outermost first.
type chain []io.WriteCloser

func (c chain) Write(p []byte) (int, error) { return c[len(c)-1].Write(p) }

func (c chain) Close() error {
	for _, w := range slices.Backward(c) {
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// keepHeader gives a member of gzip its original header, with the name, the time and the extra fields (RFC 1952 2.3.1).
// If that is unknown, it takes the header of the first member.
func (m *Memberwise) keepHeader() {
	z, ok := m.w.(*gzip.Writer)
	if !ok {
		return
	}
	z.Header = m.packings[0].plain.(*members).memberCodec.(*gzipMembers).header
	if m.raw != nil && m.was.Reset(bytes.NewReader(m.raw)) == nil {
		z.Header = m.was.Header
	}
}

// Close ends the current member if something of it was written.
func (m *Memberwise) Close() error {
	if m.w == nil {
		return nil
	}
	err := m.w.Close()
	m.idle, m.w = m.w, nil
	return err
}

// EndPart ends the current member, and goes to the next.
func (m *Memberwise) EndPart() error {
	m.Join()
	m.next()
	return m.Close()
}

// Writer returns the writer for a rewritten record: of its compressed bytes, or of its text if it shares members.
// EndRecord ends the record.
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

// EndRecord ends a record that was written to a Writer. text is its original text. Records that share members are
// written after the last of them.
func (m *Memberwise) EndRecord(p Packed, text []byte) error {
	if !p.shared {
		return nil
	}
	m.changed = m.changed || !bytes.Equal(m.group[m.compared:], text)
	m.compared = len(m.group)
	if p.parts == nil {
		return nil
	}
	return m.endGroup(p.parts)
}

// endGroup writes the records that share members. Their members are copied if they are known and no record has changed;
// otherwise all become one member.
func (m *Memberwise) endGroup(parts []part) (err error) {
	text, changed := m.group, m.changed
	if m.group, m.compared, m.changed = text[:0], 0, false; len(text) == 0 {
		return nil
	}
	if parts != nil && !changed {
		for _, p := range parts {
			if _, err = m.dst.Write(p.raw); err != nil {
				return err
			}
		}
		return nil
	}
	if parts != nil {
		m.raw = parts[0].raw
	}
	if _, err = m.Write(text); err == nil {
		err = m.Close()
	}
	m.raw = nil
	return err
}

// End writes what follows the last record: members without text, padding, and a damaged member with all bytes after it.
func (m *Memberwise) End() error {
	if err := m.endGroup(nil); err != nil {
		return err
	}
	in := m.in
	if in == nil {
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
