package archive

import (
	"bytes"
	"fmt"
	"math"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// blockSplitter cuts a stream of records that tell their own length, such as WARC.
type blockSplitter struct {
	window.Window
	limit  int
	begins func(line []byte) bool // whether a record begins with this line
	first  []byte                 // the newline before a record, and what that begins with
	length func(src []byte) (length int64, body int, more bool)

	at     int         // how far the record at hand was searched
	end    int64       // of it in the stream, -1 if its length does not tell
	wrong  *mark.Fault // with its length
	pieces bool        // a part of it has been given
}

// recordEnd is what a record of WARC ends with (ISO 28500 4).
const recordEnd = "\r\n\r\n"

// longestHeader is how much of a record is read to find its length.
const longestHeader = 1 << 20

// lookBehind is how much behind a record is read to see that the next one begins there.
const lookBehind = longestARCLine + 64

// split gives the records; format gives that of the n-th.
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

// begin reads the length of the record that the window begins with, and looks whether the
// next one follows there.
func (s *blockSplitter) begin() {
	s.at, s.end, s.wrong = 1, -1, nil
	length, body, more := s.length(s.Buf)
	for n := 0; more && n < len(s.Buf) && n < longestHeader; length, body, more = s.length(s.Buf) {
		n = len(s.Buf)
		s.Fill(2 * n) // so that what comes in small pieces is not read over and over
	}
	if !s.begins(s.Buf) || more || length < 0 {
		s.wrong = &mark.Fault{Code: mark.RecordTruncated, Detail: "no header that tells a length; the next record is looked for"}
		return
	}
	if length > int64(s.limit)-int64(body) {
		if s.Fill(window.Read); !s.EOF || length <= int64(len(s.Buf)-body) { // too long to look behind it
			s.end = s.Offset + int64(body) + min(length, 1<<62)
			return
		}
	}
	end := body + int(min(length, math.MaxInt/2)) // beyond the end of the file, perhaps
	if s.Fill(end) && s.Edge && string(s.Buf[end:]) == recordEnd {
		s.end = s.Offset + int64(len(s.Buf)) // it is a member of its own: nothing has to be looked for behind it
		return
	}
	s.Fill(end + lookBehind)
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

// next gives the end of the record, or with whole false that of a piece of one that is too
// long.
func (s *blockSplitter) next() (end int, whole bool) {
	if s.end >= 0 {
		left := s.end - s.Offset
		if left <= int64(s.limit) && !s.pieces {
			return int(left), true // it was filled
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
	for {
		i := bytes.Index(s.Buf[s.at-1:], s.first)
		for i >= 0 {
			line := s.at + i
			s.Fill(line + lookBehind)
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
