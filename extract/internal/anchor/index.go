package anchor

import (
	"bytes"
	"encoding/binary"

	"absolink/extract/internal/codec"
)

// Index has the tags of one page that may have links, and the texts of its anchors. Both are recorded in the order of
// the bytes, and found in that order. The zero Index is ready to use.
type Index struct {
	Syntax Syntax

	tags    regions
	texts   regions // their starts are those of tags, and their lengths are lengths in letters
	letters []byte  // the texts of all anchors

	foreign bool // the current tag is in an SVG or MathML element of HTML

	open  bool // the text of an anchor is being recorded
	start int  // where its tag starts
	depth int  // see Open
	text  words
	alt   words // of the pictures in the anchor

	element Element // of the tag at readAt, if read is set
	read    bool
	readAt  int
}

// Syntax is the language of a page.
type Syntax uint8

const (
	HTML  Syntax = iota
	XML          // of XML, without a document type declaration
	XHTML        // of XML, with a document type declaration: the named characters of HTML may be known
)

// data returns the codec of text between tags.
func (s Syntax) data() codec.Codec {
	if s == XML {
		return codec.XMLText
	}
	return codec.CharData
}

// Clear forgets all tags and texts.
func (x *Index) Clear() {
	*x = Index{tags: x.tags.cleared(), texts: x.texts.cleared(), letters: kept(x.letters), text: x.text, alt: x.alt}
}

// Tag records the tag src[start:end].
func (x *Index) Tag(start, end int) { x.tags.add(start, end-start) }

// Open opens the anchor whose tag starts at start. It closes the anchor before. Text counts as text of the anchor if it
// is in as many templates.
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

// Text adds text between tags to the open anchor.
func (x *Index) Text(src []byte, templates int) {
	if x.open && templates == x.depth && len(src) > 0 {
		text, _ := x.Syntax.data().Decode(src)
		x.literal(text)
	}
}

// Literal adds text in which nothing is a character reference.
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

// Break separates the words before and after it: a line break or a block begins or ends here.
func (x *Index) Break() {
	x.text.space = true
}

// picture adds the alternative text of a picture in the anchor. The anchor has it as its text if it has no other.
func (x *Index) picture(alt []byte) {
	x.alt.space = true
	x.alt.add(alt)
}

// Element is what a page says of the links in one tag. Each field is empty if the page says nothing.
type Element struct {
	Rel, Title []byte // the values of the attributes, decoded
	Text       []byte // of an anchor or a picture
}

// At returns the Element of the link at an offset of the page src. It is valid until the next call, and the caller must
// not change it. A list of links is read in one element, so At reads the attributes only when the tag is another one.
func (x *Index) At(src []byte, at int) *Element {
	x.Close() // all tags are recorded
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

// regions is a list of regions in the order of the bytes, packed into about three bytes a region.
type regions struct {
	packed []byte
	last   int // the start of the last region that was added

	// The current region, which seek sets.
	next   int // where the region after it begins in packed; 0 before the first region
	start  int
	length int
	before int // the sum of the lengths before it
}

func (r *regions) add(start, length int) {
	r.packed = binary.AppendUvarint(r.packed, uint64(start-r.last))
	r.packed = binary.AppendUvarint(r.packed, uint64(length))
	r.last = start
}

// seek goes on to the last region that starts at or before an offset. It reports whether there is one.
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

// kept returns a buffer to reuse, or nil if it is so large that few pages need it.
func kept(b []byte) []byte {
	const most = 1 << 20
	if cap(b) > most {
		return nil
	}
	return b[:0]
}
