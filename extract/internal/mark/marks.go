package mark

import (
	"slices"

	"absolink/extract/internal/codec"
)

// Marks is the list of marks that a format has made in one text, in the order of the bytes. It is cleared and reused for
// the next text. The zero Marks is ready to use.
type Marks struct {
	Settings
	Parts Parts // of a message
	Notes Notes

	list    list
	scopes  []Mark // bases of one element: an object with a codebase
	scratch []any  // see ScratchOf
}

// Settings are the settings of the engine for a format.
type Settings struct {
	Extended  bool      // also mark the places that only scripts and crawlers read
	Described bool      // also record the elements of links, in the anchor.Index that is ScratchOf the Marks
	File      bool      // the text is a file: mark the URL that it was saved from
	Members   MemberURL // the text is an archive that is a file; may be nil
	Limits    Limits

	// Formats returns the format of a media type, or nil. It may be nil itself. Formats call FormatOf.
	Formats func(mediaType string) *Format
}

// Limits are the limits of the work of a format.
type Limits struct {
	Depth  int // the most multiparts and frames within one another
	Record int // the most bytes of a decompressed file of an archive
	Ratio  int // the most decompressed bytes for each compressed byte
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

// Outside is the scope of marks outside of all elements. No xml:base governs them, not even that of the root.
const Outside int32 = -1

// Early is the scope of marks that are used before a BASE element can be seen.
const Early int32 = -2

// Kind is the kind of a Mark.
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
	// Most marks are made here. Each field is written in place, over the field of an older mark: copying a new Mark is
	// slower.
	m.list.last = m.list.last[:len(m.list.last)+1]
	at := &m.list.last[len(m.list.last)-1]
	at.Start, at.End, at.Codec, at.Place, at.Scope = start, end, c, place, scope
	at.Kind, at.Format, at.Base, at.Part = IsLink, nil, nil, nil
}

// Dropped marks a region that looks like a link in a list and is none, because the standard of that list drops it.
func (m *Marks) Dropped(place *Place, start, end int) {
	m.Add(Mark{Start: start, End: end, Codec: codec.Identity, Place: place, Kind: IsDropped})
}

// Inline marks a region whose text is in a small grammar that has links. They are links of this entity. Their
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

// Retrieved opens the scope of a document in a container. A region of the container spells the URL that the
// document was retrieved from. Retrieved returns 0 for an empty region.
func (m *Marks) Retrieved(place *Place, url codec.Span, c codec.Codec) int32 {
	if url.Len() == 0 {
		return 0
	}
	return m.Scope(0, place, url.Start, url.End, c, RetrievedFrom(place.Name))
}

// MemberURL returns the URL that a file of an archive was retrieved from, by its name there, and the source of that
// URL; or "" if that is not known.
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
// the charset that the header declares. Without a format, its name and its bytes decide its type.
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

// list is the list of marks. The last marks are stored as Marks, and the marks before them are packed.
type list struct {
	last   []Mark
	packed packed
	full   func() // uses the last marks when there are AtOnce; if nil, they are packed
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
