package sniff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/internal/longtest"
)

const (
	tags   = "a script or JSON, and all its tags are inside JSON"
	object = `{"html": "<a href=\"/x\">"}`
)

// Each rule has a row, as has each similar text that is HTML.
func TestNotHTML(t *testing.T) {
	for _, row := range []struct{ name, src, want string }{
		{"an object", object, "JSON"},
		{"an array", `["<a href=/x>"]`, "JSON"},
		{"white space and a byte order mark", "\uFEFF\r\n\t " + object + " \n", "JSON"},
		{"an empty object", "{}", "JSON"},
		{"two lines", object + "\n" + object, tags},
		{"a prefix", ")]}',\n" + object, tags},
		{"a call", "cb(" + object + ");", tags},
		{"another prefix", "for (;;);" + object, tags},
		{"a call with a guard", "/**/ typeof cb === 'function' && cb(" + object + ");", tags},
		{"a variable", "var a = " + object + ", b = [1];", tags},
		{"a string with escapes", `"<a href=\"\/x\">"`, "a string of JSON"},
		{"a PNG image", "\x89PNG\r\n\x1A\n\x00\x00\x00\rIHDR", "image/png"},
		{"a GIF image", "GIF89a\x01\x00\x01\x00", "image/gif"},
		{"a JPEG image", "\xFF\xD8\xFF\xE0\x00\x10JFIF", "image/jpeg"},
		{"a PDF document", "%PDF-1.7\n1 0 obj\n<</A(<a href=x>)>>", "application/pdf"},
		{"a gzip file", "\x1F\x8B\x08\x00\x00", "application/x-gzip"},
		{"a font", "wOF2\x00\x01\x00\x00", "font/woff2"},

		{"an empty text", "", ""},
		{"white space", " \n", ""},
		{"a page", "<html>" + object, ""},
		{"a string without an escape is the same in both formats", `"<a href=/x>"`, ""},
		{"a tag after JSON", object + "<p>", ""},
		{"a tag before JSON", "x <p>" + object, ""},
		{"JSON without a tag in a text", "see [1]", ""},
		{"text in brackets", "[text] <a href=/x>", ""},
		{"braces of a script", "if (a) { b('<a href=/x>') }", ""},
		{"a script that is not only JSON", "document.write('<a href=/x>')", ""},
		{"JSON that is not valid", `["<a href=/x>",]`, ""},
		{"JSON without its end", `{"html": "<a href=/x>`, ""},
		{"only letters of a signature", "GIF89a is a format. <a href=/x>", ""},
		{"PostScript is text", "%!PS-Adobe-3.0\n\x01", ""},
		{"UTF-16", "\xFF\xFEa\x00", ""},
		{"a brand of MP4", "\x00\x00\x00\x14ftypisom\x00\x00\x00\x00mp41", "video/mp4"},
		{"unknown bytes", "\x01\x02", ""},
	} {
		assert.Equal(t, row.want, NotHTML([]byte(row.src), []byte(row.src)), row.name)
	}
}

func TestLinear(t *testing.T) {
	for _, unit := range []string{"[", "{", `{"a":`, `"`, `\`, "[1]", "{}", "[{", "]"} {
		for _, head := range []string{"", "[", "x[", `"`} {
			longtest.Linear(t, head+" and many "+unit, 1<<20/len(unit), func(n int) func() {
				src := []byte(head + strings.Repeat(unit, n))
				return func() { NotHTML(src, src) }
			})
		}
	}
}
