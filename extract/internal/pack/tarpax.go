package pack

import (
	"bytes"
	"strconv"

	"absolink/extract/internal/codec"
)

// readPax reads the records of the extended header at an index:
//
//	30 mtime=1350244992.023960108\n
//	14 size=12345\n
//
// The number is the length of the record with the number and the newline (POSIX.1-2017, pax Extended Header).
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

// paxRecord returns a record, which begins with its own length.
func paxRecord(keyword, value string) []byte {
	body := " " + keyword + "=" + value + "\n"
	n := len(body)
	for n != len(body)+len(strconv.Itoa(n)) {
		n = len(body) + len(strconv.Itoa(n))
	}
	return []byte(strconv.Itoa(n) + body)
}
