package header

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// TestExtractMIMEType has a row for each step of "extract a MIME type" (Fetch Standard 2.2.3). values has the fields of one header.
// want is the media type, its charset and its parameter x.
func TestExtractMIMEType(t *testing.T) {
	for _, row := range []struct {
		name   string
		values []string
		want   string
	}{
		{"one value", []string{"text/html; charset=gbk"}, "text/html charset=gbk"},
		{"the last value counts", []string{"text/html", "text/plain"}, "text/plain"},
		{"the last value in one field counts", []string{"text/html, text/plain"}, "text/plain"},
		{"an empty value before", []string{"", "text/plain"}, "text/plain"},
		{"an empty value after", []string{"text/plain", ""}, "text/plain"},
		{"an invalid value after", []string{"text/html, charset=utf-8"}, "text/html"},
		{"an invalid token", []string{"text/plain", "text/ht(ml)"}, "text/plain"},
		{"any type", []string{"text/html", "*/*;charset=gbk"}, "text/html"},
		{"any type alone", []string{"*/*"}, ""},
		{"no valid value", []string{"*/*", "x"}, ""},
		{"the charset of another type", []string{"text/plain;charset=gbk", "text/html"}, "text/html"},
		{"the charset of the same type", []string{"text/plain;charset=gbk;x=y", "text/plain"}, "text/plain charset=gbk"},
		{"the charset of the same type, before another type", []string{"text/html;charset=gbk", "text/plain", "text/html"}, "text/html"},
		{"a charset of its own", []string{"text/plain;charset=gbk", "text/plain;charset=windows-1252"}, "text/plain charset=windows-1252"},
		{"the charset of the first of three", []string{"text/html;charset=gbk", "text/html", "TEXT/HTML ; x = y"}, "text/html charset=gbk"},
		{"a comma in quotes", []string{`text/html;charset=gbk`, `text/html;x=",text/plain`}, "text/html charset=gbk x=,text/plain"},
		{"a quote without an end", []string{`text/html;x="`, `text/plain`}, "text/html x=, text/plain"},
		{"quotes outside of a value", []string{`text/html;"`, `\"`, `text/plain`, `";charset=GBK`}, "text/html charset=GBK"},
		{"a backslash in quotes", []string{`a/b`, `text/html;x="\"\,"`}, `text/html x=",`},
		{"text after quotes", []string{`a/b`, `text/html;x="y"z;charset=gbk`}, "text/html charset=gbk x=y"},
		{"a parameter without a value", []string{"a/b", "text/html;x=;x;charset;charset=gbk"}, "text/html charset=gbk"},
		{"a repeated parameter", []string{"a/b", "text/html;x=y;X=z"}, "text/html x=y"},
		{"a control character in a value", []string{"a/b", "text/html;x=\x01"}, "text/html"},
	} {
		src := ""
		for _, value := range row.values {
			src += "Content-Type: " + value + "\r\n"
		}
		r := Reader{Src: []byte(src), Marks: &mark.Marks{}, HTTP: true}
		fields, _ := r.Read(codec.Span{End: len(src)})
		got, params := r.ContentType(fields)
		for _, name := range []string{"charset", "x"} {
			if value, ok := params[name]; ok {
				got += " " + name + "=" + value
			}
		}
		assert.Equal(t, row.want, got, row.name)
		r.WarnTypes(fields, got, params)
		assert.Equal(t, strings.Count(src, ",")+len(row.values) > 1, len(r.Marks.Notes.Faults) > 0, "%s: a warning", row.name)
	}
}
