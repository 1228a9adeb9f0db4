package explain

import (
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Objects is a Form that writes one JSON object a line, for each document. Its entities are a flat list with their
// paths, as in the rows of the verb base, so each is written as soon as it is read, and a large mailbox needs little
// memory.
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

// End ends the object of the document. A document without entities has none.
func (o *Objects) End(dst []byte) []byte {
	if !o.begun {
		return dst
	}
	o.begun = false
	return append(dst, "]}\n"...)
}
