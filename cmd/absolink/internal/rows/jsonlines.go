// JSON lines that are not rows of a table: edits and problems.

package rows

import (
	"strconv"
	"unicode/utf8"

	"absolink/extract"
)

// AppendChange appends a change as an element of the links of an edit.
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

// AppendEdit appends an edit as a JSON line. links are the links that it changes, from AppendChange. JSON cannot have bytes that
// are not UTF-8. If one side has such bytes, both sides are in base64, so that a reader has two cases and not four.
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
	p.Setting = "" // its advice is in Detail
	return append(AppendJSON(dst, p), '\n')
}
