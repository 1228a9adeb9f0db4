package explain

import (
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Objects writes one JSON object for each document, one object a line. The entities of the document are a flat list. Each
// entity has its path, as in the rows of the verb base. So an entity is written as soon as it is read, and a large mailbox
// needs little memory.
//
// It is a Form.
type Objects struct {
	begun bool // the object of the current document is begun
}

func (o *Objects) Append(dst []byte, e *extract.Entity) []byte {
	if o.begun {
		dst = append(dst, ',')
	} else {
		dst = append(rows.JSONL.Word(append(dst, `{"document":`...), e.Document), `,"entities":[`...)
	}
	o.begun = true
	return rows.AppendJSON(dst, Explain(e))
}

// End is Form.End. A document without entities has no object.
func (o *Objects) End(dst []byte) []byte {
	if !o.begun {
		return dst
	}
	o.begun = false
	return append(dst, "]}\n"...)
}
