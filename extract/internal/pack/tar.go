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

// Tar is an archive of files (POSIX pax, 2018, and its ancestor ustar), with what GNU tar
// adds. Each file is a record, with the headers that stand before its own and the padding
// behind it, so one file is in memory at a time. Names of files are names of entities, and
// nothing else: no path in an archive is ever followed.
var Tar = &mark.Format{
	Name:  tarType,
	Types: []string{"application/tar", "application/x-gtar", "application/x-ustar"},
	Exts:  []string{".tar"},
	Holds: mark.NamedFiles,
	Split: splitTar,
}

// SniffTar reports whether a file begins with a header of tar.
func SniffTar(head []byte) bool {
	return len(head) >= tarBlock && !isZero(head[:tarBlock]) && tarSums(head[:tarBlock])
}

const (
	tarType  = "application/x-tar"
	tarBlock = 512

	// longestTarMeta is how long a header may be that belongs to the next one. It is read
	// with it, and has names in it.
	longestTarMeta = 1 << 20
)

// tarPassed are bytes of an archive with nothing to find in them.
var tarPassed = &mark.Format{Name: tarType, Fragment: true, Extract: func([]byte, *mark.Marks) {}}

// Fields of a header block, by where they stand in it.
var (
	tarName   = codec.Span{Start: 0, End: 100}
	tarSize   = codec.Span{Start: 124, End: 136}
	tarSum    = codec.Span{Start: 148, End: 156}
	tarFlag   = 156
	tarMagic  = codec.Span{Start: 257, End: 263}
	tarPrefix = codec.Span{Start: 345, End: 500}
)

// tarSplitter cuts an archive. The window begins with the headers of the next file.
type tarSplitter struct {
	window.Window
	limit int
	yield func(mark.Chunk, error) bool
}

