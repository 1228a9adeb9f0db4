package extract

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
	names bool
	// own: under the URL Standard an empty reference is the document's own URL, not
	// the base URL (form@action).
	own bool
	// inert: under the URL Standard an empty reference is none (img@src).
	inert bool
	// srcdoc: what it holds is a document with a URL of its own (HTML 4.8.5).
	srcdoc bool
}

// Finder takes down what an extractor finds in one text, in the order of the bytes: regions
// by their offsets in that text, and how each spells what it stands for. It is for the formats of
// this package, and is cleared and used again from document to document.
type Finder struct {
	// formats gives the format of a media type, nil if it is unknown. It may be nil itself.
	formats func(mediaType string) *Format

	// Extended asks for the places that only scripts and crawlers read.
	Extended bool

	found    []finding // the last ones
	packed   packed    // those before
	scopes   []finding // bases of one element: an object with a codebase
	problems []Fault
	breaks   []broken
	menders  []mender
	evidence []evidence
	members  memberURL // of an archive that is a file; may be nil
	opaque   bool      // the text declares a base that cannot be known: nothing in it is resolved
	file     bool      // the text is that of a file: what it says of where it came from counts

	signed   []codec.Span // what a signature covers, of the text itself
	siblings []sibling    // body parts that others may name
	groups   []int        // of them: around each the next one; -1 for none
	snapshot bool         // the message is one of a page, by Chromium

	maxRatio  int    // of what is unpacked
	maxRecord int    // of a file in an archive, unpacked
	maxDepth  int    // of multiparts within one another
	full      func() // takes what was found when it is as much as is kept at once; nil: it is packed
	late      bool   // what depends on the edits may stand in front of them: they are written when all are known

	scratch []any // one value a type, see scratchOf
}

