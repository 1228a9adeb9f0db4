package header

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Reader reads the headers of one text: a message with its body parts, a response, or a record of an archive. It does
// not change Src.
type Reader struct {
	Src   []byte
	Marks *mark.Marks // of Src
	HTTP  bool        // the headers are headers of HTTP
}

// Read is the function Read for the header at the start of a part of the text. It reports a header with too many
// fields.
func (r *Reader) Read(part codec.Span) (fields []Field, body int) {
	fields, body = r.read(part)
	r.guardBody(part, body)
	return fields, body
}

func (r *Reader) read(part codec.Span) (fields []Field, body int) {
	fields, body = Read(r.Src[:part.End], part.Start)
	if len(fields) == mostFields {
		r.Marks.Fault(part.Start, mark.HeaderMalformed,
			"the header has more than "+strconv.Itoa(mostFields)+" fields; the other fields are not read")
	}
	return fields, body
}

// Skipped reports a problem if SkipVoid skipped bytes before a header, from p to start, or if the text begins with a
// byte order mark.
func (r *Reader) Skipped(p, start int, fields []Field) {
	if start > p || r.Marks.BOM && p == 0 && len(fields) > 0 {
		r.Marks.Warn(p, mark.HeaderMalformed, "white space or a byte order mark is before the header; it was skipped")
	}
}

// InUTF16 reports whether the text is in UTF-16 and, by begins, starts with a header, and adds that to the problems.
// Some programs write UTF-16 when they copy a text, but no program reads a header in it.
func (r *Reader) InUTF16(begins func(text []byte) bool) bool {
	src := r.Src[:min(len(r.Src), mark.SniffLen)]
	if strings.HasPrefix(charsets.OfBOM(src), "utf-16") {
		src = src[2:]
	}
	if len(src) < 4 || (src[0] == 0) == (src[1] == 0) || src[0] != 0 && src[3] != 0 || src[1] != 0 && src[2] != 0 {
		return false
	}
	if !begins(bytes.ReplaceAll(src, []byte{0}, nil)) {
		return false
	}
	r.Marks.Fault(0, mark.HeaderMalformed, "the text is in UTF-16, so its header and its body are not read; convert "+
		"it to UTF-8")
	return true
}

