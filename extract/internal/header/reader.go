package header

import (
	"strconv"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Reader reads the headers of one text: a message with its body parts, a response, or a record of an archive. It does not
// change Src.
type Reader struct {
	Src   []byte
	Marks *mark.Marks // of Src
	HTTP  bool        // the headers are headers of HTTP
}

// Read returns the fields of the header at the start of a part of the text, and the index of the body. See the function
// Read. It reports a header that is too long.
func (r *Reader) Read(part codec.Span) (fields []Field, body int) {
	fields, body = Read(r.Src[:part.End], part.Start)
	if len(fields) == mostFields {
		r.Marks.Fault(part.Start, mark.HeaderMalformed, "the header has more than "+strconv.Itoa(mostFields)+" fields; the other fields are not read")
	}
	return fields, body
}

// ReadPart is like Read, for a part that may have no header. If no field comes before the first empty line, the whole part
// is the body.
func (r *Reader) ReadPart(part codec.Span) (fields []Field, body int) {
	fields, body = r.Read(part)
	if len(fields) == 1 && isJunk(r.Src, fields[0]) {
		return nil, part.Start
	}
	return fields, body
}

// Field returns the value of the first field with a name, or an empty span. name is in lower case.
func (r *Reader) Field(fields []Field, name string) codec.Span {
	for _, f := range fields {
		if ascii.FoldEqual(r.Src[f.Name.Start:f.Name.End], name) {
			return f.Value
		}
	}
	return codec.Span{}
}

// Value returns the bytes of the value of the first field with a name. It returns no bytes if there is no such field. name
// is in lower case.
func (r *Reader) Value(fields []Field, name string) []byte {
	span := r.Field(fields, name)
	return r.Src[span.Start:span.End]
}

// ContentType returns the media type and the parameters in the Content-Type field of a header. See the function
// ContentType. The caller must not change the map: it is cached, because most parts of a message have the same few values.
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

// contentTypes caches the values of Content-Type fields. It has at most mostKnown values, of at most longestKnown bytes.
type contentTypes map[string]contentType

type contentType struct {
	mediaType string
	params    map[string]string
}

const (
	mostKnown    = 64
	longestKnown = 256
)
