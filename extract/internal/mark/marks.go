package mark

import (
	"slices"
	"sort"

	"absolink/extract/internal/codec"
)

// Place names where a link stands: "a@href". Places are made once and shared.
type Place struct {
	Name string
	// names: a reference that is only a fragment names something inside this very
	// document, by every standard, and is never made absolute (usemap, CSS, SVG).
	Names bool
	// own: under the URL Standard an empty reference is the document's own URL, not
	// the base URL (form@action).
	Own bool
	// inert: under the URL Standard an empty reference is none (img@src).
	Inert bool
	// srcdoc: what it holds is a document with a URL of its own (HTML 4.8.5).
	Srcdoc bool
}

// Finder takes down what an extractor finds in one text, in the order of the bytes: regions
// by their offsets in that text, and how each spells what it stands for. It is for the formats of
// this package, and is cleared and used again from document to document.
type Finder struct {
	// Formats gives the format of a media type, nil if it is unknown. It may be nil itself.
	Formats func(mediaType string) *Format

	// Extended asks for the places that only scripts and crawlers read.
	Extended bool

	Found    []Mark // the last ones
	packed   packed // those before
	Scopes   []Mark // bases of one element: an object with a codebase
	Problems []Fault
	Broken   []broken
	Menders  []mender
	Evident  []Evidence
	Members  MemberURL // of an archive that is a file; may be nil
	Opaque   bool      // the text declares a base that cannot be known: nothing in it is resolved
	File     bool      // the text is that of a file: what it says of where it came from counts

	signed   []codec.Span // what a signature covers, of the text itself
	Siblings []Sibling    // body parts that others may name
	Groups   []int        // of them: around each the next one; -1 for none
	Snapshot bool         // the message is one of a page, by Chromium

	MaxRatio  int    // of what is unpacked
	MaxRecord int    // of a file in an archive, unpacked
	MaxDepth  int    // of multiparts within one another
	Full      func() // takes what was found when it is as much as is kept at once; nil: it is packed
	Late      bool   // what depends on the edits may stand in front of them: they are written when all are known

	scratch []any // one value a type, see scratchOf
}

// ScratchOf returns the value of type T that f keeps from text to text. It is zero at first. A
// format keeps its buffers there, under a type of its own.
func ScratchOf[T any](f *Finder) *T {
	for _, kept := range f.scratch {
		if v, ok := kept.(*T); ok {
			return v
		}
	}
	v := new(T)
	f.scratch = append(f.scratch, v)
	return v
}

// finding is one region of the text: a link, a base, or something with links inside.
type Mark struct {
	Start, End int
	Codec      codec.Codec // how the region spells its text
	Place      *Place
	Format     *Format // of an inline or nested region
	Scope      int32   // index in scopes plus 1; 0 is the entity's own scope; or outside, or early
	Kind       kind
	Base       *Declaration // of a base, and of a link that declares one in scopes
	Part       *Part        // of a nested region that is bytes, not text
}

func (at *Mark) Span() codec.Span { return codec.Span{Start: at.Start, End: at.End} }

// Outside is the scope of what no element is around, so that no xml:base holds for it, be it
// that of the root.
const Outside int32 = -1

// Early is the scope of what is used before a BASE element can be seen.
const Early int32 = -2

type kind uint8

const (
	IsLink    kind = iota
	IsBase         // declares a base: of the entity, or with a scope that of the scope
	IsInline       // a small grammar with links in it: srcset, a style attribute
	IsNested       // a document of its own: srcdoc, a message part
	IsDropped      // no link: a candidate of a srcset that HTML's parser drops
)

// Link marks the region of a URL.
func (f *Finder) Link(place *Place, start, end int, c codec.Codec) {
	f.LinkIn(0, place, start, end, c)
}

// LinkIn is Link for an element that has a scope of its own.
func (f *Finder) LinkIn(scope int32, place *Place, start, end int, c codec.Codec) {
	if len(f.Found) == cap(f.Found) {
		f.grow()
	}
	// Most findings are made here. Each field is written where it is to stand, over that of an older one: a copy
	// of what was just made would have to wait for it.
	f.Found = f.Found[:len(f.Found)+1]
	at := &f.Found[len(f.Found)-1]
	at.Start, at.End, at.Codec, at.Place, at.Scope = start, end, c, place, scope
	at.Kind, at.Format, at.Base, at.Part = IsLink, nil, nil, nil
}

// Dropped marks a region that looks like a link in a list and is none, because the standard of that list drops it.
func (f *Finder) Dropped(place *Place, start, end int) {
	f.Add(Mark{Start: start, End: end, Codec: codec.Identity, Place: place, Kind: IsDropped})
}

// Inline marks a region whose text is in a small grammar that holds links. They are
// links of this entity, named by the place and their number in it.
func (f *Finder) Inline(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	f.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, Scope: scope, Kind: IsInline})
}

// FormatOf gives the format of a media type, parameters and case aside; nil if it is unknown.
func (f *Finder) FormatOf(mediaType string) *Format {
	if f.Formats == nil {
		return nil
	}
	return f.Formats(mediaType)
}

