package anchor

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// An Index has the tags of one page that may have links, and the texts of its anchors. Both adding them and calling At
// must follow the order of the bytes. The zero Index is ready to use.
type Index struct {
	Syntax Syntax

	tags    []byte // packed, because a page may have a tag for each five bytes: see addTag
	last    int    // the start of the last of them
	texts   []byte // the packed lengths of the texts of the anchors
	letters []byte // these texts, joined
	foreign bool   // the current tag is in an SVG or MathML element of HTML

	open  bool  // an anchor is open
	depth int   // the number of templates around it
	text  words // of the anchor
	alt   words // of the pictures in it

	current                // the last tag that At has read
	rest, restTexts []byte // of tags and texts: those after it
	restLetters     []byte
	seen            bool    // element is that of the tag
	element         Element // the last result of At
}

type current struct {
	codec.Span
	anchor bool
	text   []byte
}

// Syntax is the language of a page.
type Syntax uint8

const (
	HTML  Syntax = iota
	XML          // without a document type declaration
	XHTML        // XML with a document type declaration, which may declare the named characters of HTML
)

// Clear removes all tags and texts. It keeps the memory for the next page, unless few pages would need that much.
func (x *Index) Clear() {
	const most = 1 << 20
	if cap(x.tags) > most || cap(x.letters) > most {
		*x = Index{}
	}
	*x = Index{tags: x.tags[:0], texts: x.texts[:0], letters: x.letters[:0], text: x.text, alt: x.alt}
}

// addTag packs a tag: its distance from the start of the one before it, and its length, shifted, with a bit for an
// anchor.
func (x *Index) addTag(start, end int, isAnchor bool) {
	length := uint64(end-start) << 1
	if isAnchor {
		length |= 1
	}
	x.tags = binary.AppendUvarint(binary.AppendUvarint(x.tags, uint64(start-x.last)), length)
	x.last = start
}

// next reads the tag after the current one, unless it starts after at.
func (x *Index) next(at int) bool {
	gap, n := binary.Uvarint(x.rest)
	if n == 0 || x.Start+int(gap) > at {
		return false
	}
	length, m := binary.Uvarint(x.rest[n:])
	x.rest, x.seen = x.rest[n+m:], false
	x.Start += int(gap)
	x.End, x.anchor = x.Start+int(length>>1), length&1 != 0
	if x.anchor {
		length, n := binary.Uvarint(x.restTexts)
		x.restTexts = x.restTexts[n:]
		x.current.text, x.restLetters = x.restLetters[:length], x.restLetters[length:]
	}
	return true
}

func (x *Index) closeAnchor() {
	if !x.open {
		return
	}
	text := x.text.letters
	if len(text) == 0 {
		text = x.alt.letters
	}
	x.texts = binary.AppendUvarint(x.texts, uint64(len(text)))
	x.letters = append(x.letters, text...)
	x.open = false
}

// Text adds src, which is text between tags, to the open anchor. templates is the number of templates around the text:
// it belongs to the anchor only if as many are around the anchor.
func (x *Index) Text(src []byte, templates int) {
	if !x.open || templates != x.depth || len(src) == 0 {
		return
	}
	c := spell.CharData
	if x.Syntax == XML {
		c = spell.XMLText
	}
	text, _ := c.Decode(src)
	x.literal(text, templates)
}

// literal adds text without character references.
func (x *Index) literal(text []byte, templates int) {
	if !x.open || templates != x.depth {
		return
	}
	if x.text.add(text); x.text.count == maxText {
		x.closeAnchor()
	}
}

// An Element is the description of the links in one tag. A field is empty if the page has no such text.
type Element struct {
	Rel, Title []byte // the values of the attributes, decoded
	Text       []byte // the text of an anchor, or the alternative text of a picture
}

// At returns the Element of the link at an offset of the page src, when all tags have been added. The Element is valid
// until the next call, and the caller must not change it.
func (x *Index) At(src []byte, at int) *Element {
	if x.closeAnchor(); x.rest == nil {
		x.rest, x.restTexts, x.restLetters = x.tags, x.texts, x.letters
	}
	for x.next(at) {
	}
	if at >= x.End {
		return &Element{}
	}
	if !x.seen {
		x.seen, x.element = true, x.elementOf(src)
	}
	return &x.element
}

func (x *Index) elementOf(src []byte) Element {
	markup := src[x.Start:x.End]
	rel, title, alt := x.attributes(markup)
	e := Element{Rel: rel, Title: title}
	local := name(markup)
	if x.Syntax != HTML {
		local = local[bytes.IndexByte(local, ':')+1:]
	}
	switch {
	case x.anchor:
		e.Text = x.current.text
	case x.isPicture(local):
		x.alt.clear()
		x.alt.add(alt)
		e.Text = x.alt.letters
	}
	return e
}

