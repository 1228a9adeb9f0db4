package archive

import (
	"bytes"
	"fmt"
	"math"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// blockSplitter divides a stream of records with a length, such as a WARC.
type blockSplitter struct {
	window.Window
	limit  int
	begins func(line []byte) bool // whether a record begins with this line
	first  []byte                 // the newline before a record, and the first bytes of the record
	length func(src []byte) (length int64, body int, more bool)

	at     int         // this record was searched up to here
	end    int64       // of the record in the stream; -1 if its length is wrong
	wrong  *mark.Fault // says what is wrong with the length; or nil
	pieces bool        // a piece of the record was yielded
}

// recordEnd ends a record of a WARC (ISO 28500 4).
const recordEnd = "\r\n\r\n"

// longestHeader is the number of bytes of a record that are read to find its length.
const longestHeader = 1 << 20

// lookAhead is the number of bytes that are read after a record, to see that the next one begins there.
const lookAhead = longestARCLine + 64

// split yields the records. format returns the format of the n-th one.
func (s *blockSplitter) split(format func(n int) *mark.Format, yield func(mark.Chunk, error) bool) {
	for n := 1; s.Fill(1); n++ {
		s.begin()
		for whole := false; !whole; {
			var end int
			end, whole = s.next()
			if s.Err != nil {
				break
			}
			rec := mark.Chunk{Offset: s.Offset, Bytes: s.Buf[:end:end], More: !whole}
			if whole && !s.pieces && end <= s.limit {
				rec.Format, rec.Fault = format(n), s.wrong
			} else {
				rec.Entity = mark.Numbered("record", n)
				if whole {
					rec.Fault = s.wrong
				}
			}
			if !yield(rec, nil) {
				return
			}
			s.Drop(end)
			s.at = max(0, s.at-end)
			s.pieces = !whole
		}
		if s.Err != nil {
			break
		}
	}
	if s.Err != nil {
		yield(mark.Chunk{}, s.Err)
	}
}

// begin reads the length of the record that the window begins with. It sets end if the next record follows there, else
// wrong.
func (s *blockSplitter) begin() {
	s.at, s.end, s.wrong = 1, -1, nil
	length, body, more := s.length(s.Buf)
	for n := 0; more && n < len(s.Buf) && n < longestHeader; length, body, more = s.length(s.Buf) {
		n = len(s.Buf)
		s.Fill(2 * n) // so that a header in small pieces is read only a few times
	}
	if !s.begins(s.Buf) || more || length < 0 {
		s.wrong = &mark.Fault{Code: mark.RecordTruncated, Detail: "no header that tells a length; the next record is looked for"}
		return
	}
	if length > int64(s.limit)-int64(body) {
		if s.Fill(window.Read); !s.EOF || length <= int64(len(s.Buf)-body) { // too long to read the bytes after it
			s.end = s.Offset + int64(body) + min(length, 1<<62)
			return
		}
	}
	end := body + int(min(length, math.MaxInt/2)) // perhaps after the end of the file
	if s.Fill(end) && s.Edge && string(s.Buf[end:]) == recordEnd {
		s.end = s.Offset + int64(len(s.Buf)) // the record is a member of its own: no other one follows in the window
		return
	}
	s.Fill(end + lookAhead)
	if end > len(s.Buf) {
		s.wrong = &mark.Fault{Offset: len(s.Buf), Code: mark.RecordTruncated, Detail: fmt.Sprintf("the file ends after %d bytes of a block of %d", len(s.Buf)-body, length)}
		return
	}
	end = s.AfterNewlines(end)
	if end == len(s.Buf) || s.begins(s.Buf[end:]) {
		s.end = s.Offset + int64(end)
		return
	}
	s.wrong = &mark.Fault{Offset: body, Code: mark.RecordTruncated, Detail: fmt.Sprintf("no record begins behind a block of %d bytes; the next one is looked for", length)}
}

// next returns the end of the record. If whole is false, it is the end of a piece of a record that is too long.
func (s *blockSplitter) next() (end int, whole bool) {
	if s.end < 0 {
		return s.search()
	}
	left := s.end - s.Offset
	if left <= int64(s.limit) && !s.pieces {
		return int(left), true // begin has read it
	}
	s.Fill(int(min(left, window.Read)))
	if n := int64(len(s.Buf)); n < left {
		if s.EOF {
			s.wrong = &mark.Fault{Code: mark.RecordTruncated, Detail: fmt.Sprintf("the file ends %d bytes before the record does", left-n)}
		}
		return int(n), s.EOF
	}
	end = int(left)
	for s.Fill(end+1) && (s.Buf[end] == '\n' || s.Buf[end] == '\r') {
		end++
	}
	return end, true
}

// search is next for a record with a wrong length: the record ends where the next one begins.
func (s *blockSplitter) search() (end int, whole bool) {
	for {
		i := bytes.Index(s.Buf[s.at-1:], s.first)
		for i >= 0 {
			line := s.at + i
			s.Fill(line + lookAhead)
			if s.begins(s.Buf[line:]) {
				return line, true
			}
			s.at = line + 1
			i = bytes.Index(s.Buf[s.at-1:], s.first)
		}
		if s.EOF {
			return len(s.Buf), true
		}
		s.at = max(s.at, len(s.Buf)-len(s.first)+1)
		if end = s.at - 1; end > 0 && len(s.Buf) > s.limit {
			return end, false
		}
		s.More()
	}
}