// Nested marks a region that is a document of its own, named by the place and its
// number in this entity.
func (f *Finder) Nested(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	f.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, Scope: scope, Kind: IsNested})
}

// Base marks a region that declares the base of this entity.
func (f *Finder) Base(place *Place, start, end int, c codec.Codec, d Declaration) {
	f.Add(Mark{Start: start, End: end, Codec: c, Place: place, Kind: IsBase, Base: &d})
}

// Scope opens a scope for one element, inside the scope outer (0: the entity's), with
// the base that a region of it declares, and gives its number for LinkIn and Inline.
func (f *Finder) Scope(outer int32, place *Place, start, end int, c codec.Codec, d Declaration) int32 {
	f.Scopes = append(f.Scopes, Mark{Start: start, End: end, Codec: c, Place: place, Scope: outer, Kind: IsBase, Base: &d})
	return int32(len(f.Scopes))
}

// Retrieved opens the scope of something in a container, which says in a region what URL it was
// retrieved from. It is 0 for an empty region, which says nothing.
func (f *Finder) Retrieved(place *Place, url codec.Span, c codec.Codec) int32 {
	if url.Len() == 0 {
		return 0
	}
	return f.Scope(0, place, url.Start, url.End, c, RetrievedFrom(place.Name))
}

// Part marks a region that is a document of its own and has a header: its place is its
// whole name, and its bytes are in the charset that the header tells. Without a format, its
// name and bytes tell what it is.
func (f *Finder) Part(scope int32, place *Place, start, end int, c codec.Codec, format *Format, p Part) {
	f.Late = f.Late || p.MD5.Len() > 0
	f.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, Scope: scope, Kind: IsNested, Part: &p})
}

// Signed marks a region that a signature covers. They come in the order of the bytes.
func (f *Finder) Signed(start, end int) {
	f.signed = append(f.signed, codec.Span{Start: start, End: end})
}

// Breaks notes at an offset what is not true any more if a region of the text is changed.
func (f *Finder) Breaks(of codec.Span, offset int, code Code, detail string) {
	f.Broken, f.Late = append(f.Broken, broken{of, Fault{Offset: offset, Code: code, Detail: detail}}), true
}

// broken is what there is to tell if a region is changed.
type broken struct {
	Of codec.Span
	Fault
}

// Covers says whether a signature covers the text at an offset.
func (f *Finder) Covers(offset int) bool {
	i := sort.Search(len(f.signed), func(i int) bool { return offset < f.signed[i].End })
	return i < len(f.signed) && f.signed[i].Start <= offset
}

// Problem notes something wrong at an offset of the text.
func (f *Finder) Problem(offset int, code Code, detail string) {
	f.Problems = append(f.Problems, Fault{Offset: offset, Code: code, Detail: detail})
}

func (f *Finder) Clear() {
	f.Found, f.Scopes, f.Problems, f.Menders = f.Found[:0], f.Scopes[:0], f.Problems[:0], f.Menders[:0]
	f.signed, f.Evident, f.Broken = f.signed[:0], f.Evident[:0], f.Broken[:0]
	f.Siblings, f.Groups, f.Snapshot = f.Siblings[:0], f.Groups[:0], false
	f.Full, f.Late, f.Opaque = nil, false, false
	f.packed.clear()
}

func (f *Finder) Add(at Mark) {
	if len(f.Found) == cap(f.Found) {
		f.grow()
	}
	f.Found = append(f.Found, at)
}

// grow makes room for more findings.
func (f *Finder) grow() {
	switch n := len(f.Found); {
	case n < AtOnce:
		f.Found = slices.Grow(f.Found, min(n+64, AtOnce-n))
	case f.Full != nil:
		f.Full()
		f.Found = f.Found[:0]
	default:
		f.pack()
	}
}

func (f *Finder) pack() {
	f.packed.add(f.Found)
	f.Found = f.Found[:0]
}

// Bases gives those among what was found. It is to be asked before all, whose chunks are put where the last
// ones were.
func (f *Finder) Bases(yield func(*Mark) bool) {
	for _, found := range append(slices.Clip(f.packed.kept), f.Found) {
		for i := range found {
			if at := &found[i]; at.Kind == IsBase && !yield(at) {
				return
			}
		}
	}
}

// All gives what was found, a chunk after the other.
func (f *Finder) All(yield func([]Mark) bool) {
	if len(f.packed.words) == 0 {
		yield(f.Found)
		return
	}
	f.pack()
	f.packed.chunks(f.Found, yield)
}

// MemberURL gives what a file of an archive was retrieved from, by its name there, and what says so; "" if
// that is not known.
type MemberURL func(name string) (url, by string)

// MemberScope opens the scope of a file in an archive, whose bytes are given, if it is known
// what it was retrieved from; else it is 0.
func (f *Finder) MemberScope(name string, start, end int) int32 {
	if f.Members == nil {
		return 0
	}
	url, by := f.Members(name)
	if url == "" {
		return 0
	}
	return f.Scope(0, memberPlace, start, end, codec.Constant(url), RetrievedFrom(by))
}

var memberPlace = &Place{Name: "name"}
