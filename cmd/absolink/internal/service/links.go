package service

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"absolink/base"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// linkTable is the body of an answer about links: one row for each link, and one object for each scope in an entity,
// because many rows have the same scope.
type linkTable struct {
	described bool
	rows      []byte
	scopes    []byte
	numbers   map[scope]int // of the scopes
}

// scope is the part of a link that it has in common with other links.
type scope struct {
	entity string
	*base.Scope
}

func (t *linkTable) json() []byte {
	all := make([]byte, 0, len(t.rows)+len(t.scopes)+64)
	all = append(append(append(all, `{"scopes":[`...), bytes.TrimPrefix(t.scopes, []byte{','})...), "],\n"...)
	return append(append(append(all, `"links":[`...), bytes.TrimPrefix(t.rows, []byte{','})...), "]}"...)
}

func (t *linkTable) add(l *extract.Link) {
	const f = rows.JSONL
	b := strconv.AppendInt(append(t.rows, ",\n["...), int64(t.number(l)), 10)
	b = strconv.AppendInt(append(b, ','), int64(l.Offset), 10)
	b = f.Word(append(b, ','), l.Place())
	b = f.Word(append(b, ','), l.Status.String())
	b = f.Text(append(b, ','), l.Ref)
	switch {
	case l.Status == extract.StatusUnresolved:
		b = append(b, ",null"...)
	case bytes.Equal(l.URL, l.Ref):
		b = append(b, ",true"...)
	default:
		b = f.Text(append(b, ','), l.URL)
	}
	switch {
	case bytes.Equal(l.Raw, l.Ref) && utf8.Valid(l.Raw):
		b = append(b, ",true"...)
	case utf8.Valid(l.Raw):
		b = f.Text(append(b, ','), l.Raw)
	default:
		b = append(f.Base64(append(b, `,{"base64":`...), l.Raw), '}')
	}
	b = f.Optional(append(b, ','), []byte(l.Problem))
	b = f.Optional(append(b, ','), []byte(l.Part))
	if t.described {
		b = f.Optional(append(b, ','), l.Rel())
		b = f.Optional(append(b, ','), l.Text())
		b = f.Optional(append(b, ','), l.Title())
	}
	t.rows = append(b, ']')
}

// number returns the number of the scope of a link, and adds the scope if it is new.
func (t *linkTable) number(l *extract.Link) int {
	in := scope{l.Entity.Path, l.Scope}
	n, known := t.numbers[in]
	if known {
		return n
	}
	n = len(t.numbers)
	t.numbers[in] = n
	const f = rows.JSONL
	b := f.Word(append(t.scopes, ",\n{\"entity\":"...), l.Entity.Path)
	b = f.Word(append(b, `,"type":`...), l.Entity.Type)
	b = f.Optional(append(b, `,"page_url":`...), []byte(l.PageURL()))
	b = f.Word(append(b, `,"base":`...), l.Scope.Base().String())
	b = f.Word(append(b, `,"layer":`...), l.Scope.Layer().String())
	b = f.Word(append(b, `,"source":`...), l.Scope.By())
	t.scopes = append(b, '}')
	return n
}