// scratchOf returns the value of type T that f keeps from text to text. It is zero at first. A
// format keeps its buffers there, under a type of its own.
func scratchOf[T any](f *Finder) *T {
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
type finding struct {
	start, end int
	codec      codec.Codec // how the region spells its text
	place      *Place
	format     *Format // of an inline or nested region
	scope      int32   // index in scopes plus 1; 0 is the entity's own scope; or outside, or early
	kind       kind
	base       *declaration // of a base, and of a link that declares one in scopes
	part       *part        // of a nested region that is bytes, not text
}

func (at *finding) span() codec.Span { return codec.Span{Start: at.start, End: at.end} }

// outside is the scope of what no element is around, so that no xml:base holds for it, be it
// that of the root.
const outside int32 = -1

// early is the scope of what is used before a BASE element can be seen.
const early int32 = -2

type kind uint8

const (
	isLink    kind = iota
	isBase         // declares a base: of the entity, or with a scope that of the scope
	isInline       // a small grammar with links in it: srcset, a style attribute
	isNested       // a document of its own: srcdoc, a message part
	isDropped      // no link: a candidate of a srcset that HTML's parser drops
)

// Link marks the region of a URL.
func (f *Finder) Link(place *Place, start, end int, c codec.Codec) {
	f.LinkIn(0, place, start, end, c)
}

// LinkIn is Link for an element that has a scope of its own.
func (f *Finder) LinkIn(scope int32, place *Place, start, end int, c codec.Codec) {
	if len(f.found) == cap(f.found) {
		f.grow()
	}
	// Most findings are made here. Each field is written where it is to stand, over that of an older one: a copy
	// of what was just made would have to wait for it.
	f.found = f.found[:len(f.found)+1]
	at := &f.found[len(f.found)-1]
	at.start, at.end, at.codec, at.place, at.scope = start, end, c, place, scope
	at.kind, at.format, at.base, at.part = isLink, nil, nil, nil
}

// Dropped marks a region that looks like a link in a list and is none, because the standard of that list drops it.
func (f *Finder) Dropped(place *Place, start, end int) {
	f.add(finding{start: start, end: end, codec: codec.Identity, place: place, kind: isDropped})
}

// Inline marks a region whose text is in a small grammar that holds links. They are
// links of this entity, named by the place and their number in it.
func (f *Finder) Inline(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	f.add(finding{start: start, end: end, codec: c, place: place, format: format, scope: scope, kind: isInline})
}

// FormatOf gives the format of a media type, parameters and case aside; nil if it is unknown.
func (f *Finder) FormatOf(mediaType string) *Format {
	if f.formats == nil {
		return nil
	}
	return f.formats(mediaType)
}

// Nested marks a region that is a document of its own, named by the place and its
// number in this entity.
func (f *Finder) Nested(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	f.add(finding{start: start, end: end, codec: c, place: place, format: format, scope: scope, kind: isNested})
}

// Base marks a region that declares the base of this entity.
func (f *Finder) Base(place *Place, start, end int, c codec.Codec, d declaration) {
	f.add(finding{start: start, end: end, codec: c, place: place, kind: isBase, base: &d})
}

// Scope opens a scope for one element, inside the scope outer (0: the entity's), with
// the base that a region of it declares, and gives its number for LinkIn and Inline.
func (f *Finder) Scope(outer int32, place *Place, start, end int, c codec.Codec, d declaration) int32 {
	f.scopes = append(f.scopes, finding{start: start, end: end, codec: c, place: place, scope: outer, kind: isBase, base: &d})
	return int32(len(f.scopes))
}

// retrieved opens the scope of something in a container, which says in a region what URL it was
// retrieved from. It is 0 for an empty region, which says nothing.
func (f *Finder) retrieved(place *Place, url codec.Span, c codec.Codec) int32 {
	if url.Len() == 0 {
		return 0
	}
	return f.Scope(0, place, url.Start, url.End, c, retrievedFrom(place.Name))
}

// Part marks a region that is a document of its own and has a header: its place is its
// whole name, and its bytes are in the charset that the header tells. Without a format, its
// name and bytes tell what it is.
func (f *Finder) Part(scope int32, place *Place, start, end int, c codec.Codec, format *Format, p part) {
	f.late = f.late || p.md5.Len() > 0
	f.add(finding{start: start, end: end, codec: c, place: place, format: format, scope: scope, kind: isNested, part: &p})
}

// Signed marks a region that a signature covers. They come in the order of the bytes.
func (f *Finder) Signed(start, end int) {
	f.signed = append(f.signed, codec.Span{Start: start, End: end})
}

// Breaks notes at an offset what is not true any more if a region of the text is changed.
func (f *Finder) Breaks(of codec.Span, offset int, code Code, detail string) {
	f.breaks, f.late = append(f.breaks, broken{of, Fault{Offset: offset, Code: code, Detail: detail}}), true
}

// broken is what there is to tell if a region is changed.
type broken struct {
	of codec.Span
	Fault
}

// covers says whether a signature covers the text at an offset.
func (f *Finder) covers(offset int) bool {
	i := sort.Search(len(f.signed), func(i int) bool { return offset < f.signed[i].End })
	return i < len(f.signed) && f.signed[i].Start <= offset
}

// Problem notes something wrong at an offset of the text.
func (f *Finder) Problem(offset int, code Code, detail string) {
	f.problems = append(f.problems, Fault{Offset: offset, Code: code, Detail: detail})
}

func (f *Finder) clear() {
	f.found, f.scopes, f.problems, f.menders = f.found[:0], f.scopes[:0], f.problems[:0], f.menders[:0]
	f.signed, f.evidence, f.breaks = f.signed[:0], f.evidence[:0], f.breaks[:0]
	f.siblings, f.groups, f.snapshot = f.siblings[:0], f.groups[:0], false
	f.full, f.late, f.opaque = nil, false, false
	f.packed.clear()
}

func (f *Finder) add(at finding) {
	if len(f.found) == cap(f.found) {
		f.grow()
	}
	f.found = append(f.found, at)
}

// grow makes room for more findings.
func (f *Finder) grow() {
	switch n := len(f.found); {
	case n < atOnce:
		f.found = slices.Grow(f.found, min(n+64, atOnce-n))
	case f.full != nil:
		f.full()
		f.found = f.found[:0]
	default:
		f.pack()
	}
}

func (f *Finder) pack() {
	f.packed.add(f.found)
	f.found = f.found[:0]
}

// bases gives those among what was found. It is to be asked before all, whose chunks are put where the last
// ones were.
func (f *Finder) bases(yield func(*finding) bool) {
	for _, found := range append(slices.Clip(f.packed.kept), f.found) {
		for i := range found {
			if at := &found[i]; at.kind == isBase && !yield(at) {
				return
			}
		}
	}
}

// all gives what was found, a chunk after the other.
func (f *Finder) all(yield func([]finding) bool) {
	if len(f.packed.words) == 0 {
		yield(f.found)
		return
	}
	f.pack()
	f.packed.chunks(f.found, yield)
}

// memberURL gives what a file of an archive was retrieved from, by its name there, and what says so; "" if
// that is not known.
type memberURL func(name string) (url, by string)

// memberScope opens the scope of a file in an archive, whose bytes are given, if it is known
// what it was retrieved from; else it is 0.
func (f *Finder) memberScope(name string, start, end int) int32 {
	if f.members == nil {
		return 0
	}
	url, by := f.members(name)
	if url == "" {
		return 0
	}
	return f.Scope(0, memberPlace, start, end, codec.Told(url), retrievedFrom(by))
}

var memberPlace = &Place{Name: "name"}
