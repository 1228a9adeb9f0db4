package xml

import (
	"bytes"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
)

// The content of an element that is a link or a document, and the text of an anchor.

// textKind returns the kind of content of the current element. as is the kind in the table, and the attributes may change
// it.
func (s *scanner) textKind(as textKind) textKind {
	html, base64 := false, false
	switch as {
	case textPermalink:
		for _, a := range s.attrs { // ignore case: many feeds write isPermalink, or "False"
			if ascii.FoldEqual(s.src[a.name:a.nameEnd], "ispermalink") && !ascii.FoldEqual(s.src[a.Start:a.End], "true") {
				return noText
			}
		}
		return textURL
	case textMedia:
		html = ascii.FoldEqual([]byte(s.text("type")), "html")
	case textConstruct:
		t := s.text("type")
		mediaType, _ := header.MediaTypeOf([]byte(t))
		mode := s.text("mode")
		base64 = mode == "base64"
		html = ascii.FoldEqual([]byte(t), "html") || mediaType == "text/html" || (base64 || mode == "escaped") && mediaType == "application/xhtml+xml"
	default:
		return as
	}
	switch {
	case html && base64:
		return textBase64
	case html:
		return textHTML
	}
	return noText
}

// content marks the content of an element, which ends at end.
func (s *scanner) content(el *element, end int) {
	src, start, m := s.src, el.start, s.m
	markup := ascii.Next(src[:end], start, '<') < end
	switch el.text {
	case textURL:
		start, end = ascii.TrimSpace(src, start, end)
		c := spell.XMLURLText
		if markup {
			c = spell.XMLURLContent
		}
		if !s.knownContent(spell.IsXMLReference, start, end) {
			return
		}
		// An empty element is not a link, unlike an empty attribute.
		if url, _ := c.Decode(src[start:end]); len(url) > 0 {
			m.LinkIn(el.scope, el.place, start, end, c)
		}
	case textHTML:
		c := spell.XMLText
		if markup {
			c = spell.XMLContent
		}
		if mayHaveTag(src[start:end]) && s.knownHTML(start, end) {
			m.Nested(el.scope, el.place, start, end, c, s.m.FormatOf("text/html"))
		}
	case textBase64:
		start, end = ascii.TrimSpace(src, start, end)
		c := spell.Base64
		if bytes.IndexByte(src[start:end], '\n') < 0 {
			c = spell.Base64Line // keep it on one line
		}
		if !markup && start < end {
			m.Nested(el.scope, el.place, start, end, c, s.m.FormatOf("text/html"))
		}
	case textInline:
		if s.knownContent(spell.IsXMLReference, start, end) {
			m.Inline(el.scope, el.place, start, end, spell.XMLContent, el.format)
		}
	}
}

// mayHaveTag reports whether text may have a tag of HTML: whether it has a "<", or a reference to a "<". A single "<" is
// not enough, because it may open a CDATA section.
func mayHaveTag(text []byte) bool {
	return bytes.IndexByte(text, '<') != bytes.LastIndexByte(text, '<') || bytes.Contains(text, []byte("&lt;")) || bytes.Contains(text, []byte("&#"))
}

// describeTag records the start tag src[start:p] with its attributes. It opens an anchor if the element is an anchor.
func (s *scanner) describeTag(ns space, name []byte, start, p int, how tagEnd) {
	isAnchor := (ns == spaceXHTML || ns == spaceSVG) && string(name) == "a"
	s.index.StartTag(s.src, start, p, name, s.templates(), isAnchor)
	if isAnchor && how == tagEmpty {
		s.index.Close()
	}
}

// describe records the markup src[start:p], and the text after it, for the text of an anchor.
func (s *scanner) describe(start, p int) {
	src, x := s.src, s.index
	switch markup := src[start:p]; {
	case src[start+1] == '/':
		name := src[start+2 : s.name(start+2)]
		x.EndTag(name[bytes.IndexByte(name, ':')+1:])
	case bytes.HasPrefix(markup, []byte("<![CDATA[")):
		x.Section(markup, s.templates())
	}
	if s.doctype {
		x.Syntax = anchor.XHTML
	}
	if x.IsOpen() && !s.hides() {
		x.Text(src[p:ascii.Next(src, p, '<')], s.templates())
	}
}

// templates returns 1 if the next text is in a template, and 0 otherwise.
func (s *scanner) templates() int {
	if n := len(s.open); n > 0 && s.open[n-1].template {
		return 1
	}
	return 0
}

// hides reports whether the next text is a script or a style sheet.
func (s *scanner) hides() bool {
	n := len(s.open)
	if n == 0 {
		return false
	}
	name := s.src[s.open[n-1].name.Start:s.open[n-1].name.End]
	local := string(name[bytes.IndexByte(name, ':')+1:])
	return local == "script" || local == "style"
}