// tarMember is a file in an archive, with its place in the record.
type tarMember struct {
	name   string
	header int        // of the file itself
	data   codec.Span // of the file

	pax       int        // the extended header that gives the size, -1 for none
	paxData   codec.Span // its records
	paxRecord codec.Span // the one that gives the size
	paxSize   int64
	sparse    bool // the data is not the file's bytes, but a map of them
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

// next gives the next record; false when there is no more to give.
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
			// Two such blocks end an archive (pax). Programs that stop at one alone do not read what
			// stands behind it; it loses nothing to be read here.
			if !s.Fill(at+2*tarBlock) || isZero(s.Buf[at+tarBlock:at+2*tarBlock]) {
				return s.rest(nil)
			}
			return s.pass(at + tarBlock)
		case !tarSums(block):
			return s.rest(&mark.Fault{Offset: at, Code: mark.HeaderMalformed, Detail: "the checksum of a header is wrong; what follows is left as it is"})
		case !ok:
			return s.rest(&mark.Fault{Offset: at + tarSize.Start, Code: mark.HeaderMalformed,
				Detail: "the size " + mark.Quote(block[tarSize.Start:tarSize.End]) + " is none; what follows is left as it is"})
		case flag == 'x' || flag == 'X' || flag == 'L' || flag == 'K':
			if size > longestTarMeta || at > s.limit {
				return s.rest(&mark.Fault{Offset: at, Code: mark.HeaderMalformed, Detail: "headers without end before a file; what follows is left as it is"})
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

// member gives the record of a file whose own header stands at an index.
func (s *tarSplitter) member(m tarMember, at int, size int64) bool {
	block := s.Buf[at : at+tarBlock]
	flag := block[tarFlag]
	m.header = at
	if m.name == "" {
		m.name = untilNUL(block[tarName.Start:tarName.End])
		if string(block[tarMagic.Start:tarMagic.End]) == "ustar\x00" { // GNU's is "ustar " and has other things there
			if prefix := untilNUL(block[tarPrefix.Start:tarPrefix.End]); prefix != "" {
				m.name = prefix + "/" + m.name
			}
		}
	}
	if m.pax >= 0 {
		size = m.paxSize
	}
	data := at + tarBlock
	file := flag == '0' || flag == '7' || flag == 0 && !strings.HasSuffix(m.name, "/") // V7 had no other sign of a directory
	switch {
	case flag == '1' && size > 0 && m.paxData.Len() > 0 && s.Fill(data+tarBlock) && !tarBegins(s.Buf[data:data+tarBlock]):
		file = true // pax lets a link have the data of its file with it (-o linkdata)
	case flag >= '1' && flag <= '6' || flag == 0 && !file:
		size = 0 // links, devices and directories have no data, whatever their size says
	case flag == 'S':
		for more := 482; s.Fill(data) && s.Buf[data-tarBlock+more] != 0; more = 504 { // further blocks of the map of holes
			data += tarBlock
			if data > s.limit {
				break
			}
		}
	}
	if size > int64(s.limit-data) {
		return s.tooLong(m.name, int64(data)+min(size, 1<<62), tarPadding(size))
	}
	m.data = codec.Span{Start: data, End: data + int(size)}
	if whole := s.Fill(m.data.End + tarPadding(size)); !whole && len(s.Buf) < m.data.End {
		return s.rest(&mark.Fault{Offset: at, Code: mark.RecordTruncated,
			Detail: fmt.Sprintf("%s: the archive ends %d bytes before the file does; it is left as it is", mark.Quote([]byte(m.name)), m.data.End-len(s.Buf))})
	}
	end := min(m.data.End+tarPadding(size), len(s.Buf))
	if !file || m.sparse {
		return s.pass(end)
	}
	return s.give(mark.Chunk{Bytes: s.Buf[:end:end], Format: &mark.Format{Name: tarType, Fragment: true, Extract: func(src []byte, f *mark.Marks) {
		f.Mends(m.mend)
		f.Part(f.MemberScope(m.name, m.data.Start, m.data.End), &mark.Place{Name: m.name}, m.data.Start, m.data.End, codec.Identity, nil, mark.Part{Name: m.name})
	}}})
}

// give yields a record of what the window begins with.
func (s *tarSplitter) give(rec mark.Chunk) bool {
	rec.Offset = s.Offset
	if s.Err != nil || !s.yield(rec, nil) {
		return false
	}
	s.Drop(len(rec.Bytes))
	return true
}

func (s *tarSplitter) pass(n int) bool {
	return s.give(mark.Chunk{Bytes: s.Buf[:n:n], Format: tarPassed})
}

// rest gives all that follows, with a problem that may be nil, and false.
func (s *tarSplitter) rest(p *mark.Fault) bool {
	for {
		ok := s.give(mark.Chunk{Bytes: s.Buf[:len(s.Buf):len(s.Buf)], Format: tarPassed, Fault: p})
		if p = nil; !ok || !s.Fill(1) {
			return false
		}
	}
}

// end gives what there is before the end of an archive that ends inside a header, or in one
// that belongs to the next.
func (s *tarSplitter) end(at int) bool {
	switch {
	case len(s.Buf) == 0:
		return false
	case isZero(s.Buf):
		return s.rest(nil)
	}
	return s.rest(&mark.Fault{Offset: at, Code: mark.RecordTruncated, Detail: "the archive ends inside a header"})
}

// tooLong gives a file beyond the limit in pieces.
func (s *tarSplitter) tooLong(name string, n int64, padding int) bool {
	for n += int64(padding); n > 0; {
		if !s.Fill(1) {
			if n > int64(padding) {
				s.give(mark.Chunk{Entity: name, Format: tarPassed, Fault: &mark.Fault{Code: mark.RecordTruncated,
					Detail: fmt.Sprintf("the archive ends %d bytes before the file does", n-int64(padding))}})
			}
			return false
		}
		piece := int(min(n, int64(len(s.Buf))))
		if !s.give(mark.Chunk{Entity: name, Bytes: s.Buf[:piece:piece]}) {
			return false
		}
		n -= int64(piece)
	}
	return true
}

// readPax reads the records of an extended header: "length keyword=value\n", where the
// length counts the record with itself.
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

// mend keeps the size of a file true, with all that depends on it.
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
	// Beside a size in an extended header that of the file's own may be anything: it does
	// not count.
	if size, _ := tarNumber(src[m.header+tarSize.Start : m.header+tarSize.End]); size == was {
		return tarResized(out, src, m.header, m.data.End, was, now)
	}
	return tarPadded(out, src, m.data.End, was, now)
}

// paxRecord spells a record, with its own length at its head.
func paxRecord(keyword, value string) []byte {
	body := " " + keyword + "=" + value + "\n"
	n := len(body)
	for n != len(body)+len(strconv.Itoa(n)) {
		n = len(body) + len(strconv.Itoa(n))
	}
	return []byte(strconv.Itoa(n) + body)
}

// tarResized appends the edits that make a header say another size, and make the padding
// behind the end of its data fit.
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

// tarPadded appends the edit that makes the padding at src[end:] fit another size. It keeps
// as much as it can of what is there, of which some may be missing at the end of a file.
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

// tarPadding is how many bytes follow data of a size, up to a whole block.
func tarPadding(size int64) int { return int(-size & (tarBlock - 1)) }

// tarSums says whether the checksum of a header is right.
func tarSums(block []byte) bool {
	sum, ok := tarNumber(block[tarSum.Start:tarSum.End])
	unsigned, signed := tarSumOf(block)
	return ok && (sum == unsigned || sum == signed)
}

// tarBegins says whether a block is a header, or one that ends an archive.
func tarBegins(block []byte) bool { return isZero(block) || tarSums(block) }

// tarSumOf adds the bytes of a header, its checksum taken as blanks. POSIX has them
// unsigned; some old programs had not.
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

// tarNumber reads a field: octal digits with blanks or NUL around, or as GNU and star have
// what is too large for them, a set bit and the number to the base 256. There are no sizes
// so large that adding one to an offset would go wrong.
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

// putTarNumber writes a field in the style that is there: as wide, with zeros or blanks
// before the digits and the same behind them. A number that has no room is written to the
// base 256.
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
	if len(digits) < len(field) { // the rest may be NULs, as many programs have behind a number
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

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
