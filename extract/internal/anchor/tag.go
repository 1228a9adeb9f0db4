package anchor

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
)

// HTML adds the markup src[start:p] of an HTML page, and the text after it. The markup starts with "<". If it is a start
// tag, it includes the raw text of the element. templates is the number of templates around the markup. foreign reports
// whether the markup is in an SVG or MathML element. hidden reports whether the text after the markup is a style sheet or
// a script.
func (x *Index) HTML(src []byte, start, p, templates int, foreign, hidden bool) {
	x.foreign = foreign
	switch c := src[start+1]; {
	case ascii.IsLetter(c):
		x.htmlTag(src[:p], start, templates, foreign)
	case c == '/' && start+2 < len(src):
		x.EndTag(name(src[start+1 : p]))
	case foreign && bytes.HasPrefix(src[start:p], cdataStart):
		x.Section(src[start:p], templates)
	case c != '!' && c != '?':
		x.Text(src[start:p], templates) // a "<" that does not start markup
	}
	if x.open > 0 && !hidden {
		end := ascii.Next(src, p, '<')
		if bytes.Equal(src[end:], []byte("<")) {
			end = len(src)
		}
		x.Text(src[p:end], templates)
	}
}

// htmlTag adds the start tag at start. src ends after the raw text of the element.
func (x *Index) htmlTag(src []byte, start, templates int, foreign bool) {
	tag := name(src[start:])
	end, empty, ok := tagEnd(src, start+1+len(tag))
	if !ok {
		return
	}
	x.StartTag(src, start, end, tag, templates, ascii.FoldEqual(tag, "a"), foreign && empty)
	switch {
	case end == len(src) || foreign:
	case ascii.FoldEqual(tag, "title"), ascii.FoldEqual(tag, "textarea"):
		x.Text(src[end:], templates)
	case ascii.FoldEqual(tag, "xmp"), ascii.FoldEqual(tag, "plaintext"):
		x.literal(src[end:], templates)
	}
}

// StartTag adds the start tag src[start:end]. local is the name of the element, without a prefix. An anchor that is empty
// has no text.
func (x *Index) StartTag(src []byte, start, end int, local []byte, templates int, isAnchor, empty bool) {
	if isAnchor {
		x.closeAnchor()
	}
	if isAnchor || start+1+len(local) < end-1 { // it may have attributes
		x.tags = append(x.tags, tag{Span: codec.Span{Start: start, End: end}, anchor: isAnchor})
	}
	switch {
	case isAnchor && !empty:
		x.open, x.depth = len(x.tags), templates
		x.text.clear()
		x.alt.clear()
	case x.open == 0:
	case x.breaks(local):
		x.text.space = true
	case len(x.text.letters) == 0 && templates == x.depth && x.isPicture(local): // its text, if there is no other
		_, _, alt := x.attributes(src[start:end])
		x.alt.space = true
		x.alt.add(alt)
	}
}

// EndTag adds the end tag of an element. local is the name of the element, without a prefix.
func (x *Index) EndTag(local []byte) {
	switch {
	case x.open == 0:
	case ascii.FoldEqual(local, "a"):
		x.closeAnchor()
	case x.breaks(local):
		x.text.space = true
	}
}

var cdataStart, cdataEnd = []byte("<![CDATA["), []byte("]]>")

// Section adds the text of a CDATA section to the open anchor. section is the whole section. It may be truncated.
func (x *Index) Section(section []byte, templates int) {
	x.literal(bytes.TrimSuffix(section[len(cdataStart):], cdataEnd), templates)
}

// breaks reports whether the text of an element is separate from the text around it: a block, a line break, a cell of a
// table, or a text of SVG.
func (x *Index) breaks(local []byte) bool {
	var buf [len("blockquote")]byte
	if len(local) > len(buf) {
		return false
	}
	switch string(ascii.Fold(buf[:0], local)) {
	case "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog", "dir", "div",
		"dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
		"hgroup", "hr", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search",
		"section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp":
		return true
	case "desc", "text", "title":
		return x.foreign || x.Syntax != HTML
	}
	return false
}

// isPicture reports whether an element can have an alternative text. HTML reads an image element as img (HTML 13.2.6.4.7).
func (x *Index) isPicture(local []byte) bool {
	for _, picture := range []string{"img", "area", "input", "image"} {
		if x.is(local, picture) {
			return true
		}
	}
	return false
}

// is reports whether the name of an element or an attribute is equal to wanted. HTML ignores case.
func (x *Index) is(name []byte, wanted string) bool {
	if x.Syntax == HTML {
		return ascii.FoldEqual(name, wanted)
	}
	return string(name) == wanted
}

// name returns the name of the element of a tag. The tag starts with "<" or "/", and may have any text after its end.
func name(tag []byte) []byte {
	end := 1
	for end < len(tag) && !ascii.IsSpace(tag[end]) && tag[end] != '/' && tag[end] != '>' {
		end++
	}
	return tag[1:end]
}

// attributes returns the decoded values of three attributes of a start tag. If an attribute is repeated, the first value
// counts.
func (x *Index) attributes(tag []byte) (rel, title, alt []byte) {
	for p, ok := 1+len(name(tag)), true; ok; {
		var a attr.Attribute
		if a, p, ok = attr.Next(tag, p); !ok {
			break
		}
		var value *[]byte
		switch {
		case x.is(a.Name, "rel"):
			value = &rel
		case x.is(a.Name, "title"):
			value = &title
		case x.is(a.Name, "alt"):
			value = &alt
		}
		if value != nil && *value == nil {
			text, _ := x.quoting(a.Quoting).Text().Decode(a.Value)
			*value = text[:len(text):len(text)]
		}
	}
	return rel, title, alt
}

// quoting returns the quoting of a value in the syntax of the page.
func (x *Index) quoting(q attr.Quoting) attr.Quoting {
	switch {
	case x.Syntax == XML && q == attr.Double:
		return attr.XMLDouble
	case x.Syntax == XML && q == attr.Single:
		return attr.XMLSingle
	}
	return q
}

// tagEnd returns the index after the tag whose attributes start at p. empty reports whether the tag ends with "/>". ok is
// false if src ends before the tag.
func tagEnd(src []byte, p int) (end int, empty, ok bool) {
	for {
		_, next, more := attr.Next(src, p)
		if !more {
			return next + 1, next > p && src[next-1] == '/', next < len(src)
		}
		p = next
	}
}
