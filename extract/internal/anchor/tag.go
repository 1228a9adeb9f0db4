package anchor

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
)

// Markup is the markup src[Start:End] of an HTML page. It starts with "<", and includes the raw text of an element.
type Markup struct {
	Start, End int
	Tag        int  // the end of a start tag; -1 if the file ends before it
	Empty      bool // a start tag ends in "/>"
	Templates  int  // the number of templates around the markup
	Foreign    bool // it is in an SVG or MathML element
	Hidden     bool // the text after it is a style sheet or a script
}

// HTML adds markup, and the text after it.
func (x *Index) HTML(src []byte, m *Markup) {
	start, p, templates, foreign := m.Start, m.End, m.Templates, m.Foreign
	x.foreign = foreign
	switch c := src[start+1]; {
	case ascii.IsLetter(c):
		if m.Tag > 0 {
			x.htmlTag(src, m)
		}
	case c == '/' && start+2 < len(src):
		x.EndTag(name(src[start+1 : p]))
	case foreign && bytes.HasPrefix(src[start:p], cdataStart):
		x.Section(src[start:p], templates)
	case c != '!' && c != '?':
		x.Text(src[start:p], templates) // a "<" that does not start markup
	}
	if x.open > 0 && !m.Hidden {
		end := ascii.Next(src, p, '<')
		if bytes.Equal(src[end:], []byte("<")) {
			end = len(src)
		}
		x.Text(src[p:end], templates)
	}
}

func (x *Index) htmlTag(src []byte, m *Markup) {
	tag, raw := name(src[m.Start:m.Tag]), src[m.Tag:m.End]
	x.StartTag(src, m.Start, m.Tag, tag, m.Templates, ascii.FoldEqual(tag, "a"), m.Foreign && m.Empty)
	switch {
	case len(raw) == 0 || m.Foreign:
	case ascii.FoldEqual(tag, "title"), ascii.FoldEqual(tag, "textarea"):
		x.Text(raw, m.Templates)
	case ascii.FoldEqual(tag, "xmp"), ascii.FoldEqual(tag, "plaintext"):
		x.literal(raw, m.Templates)
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
