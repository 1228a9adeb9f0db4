package pack

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// Tar is the format of a tar archive (POSIX.1-2017 pax and ustar, GNU tar, V7), in blocks of 512 bytes:
//
//	| x header | pax records | header | file ... | padding | header | file ... | padding | zeros | zeros |
//	\_______________________ record ______________________/
//
// A record is one file with the headers before it and the padding after it, so only one file is in memory at a time.
var Tar = &mark.Format{
	Name:  tarType,
	Types: []string{"application/tar", "application/x-gtar", "application/x-ustar"},
	Exts:  []string{".tar"},
	Holds: mark.NamedFiles,
	Split: splitTar,
}

// SniffTar reports whether head begins with a tar header.
func SniffTar(head []byte) bool {
	return len(head) >= tarBlock && !isZero(head[:tarBlock]) && tarSums(head[:tarBlock])
}

const (
	tarType  = "application/x-tar"
	tarBlock = 512

	// longestTarMeta limits the data of an extended header, for example of a long name.
	longestTarMeta = 1 << 20
)

// tarSkipped is the format of a record without a file to read.
var tarSkipped = &mark.Format{Name: tarType, Fragment: true, Mark: func([]byte, *mark.Marks) {}}

// tarSplitter divides an archive into records. The window begins with the headers of the next file.
type tarSplitter struct {
	window.Window
	limit int
	yield func(mark.Chunk, error) bool
}

// tarMember is a file of an archive. Its indexes start at the record.
type tarMember struct {
	name   string
	header int        // the index of its own header
	data   codec.Span // its bytes

	pax       int        // the index of the extended header that has the size; -1 if there is none
	paxData   codec.Span // the pax records of the last extended header
	paxRecord codec.Span // the pax record with the size
	paxSize   int64
	sparse    bool // the data is a map of the holes in the file, and the bytes between them
}

func splitTar(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := tarSplitter{Window: in, limit: limit, yield: yield}
		for s.next() {
		}
		if s.Err != nil {
			yield(mark.Chunk{}, s.Err)
		}
	}
}

// next yields the next record, and reports whether there may be another.
func (s *tarSplitter) next() bool {
	m := tarMember{pax: -1}
	for at := 0; ; {
		if !s.Fill(at + tarBlock) {
			return s.end(at)
		}
		block := s.Buf[at : at+tarBlock]
		size, ok := tarNumber(block[tarSize.Start:tarSize.End])
		switch flag := block[tarFlag]; {
		case isZero(block):
			// Two blocks of zeros end an archive. Old programs wrote one, and some archives have files after a single
			// one.
			switch {
			case s.Fill(at+2*tarBlock) && isZero(s.Buf[at+tarBlock:at+2*tarBlock]):
				return s.rest(nil)
			case len(s.Buf) < at+2*tarBlock || !tarSums(s.Buf[at+tarBlock:at+2*tarBlock]):
				return s.rest(loneZeros(at))
			}
			return s.emit(mark.Chunk{Bytes: s.Buf[: at+tarBlock : at+tarBlock], Format: tarSkipped,
				Fault: loneZeros(at)})
		case !tarSums(block):
			return s.rest(&mark.Fault{Offset: at, Code: mark.HeaderMalformed,
				Detail: "the checksum of a header is wrong; the rest of the archive is not read"})
		case !ok:
			return s.rest(&mark.Fault{Offset: at + tarSize.Start, Code: mark.HeaderMalformed,
				Detail: "the size " + mark.Quote(block[tarSize.Start:tarSize.End]) +
					" in a header is not valid; the rest of the archive is not read"})
		case flag == 'x' || flag == 'X' || flag == 'L' || flag == 'K':
			if size > longestTarMeta || at > s.limit {
				return s.rest(&mark.Fault{Offset: at, Code: mark.HeaderMalformed,
					Detail: "the extended headers of a file are too long; the rest of the archive is not read"})
			}
			data := codec.Span{Start: at + tarBlock, End: at + tarBlock + int(size)}
			if !s.Fill(data.End + tarPadding(size)) {
				return s.end(at)
			}
			switch flag {
			case 'L':
				m.name = untilNUL(s.Buf[data.Start:data.End])
			case 'x', 'X': // POSIX, and Solaris before it
				m.readPax(s.Buf, at, data)
			}
			at = data.End + tarPadding(size)
		default:
			return s.member(m, at, size)
		}
	}
}

