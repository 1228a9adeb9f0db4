package anchor

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// An Index has the tags of one page that may have links, and the texts of its anchors. They are added in the order of the
// bytes, and At must be called in this order, too. The zero Index is ready to use.
type Index struct {
	Syntax Syntax

	tags    regions
	texts   regions // for each anchor the start of its tag, and the length of its text in the field letters
	letters []byte  // the texts of all anchors

	foreign bool // the current tag is in an SVG or MathML element of HTML

	// The anchor that is open, if open is set.
	open  bool
	start int // of its tag
	depth int // the number of templates around it
	text  words
	alt   words // of the pictures in it

	element Element // of the tag at readAt, if read is set
	read    bool
	readAt  int
}

// Syntax is the language of a page.
type Syntax uint8

const (
	HTML  Syntax = iota
	XML          // without a document type declaration
	XHTML        // XML with a document type declaration, which may declare the named characters of HTML
)

// data returns the codec of text between tags.
func (s Syntax) data() codec.Codec {
	if s == XML {
		return spell.XMLText
	}
	return spell.CharData
}

// Clear removes all tags and texts. It keeps the memory for the next page.
func (x *Index) Clear() {
	*x = Index{tags: x.tags.cleared(), texts: x.texts.cleared(), letters: kept(x.letters), text: x.text, alt: x.alt}
}

// Tag adds the tag src[start:end].
func (x *Index) Tag(start, end int) { x.tags.add(start, end-start) }

// Open opens the anchor whose tag starts at start. It closes the anchor that is open. templates is the number of templates
// around the anchor. Only text in the same number of templates is text of the anchor.
func (x *Index) Open(start, templates int) {
	x.Close()
	x.open, x.start, x.depth = true, start, templates
	x.text.clear()
	x.alt.clear()
}

// IsOpen reports whether an anchor is open.
func (x *Index) IsOpen() bool { return x.open }

// Close closes the anchor, if one is open.
func (x *Index) Close() {
	if !x.open {
		return
	}
	x.open = false
	text := x.text.letters
	if len(text) == 0 {
		text = x.alt.letters
	}
	x.texts.add(x.start, len(text))
	x.letters = append(x.letters, text...)
}

// Text adds src, which is text between tags, to the open anchor. It decodes character references.
func (x *Index) Text(src []byte, templates int) {
	if x.open && templates == x.depth && len(src) > 0 {
		text, _ := x.Syntax.data().Decode(src)
		x.literal(text)
	}
}

// Literal adds text without character references to the open anchor.
func (x *Index) Literal(text []byte, templates int) {
	if x.open && templates == x.depth {
		x.literal(text)
	}
}

func (x *Index) literal(text []byte) {
	if x.text.add(text); x.text.isFull() {
		x.Close()
	}
}

// Break separates the word before from the word after. Call it for a line break, and for the start and the end of a block.
func (x *Index) Break() {
	x.text.space = true
}

// picture adds the alternative text of a picture in the open anchor. It is the text of the anchor if there is no other text.
func (x *Index) picture(alt []byte) {
	x.alt.space = true
	x.alt.add(alt)
}

// An Element is the description of the links in one tag. A field is empty if the page has no such text.
type Element struct {
	Rel, Title []byte // the values of the attributes, decoded
	Text       []byte // the text of an anchor, or the alternative text of a picture
}

// At returns the Element of the link at an offset of the page src. The Element is valid until the next call, and the caller
// must not change it. At reads the attributes only once for all links in a tag.
func (x *Index) At(src []byte, at int) *Element {
	x.Close() // the page has no more tags
	t := &x.tags
	if !t.seek(at) || at >= t.start+t.length {
		return &Element{}
	}
	if !x.read || x.readAt != t.start {
		x.read, x.readAt = true, t.start
		x.element = x.elementOf(src[t.start : t.start+t.length])
	}
	return &x.element
}

// elementOf returns the Element of a tag that starts at x.readAt.
func (x *Index) elementOf(tag []byte) Element {
	rel, title, alt := x.attributes(tag)
	e := Element{Rel: rel, Title: title}
	local := name(tag)
	if x.Syntax != HTML {
		local = local[bytes.IndexByte(local, ':')+1:]
	}
	switch {
	case x.texts.seek(x.readAt) && x.texts.start == x.readAt:
		e.Text = x.letters[x.texts.before:][:x.texts.length]
	case x.isPicture(local):
		x.alt.clear()
		x.alt.add(alt)
		e.Text = x.alt.letters
	}
	return e
}

// regions is a list of regions in the order of the bytes. It needs about three bytes for each region.
type regions struct {
	packed []byte
	last   int // the start of the last region that was added

	// The current region, which seek sets.
	next   int // the offset in packed of the region after it; 0 before the first region
	start  int
	length int
	before int // the sum of the lengths of all regions before it
}

func (r *regions) add(start, length int) {
	r.packed = binary.AppendUvarint(r.packed, uint64(start-r.last))
	r.packed = binary.AppendUvarint(r.packed, uint64(length))
	r.last = start
}

// seek sets the current region to the last region that starts at or before an offset. It reports whether there is one. It
// only moves forward.
func (r *regions) seek(at int) bool {
	for r.next < len(r.packed) {
		gap, n := binary.Uvarint(r.packed[r.next:])
		if r.start+int(gap) > at {
			break
		}
		length, m := binary.Uvarint(r.packed[r.next+n:])
		r.next += n + m
		r.before += r.length
		r.start, r.length = r.start+int(gap), int(length)
	}
	return r.next > 0 && r.start <= at
}

func (r *regions) cleared() regions { return regions{packed: kept(r.packed)} }

// kept returns b for reuse, or nil if b is larger than most pages need.
func kept(b []byte) []byte {
	const most = 1 << 20
	if cap(b) > most {
		return nil
	}
	return b[:0]
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

func (w *words) isFull() bool { return w.count == maxText }

func (w *words) add(text []byte) {
	for len(text) > 0 && !w.isFull() {
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
