package pack

import (
	"bytes"
	"strconv"

	"absolink/extract/internal/codec"
)

// The fields of a header block that are used.
var (
	tarName   = codec.Span{Start: 0, End: 100}
	tarSize   = codec.Span{Start: 124, End: 136}
	tarSum    = codec.Span{Start: 148, End: 156}
	tarFlag   = 156
	tarMagic  = codec.Span{Start: 257, End: 263}
	tarPrefix = codec.Span{Start: 345, End: 500}
)

// tarOwnName returns the name in a header. For a name of more than 100 bytes, ustar has a second field, the prefix. GNU tar
// writes another magic, and has other fields in place of the prefix.
func tarOwnName(block []byte) string {
	name := untilNUL(block[tarName.Start:tarName.End])
	if string(block[tarMagic.Start:tarMagic.End]) == "ustar\x00" {
		if prefix := untilNUL(block[tarPrefix.Start:tarPrefix.End]); prefix != "" {
			return prefix + "/" + name
		}
	}
	return name
}

// tarPadding returns the length of the padding after data of a size. It fills the last block.
func tarPadding(size int64) int { return int(-size & (tarBlock - 1)) }

// tarSums reports whether the checksum of a block is right.
func tarSums(block []byte) bool {
	sum, ok := tarNumber(block[tarSum.Start:tarSum.End])
	unsigned, signed := tarSumOf(block)
	return ok && (sum == unsigned || sum == signed)
}

// tarBegins reports whether a block is a header or has only zeros, as at the end of an archive.
func tarBegins(block []byte) bool { return isZero(block) || tarSums(block) }

// tarSumOf returns the sum of the bytes of a header, with spaces in place of its checksum. POSIX adds unsigned bytes.
// Some old programs added signed bytes.
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

// tarNumber parses a field: octal digits with spaces or NULs around them. If a number is too long, GNU tar and star write
// 0x80 and the number in base 256. ok is false if n is not less than 1<<60, so that an offset can be added to n.
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

// putTarNumber writes n into a field. It keeps the style of the field: the width, zeros or spaces before the digits, and
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

// untilNUL returns the bytes before the first NUL.
func untilNUL(b []byte) string {
	before, _, _ := bytes.Cut(b, []byte{0})
	return string(before)
}

// isZero reports whether b has only zeros. It returns true if b is empty.
func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// readPax reads the records of the extended header at an index (POSIX.1-2017, pax Extended Header):
//
//	30 mtime=1350244992.023960108\n
//	14 size=12345\n
//
// The number is the length of the record, with the number and the newline.
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

// paxRecord returns a pax record. It begins with its own length.
func paxRecord(keyword, value string) []byte {
	body := " " + keyword + "=" + value + "\n"
	n := len(body)
	for n != len(body)+len(strconv.Itoa(n)) {
		n = len(body) + len(strconv.Itoa(n))
	}
	return []byte(strconv.Itoa(n) + body)
}