// loneZeros is the remark about a single block of zeros, as GNU tar makes it.
func loneZeros(at int) *mark.Fault {
	return &mark.Fault{Offset: at, Code: mark.HeaderMalformed, Normal: true,
		Detail: "a single block of zeros, where two end an archive; all files were read"}
}

// member yields the record of a file. at is the index of its own header, which declares this size.
func (s *tarSplitter) member(m tarMember, at int, size int64) bool {
	block := s.Buf[at : at+tarBlock]
	flag := block[tarFlag]
	m.header = at
	if m.name == "" {
		m.name = tarOwnName(block)
	}
	if m.pax >= 0 {
		size = m.paxSize
	}
	data := at + tarBlock
	// V7 marks a directory by the slash
	file := flag == '0' || flag == '7' || flag == 0 && !strings.HasSuffix(m.name, "/")
	switch {
	case flag == '1' && size > 0 && m.paxData.Len() > 0 && s.Fill(data+tarBlock) &&
		!isZero(s.Buf[data:data+tarBlock]) && !tarSums(s.Buf[data:data+tarBlock]):
		file = true // a hard link with data (pax -o linkdata)
	case flag >= '1' && flag <= '6' || flag == 0 && !file:
		size = 0 // links, devices and directories have no data, even if the header has a size
	case flag == 'S':
		// GNU: the map of the holes may need more blocks
		for more := 482; s.Fill(data) && s.Buf[data-tarBlock+more] != 0; more = 504 {
			data += tarBlock
			if data > s.limit {
				break
			}
		}
	}
	if size > int64(s.limit-data) {
		return s.tooLong(placeOf(m.name).Name, int64(data)+min(size, 1<<62), tarPadding(size))
	}
	m.data = codec.Span{Start: data, End: data + int(size)}
	if whole := s.Fill(m.data.End + tarPadding(size)); !whole && len(s.Buf) < m.data.End {
		return s.rest(&mark.Fault{Offset: at, Code: mark.RecordTruncated,
			Detail: fmt.Sprintf("%s is not read: the archive ends %d bytes before the end of this file",
				mark.Quote([]byte(m.name)), m.data.End-len(s.Buf))})
	}
	end := min(m.data.End+tarPadding(size), len(s.Buf))
	rec := mark.Chunk{Bytes: s.Buf[:end:end], File: m.name, Format: tarSkipped}
	if file && !m.sparse {
		rec.Format = &mark.Format{Name: tarType, Fragment: true, Mark: func(src []byte, f *mark.Marks) {
			f.Mends(m.mend)
			f.Part(f.MemberScope(m.name, m.data.Start, m.data.End), placeOf(m.name), m.data.Start, m.data.End,
				codec.Identity, nil, mark.Part{Name: m.name})
		}}
	}
	return s.emit(rec)
}

// longestPlace limits the part of a name that is in a place, because every entity in a file has the place in its path.
// It is the longest path of Linux.
const longestPlace = 4096

func placeOf(name string) *mark.Place {
	return &mark.Place{Name: name[:min(len(name), longestPlace)]}
}

// emit yields the record at the start of the window, and reports whether there may be another.
func (s *tarSplitter) emit(rec mark.Chunk) bool {
	rec.Offset = s.Offset
	if s.Err != nil || !s.yield(rec, nil) {
		return false
	}
	s.Drop(len(rec.Bytes))
	return true
}

// rest yields the rest of the archive unread, with the fault p unless it is nil. It returns false.
func (s *tarSplitter) rest(p *mark.Fault) bool {
	for {
		ok := s.emit(mark.Chunk{Bytes: s.Buf[:len(s.Buf):len(s.Buf)], Format: tarSkipped, Fault: p})
		if p = nil; !ok || !s.Fill(1) {
			return false
		}
	}
}

// end yields the rest of an archive that ends without zeros or inside the headers of a file. Like GNU tar, it takes a
// short last block for padding.
func (s *tarSplitter) end(at int) bool {
	switch {
	case len(s.Buf) == 0:
		return false
	case isZero(s.Buf):
		return s.rest(nil)
	}
	return s.rest(&mark.Fault{Offset: at, Code: mark.RecordTruncated, Read: at == 0,
		Detail: "the archive ends inside a header"})
}

