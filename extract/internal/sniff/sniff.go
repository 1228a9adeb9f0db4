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
	"encoding/binary"
	stdjson "encoding/json"

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
	for _, s := range signatures {
		if s.kind == "video/mp4" && isMP4(raw) || s.start+s.then != "" && bytes.HasPrefix(raw, []byte(s.start)) &&
			len(raw) >= s.at && bytes.HasPrefix(raw[s.at:], []byte(s.then)) {
			return s.kind
		}
	}
	return ""
}

// signatures are those of section 6, in the order of package net/http. A document of a kind begins with start, and has
// the bytes then at an offset.
var signatures = []struct {
	kind, start string
	at          int
	then        string
}{
	{kind: "application/pdf", start: "%PDF-"},
	{kind: "", start: "%!PS-Adobe-"}, // text, like a document with a byte order mark
	{kind: "", start: "\xFE\xFF"},
	{kind: "", start: "\xFF\xFE"},
	{kind: "", start: "\xEF\xBB\xBF"},
	{kind: "image/x-icon", start: "\x00\x00\x01\x00"},
	{kind: "image/x-icon", start: "\x00\x00\x02\x00"},
	{kind: "image/bmp", start: "BM"},
	{kind: "image/gif", start: "GIF87a"},
	{kind: "image/gif", start: "GIF89a"},
	{"image/webp", "RIFF", 8, "WEBPVP"},
	{kind: "image/png", start: "\x89PNG\r\n\x1A\n"},
	{kind: "image/jpeg", start: "\xFF\xD8\xFF"},
	{"audio/aiff", "FORM", 8, "AIFF"},
	{kind: "audio/mpeg", start: "ID3"},
	{kind: "application/ogg", start: "OggS\x00"},
	{kind: "audio/midi", start: "MThd\x00\x00\x00\x06"},
	{"video/avi", "RIFF", 8, "AVI "},
	{"audio/wave", "RIFF", 8, "WAVE"},
	{kind: "video/mp4"},
	{kind: "video/webm", start: "\x1A\x45\xDF\xA3"},
	{"application/vnd.ms-fontobject", "", 34, "LP"},
	{kind: "font/ttf", start: "\x00\x01\x00\x00"},
	{kind: "font/otf", start: "OTTO"},
	{kind: "font/collection", start: "ttcf"},
	{kind: "font/woff", start: "wOFF"},
	{kind: "font/woff2", start: "wOF2"},
	{kind: "application/x-gzip", start: "\x1F\x8B\x08"},
	{kind: "application/zip", start: "PK\x03\x04"},
	{kind: "application/x-rar-compressed", start: "Rar!\x1A\x07\x00"},
	{kind: "application/x-rar-compressed", start: "Rar!\x1A\x07\x01\x00"},
	{kind: "application/wasm", start: "\x00asm"},
}

// isMP4 reports whether a document begins with a box "ftyp" that has a brand "mp4" (6.2.1). Each brand has four bytes;
// what would be the second is the minor version.
func isMP4(raw []byte) bool {
	if len(raw) < 12 || string(raw[4:8]) != "ftyp" {
		return false
	}
	size := binary.BigEndian.Uint32(raw)
	if size%4 != 0 || uint64(size) > uint64(len(raw)) {
		return false
	}
	for at := 8; at+3 <= int(size); at += 4 {
		if at != 12 && string(raw[at:at+3]) == "mp4" {
			return true
		}
	}
	return false
}
