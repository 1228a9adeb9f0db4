// Fields: how text and numbers are spelled in each form.

package rows

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"
)

func appendField[T string | []byte](dst []byte, f Form, s T) []byte {
	switch f {
	case JSONL:
		return appendString(dst, s)
	case CSV:
		return appendCSV(dst, valid(s))
	case TSV:
		return AppendCell(dst, valid(s))
	case Parquet:
		return appendParquet(dst, valid(s))
	}
	return AppendCell(dst, s)
}

// valid returns text with U+FFFD in place of bytes that are not UTF-8, as in JSON.
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

// Where returns the name of an entity for people: the document, and the path in it.
func Where(document, entity string) string {
	if entity == "" {
		return document
	}
	return document + " > " + entity
}

func (f Form) Text(dst, s []byte) []byte { return appendField(dst, f, s) }

// Word is Text for a string.
func (f Form) Word(dst []byte, s string) []byte { return appendField(dst, f, s) }

// Optional appends a string field, or Null if the string is empty.
func (f Form) Optional(dst, s []byte) []byte {
	if len(s) == 0 {
		return f.Null(dst)
	}
	return f.Text(dst, s)
}

// Null appends a field that has no value: null in JSON, and nothing in other forms.
func (f Form) Null(dst []byte) []byte {
	if f == JSONL {
		return append(dst, "null"...)
	}
	return dst
}

func (f Form) Base64(dst, b []byte) []byte {
	return f.Word(dst, base64.StdEncoding.EncodeToString(b))
}

func (f Form) Number(dst []byte, n int64) []byte {
	if f == Parquet {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		return appendParquet(dst, b[:])
	}
	return strconv.AppendInt(dst, n, 10)
}

// cellEscapes are the escapes of characters that separate columns and rows.
var cellEscapes = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`)

// AppendCell appends text for a column. Tabs and newlines in the text are written as \t, \n and \r, because they separate
// columns and rows. So the text is for people. JSON is exact.
func AppendCell[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(dst, s...)
	if text := dst[start:]; bytes.IndexByte(text, '\t') < 0 && bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return dst
	}
	return append(dst[:start], cellEscapes.Replace(string(s))...)
}

// appendCSV appends text as a field of RFC 4180. If the text has a comma, a quote or a newline, it is put in quotes, and its
// quotes are doubled.
func appendCSV[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(dst, s...)
	if !bytes.ContainsAny(dst[start:], "\",\r\n") {
		return dst
	}
	return append(append(append(dst[:start], '"'), strings.ReplaceAll(string(s), `"`, `""`)...), '"')
}