// ReadPart is Read for a part that may have no header: if no field comes before the first empty line, the whole part is
// the body.
func (r *Reader) ReadPart(part codec.Span) (fields []Field, body int) {
	fields, body = r.read(part)
	if len(fields) == 1 && isJunk(r.Src, fields[0]) {
		r.guardLines(codec.Span{Start: part.Start, End: body})
		return nil, part.Start
	}
	r.guardBody(part, body)
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

// values returns the values of all fields with a name. name is in lower case.
func values(src []byte, fields []Field, name string) (values []codec.Span) {
	for i := range fields {
		if f := &fields[i]; ascii.FoldEqual(src[f.Name.Start:f.Name.End], name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// Counts makes all fields with a name follow what count returns for a region (see mark.Marks.Counts). name is in lower
// case.
func (r *Reader) Counts(fields []Field, name string, of codec.Span, count func([]byte) int) {
	r.Marks.Counts(r.filled(fields, name), of, count)
}

// Digest returns the value of the first field with a name, which the caller updates if a region changes. A second such
// field is not updated, and is reported if the region changes. name is in lower case.
func (r *Reader) Digest(fields []Field, name string, of codec.Span) codec.Span {
	filled := r.filled(fields, name)
	if len(filled) == 0 {
		return codec.Span{}
	}
	if len(filled) > 1 {
		r.Marks.Breaks(of, filled[1].Start, mark.DigestBroken,
			"the content was changed, but its second field "+name+" was not; compute the digest again")
	}
	return filled[0]
}

// filled returns the values with a name that are not empty.
func (r *Reader) filled(fields []Field, name string) []codec.Span {
	return slices.DeleteFunc(values(r.Src, fields, name), func(v codec.Span) bool { return v.Len() == 0 })
}

// Value returns the bytes of the first field with a name, or none if there is no such field. name is in lower case.
func (r *Reader) Value(fields []Field, name string) []byte {
	span := r.Field(fields, name)
	return r.Src[span.Start:span.End]
}

// Repeated returns the values of the fields with a name if two of them differ in more than case, or else nil. name is
// in lower case.
func (r *Reader) Repeated(fields []Field, name string) []codec.Span {
	first := ascii.Trimmed(r.Value(fields, name))
	for i := range fields {
		f := &fields[i]
		if ascii.FoldEqual(r.bytes(f.Name), name) && !ascii.FoldEqualBytes(first, ascii.Trimmed(r.bytes(f.Value))) {
			return values(r.Src, fields, name)
		}
	}
	return nil
}

func (r *Reader) bytes(s codec.Span) []byte { return r.Src[s.Start:s.End] }

// ContentType returns the media type and the parameters of the first Content-Type field or, in HTTP, of all of them
// (see HTTPContentType). The caller must not change the map, because short values without a boundary are cached, which
// makes a mailbox of small messages 8 % faster.
func (r *Reader) ContentType(fields []Field) (mediaType string, params map[string]string) {
	if r.HTTP {
		return HTTPContentType(r.combined(fields))
	}
	value := r.Value(fields, "content-type")
	known := mark.ScratchOf[map[string]contentType](r.Marks)
	t, ok := (*known)[string(value)]
	if !ok {
		t.mediaType, t.params = ContentType(value)
		if t.params["boundary"] == "" && len(value) < 256 {
			if len(*known)%64 == 0 {
				*known = map[string]contentType{}
			}
			(*known)[string(value)] = t
		}
	}
	return t.mediaType, t.params
}

type contentType struct {
	mediaType string
	params    map[string]string
}

// combined returns the values of all Content-Type fields, joined by ", " as HTTP combines them.
func (r *Reader) combined(fields []Field) []byte {
	var all [][]byte
	for _, value := range values(r.Src, fields, "content-type") {
		all = append(all, r.bytes(value))
	}
	if len(all) == 1 {
		return all[0]
	}
	return bytes.Join(all, []byte(", "))
}

// FileName returns the name of the file in a body part: the filename of its Content-Disposition (RFC 2183 2.3), or else
// the name in params, the parameters of its Content-Type, or "". It decodes encoded words, which RFC 2047 forbids here
// but many programs write.
func (r *Reader) FileName(fields []Field, params map[string]string) string {
	name := params["name"]
	disposition, _ := spell.HeaderLines.Decode(r.Value(fields, "content-disposition"))
	if given := parametersOf(disposition, 0)["filename"]; given != "" {
		name = given
	}
	if strings.Contains(name, "=?") {
		decoded, _ := spell.HeaderWords.Decode([]byte(name))
		name = string(decoded)
	}
	return string(ascii.Trimmed([]byte(name)))
}

// Described returns a media type, for a message, with the parameters that determine how a body is read.
func Described(mediaType string, params map[string]string) string {
	for _, name := range []string{"boundary", "charset"} {
		if value := params[name]; value != "" {
			mediaType += "; " + name + "=" + value
		}
	}
	return mediaType
}

// WarnTypes reports a header of HTTP that declares several media types. mediaType and params are those that ContentType
// returned.
func (r *Reader) WarnTypes(fields []Field, mediaType string, params map[string]string) {
	combined := r.combined(fields)
	if bytes.IndexByte(combined, ',') < 0 {
		return
	}
	all := splitValues(combined)
	swallowed := len(all) == 1 && len(values(r.Src, fields, "content-type")) > 1 // by a quote without an end
	if swallowed || slices.ContainsFunc(all, func(value []byte) bool { return !ascii.FoldEqualBytes(value, all[0]) }) {
		r.WarnRepeated(r.Field(fields, "content-type").Start, "Content-Type", all, Described(mediaType, params))
	}
}

// WarnRepeated reports a field with several values, of which applies is used to read the body.
func (r *Reader) WarnRepeated(offset int, name string, values [][]byte, applies string) {
	detail := "the header has several values of " + name + ": "
	for i, value := range values[:min(len(values), mostNamed)] {
		if i > 0 {
			detail += ", "
		}
		detail += mark.Quote(ascii.Trimmed(value))
	}
	if more := len(values) - mostNamed; more > 0 {
		detail += " and " + strconv.Itoa(more) + " more"
	}
	if applies == "" {
		applies = "if it had none"
	} else {
		applies = mark.Quote([]byte(applies))
	}
	r.Marks.Warn(offset, mark.HeaderMalformed, detail+"; the body is read as "+applies)
}

// mostNamed is the largest number of values of one field that a warning names.
const mostNamed = 3
