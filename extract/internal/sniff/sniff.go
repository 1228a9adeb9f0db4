// Package sniff detects documents that are not read: those that are sent as HTML and are no HTML, and those in containers that
// absolink does not open.
//
//	{"html": "<a href=\"/x\">"}              JSON
//	)]}',                                    JSON after a prefix
//	show({"html": "<a href=\"/x\">"});       a script: all tags are in JSON
//	\x89PNG ...                              an image
//
// Browsers read them as HTML (MIME Sniffing Standard, section 7, step 1). Nobody looks at the result, and the program that loads
// such a document needs every byte.
package sniff

import (
	"bytes"
	stdjson "encoding/json"
	"net/http"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/json"
)

// NotHTML returns a description of a document that is no HTML, or "". raw has the bytes of the document, and text has its
// characters in UTF-8.
func NotHTML(raw, text []byte) string {
	text = bytes.TrimRight(text[charsets.BOMLen(text):], " \t\r\n")
	text = text[ascii.SkipSpace(text, 0):]
	switch {
	case len(text) == 0 || text[0] == '<':
		return ""
	case isJSON(text):
		return "JSON"
	case text[0] == '"' && bytes.IndexByte(text, '\\') > 0 && stdjson.Valid(text):
		return "a string of JSON" // without an escape, the text of the string is the same in both formats
	case tagsInJSON(text):
		return "a script or JSON, and all its tags are inside JSON"
	}
	return binary(raw)
}

// isJSON reports whether a text is one object or array of JSON.
func isJSON(text []byte) bool {
	return (text[0] == '{' || text[0] == '[') && stdjson.Valid(text)
}

// tagsInJSON reports whether a text has a "<", and each "<" is inside an object or array of JSON.
func tagsInJSON(text []byte) bool {
	r, found := json.Reader{Src: text}, false
	for p := 0; ; {
		i := bytes.IndexAny(text[p:], "<{[")
		if i < 0 {
			return found
		}
		if p += i; text[p] == '<' {
			return false
		}
		end := r.Skip(p)
		if !stdjson.Valid(text[p:end]) {
			return false
		}
		found = found || bytes.IndexByte(text[p:end], '<') >= 0
		p = end
	}
}

// binary returns the media type of an image, audio, video, font, archive or PDF, by its first bytes (section 6), or "". Some
// signatures are only letters, so the document must also have a control character.
func binary(raw []byte) string {
	raw = raw[:min(len(raw), 512)]
	kind, _, _ := strings.Cut(http.DetectContentType(raw), ";")
	switch kind {
	case "application/pdf":
		return kind
	case "text/html", "text/plain", "text/xml", "application/postscript", "application/octet-stream":
		return ""
	}
	if bytes.IndexFunc(raw, func(c rune) bool { return c < '\t' }) < 0 {
		return ""
	}
	return kind
}
