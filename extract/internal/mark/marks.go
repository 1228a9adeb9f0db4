package mark

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// Marks is the list of marks that a format makes in one text, in the order of the bytes. The zero Marks is ready to
// use, and the engine clears it for the next text.
type Marks struct {
	Settings
	Parts Parts // of a message
	Notes Notes

	full     [][]Mark        // the first marks, in blocks that are full
	last     []Mark          // the block that grows
	scopes   [][]opened      // by their number less 1, in blocks
	declared [8]*Declaration // the last different ones, of scopes and of refused bases: see oneOf
	parts    [8]*Part        // the last different ones
	scratch  []any           // see ScratchOf
}

// Clear removes all marks, but keeps the Settings and the scratch memory.
func (m *Marks) Clear() {
	m.full, m.last = nil, m.last[:0]
	if limit := m.MaxMarks; limit > 0 && limit < cap(m.last) {
		m.last = nil // grow checks the limit
	}
	if len(m.scopes) > 0 {
		clear(m.scopes[1:])
		m.scopes = append(m.scopes[:0], m.scopes[0][:0])
	}
	m.declared, m.parts = [8]*Declaration{}, [8]*Part{}
	m.Notes.clear()
	m.Parts.clear()
}

// Settings tell a format what the engine wants marked, what it knows about the text, and the limits of the work.
type Settings struct {
	Extended      bool      // also mark the places that only scripts and crawlers read
	Office        bool      // also mark the places in HTML that only Outlook reads
	Added         []string  // patterns of further places: see Adds
	DescribeLinks bool      // also record the elements of links, in the anchor.Index that ScratchOf returns
	File          bool      // the text is a file: also mark the URL that it was saved from
	Rewriting     bool      // also note what only a rewriting needs: see Skip and Integrity
	Local         bool      // links become local: also tell Place.Served, and Place.Other in a nav
	Srcdoc        bool      // the text is the srcdoc of an iframe
	BOM           bool      // a byte order mark was removed from the start of the text
	Members       MemberURL // the URLs of the files, if the text is an archive that is a file; else nil

	MaxDepth  int // of multiparts and frames
	MaxRecord int // bytes of a decompressed file of an archive
	MaxRatio  int // decompressed bytes per compressed byte
	MaxMarks  int // 0 is no limit

	Formats func(mediaType string) *Format // see FormatOf; may be nil
	Named   func(name string) bool         // see IsNamed; may be nil
}

// FormatOf returns the format of a media type, or nil if it is unknown. It ignores parameters and case.
func (s *Settings) FormatOf(mediaType string) *Format {
	if s.Formats == nil {
		return nil
	}
	return s.Formats(mediaType)
}

// IsNamed reports whether a file name has the extension of a format or of a compression.
func (s *Settings) IsNamed(name string) bool { return s.Named != nil && s.Named(name) }

// Adds reports whether a pattern of Added fits a place that no table has: "element@attribute", or the prefixed name of
// an XML element whose text is a URL.
func (s *Settings) Adds(place string) bool {
	if s.Extended && slices.Contains(APIPlaces, place) {
		return true
	}
	isAttribute := strings.Contains(place, "@")
	return slices.ContainsFunc(s.Added, func(pattern string) bool {
		return strings.Contains(pattern, "@") == isAttribute && Fits(pattern, place, 0)
	})
}

// APIPlaces are where elements for the documentation of an API have the URL of its description. Few pages have them.
var APIPlaces = []string{"redoc@spec-url", "rapi-doc@spec-url", "elements-api@apidescriptionurl"}

// IsAPI reports whether an element has one of APIPlaces.
func IsAPI(element []byte) bool {
	return slices.ContainsFunc(APIPlaces, func(place string) bool {
		name, _, _ := strings.Cut(place, "@")
		return ascii.FoldEqual(element, name)
	})
}

// IsList reports whether the value of an added attribute is a list of image candidates, and not a URL.
func IsList(attribute []byte) bool { return bytes.HasSuffix(attribute, []byte("srcset")) }

// FormatWith is like FormatOf, for a media type with parameters.
func (s *Settings) FormatWith(mediaType string, params map[string]string) *Format {
	f := s.FormatOf(mediaType)
	if f != nil && f.Variant != nil {
		if v := f.Variant(params); v != nil {
			return v
		}
	}
	return f
}

// Mark is one region of the text: a link, a base, or something with links inside.
type Mark struct {
	Start, End  int
	Codec       codec.Codec // how the region spells its text
	Place       *Place
	Format      *Format // of an inline or nested region
	ScopeNumber int32   // from Marks.OpenScope or Request, or Outside or Early; 0 for the scope of the entity
	Number      int32   // of a part; 0 if the place has only one
	Kind        Kind
	Base        *Declaration // of a base, and of a link that declares a base in its scope
	Part        *Part        // of a nested region that is bytes, not text
}

