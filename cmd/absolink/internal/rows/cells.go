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

// valid replaces bytes that are not UTF-8 by U+FFFD, as in JSON.
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

// Where names an entity for people: the document, and the path in it.
func Where(document, entity string) string {
	if entity == "" {
		return document
	}
	return document + " > " + entity
}

func (f Form) Text(dst, s []byte) []byte { return appendField(dst, f, s) }

// Word is Text for a string.
func (f Form) Word(dst []byte, s string) []byte { return appendField(dst, f, s) }

// Optional appends a string field. If the string is empty, it is null in JSON, and nothing is appended in other forms.
func (f Form) Optional(dst, s []byte) []byte {
	switch {
	case len(s) > 0:
		return f.Text(dst, s)
	case f == JSONL:
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

var cellEscapes = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`)

// AppendCell appends text for a column. Tabs and newlines separate columns and rows, so in the text they become \t, \n
// and \r. Programs that need the exact text read JSON.
func AppendCell[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(dst, s...)
	if text := dst[start:]; bytes.IndexByte(text, '\t') < 0 && bytes.IndexByte(text, '\n') < 0 &&
		bytes.IndexByte(text, '\r') < 0 {
		return dst
	}
	return append(dst[:start], cellEscapes.Replace(string(s))...)
}

// appendCSV appends a field by RFC 4180: text with a comma, a quote or a newline is quoted, with its quotes doubled.
func appendCSV[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(dst, s...)
	if !bytes.ContainsAny(dst[start:], "\",\r\n") {
		return dst
	}
	return append(append(append(dst[:start], '"'), strings.ReplaceAll(string(s), `"`, `""`)...), '"')
}
