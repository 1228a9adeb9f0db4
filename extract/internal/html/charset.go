package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/charsets"
)

// charset and guess return a label of a page's encoding, by HTML 13.2.3.2. The first of these that is found wins;
// charset tries 1 to 3, and guess 4 to 6:
//
//  1. the byte order mark
//  2. the label from the transport layer
//  3. the first meta element with an encoding that the parser reads, anywhere in the page
//  4. the encoding that the prescan finds in the first 1024 bytes
//  5. UTF-8, if the non-ASCII bytes are UTF-8 (step 8)
//  6. windows-1252
//
// In the standard 4 to 6 are tentative, and a meta element that the parser reads later replaces them (13.2.3.5), which
// is why 3 comes first. For 5, guess checks the first 1024 bytes, or the whole page if these are ASCII.
func charset(raw []byte, transport string) string {
	if name := charsets.OfBOM(raw); name != "" {
		return name
	}
	if _, name, ok := charsets.Of(transport); ok {
		return name
	}
	return parsedCharset(raw)
}

func guess(head []byte, utf8 bool) string {
	if name := prescan(head); name != "" {
		return name
	}
	if utf8 || charsets.LooksUTF8(head) {
		return "UTF-8"
	}
	return "windows-1252"
}

// prescan returns the encoding that a meta element or an XML declaration in head declares, or "". It covers what
// "prescan a byte stream to determine its encoding" (HTML 13.2.3.2) finds and parsedCharset does not: the prescan reads
// raw text as tags.
func prescan(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return "UTF-16LE"
	case bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return "UTF-16BE"
	}
	t := tagReader{scanner: scanner{src: head}, flat: true}
	if name := t.charset(len(head)); name != "" {
		return name
	}
	return xmlDeclared(head)
}

// parsedCharset returns the encoding of the first meta element that declares one to the parser, or "" (HTML
// 13.2.6.4.4). The element may be in the head or in the body. Most pages have few "<meta", so tags are read only as far
// as the last one.
func parsedCharset(src []byte) string {
	t := tagReader{scanner: scanner{src: src}}
	for p := ascii.Next(src, 0, '<'); p+len("<meta") < len(src); p = ascii.Next(src, p+1, '<') {
		if !ascii.FoldEqual(src[p:p+len("<meta")], "<meta") {
			continue
		}
		if name := t.charset(p); name != "" {
			return name
		}
	}
	return ""
}

// charset returns the encoding that the first meta element declares, or "". It reads the tags that begin at or before
// until.
func (t *tagReader) charset(until int) string {
	for t.p <= until {
		tag, ok := t.next()
		if !ok {
			break
		}
		if isTag(tag, len("<"), "meta") {
			if name := elementCharset(tag); name != "" {
				return name
			}
		}
	}
	return ""
}

// elementCharset returns the encoding that the tag of a meta element declares, or "" (13.2.6.4.4). The content is used
// only if the charset attribute is not the label of an encoding.
func elementCharset(tag []byte) string {
	attributes := tag[len("<meta"):]
	label, _ := valueOf(attributes, "charset")
	_, name, ok := charsets.Of(string(label))
	if equiv, _ := valueOf(attributes, "http-equiv"); !ok && ascii.FoldEqual(equiv, "content-type") {
		content, _ := valueOf(attributes, "content")
		_, name, _ = charsets.Of(string(contentCharset(content)))
	}
	switch name {
	case "UTF-16LE", "UTF-16BE": // the meta element was read as ASCII, so the page is not in UTF-16 (13.2.3.2)
		return "UTF-8"
	case "x-user-defined":
		return "windows-1252"
	}
	return name
}

// contentCharset returns the label in a content attribute, or nil, by "extracting a character encoding from a meta
// element" (HTML 2.5.3).
func contentCharset(value []byte) []byte {
	const charset = "charset"
	for i := 0; i+len(charset) <= len(value); i++ {
		if !ascii.FoldEqual(value[i:i+len(charset)], charset) {
			continue
		}
		p := ascii.SkipSpace(value, i+len(charset))
		if p == len(value) || value[p] != '=' {
			i = p - 1
			continue
		}
		label := value[ascii.SkipSpace(value, p+1):]
		switch {
		case len(label) == 0:
			return nil
		case label[0] == '"' || label[0] == '\'':
			end := bytes.IndexByte(label[1:], label[0])
			if end < 0 {
				return nil
			}
			return label[1 : 1+end]
		}
		end := 0
		for end < len(label) && !ascii.IsSpace(label[end]) && label[end] != ';' {
			end++
		}
		return label[:end]
	}
	return nil
}

// xmlDeclared returns the encoding that an XML declaration at the start of head declares, or "", by "get an XML
// encoding" (HTML 13.2.3.2).
func xmlDeclared(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) || bytes.IndexByte(head, '>') < 0 {
		return ""
	}
	controls := func(r rune) bool { return r <= ' ' }
	_, rest, _ := bytes.Cut(head, []byte("encoding"))
	rest, ok := bytes.CutPrefix(bytes.TrimLeftFunc(rest, controls), []byte("="))
	rest = bytes.TrimLeftFunc(rest, controls)
	if !ok || len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	label, _, ok := bytes.Cut(rest[1:], rest[:1])
	if !ok || bytes.ContainsFunc(label, controls) {
		return ""
	}
	_, name, _ := charsets.Of(string(label))
	if name == "UTF-16LE" || name == "UTF-16BE" {
		return "UTF-8"
	}
	return name
}

// tagReader reads the tags of a page without marking links. Few documents need this second reading.
type tagReader struct {
	scanner
	p       int  // the offset after the last tag and its raw text
	flat    bool // raw text is read as tags
	foreign int  // the number of open svg and math elements
}

// next reads the next markup, and its raw text. tag is nil unless it is a start tag. ok is false at the end of the
// page.
func (t *tagReader) next() (tag []byte, ok bool) {
	src := t.src
	start := ascii.Next(src, t.p, '<')
	if start+1 >= len(src) {
		return nil, false
	}
	name, isEnd := start+1, src[start+1] == '/'
	if isEnd {
		name++
	}
	switch c := src[start+1]; {
	case name < len(src) && class[src[name]]&letter != 0:
	case c == '/' || c == '?':
		t.p = ascii.After(src, start+2, '>')
		return nil, true
	case c == '!':
		t.p = t.markup(start)
		return nil, true
	default:
		t.p = start + 1
		return nil, true
	}
	p := nameEnd(src, name)
	e := lookupElement(src, name, p)
	if p = t.attributes(p, 0); p < 0 {
		t.p = len(src)
		return nil, false
	}
	t.p = p
	switch {
	case isEnd:
		if e.role == roleForeign {
			t.foreign = max(t.foreign-1, 0)
		}
		return nil, true
	// only in foreign content does the "/" close an element (13.2.6.5)
	case t.selfClosing && (t.foreign > 0 || e.role == roleForeign):
	case e.role == roleForeign:
		t.foreign++
	case !t.flat:
		t.p = e.contentEnd(src, p)
	}
	return src[start:p], true
}
