package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// headerField is one field of a header (RFC 5322 2.2), or lines that are none: then its
// name is empty.
type Field struct {
	Name  codec.Span // without the blanks before the colon
	Value codec.Span // folds and all, without the white space before it and its last newline
	line  codec.Span // all lines of the field, the last newline included
}

// MaxFields is how many fields of a header are read. A header of nothing but empty fields
// would need many times its own size in memory.
const MaxFields = 1 << 16

// ReadHeader reads the header at src[p:]. It gives its fields, and the index of the body:
// behind the empty line that ends the header, or the end of src. The lines of the fields
// follow one another without a gap, from p to that empty line.
//
// A newline is LF or CRLF; a CR elsewhere is a character, but a line of nothing else is empty: each
// LF of such a message was made CRLF once more than it should. A line that is no field, such as
// a From_ line, is kept as one without a name, together with those of its kind that follow
// it: it ends nothing, for mail is full of headers with a broken line in the middle. But one
// that begins as a boundary does is the body's, the empty line before which is missing; and
// where no empty line comes at all, what follows the last field is the body.
//
// A line of blanks only is part of the field before it (RFC 5322 4.2), unless a line comes
// next that is no field: then it was meant as the empty line, and the body follows it.
func ReadHeader(src []byte, p int) (fields []Field, body int) {
	for p < len(src) {
		if n := ascii.EmptyLineLen(src[p:]); n > 0 {
			return fields, p + n
		}
		f, separator := readField(src, p)
		if f.Name.Len() == 0 && bytes.HasPrefix(src[p:], []byte("--")) {
			return fields, p
		}
		if last := len(fields) - 1; last >= 0 && IsJunk(src, f) && IsJunk(src, fields[last]) {
			fields[last].line.End, fields[last].Value.End = f.line.End, f.Value.End
		} else if len(fields) < MaxFields {
			fields = append(fields, f)
		}
		p = f.line.End
		if separator > 0 {
			return fields, p + separator
		}
	}
	if last := len(fields) - 1; last >= 0 && IsJunk(src, fields[last]) {
		return fields[:last], fields[last].line.Start
	}
	return fields, p
}

// readField reads the field at src[p], which is not at an empty line. separator is the
// length of a line of blanks behind it that ends the header, 0 if there is none.
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

// endsHeader says whether the line at i, behind a line of blanks, shows that the header is
// over: it is no field, no more of the one before and not empty.
func endsHeader(src []byte, i int) bool {
	if ascii.IsBlank(src[i]) || ascii.NewlineLen(src[i:]) > 0 {
		return false
	}
	name, _ := FieldName(src, i)
	return name.Len() == 0
}

// FieldName reads the name at p and gives the index behind its colon. Blanks before the
// colon are obsolete and allowed (RFC 5322 4.5); letters beyond ASCII are in no standard,
// and in mail. The name is empty if there is none.
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

// IsJunk says whether a field is none, and no From_ line either: that of an mbox, or of a
// message that was taken out of one, perhaps quoted.
func IsJunk(src []byte, f Field) bool {
	if f.Name.Len() > 0 {
		return false
	}
	line := src[f.line.Start:f.line.End]
	return !bytes.HasPrefix(bytes.TrimLeft(line[:min(len(line), 10)], ">"), []byte("From "))
}

// comments reads RFC 5322 comments (3.2.2), and remembers when one has no end, so that the
// next ones, which have none either or are inside it, are not tried.
type comments struct{ endless bool }

// skip gives the index behind the comment at src[i], which is "(". A comment without an
// end is none: ok is false.
func (c *comments) skip(src []byte, i, end int) (after int, ok bool) {
	if c.endless {
		return i, false
	}
	depth := 0
	for j := i; j < end; j++ {
		switch src[j] {
		case '\\':
			j++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1, true
			}
		}
	}
	c.endless = true
	return i, false
}

// skipAll skips white space and comments at i.
func (c *comments) skipAll(src []byte, i, end int) int {
	for {
		i = ascii.SkipWhite(src, i, end)
		if i == end || src[i] != '(' {
			return i
		}
		after, ok := c.skip(src, i, end)
		if !ok {
			return i
		}
		i = after
	}
}

// TrimWhite takes white space off both ends of a span.
func TrimWhite(src []byte, s codec.Span) codec.Span {
	s.Start = ascii.SkipWhite(src, s.Start, s.End)
	for s.Start < s.End && ascii.IsWhite(src[s.End-1]) {
		s.End--
	}
	return s
}

// ContentID is the value of a Content-ID field (RFC 2045 7) without its brackets, which may be
// missing, and comments.
func ContentID(src []byte, value codec.Span) []byte {
	var c comments
	id := codec.Span{Start: c.skipAll(src, value.Start, value.End), End: value.End}
	if id.Len() > 0 && src[id.Start] == '<' {
		id = bracketed(src, id)
	} else {
		id = beforeComment(src, id)
	}
	return ascii.Trimmed(src[id.Start:id.End])
}
