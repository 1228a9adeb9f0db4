package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// Field is one field of a header (RFC 5322 2.2). A Field with an empty name is a run of lines that are no field.
type Field struct {
	Name  codec.Span // without the blanks before the colon
	Value codec.Span // with its folds, without the white space before it and without its last newline
	line  codec.Span // all lines of the field, with the last newline
}

// mostFields is the number of fields of a header that are read. A header of empty fields would need many times its own
// size in memory.
const mostFields = 1 << 16

// Read returns the fields of the header at src[p:], and the index of the body: after the empty line that ends the
// header, or the end of src. The lines of the fields follow one another without a gap, from p to that empty line.
//
// A newline is LF or CRLF. A CR elsewhere is a character. But a line of CRs alone is empty: in some messages every LF
// was made CRLF twice.
//
// A line that is no field, such as a From_ line, becomes a Field without a name, together with the lines like it that
// follow. It does not end the header, since mail is full of headers with a broken line in the middle. There are two
// exceptions. A line that begins as a boundary does belongs to the body, and the empty line before it is missing. And
// if no empty line comes at all, the lines after the last field are the body.
//
// A line of blanks is part of the field before it (RFC 5322 4.2). But if the next line is no field, the line of blanks
// was meant as the empty line, and the body follows it.
func Read(src []byte, p int) (fields []Field, body int) {
	junk := false // the last field is none
	for p < len(src) {
		if n := ascii.EmptyLineLen(src[p:]); n > 0 {
			return fields, p + n
		}
		f, separator := readField(src, p)
		if f.Name.Len() == 0 && bytes.HasPrefix(src[p:], []byte("--")) {
			return fields, p
		}
		if more := isJunk(src, f); more && junk {
			last := &fields[len(fields)-1]
			last.line.End, last.Value.End = f.line.End, f.Value.End
		} else if len(fields) < mostFields {
			fields, junk = append(fields, f), more
		}
		p = f.line.End
		if separator > 0 {
			return fields, p + separator
		}
	}
	if junk {
		last := len(fields) - 1
		return fields[:last], fields[last].line.Start
	}
	return fields, p
}

// readField returns the field at src[p:], which is not at an empty line. separator is the length of a line of blanks
// after the field that ends the header, or 0.
func readField(src []byte, p int) (f Field, separator int) {
	end := ascii.LineEnd(src, p)
	f.Name, f.Value.Start = FieldName(src, p)
	for end < len(src) && ascii.IsBlank(src[end]) {
		next := ascii.LineEnd(src, end)
		if next < len(src) && ascii.IsBlankLine(src[end:next]) && endsHeader(src, next) {
			separator = next - end
			break
		}
		end = next
	}
	f.line = codec.Span{Start: p, End: end}
	f.Value.End = end - ascii.LastNewline(src[p:end])
	if f.Name.Len() == 0 {
		f.Value.Start = p
		return f, separator
	}
	for f.Value.Start < f.Value.End && ascii.IsWhite(src[f.Value.Start]) {
		f.Value.Start++
	}
	return f, separator
}

// endsHeader reports whether the line at i, after a line of blanks, belongs to the body: it is no field, no fold and
// not empty.
func endsHeader(src []byte, i int) bool {
	if ascii.IsBlank(src[i]) || ascii.NewlineLen(src[i:]) > 0 {
		return false
	}
	name, _ := FieldName(src, i)
	return name.Len() == 0
}

// FieldName returns the name of the field at p, and the index after its colon. The name is empty if the line at p is no
// field. Blanks before the colon are obsolete and allowed (RFC 5322 4.5). Letters outside ASCII are in no standard, but
// they are in mail.
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

// isJunk reports whether a field is none, and no From_ line either: that of an mbox, or of a message that was taken out
// of an mbox, perhaps quoted.
func isJunk(src []byte, f Field) bool {
	if f.Name.Len() > 0 {
		return false
	}
	line := src[f.line.Start:f.line.End]
	if line[0] == '>' {
		line = bytes.TrimLeft(line[:min(len(line), mostQuotes+len(fromLine))], ">")
	}
	return !bytes.HasPrefix(line, []byte(fromLine))
}

const (
	fromLine   = "From "
	mostQuotes = 5 // of a From_ line
)
