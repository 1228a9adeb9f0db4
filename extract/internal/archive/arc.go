package archive

import (
	"bytes"
	"iter"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/http"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// ARC is the format of web archives before WARC (Internet Archive, 1996, version 1). Each record is a line "URL
// IP-address date type length" and a block of that length: an HTTP response, or a document without a header.
var ARC = &mark.Format{
	Name:    arcType,
	Exts:    []string{".arc"},
	Split:   splitARC,
	Holds:   mark.Captures,
	Members: true,
}

// SniffARC reports whether a file begins like an ARC.
func SniffARC(head []byte) bool { return isARCVersion(head) && isARCLine(head) }

const arcType = "application/x-internet-archive"

// arcFields returns the fields of the line at the start of a record, or nil for any other line. Some crawlers did not
// escape spaces in URLs, so the URL is all the text before the IP address, which arcFields finds by the date.
func arcFields(line []byte) [][]byte {
	line = line[:min(len(line), longestARCLine)]
	end := bytes.IndexByte(line, '\n')
	if end < 0 {
		return nil
	}
	fields := bytes.Split(bytes.TrimSuffix(line[:end], []byte("\r")), []byte(" "))
	if len(fields) < 5 || !ascii.HasScheme(fields[0]) {
		return nil
	}
	if length := fields[len(fields)-1]; len(length) > 18 || !ascii.IsDigits(length) {
		return nil
	}
	if len(fields[2]) >= 8 && ascii.IsDigits(fields[2]) {
		return fields
	}
	url := len(fields[0]) + 1 + len(fields[1])
	for i := 3; i < len(fields)-2; i++ {
		if len(fields[i]) == len("20060102150405") && ascii.IsDigits(fields[i]) {
			fields[i-2] = line[:url]
			return fields[i-2:]
		}
		url += 1 + len(fields[i-1])
	}
	return nil
}

// isARCVersion reports whether a line begins the first record, which describes the archive itself.
func isARCVersion(line []byte) bool { return bytes.HasPrefix(line, []byte("filedesc://")) }

// longestARCLine is the longest line that may begin a record, in bytes.
const longestARCLine = 8 << 10

func isARCLine(line []byte) bool { return arcFields(line) != nil }

func splitARC(in window.Window, limit int) iter.Seq2[mark.Chunk, error] {
	return func(yield func(mark.Chunk, error) bool) {
		s := &blockSplitter{Window: in, limit: limit, begins: isARCLine, first: []byte("\n"), length: arcLength}
		s.split(arcRecord, yield)
	}
}

// arcLength returns the length and the start of the block of the record at the start of src, or -1 if no record begins
// there. more reports whether the line may be complete in a longer src.
func arcLength(src []byte) (length int64, body int, more bool) {
	fields := arcFields(src)
	if fields == nil {
		return -1, 0, len(src) < longestARCLine
	}
	length, _ = strconv.ParseInt(string(fields[len(fields)-1]), 10, 64) // it is digits, and not too many
	return length, ascii.LineEnd(src, 0), false
}

// arcRecord returns the format of the n-th record.
func arcRecord(n int) *mark.Format {
	place := &mark.Place{Name: mark.Numbered("record", n)}
	return &mark.Format{Name: arcType, Fragment: true, Mark: func(src []byte, m *mark.Marks) {
		fields := arcFields(src)
		if fields == nil || isARCVersion(fields[0]) {
			return
		}
		length, body, _ := arcLength(src)
		end := int(min(int64(len(src)), int64(body)+length))
		digits := fields[len(fields)-1]
		number := body - ascii.LastNewline(src[:body])
		mediaType := string(fields[3])
		if mediaType == "no-type" {
			mediaType = "" // the engine detects the format
		}
		format, wanted := http.Format, true
		if http.StatusLine(src[:end], body) == 0 {
			format, wanted = http.FormatOf(m.FormatOf, mediaType)
		}
		if !wanted {
			return // not a document, for example an image: see warcRecord
		}
		m.Base(arcPlace, 0, len(fields[0]), codec.Identity, mark.RetrievedFrom(arcPlace.Name))
		missing := int(length) - (end - body)
		m.Counts([]codec.Span{{Start: number - len(digits), End: number}}, codec.Span{Start: body, End: end},
			countCutOff(missing))
		m.Part(0, place, body, end, codec.Identity, format, mark.Part{})
	}}
}

var arcPlace = &mark.Place{Name: "ARC record"}
