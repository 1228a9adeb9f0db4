package rows

import (
	"fmt"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/files"
)

// table writes rows, each of which is made from a T.
type table[T any] struct {
	columns []Column[T]
	form    Form // of the fields
	array   bool // the rows are elements of one JSON array
}

// Column is one field that a row can have.
type Column[T any] struct {
	Name string
	// Value appends the field in the form. Appending nothing makes the field null.
	Value func(dst []byte, f Form, row T) []byte
	Kind  Kind
	Extra bool // in the rows only if --fields names it

	key string // `,"name":`
}

// Form is the format of rows. Text is for people and shell tools, and keeps the bytes of the document. The other forms
// are for programs, and are UTF-8.
type Form uint8

const (
	Text    Form = iota // fields separated by tabs
	TSV                 // the same, after a header row
	CSV                 // RFC 4180, with a header row
	JSONL               // one JSON object on each line
	Parquet             // cells for a parquetWriter
	JSON                // one JSON array of objects
	HTML                // a page about one document; it has no rows
)

// Fields returns the Form of the fields of a row, which is the same in a JSON line and in a JSON array.
func (f Form) Fields() Form {
	if f == JSON {
		return JSONL
	}
	return f
}

// NewTable returns a table of the columns with these names, or of all that are not Extra if there are none.
func NewTable[T any](f Form, all []Column[T], names []string) (*table[T], error) {
	t := &table[T]{form: f.Fields(), array: f == JSON}
	if len(names) == 0 {
		for _, c := range all {
			if !c.Extra {
				names = append(names, c.Name)
			}
		}
	}
	for _, name := range names {
		name = strings.Trim(name, " ")
		if f != Text && t.Has(name) {
			return nil, fmt.Errorf("--fields: %s is there twice, but each column of this format needs its own name; "+
				"name it once", name)
		}
		i := slices.IndexFunc(all, func(c Column[T]) bool { return c.Name == name })
		if name == "" {
			return nil, fmt.Errorf("--fields: there is a comma too many; leave it out")
		}
		if i < 0 {
			known := make([]string, len(all))
			for i, c := range all {
				known[i] = c.Name
			}
			return nil, fmt.Errorf("--fields: unknown field %q; the fields are %s", name, strings.Join(known, ", "))
		}
		t.columns = append(t.columns, all[i])
		t.columns[len(t.columns)-1].key = `,"` + name + `":`
	}
	return t, nil
}

func (t *table[T]) Has(name string) bool {
	return slices.ContainsFunc(t.columns, func(c Column[T]) bool { return c.Name == name })
}

// Begin writes the header row, or sets the encoder of the rows. Rows go to out.Buf. version and details describe the
// program in the metadata of a Parquet file.
func (t *table[T]) Begin(out *files.Output, version, details string) {
	switch {
	case t.array:
		BeginArray(out)
	case t.form == Parquet:
		out.Encode(newParquetWriter(out.W, t.columns, version, details))
	case t.form == CSV || t.form == TSV:
		for i := range t.columns {
			out.Buf = append(t.separate(out.Buf, i), t.columns[i].Name...)
		}
		out.Buf = t.newline(out.Buf)
	}
}

func (t *table[T]) Append(dst []byte, row T) []byte {
	switch t.form {
	case JSONL:
		return t.object(dst, row)
	case Parquet:
		return t.cells(dst, row)
	}
	start := len(dst)
	for i := range t.columns {
		dst = t.columns[i].Value(t.separate(dst, i), t.form, row)
	}
	if t.form == CSV && len(dst) == start {
		dst = append(dst, `""`...) // most readers of CSV skip an empty line
	}
	return t.newline(dst)
}

func (t *table[T]) separate(dst []byte, i int) []byte {
	switch {
	case i == 0:
		return dst
	case t.form == CSV:
		return append(dst, ',')
	}
	return append(dst, '\t')
}

func (t *table[T]) newline(dst []byte) []byte {
	if t.form == CSV {
		dst = append(dst, '\r')
	}
	return append(dst, '\n')
}

func (t *table[T]) object(dst []byte, row T) []byte {
	begin := len(dst)
	for i := range t.columns {
		dst = append(dst, t.columns[i].key...)
		value := len(dst)
		if dst = t.columns[i].Value(dst, JSONL, row); len(dst) == value {
			dst = append(dst, "null"...)
		}
	}
	dst[begin] = '{' // in place of the comma
	return append(dst, '}', '\n')
}

func (t *table[T]) cells(dst []byte, row T) []byte {
	for i := range t.columns {
		start := len(dst)
		if dst = t.columns[i].Value(dst, Parquet, row); len(dst) == start {
			dst = append(dst, 0)
		}
	}
	return dst
}
