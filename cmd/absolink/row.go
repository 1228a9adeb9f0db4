package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A table spells rows of fields, one for every T.
type table[T any] struct {
	columns []column[T]
	form    form
}

// column is one field that a row can have.
type column[T any] struct {
	name string
	// value appends the field as the form spells it. A row of JSON leaves out a field for
	// which nothing is appended; elsewhere it is empty.
	value func(dst []byte, f form, row T) []byte
	kind  kind
	extra bool // only when asked for

	key string // `"name":`
}

// form is how rows are spelled. Text is for people and their tools: what it gives are the
// bytes of the document. The others are for programs, which want UTF-8.
type form uint8

const (
	asText    form = iota // fields separated by tabs
	asTSV                 // the same behind a line of names
	asCSV                 // RFC 4180, with a line of names
	asJSONL               // a JSON object a line
	asParquet             // cells for a parquetWriter
)

var forms = []named[form]{{"text", asText}, {"jsonl", asJSONL}, {"csv", asCSV}, {"tsv", asTSV}, {"parquet", asParquet}}

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
		if f != asText && slices.ContainsFunc(t.columns, func(c column[T]) bool { return c.name == name }) {
			return nil, fmt.Errorf("--fields: %s is there twice, and only text has no names of columns; give it once", name)
		}
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

// begin writes what stands before the first row. Rows go to out.buf.
func (t *table[T]) begin(out *output) {
	switch t.form {
	case asParquet:
		out.encode(newParquetWriter(out.w, t.columns))
	case asCSV, asTSV:
		out.buf = t.header(out.buf)
	}
}

// header appends the line of names.
func (t *table[T]) header(dst []byte) []byte {
	for i := range t.columns {
		dst = append(t.separate(dst, i), t.columns[i].name...)
	}
	return t.newline(dst)
}

// append appends one row.
func (t *table[T]) append(dst []byte, row T) []byte {
	switch t.form {
	case asJSONL:
		return t.object(dst, row)
	case asParquet:
		return t.cells(dst, row)
	}
	start := len(dst)
	for i := range t.columns {
		dst = t.columns[i].value(t.separate(dst, i), t.form, row)
	}
	if t.form == asCSV && len(dst) == start {
		dst = append(dst, `""`...) // an empty line is no row to most who read CSV
	}
	return t.newline(dst)
}

// separate appends what stands before column i.
func (t *table[T]) separate(dst []byte, i int) []byte {
	switch {
	case i == 0:
		return dst
	case t.form == asCSV:
		return append(dst, ',')
	}
	return append(dst, '\t')
}

func (t *table[T]) newline(dst []byte) []byte {
	if t.form == asCSV {
		dst = append(dst, '\r')
	}
	return append(dst, '\n')
}

// object appends a row as a JSON object.
func (t *table[T]) object(dst []byte, row T) []byte {
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

// cells appends a row for a parquetWriter.
func (t *table[T]) cells(dst []byte, row T) []byte {
	for i := range t.columns {
		start := len(dst)
		if dst = t.columns[i].value(dst, asParquet, row); len(dst) == start {
			dst = append(dst, 0)
		}
	}
	return dst
}

// appendField appends text as a form spells it.
func appendField[T string | []byte](dst []byte, f form, s T) []byte {
	switch f {
	case asJSONL:
		return appendJSON(dst, s)
	case asCSV:
		return appendCSV(dst, valid(s))
	case asTSV:
		return appendCell(dst, valid(s))
	case asParquet:
		return appendParquet(dst, valid(s))
	}
	return appendCell(dst, s)
}

// valid gives text with U+FFFD for every byte that is not UTF-8, as JSON has it.
func valid[T string | []byte](s T) T {
	ok := false
	switch s := any(s).(type) {
	case string:
		ok = utf8.ValidString(s)
	case []byte:
		ok = utf8.Valid(s)
	}
	if ok {
		return s
	}
	return T(string([]rune(string(s))))
}

// text appends a string field.
func (f form) text(dst, s []byte) []byte { return appendField(dst, f, s) }

// word is text for strings.
func (f form) word(dst []byte, s string) []byte { return appendField(dst, f, s) }

// base64 appends bytes that may be no text.
func (f form) base64(dst, b []byte) []byte {
	if f == asJSONL {
		return appendBase64(dst, b)
	}
	return f.word(dst, base64.StdEncoding.EncodeToString(b))
}

// number appends a number.
func (f form) number(dst []byte, n int64) []byte {
	if f == asParquet {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		return appendParquet(dst, b[:])
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendCell appends text for a column. A tab or a newline in it would make two of it:
// they are written as \t, \n and \r. Text is to be read; what must be exact is JSON.
func appendCell[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(dst, s...)
	if !hasControls(dst[start:]) {
		return dst
	}
	dst = dst[:start]
	done := 0
	for i := range len(s) {
		if c := s[i]; c == '\t' || c == '\n' || c == '\r' {
			dst = appendEscape(append(dst, s[done:i]...), c)
			done = i + 1
		}
	}
	return append(dst, s[done:]...)
}

// hasControls says whether a byte may be below 0x10, eight at a time.
func hasControls(b []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	if len(b) < 8 {
		for _, c := range b {
			if c < 0x10 {
				return true
			}
		}
		return false
	}
	below := func(b []byte) uint64 {
		x := binary.LittleEndian.Uint64(b)
		return (x - 0x10*ones) &^ x
	}
	found := below(b[len(b)-8:])
	for ; len(b) >= 8; b = b[8:] {
		found |= below(b)
	}
	return found&highs != 0
}

// appendCSV appends text as a field of RFC 4180: in quotes if it holds what ends a field
// or a row, with its own quotes doubled.
func appendCSV[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(dst, s...)
	if !bytes.ContainsAny(dst[start:], "\",\r\n") {
		return dst
	}
	dst = append(dst[:start], '"')
	for i := range len(s) {
		if s[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