// Name returns the name of a part, like "part[1.2]".
func (at *Mark) Name() string {
	if at.Number == 0 {
		return at.Place.Name
	}
	return at.Place.Name + "[" + at.Place.Within + strconv.Itoa(int(at.Number)) + "]"
}

// Span returns the region.
func (at *Mark) Span() codec.Span { return codec.Span{Start: at.Start, End: at.End} }

// Element returns the BASE element that is removed with its declaration, or an empty span for any other mark.
func (at *Mark) Element() codec.Span {
	if at.Kind != IsBase || at.Base.Element.Len() == 0 {
		return codec.Span{}
	}
	return codec.Span{Start: at.Start + at.Base.Element.Start, End: at.End + at.Base.Element.End}
}

// Outside is the scope of marks before all elements, where no xml:base and no BASE element applies.
const Outside int32 = -1

// Early is the scope of links that a browser resolves before it can see a BASE element.
const Early int32 = -2

// Kind is what a Mark marks.
type Kind uint8

const (
	IsLink    Kind = iota
	IsBase         // declares the base of the entity, or of a scope
	IsInline       // a small grammar with links in it: srcset, a style attribute
	IsNested       // a document of its own: srcdoc, a body part
	IsDropped      // not a link: a candidate of a srcset that the parser of HTML drops
)

// Link marks the region of a URL.
func (m *Marks) Link(place *Place, start, end int, c codec.Codec) {
	m.LinkIn(0, place, start, end, c)
}

// LinkIn marks the region of a URL in an element that has a scope of its own.
func (m *Marks) LinkIn(scope int32, place *Place, start, end int, c codec.Codec) {
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, ScopeNumber: scope})
}

// Dropped marks a region of a list that looks like a link, but is dropped by the standard of the list.
func (m *Marks) Dropped(place *Place, start, end int) {
	m.Add(Mark{Start: start, End: end, Codec: codec.Identity, Place: place, Kind: IsDropped})
}

// Inline marks a region in a small grammar, whose links belong to this entity. They are named by the place, and by
// their number in the region.
func (m *Marks) Inline(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, ScopeNumber: scope, Kind: IsInline})
}

// Nested marks a region that is a document of its own, named by the place and its number among those at the place.
func (m *Marks) Nested(scope int32, place *Place, start, end int, c codec.Codec, format *Format) {
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Format: format, ScopeNumber: scope, Kind: IsNested})
}

// Base marks a region that declares the base of this entity.
func (m *Marks) Base(place *Place, start, end int, c codec.Codec, d Declaration) {
	declared := &d
	if d.Refuse != "" { // a format may still change any other
		declared = oneOf(&m.declared, &d)
	}
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Kind: IsBase, Base: declared})
}

// opened is what a Mark needs for a scope, because a document may have one for every 18 bytes.
type opened struct {
	start, end int
	codec      codec.Codec
	place      *Place
	base       *Declaration
	outer      int32
}

// OpenScope opens the scope of an element whose base the region src[start:end] declares, inside the scope outer, which
// is 0 for that of the entity. It returns the number of the new scope, for LinkIn, Inline, Nested and Part.
func (m *Marks) OpenScope(outer int32, place *Place, start, end int, c codec.Codec, d Declaration) int32 {
	n := len(m.scopes)
	if n == 0 || len(m.scopes[n-1]) == blockLen {
		m.scopes, n = append(m.scopes, make([]opened, 0, min(n, 1)*blockLen)), n+1
	}
	declared := oneOf(&m.declared, &d)
	m.scopes[n-1] = append(m.scopes[n-1], opened{start, end, c, place, declared, outer})
	return m.ScopeCount()
}

// Retrieved opens the scope of a document in a container, and returns its number. url is where the container has the
// URL that the document was retrieved from. If it is empty, Retrieved returns 0.
func (m *Marks) Retrieved(place *Place, url codec.Span, c codec.Codec) int32 {
	if url.Len() == 0 {
		return 0
	}
	return m.OpenScope(0, place, url.Start, url.End, c, RetrievedFrom(place.Name))
}

// MemberURL returns the URL that a file of an archive was retrieved from, or "", and the source of that URL. name is
// the name of the file in the archive.
type MemberURL func(name string) (url, by string)

// MemberScope opens the scope of a file in an archive, whose bytes are src[start:end], and returns its number, or 0 if
// the URL that the file was retrieved from is not known.
func (m *Marks) MemberScope(name string, start, end int) int32 {
	if m.Members == nil {
		return 0
	}
	url, by := m.Members(name)
	if url == "" {
		return 0
	}
	return m.OpenScope(0, MemberPlace, start, end, codec.Constant(url), RetrievedFrom(by))
}

