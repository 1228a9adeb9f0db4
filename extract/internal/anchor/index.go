package anchor

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// An Index has the tags of one page that may have links, and the texts of its anchors. They are added in the order of the
// bytes. The zero Index is ready to use.
type Index struct {
	Syntax Syntax

	tags    []tag
	letters []byte // the texts of all anchors
	foreign bool   // the current tag is in an SVG or MathML element of HTML

	open  int   // the number of the open anchor in tags, from 1 on; 0 if no anchor is open
	depth int   // the number of templates around it
	text  words // of the anchor
	alt   words // of the pictures in it

	seen    int     // the number of the tag of element, from 1 on
	element Element // the last result of At
}

// tag is a start tag. An anchor has the text letters[from:to].
type tag struct {
	codec.Span
	anchor   bool
	from, to int
}

// Syntax is the language of a page.
type Syntax uint8

const (
	HTML  Syntax = iota
	XML          // without a document type declaration
	XHTML        // XML with a document type declaration, which may declare the named characters of HTML
)

// Clear removes all tags and texts. It keeps the memory for the next page, unless few pages need as much.
func (x *Index) Clear() {
	const most = 1 << 16
	if cap(x.tags) > most || cap(x.letters) > most {
		*x = Index{}
	}
	*x = Index{tags: x.tags[:0], letters: x.letters[:0], text: x.text, alt: x.alt}
}

// closeAnchor ends the text of the open anchor, if one is open.
func (x *Index) closeAnchor() {
	if x.open == 0 {
		return
	}
	text := x.text.letters
	if len(text) == 0 {
		text = x.alt.letters
	}
	t := &x.tags[x.open-1]
	t.from = len(x.letters)
	x.letters = append(x.letters, text...)
	t.to = len(x.letters)
	x.open = 0
}

// Text adds src, which is text between tags, to the open anchor. templates is the number of templates around the text:
// only text in the same number of templates as the anchor belongs to it.
func (x *Index) Text(src []byte, templates int) {
	if x.open == 0 || templates != x.depth || len(src) == 0 {
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
	if x.open == 0 || templates != x.depth {
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

// At returns the Element of the link at an offset of the page src, when all tags have been added. The Element is valid until
// the next call, and the caller must not change it. At reads the attributes only once for all links in a tag.
func (x *Index) At(src []byte, at int) *Element {
	x.closeAnchor()
	i := sort.Search(len(x.tags), func(i int) bool { return x.tags[i].Start > at })
	if i == 0 || at >= x.tags[i-1].End {
		return &Element{}
	}
	if x.seen != i {
		x.seen, x.element = i, x.elementOf(src, x.tags[i-1])
	}
	return &x.element
}

func (x *Index) elementOf(src []byte, t tag) Element {
	markup := src[t.Start:t.End]
	rel, title, alt := x.attributes(markup)
	e := Element{Rel: rel, Title: title}
	local := name(markup)
	if x.Syntax != HTML {
		local = local[bytes.IndexByte(local, ':')+1:]
	}
	switch {
	case t.anchor:
		e.Text = x.letters[t.from:t.to]
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
			if w.count == maxText-1 { // there is no room for a character after the space
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
