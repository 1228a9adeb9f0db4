// Package sniff detects documents that are not read: those that are sent as HTML but are something else, and containers
// that absolink does not open.
//
//	{"html": "<a href=\"/x\">"}              JSON
//	)]}',                                    JSON after a prefix
//	show({"html": "<a href=\"/x\">"});       a script: all tags are in JSON
//	\x89PNG ...                              an image
//
// Browsers read such documents as HTML (MIME Sniffing Standard, section 7, step 1). But nobody looks at the result, and
// the program that loads the document needs every byte as it is.
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

// NotHTML returns a description of a document that is not HTML, or "" for HTML. raw is the document, and text is raw in
// UTF-8.
func NotHTML(raw, text []byte) string {
	text = bytes.TrimRight(text[charsets.BOMLen(text):], " \t\r\n")
	text = text[ascii.SkipSpace(text, 0):]
	switch {
	case len(text) == 0 || text[0] == '<':
		return ""
	case bytes.HasPrefix(text, []byte(`{\rtf`)):
		return "RTF"
	case isJSON(text):
		return "JSON"
	case text[0] == '"' && bytes.IndexByte(text, '\\') > 0 && stdjson.Valid(text):
		return "a string of JSON" // without an escape, it can be read as HTML: the text is the same
	case tagsInJSON(text):
		return "a script or JSON, and all its tags are inside JSON"
	}
	return signed(raw)
}

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

// signed returns the media type of an image, audio, video, font, archive or PDF, by its first bytes (section 6), or "".
// Some signatures are only letters, so except in a PDF, a control character must be there as well.
func signed(raw []byte) string {
	raw = raw[:min(len(raw), 512)]
	if pdf := []byte("%PDF-"); !bytes.HasPrefix(raw, pdf) &&
		bytes.IndexFunc(raw, func(c rune) bool { return c < '\t' }) < 0 {
		return ""
	}
	kind := http.DetectContentType(raw)
	if strings.HasPrefix(kind, "text/") || kind == "application/postscript" || kind == "application/octet-stream" {
		return "" // text, or unknown
	}
	return kind
}
