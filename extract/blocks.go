package extract

import (
	"bytes"
	"fmt"
	"math"
)

// blockSplitter cuts a stream of records that tell their own length, such as WARC.
type blockSplitter struct {
	window
	limit  int
	begins func(line []byte) bool // whether a record begins with this line
	first  []byte                 // the newline before a record, and what that begins with
	length func(src []byte) (length int64, body int, more bool)

	at     int    // how far the record at hand was searched
	end    int64  // of it in the stream, -1 if its length does not tell
	wrong  *Fault // with its length
	pieces bool   // a part of it has been given
}

// recordEnd is what a record of WARC ends with (ISO 28500 4).
const recordEnd = "\r\n\r\n"

// longestHeader is how much of a record is read to find its length.
const longestHeader = 1 << 20

// lookBehind is how much behind a record is read to see that the next one begins there.
const lookBehind = longestARCLine + 64

// split gives the records; format gives that of the n-th.
func (s *blockSplitter) split(format func(n int) *Format, yield func(Chunk, error) bool) {
	for n := 1; s.fill(1); n++ {
		s.begin()
		for whole := false; !whole; {
			var end int
			end, whole = s.next()
			if s.err != nil {
				break
			}
			rec := Chunk{Offset: s.offset, Bytes: s.buf[:end:end], More: !whole}
			if whole && !s.pieces && end <= s.limit {
				rec.Format, rec.Fault = format(n), s.wrong
			} else {
				rec.Entity = numbered("record", n)
				if whole {
					rec.Fault = s.wrong
				}
			}
			if !yield(rec, nil) {
				return
			}
			s.drop(end)
			s.at = max(0, s.at-end)
			s.pieces = !whole
		}
		if s.err != nil {
			break
		}
	}
	if s.err != nil {
		yield(Chunk{}, s.err)
	}
}

// begin reads the length of the record that the window begins with, and looks whether the
// next one follows there.
func (s *blockSplitter) begin() {
	s.at, s.end, s.wrong = 1, -1, nil
	length, body, more := s.length(s.buf)
	for n := 0; more && n < len(s.buf) && n < longestHeader; length, body, more = s.length(s.buf) {
		n = len(s.buf)
		s.fill(2 * n) // so that what comes in small pieces is not read over and over
	}
	if !s.begins(s.buf) || more || length < 0 {
		s.wrong = &Fault{Code: RecordTruncated, Detail: "no header that tells a length; the next record is looked for"}
		return
	}
	if length > int64(s.limit)-int64(body) {
		if s.fill(windowRead); !s.eof || length <= int64(len(s.buf)-body) { // too long to look behind it
			s.end = s.offset + int64(body) + min(length, 1<<62)
			return
		}
	}
	end := body + int(min(length, math.MaxInt/2)) // beyond the end of the file, perhaps
	if s.fill(end) && s.edge && string(s.buf[end:]) == recordEnd {
		s.end = s.offset + int64(len(s.buf)) // it is a member of its own: nothing has to be looked for behind it
		return
	}
	s.fill(end + lookBehind)
	if end > len(s.buf) {
		s.wrong = &Fault{Offset: len(s.buf), Code: RecordTruncated, Detail: fmt.Sprintf("the file ends after %d bytes of a block of %d", len(s.buf)-body, length)}
		return
	}
	end = s.behindNewlines(end)
	if end == len(s.buf) || s.begins(s.buf[end:]) {
		s.end = s.offset + int64(end)
		return
	}
	s.wrong = &Fault{Offset: body, Code: RecordTruncated, Detail: fmt.Sprintf("no record begins behind a block of %d bytes; the next one is looked for", length)}
}

// next gives the end of the record, or with whole false that of a piece of one that is too
// long.
func (s *blockSplitter) next() (end int, whole bool) {
	if s.end >= 0 {
		left := s.end - s.offset
		if left <= int64(s.limit) && !s.pieces {
			return int(left), true // it was filled
		}
		s.fill(int(min(left, windowRead)))
		if n := int64(len(s.buf)); n < left {
			if s.eof {
				s.wrong = &Fault{Code: RecordTruncated, Detail: fmt.Sprintf("the file ends %d bytes before the record does", left-n)}
			}
			return int(n), s.eof
		}
		end = int(left)
		for s.fill(end+1) && (s.buf[end] == '\n' || s.buf[end] == '\r') {
			end++
		}
		return end, true
	}
	for {
		i := bytes.Index(s.buf[s.at-1:], s.first)
		for i >= 0 {
			line := s.at + i
			s.fill(line + lookBehind)
			if s.begins(s.buf[line:]) {
				return line, true
			}
			s.at = line + 1
			i = bytes.Index(s.buf[s.at-1:], s.first)
		}
		if s.eof {
			return len(s.buf), true
		}
		s.at = max(s.at, len(s.buf)-len(s.first)+1)
		if end = s.at - 1; end > 0 && len(s.buf) > s.limit {
			return end, false
		}
		s.more()
	}
}