// maxText is the largest number of characters of a text. The rest of the text is ignored.
const maxText = 256

// words is a text with its white space stripped and collapsed (Infra Standard: "strip and collapse ASCII whitespace").
type words struct {
	letters []byte
	count   int  // of characters
	space   bool // there is white space before the next character
}

func (w *words) clear() { *w = words{letters: w.letters[:0]} }

func (w *words) add(text []byte) {
	for len(text) > 0 && w.count < maxText {
		if ascii.IsSpace(text[0]) {
			w.space, text = true, text[1:]
			continue
		}
		if w.space && w.count > 0 {
			if w.count == maxText-1 { // a space must not be the last character
				w.count = maxText
				return
			}
			w.letters = append(w.letters, ' ')
			w.count++
		}
		_, n := utf8.DecodeRune(text)
		w.letters = append(w.letters, text[:n]...)
		w.space, text = false, text[n:]
		w.count++
	}
}

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
	if x.open && !m.Hidden {
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

// StartTag adds the start tag src[start:end]. local is the name of the element, without a prefix. An empty anchor ends
// with its tag, and has no text.
func (x *Index) StartTag(src []byte, start, end int, local []byte, templates int, isAnchor, empty bool) {
	if isAnchor {
		x.closeAnchor()
	}
	if isAnchor || start+1+len(local) < end-1 { // it may have attributes
		x.addTag(start, end, isAnchor)
	}
	switch {
	case isAnchor:
		x.open, x.depth = true, templates
		x.text.clear()
		x.alt.clear()
		if empty {
			x.closeAnchor()
		}
	case !x.open:
	case x.breaks(local):
		x.text.space = true
	case len(x.text.letters) == 0 && templates == x.depth && x.isPicture(local): // the text of an anchor without words
		_, _, alt := x.attributes(src[start:end])
		x.alt.space = true
		x.alt.add(alt)
	}
}

// EndTag adds an end tag. local is the name of the element, without a prefix.
func (x *Index) EndTag(local []byte) {
	switch {
	case !x.open:
	case ascii.FoldEqual(local, "a"):
		x.closeAnchor()
	case x.breaks(local):
		x.text.space = true
	}
}

var cdataStart, cdataEnd = []byte("<![CDATA["), []byte("]]>")

// Section adds the text of a CDATA section to the open anchor. section includes its delimiters, of which the last may
// be missing.
func (x *Index) Section(section []byte, templates int) {
	x.literal(bytes.TrimSuffix(section[len(cdataStart):], cdataEnd), templates)
}

// breaks reports whether an element separates its text from the text around it: a block, a line break, a table cell, or
// a text of SVG.
func (x *Index) breaks(local []byte) bool {
	var buf [len("blockquote")]byte
	if len(local) > len(buf) {
		return false
	}
	switch string(ascii.Fold(buf[:0], local)) {
	case "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog",
		"dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
		"h6", "header", "hgroup", "hr", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option",
		"p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp":
		return true
	case "desc", "text", "title":
		return x.foreign || x.Syntax != HTML
	}
	return false
}

// isPicture reports whether an element can have an alternative text. HTML reads an image element as img (HTML
// 13.2.6.4.7).
func (x *Index) isPicture(local []byte) bool {
	is := func(picture string) bool { return x.is(local, picture) }
	return slices.ContainsFunc([]string{"img", "area", "input", "image"}, is)
}

func (x *Index) is(name []byte, wanted string) bool {
	if x.Syntax == HTML {
		return ascii.FoldEqual(name, wanted)
	}
	return string(name) == wanted
}

// name returns the name of the element of a tag, which starts with "<" or "/". Any text may follow the tag.
func name(tag []byte) []byte {
	end := 1
	for end < len(tag) && !ascii.IsSpace(tag[end]) && tag[end] != '/' && tag[end] != '>' {
		end++
	}
	return tag[1:end]
}

// attributes returns the decoded values of three attributes of a start tag. The first of repeated attributes wins.
func (x *Index) attributes(tag []byte) (rel, title, alt []byte) {
	quoting := attr.Double // each quoting decodes as the double quotes of its language
	if x.Syntax == XML {
		quoting = attr.XMLDouble
	}
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
			text, _ := quoting.Text().Decode(a.Value)
			*value = text[:len(text):len(text)]
		}
	}
	return rel, title, alt
}
