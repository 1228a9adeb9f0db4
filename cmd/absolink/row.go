package main

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// A table writes rows of fields, one for every T, as text or as JSON lines.
type table[T any] struct {
	columns []column[T]
	form    form
}

// column is one field that a row can have.
type column[T any] struct {
	name string
	// value appends the field as the form spells it. A JSON row leaves out a field for
	// which nothing is appended.
	value func(dst []byte, f form, row T) []byte
	extra bool // only when asked for

	key string // `"name":`
}

// form is how rows are spelled.
type form uint8

const (
	asText  form = iota // fields separated by tabs
	asJSONL             // a JSON object a line
)

// newTable chooses columns by name; no names means all that are not extra.
func newTable[T any](f form, all []column[T], names []string) (*table[T], error) {
	t := &table[T]{form: f}
	add := func(c column[T]) {
		c.key = `"` + c.name + `":`
		t.columns = append(t.columns, c)
	}
	for _, c := range all {
		if len(names) == 0 && !c.extra {
			add(c)
		}
	}
next:
	for _, name := range names {
		name = strings.Trim(name, " ")
		for _, c := range all {
			if c.name == name {
				add(c)
				continue next
			}
		}
		known := make([]string, len(all))
		for i, c := range all {
			known[i] = c.name
		}
		return nil, fmt.Errorf("--fields: unknown field %q; there are %s", name, strings.Join(known, ", "))
	}
	return t, nil
}

// append appends one row with its newline.
func (t *table[T]) append(dst []byte, row T) []byte {
	if t.form == asText {
		for i := range t.columns {
			if i > 0 {
				dst = append(dst, '\t')
			}
			dst = t.columns[i].value(dst, asText, row)
		}
		return append(dst, '\n')
	}
	sep := byte('{')
	for i := range t.columns {
		c, start := &t.columns[i], len(dst)
		dst = append(append(dst, sep), c.key...)
		value := len(dst)
		if dst = c.value(dst, asJSONL, row); len(dst) == value {
			dst = dst[:start]
			continue
		}
		sep = ','
	}
	if sep == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}', '\n')
}

// text appends a string field.
func (f form) text(dst, s []byte) []byte {
	if f == asJSONL {
		return appendJSON(dst, s)
	}
	return appendCell(dst, s)
}

// word is text for strings.
func (f form) word(dst []byte, s string) []byte {
	if f == asJSONL {
		return appendJSON(dst, s)
	}
	return appendCell(dst, s)
}

// base64 appends bytes that may be no text.
func (f form) base64(dst, b []byte) []byte {
	if f == asJSONL {
		return appendBase64(dst, b)
	}
	return base64.StdEncoding.AppendEncode(dst, b)
}

// number appends a number, which both forms spell alike.
func (f form) number(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// appendCell appends text for a column. A tab or a newline in it would make two of it:
// they are written as \t, \n and \r. Text is to be read; what must be exact is JSON.
func appendCell[T string | []byte](dst []byte, s T) []byte {
	done := 0
	for i := range len(s) {
		if c := s[i]; c == '\t' || c == '\n' || c == '\r' {
			dst = appendEscape(append(dst, s[done:i]...), c)
			done = i + 1
		}
	}
	return append(dst, s[done:]...)
}
