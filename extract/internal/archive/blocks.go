package archive

import (
	"bytes"
	"fmt"
	"math"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// blockSplitter divides a stream into records that declare their length, like those of a WARC.
type blockSplitter struct {
	window.Window
	limit  int
	begins func(line []byte) bool // reports whether a record begins with this line
	first  []byte                 // the newline before a record, and the first bytes of the record
	length func(src []byte) (length int64, body int, more bool)

	at     int         // the search for the next record continues here
	end    int64       // of the record in the stream; -1 if its length is wrong
	wrong  *mark.Fault // the fault of the length; nil if it is right
	pieces bool        // a piece of the record was yielded
}

// recordEnd ends a record of a WARC (ISO 28500 4).
const recordEnd = "\r\n\r\n"

// longestHeader is the number of bytes that are searched for a record's length.
const longestHeader = 1 << 20

// lookAhead is the number of bytes after a record that are read to check that the next one begins there.
const lookAhead = longestARCLine + 64

// split yields the records. format returns the format of the n-th record.
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

// begin reads the length of the record at the start of the window. It sets end if the next record follows after this
// length, and wrong if it does not.
func (s *blockSplitter) begin() {
	s.at, s.end, s.wrong = 1, -1, nil
	length, body, more := s.length(s.Buf)
	for n := 0; more && n < len(s.Buf) && n < longestHeader; length, body, more = s.length(s.Buf) {
		n = len(s.Buf)
		s.Fill(2 * n) // doubling, so that a long header is parsed only a few times
	}
	if !s.begins(s.Buf) || more || length < 0 {
		s.wrong = &mark.Fault{Code: mark.RecordTruncated,
			Detail: "there is no record header with a valid length here; reading continues at the next record"}
		return
	}
	if length > int64(s.limit)-int64(body) {
		// the record is too long to check the bytes after it
		if s.Fill(window.Read); !s.EOF || length <= int64(len(s.Buf)-body) {
			s.end = s.Offset + int64(body) + min(length, 1<<62)
			return
		}
	}
	end := body + int(min(length, math.MaxInt/2)) // perhaps beyond the end of the file
	if s.Fill(end) && s.Edge && string(s.Buf[end:]) == recordEnd {
		s.end = s.Offset + int64(len(s.Buf)) // a compressed member with exactly one record ends here
		return
	}
	s.Fill(end + lookAhead)
	if end > len(s.Buf) {
		s.wrong = &mark.Fault{Offset: len(s.Buf), Code: mark.RecordTruncated,
			Detail: fmt.Sprintf("the file ends after %d of the %d bytes of the block", len(s.Buf)-body, length)}
		return
	}
	end = s.AfterNewlines(end)
	if end == len(s.Buf) || s.begins(s.Buf[end:]) {
		s.end = s.Offset + int64(end)
		return
	}
	s.wrong = &mark.Fault{Offset: body, Code: mark.RecordTruncated,
		Detail: fmt.Sprintf("the length is wrong: no record begins after a block of %d bytes; reading continues at "+
			"the next record", length)}
}

// next returns the end of the record. If whole is false, the record is too long, and end is that of a piece of it.
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
			s.wrong = &mark.Fault{Code: mark.RecordTruncated,
				Detail: fmt.Sprintf("the file ends %d bytes before the end of the record", left-n)}
		}
		return int(n), s.EOF
	}
	end = int(left)
	for s.Fill(end+1) && (s.Buf[end] == '\n' || s.Buf[end] == '\r') {
		end++
	}
	return end, true
}

// search is next for a record with a wrong length, which ends where the next record begins.
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
