// JSON: values, lines that are not rows of a table, and arrays of lines.

package rows

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// AppendJSON appends a value as encoding/json writes it, but without escapes for HTML. It panics if JSON cannot have
// the value.
func AppendJSON(dst []byte, v any) []byte {
	out := bytes.NewBuffer(dst)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // so that URLs stay readable
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'})
}

// appendString is AppendJSON for a string. Most strings in a row are plain and need no encoder.
func appendString[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(append(dst, '"'), s...)
	if isPlain(dst[start+1:]) {
		return append(dst, '"')
	}
	return AppendJSON(dst[:start], string(s))
}

// isPlain reports whether the bytes can stand in a JSON string as they are. It is false for some that could.
func isPlain(b []byte) bool {
	for _, c := range b {
		if jsonEscaped[c] {
			return false
		}
	}
	return utf8.Valid(b)
}

// jsonEscaped has the bytes that are not plain. 0xE2 is the first byte of U+2028 and U+2029, which encoding/json
// escapes because older JavaScript does not allow them.
var jsonEscaped = func() (t [256]bool) {
	for c := range byte(' ') {
		t[c] = true
	}
	t['"'], t['\\'], t[0xE2] = true, true, true
	return t
}()

// AppendChange appends a change to the links of an edit.
func AppendChange(dst []byte, c extract.Change) []byte {
	if len(dst) > 0 {
		dst = append(dst, ',')
	}
	dst = appendString(append(dst, `{"ref":`...), c.Ref)
	dst = appendString(append(dst, `,"new_ref":`...), c.NewRef)
	dst = append(dst, `,"url":`...)
	if c.URL == "" {
		return append(dst, "null}"...)
	}
	return append(appendString(dst, c.URL), '}')
}

// AppendEdit appends an edit as a JSON line. links are the links that it changes, from AppendChange. JSON cannot have
// bytes that are not UTF-8: if one side has any, both are in base64, so that a reader has two cases instead of four.
func AppendEdit(dst []byte, document string, e extract.Edit, links []byte) []byte {
	dst = appendString(append(dst, `{"document":`...), document)
	dst = strconv.AppendInt(append(dst, `,"document_offset":`...), e.Offset, 10)
	if utf8.Valid(e.Old) && utf8.Valid(e.New) {
		dst = appendString(append(dst, `,"old":`...), e.Old)
		dst = appendString(append(dst, `,"new":`...), e.New)
	} else {
		dst = JSONL.Base64(append(dst, `,"old_base64":`...), e.Old)
		dst = JSONL.Base64(append(dst, `,"new_base64":`...), e.New)
	}
	return append(append(append(dst, `,"links":[`...), links...), "]}\n"...)
}

// AppendProblem appends a problem as a JSON line.
func AppendProblem(dst []byte, p extract.Problem) []byte {
	p.Setting = "" // its advice is in Detail already
	return append(AppendJSON(dst, p), '\n')
}

// arrayWriter makes JSON lines the elements of one JSON array, each on its own line. A line may come in several pieces,
// but the last one must be complete.
type arrayWriter struct {
	w      io.Writer
	before string // goes before the next piece
	buf    []byte // reused
}

// arrayStart is before the first element.
const arrayStart = "[\n"

// BeginArray makes the JSON lines that are written to out one JSON array.
func BeginArray(out *files.Output) { out.Encode(&arrayWriter{w: out.W, before: arrayStart}) }

func (a *arrayWriter) Write(p []byte) (int, error) {
	a.buf = a.buf[:0]
	for line := range bytes.Lines(p) {
		line, ended := bytes.CutSuffix(line, []byte{'\n'})
		a.buf = append(append(a.buf, a.before...), line...)
		if a.before = ""; ended {
			a.before = ",\n"
		}
	}
	if _, err := a.w.Write(a.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close ends the array. It does not close the writer below.
func (a *arrayWriter) Close() error {
	end := "\n]\n"
	if a.before == arrayStart {
		end = "[]\n"
	}
	_, err := io.WriteString(a.w, end)
	return err
}
