package mark

import (
	"slices"

	"absolink/extract/internal/codec"
)

// Marks holds what a format has marked in one text, in the order of the bytes. It is cleared and used again from
// text to text. The zero Marks is ready to use.
type Marks struct {
	Settings
	Parts Parts // of a message
	Notes Notes

	list    list
	scopes  []Mark // bases of one element: an object with a codebase
	scratch []any  // see ScratchOf
}

// Settings are what the engine tells a format.
type Settings struct {
	Extended bool      // mark the places that only scripts and crawlers read, too
	File     bool      // the text is a file: mark what it says of where it was saved from
	Members  MemberURL // the text is an archive that is a file; may be nil
	Limits   Limits

	// Formats returns the format of a media type, or nil. It may be nil itself. Formats call FormatOf.
	Formats func(mediaType string) *Format
}

// Limits bound what a format follows.
type Limits struct {
	Depth  int // of multiparts and frames within one another
	Record int // bytes of a decompressed file of an archive
	Ratio  int // decompressed bytes for each compressed one
}

// FormatOf returns the format of a media type, or nil if it is unknown. It ignores parameters and case.
func (s *Settings) FormatOf(mediaType string) *Format {
	if s.Formats == nil {
		return nil
	}
	return s.Formats(mediaType)
}

// Mark is one region of the text: a link, a base, or something with links inside.
type Mark struct {
	Start, End int
	Codec      codec.Codec // how the region spells its text
	Place      *Place
	Format     *Format // of an inline or nested region
	Scope      int32   // the number that Scope returned; 0 is the entity's own scope; or Outside, or Early
	Kind       Kind
	Base       *Declaration // of a base, and of a link that declares one in its scope
	Part       *Part        // of a nested region that is bytes, not text
}

// Span returns the region.
func (at *Mark) Span() codec.Span { return codec.Span{Start: at.Start, End: at.End} }

// Outside is the scope of what stands outside of all elements: no xml:base governs it, not even that of the root.
const Outside int32 = -1

// Early is the scope of what is used before a BASE element can be seen.
const Early int32 = -2

// Kind says what a Mark is.
type Kind uint8

const (
	IsLink    Kind = iota
	IsBase         // declares a base: of the entity, or with a scope that of the scope
	IsInline       // a small grammar with links in it: srcset, a style attribute
	IsNested       // a document of its own: srcdoc, a body part
	IsDropped      // no link: a candidate of a srcset that HTML's parser drops
)

// Link marks the region of a URL.
func (m *Marks) Link(place *Place, start, end int, c codec.Codec) {
	m.LinkIn(0, place, start, end, c)
}

// LinkIn is Link for an element that has a scope of its own.
func (m *Marks) LinkIn(scope int32, place *Place, start, end int, c codec.Codec) {
	if len(m.list.last) == cap(m.list.last) {
		m.list.grow()
	}
	// Most marks are made here. Each field is written where it is to stand, over that of an older mark: a copy
	// of what was just made would have to wait for it.
	m.list.last = m.list.last[:len(m.list.last)+1]
	at := &m.list.last[len(m.list.last)-1]
	at.Start, at.End, at.Codec, at.Place, at.Scope = start, end, c, place, scope
	at.Kind, at.Format, at.Base, at.Part = IsLink, nil, nil, nil
}

// Dropped marks a region that looks like a link in a list and is none, because the standard of that list drops it.
func (m *Marks) Dropped(place *Place, start, end int) {
	m.Add(Mark{Start: start, End: end, Codec: codec.Identity, Place: place, Kind: IsDropped})
}

// Inline marks a region whose text is in a small grammar that holds links. They are links of this entity. Their
// names are the place and their number in the region.
func (m *Marks) Inline(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, Scope: scope, Kind: IsInline})
}

// Nested marks a region that is a document of its own. Its name is the place and its number in this entity.
func (m *Marks) Nested(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, Scope: scope, Kind: IsNested})
}

// Base marks a region that declares the base of this entity.
func (m *Marks) Base(place *Place, start, end int, c codec.Codec, d Declaration) {
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Kind: IsBase, Base: &d})
}

// Scope opens a scope for one element, inside the scope outer (0: the entity's), with the base that a region
// declares for it. It returns the number of the scope, for LinkIn, Inline, Nested and Part.
func (m *Marks) Scope(outer int32, place *Place, start, end int, c codec.Codec, d Declaration) int32 {
	m.scopes = append(m.scopes, Mark{Start: start, End: end, Codec: c, Place: place, Scope: outer, Kind: IsBase, Base: &d})
	return int32(len(m.scopes))
}

// Retrieved opens the scope of a document in a container. A region of the container holds the URL that the
// document was retrieved from. Retrieved returns 0 for an empty region.
func (m *Marks) Retrieved(place *Place, url codec.Span, c codec.Codec) int32 {
	if url.Len() == 0 {
		return 0
	}
	return m.Scope(0, place, url.Start, url.End, c, RetrievedFrom(place.Name))
}

// MemberURL returns the URL that a file of an archive was retrieved from, by its name there, and what says so; or ""
// if that is not known.
type MemberURL func(name string) (url, by string)

// MemberScope opens the scope of a file in an archive, whose bytes are src[start:end], if it is known what URL the file
// was retrieved from. Else it returns 0.
func (m *Marks) MemberScope(name string, start, end int) int32 {
	if m.Members == nil {
		return 0
	}
	url, by := m.Members(name)
	if url == "" {
		return 0
	}
	return m.Scope(0, memberPlace, start, end, codec.Constant(url), RetrievedFrom(by))
}

var memberPlace = &Place{Name: "name"}

// Part marks a region that is a document with a header of its own. The place is its whole name. Its bytes are in
// the charset that the header declares. Without a format, its name and its bytes tell its type.
func (m *Marks) Part(scope int32, place *Place, start, end int, c codec.Codec, format *Format, p Part) {
	m.Notes.Late = m.Notes.Late || p.MD5.Len() > 0
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, Scope: scope, Kind: IsNested, Part: &p})
}

// Add adds a mark.
func (m *Marks) Add(at Mark) {
	if len(m.list.last) == cap(m.list.last) {
		m.list.grow()
	}
	m.list.last = append(m.list.last, at)
}

// list is what was marked: the last marks as they are, and those before them packed.
type list struct {
	last   []Mark
	packed packed
	full   func() // takes the last ones when they are as many as are kept; nil: they are packed
}

// grow makes room for more marks.
func (l *list) grow() {
	switch n := len(l.last); {
	case n < AtOnce:
		l.last = slices.Grow(l.last, min(n+64, AtOnce-n))
	case l.full != nil:
		l.full()
		l.last = l.last[:0]
	default:
		l.pack()
	}
}

func (l *list) pack() {
	l.packed.add(l.last)
	l.last = l.last[:0]
}
