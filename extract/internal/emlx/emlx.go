// Package emlx reads the files in which Apple Mail stores one message each (.emlx and .partial.emlx).
//
//	1234                                      the length of the message in bytes, padded with blanks to ten columns
//	From: a@h.example                         the message
//	...
//	<?xml version="1.0" encoding="UTF-8"?>    a property list, in XML or binary: the flags of the message
//	<!DOCTYPE plist ...
//
// The property list is not read. No standard describes the format; what is said here was seen in files of Apple Mail.
package emlx

import (
	"bytes"
	"fmt"
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
)

// Format is a file of Apple Mail. Its type is not registered; the name is that of Apache Tika and other programs.
var Format = &mark.Format{
	Name:     "message/x-emlx",
	Types:    []string{"application/x-emlx"},
	Exts:     []string{".emlx"},
	Mark:     extract,
	Fragment: true,
}

var place = &mark.Place{Name: "message"}

// Sniff reports whether a file begins with a length, and then like a message.
func Sniff(head []byte) bool {
	_, _, start := lengthLine(head)
	return start > 0 && mail.SniffMessage(head[start:])
}

func extract(src []byte, m *mark.Marks) {
	value, length, start := lengthLine(src)
	message := codec.Span{Start: start, End: start + length}
	fits := start > 0 && length <= len(src)-start
	missing := fits && len(ascii.Trimmed(src[message.End:])) == 0
	switch {
	case missing, fits && beginsList(src[message.End:]):
		m.Mends(func(_ []byte, edits []codec.Edit) []codec.Edit {
			growth := mark.Growth(edits, message)
			if growth == 0 {
				return nil
			}
			// The padding keeps the message in its place, if the new length fits.
			return []codec.Edit{{Span: value, New: fmt.Appendf(nil, "%-*d", value.Len(), length+growth)}}
		})
		if missing {
			m.Warn(message.End, mark.RecordTruncated, "the property list after the message is missing")
		}
	default:
		message.End = listStart(src, start)
		reportLength(src, m, start, length, message)
	}
	m.Part(0, place, message.Start, message.End, codec.Identity, mail.Message, mark.Part{})
}

// reportLength reports a wrong length, or a missing one if start is 0.
func reportLength(src []byte, m *mark.Marks, start, length int, message codec.Span) {
	switch {
	case start == 0:
		m.Warn(0, mark.RecordTruncated, "the first line is not the length of a message; the message begins in the "+
			"first line")
	case message.End == len(src) && length > message.Len():
		m.Fault(message.End, mark.RecordTruncated,
			fmt.Sprintf("the file ends after %d of the %d bytes of the message", message.Len(), length))
	default:
		m.Warn(0, mark.RecordTruncated, fmt.Sprintf("the message has %d bytes, and not %d, as the first line has "+
			"it; the first line stays unchanged", message.Len(), length))
	}
}

// longestLength is the largest number of digits and blanks in the first line.
const longestLength = 32

// lengthLine returns the length in the first line, and the start of the message, or 0 if the line is not a length.
// value is the length as it is written, with the blanks after it.
func lengthLine(src []byte) (value codec.Span, length, start int) {
	line := src[:min(len(src), longestLength)]
	n := 0
	for n < len(line) && ascii.IsDigit(line[n]) {
		n++
	}
	end := n
	for end < len(line) && ascii.IsBlank(line[end]) {
		end++
	}
	newline := ascii.NewlineLen(line[end:])
	length, err := strconv.Atoi(string(line[:n]))
	if newline == 0 || err != nil {
		return codec.Span{}, 0, 0
	}
	return codec.Span{End: end}, length, end + newline
}

// The beginnings of a property list.
const (
	xmlStart    = "<?xml"
	doctype     = "<!DOCTYPE plist"
	element     = "<plist"
	binaryStart = "bplist0"
)

// beginsList reports whether text begins with a property list, after any white space.
func beginsList(text []byte) bool {
	text = ascii.Trimmed(text)
	if bytes.HasPrefix(text, []byte(xmlStart)) {
		return bytes.Contains(text[:min(len(text), mark.SniffLen)], []byte(element))
	}
	return bytes.HasPrefix(text, []byte(doctype)) || bytes.HasPrefix(text, []byte(element)) ||
		bytes.HasPrefix(text, []byte(binaryStart))
}

// listStart finds the end of a message whose length is wrong: the start of a property list in XML at the end of the
// file, or the end of the file. The message starts at src[start].
func listStart(src []byte, start int) int {
	text := src[start:]
	if bytes.HasSuffix(ascii.Trimmed(text), []byte("</plist>")) {
		for _, begin := range []string{xmlStart, doctype, element} {
			if at := bytes.LastIndex(text, []byte(begin)); at >= 0 {
				return start + at
			}
		}
	}
	return len(src)
}