// MemberPlace is the place of the URL of a file in an archive.
var MemberPlace = &Place{Name: "name"}

// Part is NumberedPart for a place with one part.
func (m *Marks) Part(scope int32, place *Place, start, end int, c codec.Codec, format *Format, p Part) {
	m.NumberedPart(scope, place, 0, start, end, c, format, p)
}

// NumberedPart marks a region that is a document with a header of its own, called Mark.Name. Its bytes are in the
// charset that the header declares. If format is nil, the name in p and the bytes determine it.
func (m *Marks) NumberedPart(scope int32, place *Place, number, start, end int, c codec.Codec, format *Format, p Part) {
	m.Add(Mark{Start: start, End: end, Codec: c, Place: place, Number: int32(number), Format: format,
		ScopeNumber: scope, Kind: IsNested, Part: oneOf(&m.parts, &p)})
}

// oneOf returns one of the last values that is equal to v, or a copy of v. It saves memory in a document with very many
// equal parts or declarations.
func oneOf[T comparable](r *[8]*T, v *T) *T {
	for i, last := range r {
		if last != nil && *last == *v {
			r[0], r[i] = last, r[0]
			return last
		}
	}
	copy(r[1:], r[:])
	own := *v
	r[0] = &own
	return &own
}

// Add adds a mark. After MaxMarks marks, it drops the mark and sets Notes.Full.
func (m *Marks) Add(at Mark) {
	if len(m.last) == cap(m.last) && !m.grow(at.Start) {
		return
	}
	m.last = append(m.last, at)
}

// blockLen is the greatest number of marks in a block. Blocks never move, so that a long text needs no second copy of
// its marks.
const blockLen = 1 << 10

// grow makes room for more marks. It returns false if the next one, at an offset, is one too many.
func (m *Marks) grow(offset int) bool {
	room := min(max(2*len(m.last), 64), blockLen)
	if limit := m.MaxMarks; limit > 0 {
		room = min(room, limit-m.Len())
	}
	if room <= 0 {
		if !m.Notes.Full {
			m.Notes.Full, m.Notes.FullAt = true, offset
		}
		return false
	}
	if len(m.last) > 0 {
		m.full = append(m.full, m.last)
	}
	m.last = make([]Mark, 0, room)
	return true
}

// Len returns the number of marks.
func (m *Marks) Len() int {
	n := len(m.last)
	for _, marks := range m.full {
		n += len(marks)
	}
	return n
}

// All yields all marks, in blocks.
func (m *Marks) All(yield func([]Mark) bool) {
	for _, marks := range m.full {
		if !yield(marks) {
			return
		}
	}
	yield(m.last)
}

// Drain is All, but forgets the blocks that it has yielded, so that their memory is free while the edits of the others
// are made.
func (m *Marks) Drain(yield func([]Mark) bool) {
	for i, marks := range m.full {
		if m.full[i] = nil; !yield(marks) {
			return
		}
	}
	yield(m.last)
}

// Bases yields the marks that declare a base, in the order of the bytes.
func (m *Marks) Bases(yield func(*Mark) bool) {
	for marks := range m.All {
		for i := range marks {
			if at := &marks[i]; at.Kind == IsBase && !yield(at) {
				return
			}
		}
	}
}

// ScopeCount returns the number of opened scopes, which is the number of the last one.
func (m *Marks) ScopeCount() int32 {
	n := len(m.scopes)
	if n == 0 {
		return 0
	}
	return int32((n-1)*blockLen + len(m.scopes[n-1]))
}

// ScopeMark returns the declaration of the scope with the number n.
func (m *Marks) ScopeMark(n int32) *Mark {
	s := &m.scopes[(n-1)/blockLen][(n-1)%blockLen]
	return &Mark{Start: s.start, End: s.end, Codec: s.codec, Place: s.place, ScopeNumber: s.outer, Kind: IsBase,
		Base: s.base}
}

// LastAt returns the last mark if its region begins at start, or nil.
func (m *Marks) LastAt(start int) *Mark {
	if n := len(m.last); n > 0 && m.last[n-1].Start == start {
		return &m.last[n-1]
	}
	return nil
}

// TakeBack removes the last mark.
func (m *Marks) TakeBack() { m.last = m.last[:len(m.last)-1] }

// ScratchOf returns the value of type T that m keeps from one text to the next, which is zero at first. A format has
// its buffers in a type of its own.
func ScratchOf[T any](m *Marks) *T {
	for _, kept := range m.scratch {
		if v, ok := kept.(*T); ok {
			return v
		}
	}
	v := new(T)
	m.scratch = append(m.scratch, v)
	return v
}