// tooLong yields the record of a file in pieces. n is its length without the padding.
func (s *tarSplitter) tooLong(name string, n int64, padding int) bool {
	for n += int64(padding); n > 0; {
		if !s.Fill(1) {
			if n > int64(padding) {
				s.emit(mark.Chunk{Entity: name, Format: tarSkipped, Fault: &mark.Fault{Code: mark.RecordTruncated,
					Detail: fmt.Sprintf("the archive ends %d bytes before the end of this file", n-int64(padding))}})
			}
			return false
		}
		piece := int(min(n, int64(len(s.Buf))))
		if !s.emit(mark.Chunk{Entity: name, Bytes: s.Buf[:piece:piece]}) {
			return false
		}
		n -= int64(piece)
	}
	return true
}

// The fields of a header block that are used.
var (
	tarName   = codec.Span{Start: 0, End: 100}
	tarSize   = codec.Span{Start: 124, End: 136}
	tarSum    = codec.Span{Start: 148, End: 156}
	tarFlag   = 156
	tarMagic  = codec.Span{Start: 257, End: 263}
	tarPrefix = codec.Span{Start: 345, End: 500}
)

// tarOwnName returns the name in a header. ustar has a second field, the prefix, for names of more than 100 bytes; GNU
// tar, which writes another magic, has other fields there.
func tarOwnName(block []byte) string {
	name := untilNUL(block[tarName.Start:tarName.End])
	if string(block[tarMagic.Start:tarMagic.End]) == "ustar\x00" {
		if prefix := untilNUL(block[tarPrefix.Start:tarPrefix.End]); prefix != "" {
			return prefix + "/" + name
		}
	}
	return name
}

func tarPadding(size int64) int { return int(-size & (tarBlock - 1)) }

func tarSums(block []byte) bool {
	sum, ok := tarNumber(block[tarSum.Start:tarSum.End])
	unsigned, signed := tarSumOf(block)
	return ok && (sum == unsigned || sum == signed)
}

// tarSumOf returns the sum of a header's bytes, with spaces in place of its checksum. POSIX adds unsigned bytes, some
// old programs signed ones.
func tarSumOf(block []byte) (unsigned, signed int64) {
	for _, c := range block {
		unsigned += int64(c)
		signed += int64(int8(c))
	}
	for _, c := range block[tarSum.Start:tarSum.End] {
		unsigned += ' ' - int64(c)
		signed += ' ' - int64(int8(c))
	}
	return unsigned, signed
}

// tarNumber parses a field: octal digits with spaces or NULs around them. For longer numbers, GNU tar and star write
// 0x80 and the number in base 256. ok is false from 1<<60 on, so that an offset can be added to n.
func tarNumber(field []byte) (n int64, ok bool) {
	if field[0] == 0x80 {
		for _, c := range field[1:] {
			if n > 1<<(60-8) {
				return 0, false
			}
			n = n<<8 | int64(c)
		}
		return n, n < 1<<60
	}
	digits := bytes.Trim(field, " \x00")
	for _, c := range digits {
		if c < '0' || '7' < c {
			return 0, false
		}
		n = n<<3 | int64(c-'0')
	}
	return n, true
}

// putTarNumber writes n into a field in the field's own style: its width, the zeros or spaces before the digits, and
// the bytes after them. A number that is too long is written in base 256.
func putTarNumber(field []byte, n int64) {
	width := len(bytes.TrimRight(field, " \x00"))
	if width == 0 {
		width = len(field) - 1
	}
	fill := byte('0')
	if field[0] == ' ' {
		fill = ' '
	}
	digits := strconv.FormatInt(n, 8)
	if len(digits) < len(field) { // use the bytes after the digits if the number needs them
		width = max(width, len(digits))
	}
	if field[0] == 0x80 || len(digits) > width {
		for i := len(field) - 1; i > 0; i-- {
			field[i] = byte(n)
			n >>= 8
		}
		field[0] = 0x80
		return
	}
	for i := range field[:width] {
		field[i] = fill
	}
	copy(field[width-len(digits):], digits)
}

func untilNUL(b []byte) string {
	before, _, _ := bytes.Cut(b, []byte{0})
	return string(before)
}

