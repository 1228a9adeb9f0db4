// Package header reads the headers of messages, of body parts, of HTTP responses and of records of web archives. It
// finds the fields of a header, and marks the bases and the links in them.
//
//	Received: from mx.example.com      a field: name, colon, value
//		by mail.example.org            a fold: the line begins with a space or a tab, so the field continues
//	Content-Base: <http://h/v2/>       a base
//	Content-Type: text/html; charset="utf-8" (a comment)
//	              \_______/  \_____/   \___/  \_________/
//	              media type parameter value  ignored
//	Link: <next.html>; rel=next        a link
//	                                   an empty line: it ends the header
//	body
//
// Read returns the fields of one header. A Reader reads all headers of one text, and adds their bases and links to a
// mark.Marks. The other functions read the value of one field.
//
// Fields have the syntax of RFC 5322 2.2, with the obsolete forms of section 4, and Read accepts errors that are common
// in mail. Content-Type and Content-Transfer-Encoding follow RFC 2045 5 and 6, and their parameters RFC 2231. Three
// fields declare a base: Base (RFC 1808 3.1), Content-Base (RFC 2110 4.2) and Content-Location (RFC 2557 4.2).
package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
)

// Field is one field of a header (RFC 5322 2.2). A Field with an empty name is a run of lines that are not fields.
type Field struct {
	Name  codec.Span // without the white space before the colon
	Value codec.Span // with folds, without white space at the start and without the last newline
}

// mostFields limits the fields of one header, because a header of empty fields would need many times its own size in
// memory.
const mostFields = 1 << 16

// Read returns at most mostFields fields of the header at src[p:], and the index of the body. The body begins after the
// empty line that ends the header, or is at the end of src if there is none.
//
// A newline is LF or CRLF, and any other CR is a character of its line. A line that has only CRs is empty, though,
// because some programs convert LF to CRLF twice.
//
// A line that is not a field, like a From_ line, becomes a Field without a name, together with the lines like it that
// follow. It does not end the header, because many messages have a broken line inside the header. There are two
// exceptions. A line that begins with "--" is a boundary, which belongs to the body: the empty line is missing. And if
// the header has no empty line at all, the lines after the last field are the body.
//
// A line of spaces and tabs is part of the field before it (RFC 5322 4.2), unless the next line is not a field: then it
// ends the header, like an empty line.
func Read(src []byte, p int) (fields []Field, body int) {
	junk := false // the last Field is not a field
	for p < len(src) {
		if n := ascii.EmptyLineLen(src[p:]); n > 0 {
			return fields, p + n
		}
		f, end, separator := readField(src, p)
		if f.Name.Len() == 0 && bytes.HasPrefix(src[p:], []byte("--")) {
			return fields, p
		}
		if more := isJunk(src, f); more && junk {
			fields[len(fields)-1].Value.End = f.Value.End
		} else if len(fields) < mostFields {
			if fields == nil {
				fields = make([]Field, 0, 8) // a record of a WARC has some eight fields
			}
			fields, junk = append(fields, f), more
		}
		p = end
		if separator > 0 {
			return fields, p + separator
		}
	}
	if junk {
		last := len(fields) - 1
		return fields[:last], fields[last].Value.Start
	}
	return fields, p
}

// readField returns the field at src[p:], which is not an empty line, and its end after the last newline. separator is
// the length of the line of spaces and tabs that ends the header after the field, or 0.
func readField(src []byte, p int) (f Field, end, separator int) {
	end = ascii.LineEnd(src, p)
	f.Name, f.Value.Start = FieldName(src, p)
	for end < len(src) && ascii.IsBlank(src[end]) {
		next := ascii.LineEnd(src, end)
		if next < len(src) && ascii.IsBlankLine(src[end:next]) && endsHeader(src, next) {
			separator = next - end
			break
		}
		end = next
	}
	f.Value.End = end - ascii.LastNewline(src[p:end])
	if f.Name.Len() == 0 {
		f.Value.Start = p
		return f, end, separator
	}
	for f.Value.Start < f.Value.End && ascii.IsWhite(src[f.Value.Start]) {
		f.Value.Start++
	}
	return f, end, separator
}

// endsHeader reports whether the line at i, after a line of spaces and tabs, belongs to the body: it is not a field,
// not a fold and not empty.
func endsHeader(src []byte, i int) bool {
	if ascii.IsBlank(src[i]) || ascii.NewlineLen(src[i:]) > 0 {
		return false
	}
	name, _ := FieldName(src, i)
	return name.Len() == 0
}

// FieldName returns the name of the field at p, and the index after its colon. The name is empty if the line at p is
// not a field. White space before the colon is obsolete, but allowed (RFC 5322 4.5). FieldName accepts characters
// outside ASCII: no standard allows them, but some messages have them.
func FieldName(src []byte, p int) (name codec.Span, value int) {
	i := p
	for i < len(src) && src[i] > ' ' && src[i] != ':' && src[i] != 0x7F {
		i++
	}
	name = codec.Span{Start: p, End: i}
	for i < len(src) && ascii.IsBlank(src[i]) {
		i++
	}
	if i == len(src) || src[i] != ':' {
		return codec.Span{Start: p, End: p}, p
	}
	return name, i + 1
}

// SkipVoid returns the first index from p on that is neither white space nor a byte order mark.
func SkipVoid(src []byte, p int) int {
	for {
		start := ascii.SkipSpace(src, p)
		if start += charsets.BOMLen(src[start:]); start == p {
			return p
		}
		p = start
	}
}

// isJunk reports whether f is neither a field nor a From_ line, which a message from an mbox may have, quoted or not.
func isJunk(src []byte, f Field) bool {
	if f.Name.Len() > 0 {
		return false
	}
	line := src[f.Value.Start:f.Value.End]
	if bytes.HasPrefix(line, []byte(">")) {
		line = bytes.TrimLeft(line[:min(len(line), mostQuotes+len(fromLine))], ">")
	}
	return !bytes.HasPrefix(line, []byte(fromLine))
}

const (
	fromLine   = "From "
	mostQuotes = 5 // the largest number of ">" before a From_ line
)
