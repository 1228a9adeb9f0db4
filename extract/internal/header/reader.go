package header

import (
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Reader reads the headers of one text: of a message and its body parts, of a response, of a record of an archive. It
// only reads Src.
type Reader struct {
	Src   []byte
	Marks *mark.Marks // of Src
	HTTP  bool        // the headers are those of HTTP
}

// Read returns the fields of the header that a part of the text begins with, and the index of the body. See the function
// Read.
func (r *Reader) Read(part codec.Span) (fields []Field, body int) {
	fields, body = Read(r.Src[:part.End], part.Start)
	if len(fields) == mostFields {
		r.Marks.Fault(part.Start, mark.HeaderMalformed, "more than "+strconv.Itoa(mostFields)+" fields; the rest is left as it is")
	}
	return fields, body
}

// ReadPart is Read for a part that may have no header: without a field before its first empty line, all of it is body.
func (r *Reader) ReadPart(part codec.Span) (fields []Field, body int) {
	fields, body = r.Read(part)
	if len(fields) == 1 && isJunk(r.Src, fields[0]) {
		return nil, part.Start
	}
	return fields, body
}

// Field returns the value of the first field of a name, or an empty span. name is lower case.
func (r *Reader) Field(fields []Field, name string) codec.Span {
	for _, f := range fields {
		if ascii.FoldEqual(r.Src[f.Name.Start:f.Name.End], name) {
			return f.Value
		}
	}
	return codec.Span{}
}

// Value returns the bytes of the first field of a name, or none. name is lower case.
func (r *Reader) Value(fields []Field, name string) []byte {
	span := r.Field(fields, name)
	return r.Src[span.Start:span.End]
}

// ContentType returns the media type and the parameters that a header names in its Content-Type field, see the function
// ContentType. It keeps them, since most parts of a message have one of a few values. The parameters must not be changed.
func (r *Reader) ContentType(fields []Field) (mediaType string, params map[string]string) {
	value := r.Value(fields, "content-type")
	known := mark.ScratchOf[contentTypes](r.Marks)
	if t, ok := (*known)[string(value)]; ok {
		return t.mediaType, t.params
	}
	mediaType, params = ContentType(value)
	if *known == nil || len(*known) >= mostKnown {
		*known = contentTypes{}
	}
	if len(value) <= longestKnown {
		(*known)[string(value)] = contentType{mediaType, params}
	}
	return mediaType, params
}

// contentTypes are values of Content-Type fields that were read. A Reader keeps mostKnown of them, and none that is
// longer than longestKnown bytes.
type contentTypes map[string]contentType

type contentType struct {
	mediaType string
	params    map[string]string
}

const (
	mostKnown    = 64
	longestKnown = 256
)