func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// readPax reads the records of the extended header at an index (POSIX.1-2017, pax Extended Header):
//
//	30 mtime=1350244992.023960108\n
//	14 size=12345\n
//
// The number is the length of the record, including itself and the newline.
func (m *tarMember) readPax(src []byte, header int, data codec.Span) {
	m.paxData = data
	for p := data.Start; p < data.End; {
		blank := bytes.IndexByte(src[p:min(data.End, p+20)], ' ')
		if blank < 0 {
			return
		}
		n, err := strconv.Atoi(string(src[p : p+blank]))
		if err != nil || n < blank+2 || n > data.End-p {
			return
		}
		record := codec.Span{Start: p, End: p + n}
		keyword, value, _ := bytes.Cut(src[p+blank+1:record.End-1], []byte("="))
		switch {
		case string(keyword) == "path":
			m.name = untilNUL(value)
		case string(keyword) == "size":
			if size, err := strconv.ParseInt(string(value), 10, 64); err == nil && size >= 0 {
				m.pax, m.paxRecord, m.paxSize = header, record, size
			}
		case bytes.HasPrefix(keyword, []byte("GNU.sparse.")):
			m.sparse = true
		}
		p = record.End
	}
}

// paxRecord returns a record of an extended header. The length that it begins with includes its own digits.
func paxRecord(keyword, value string) []byte {
	body := " " + keyword + "=" + value + "\n"
	n := len(body)
	for n != len(body)+len(strconv.Itoa(n)) {
		n = len(body) + len(strconv.Itoa(n))
	}
	return []byte(strconv.Itoa(n) + body)
}

// mend is a mark.Mender. It updates the size of a file, and the checksum and padding that depend on it.
func (m *tarMember) mend(src []byte, edits []codec.Edit) []codec.Edit {
	was := int64(m.data.Len())
	now := was + int64(mark.Growth(edits, m.data))
	if now == was {
		return nil
	}
	var out []codec.Edit
	if m.pax >= 0 {
		record := paxRecord("size", strconv.FormatInt(now, 10))
		out = append(out, codec.Edit{Span: m.paxRecord, New: record})
		if grown := int64(len(record) - m.paxRecord.Len()); grown != 0 {
			out = tarResized(out, src, m.pax, m.paxData.End, int64(m.paxData.Len()), int64(m.paxData.Len())+grown)
		}
	}
	// The file's own header need not have the size if an extended header does.
	if size, _ := tarNumber(src[m.header+tarSize.Start : m.header+tarSize.End]); size == was {
		return tarResized(out, src, m.header, m.data.End, was, now)
	}
	return tarPadded(out, src, m.data.End, was, now)
}

// tarResized appends the edits that change the size in a header from was to now: those of the size, of the checksum,
// and of the padding after the data, which ends at src[end].
func tarResized(edits []codec.Edit, src []byte, header, end int, was, now int64) []codec.Edit {
	block := bytes.Clone(src[header : header+tarBlock])
	unsigned, signed := tarSumOf(block)
	putTarNumber(block[tarSize.Start:tarSize.End], now)
	newUnsigned, newSigned := tarSumOf(block)
	sum, _ := tarNumber(block[tarSum.Start:tarSum.End])
	if sum == signed && sum != unsigned {
		newUnsigned = newSigned
	}
	putTarNumber(block[tarSum.Start:tarSum.End], newUnsigned)
	edits = mark.Changed(edits, src, header+tarSize.Start, block[tarSize.Start:tarSize.End])
	edits = mark.Changed(edits, src, header+tarSum.Start, block[tarSum.Start:tarSum.End])
	return tarPadded(edits, src, end, was, now)
}

// tarPadded appends the edit that pads src[end:] for another size. It keeps what it can of the old padding, which may
// be cut off at the end of an archive.
func tarPadded(edits []codec.Edit, src []byte, end int, was, now int64) []codec.Edit {
	old, padding := min(tarPadding(was), len(src)-end), tarPadding(now)
	switch {
	case padding == old:
		return edits
	case padding < old:
		return append(edits, codec.Edit{Span: codec.Span{Start: end + padding, End: end + old}})
	}
	return append(edits, codec.Edit{Span: codec.Span{Start: end + old, End: end + old}, New: make([]byte, padding-old)})
}
