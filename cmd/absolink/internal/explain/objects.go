package explain

import (
	"absolink/base"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Objects writes one JSON object for each document, one object a line. The entities of the document are a flat list. Each
// entity has its path, as in the rows of the verb base. So an entity is written as soon as it is read, and a large mailbox
// needs little memory. docs/explain.md describes the fields.
//
// It is a Form.
type Objects struct {
	begun bool // the object of the current document is begun
}

// jsonForm is the form of values.
const jsonForm = rows.JSONL

// Append is Form.Append.
func (o *Objects) Append(dst []byte, e *extract.Entity) []byte {
	if o.begun {
		dst = append(dst, ',')
	} else {
		dst = append(jsonForm.Word(append(dst, `{"document":`...), e.Document), `,"entities":[`...)
	}
	o.begun = true
	dst = jsonForm.Word(append(dst, `{"entity":`...), e.Path)
	dst = jsonForm.Word(append(dst, `,"type":`...), e.Type)
	dst = jsonForm.Word(append(dst, `,"base":`...), e.Scope.Base().String())
	dst = jsonForm.Word(append(dst, `,"rung":`...), e.Scope.Rung().String())
	dst = jsonForm.Word(append(dst, `,"source":`...), e.Scope.By())
	dst = append(dst, `,"rungs":[`...)
	for i, l := range Layers(e.Scope) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonForm.Word(append(dst, `{"rung":`...), l.Rung.String())
		dst = text(append(dst, `,"section":`...), l.Rung.Section())
		dst = append(dst, `,"candidates":[`...)
		for i, c := range l.Candidates {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = candidate(dst, c)
		}
		dst = append(dst, "]}"...)
	}
	return append(dst, "]}"...)
}

// End is Form.End. A document without entities has no object.
func (o *Objects) End(dst []byte) []byte {
	if !o.begun {
		return dst
	}
	o.begun = false
	return append(dst, "]}\n"...)
}

// candidate appends a candidate.
func candidate(dst []byte, c *base.Candidate) []byte {
	verdict := "rejected" // without the reason, which has its own field
	if c.Verdict != base.VerdictRejected {
		verdict = c.String()
	}
	dst = jsonForm.Word(append(dst, `{"source":`...), c.By)
	dst = jsonForm.Word(append(dst, `,"value":`...), c.Value)
	dst = append(dst, `,"url":`...)
	if c.Verdict == base.VerdictRejected {
		dst = jsonForm.Null(dst)
	} else {
		dst = jsonForm.Word(dst, c.URL)
	}
	dst = jsonForm.Word(append(dst, `,"verdict":`...), verdict)
	dst = text(append(dst, `,"reason":`...), c.Trouble())
	dst = append(dst, `,"entity_offset":`...)
	if c.Own && c.Offset >= 0 {
		dst = jsonForm.Number(dst, int64(c.Offset))
	} else {
		dst = jsonForm.Null(dst)
	}
	return append(dst, '}')
}

// text appends a string, or null for "".
func text(dst []byte, s string) []byte {
	if s == "" {
		return jsonForm.Null(dst)
	}
	return jsonForm.Word(dst, s)
}
