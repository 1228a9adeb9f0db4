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

	open  bool // the text of an anchor is being recorded
	start int  // where its tag starts
	depth int  // see Open
	text  words
	alt   words // of the pictures in the anchor
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

// Attribute returns the decoded value of an attribute of the element that has the link at an offset. It returns nil if
// the attribute is empty or missing, or if the link is not in a tag.
func (x *Index) Attribute(src []byte, at int, name string) []byte {
	if start, end, ok := x.tag(at); ok {
		return x.value(src[start:end], name)
	}
	return nil
}

// TextOf returns the text of the anchor that has the link at an offset, or the alternative text of the picture. It
// returns nil if there is none.
func (x *Index) TextOf(src []byte, at int) []byte {
	x.Close() // all tags are recorded
	start, end, ok := x.tag(at)
	if !ok {
		return nil
	}
	if x.texts.seek(start) && x.texts.start == start {
		return x.letters[x.texts.before:][:x.texts.length:x.texts.length]
	}
	tag := src[start:end]
	local := name(tag)
	if x.Syntax != HTML {
		local = local[bytes.IndexByte(local, ':')+1:]
	}
	if !x.isPicture(local) {
		return nil
	}
	var alt words
	alt.add(x.value(tag, "alt"))
	return alt.letters
}

// tag returns the tag around an offset.
func (x *Index) tag(at int) (start, end int, ok bool) {
	t := &x.tags
	if !t.seek(at) || at >= t.start+t.length {
		return 0, 0, false
	}
	return t.start, t.start + t.length, true
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
