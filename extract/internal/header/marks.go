package header

import (
	"math"
	"slices"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// MarkOwn marks the bases and links in the header of the text itself. Its bases govern the whole text.
func (r *Reader) MarkOwn(fields []Field) {
	h := marker{Reader: r, fields: fields, own: true}
	h.mark()
}

// MarkPart marks the bases and links in the header of a body part, inside the scope outer, and opens a scope for the
// part if a field declares a base. It returns the part's scope, and the mark of its Content-Location, or nil.
func (r *Reader) MarkPart(fields []Field, outer int32) (scope int32, location *mark.Mark) {
	h := marker{Reader: r, fields: fields, scope: outer}
	h.mark()
	return h.scope, h.location
}

// marker marks one header.
type marker struct {
	*Reader
	fields   []Field
	own      bool        // it is the header of the text itself, not of a part
	scope    int32       // of the links in the header
	location *mark.Mark  // its Content-Location; nil if it has none
	found    []mark.Mark // the marks that are not added yet, except those of links

	// declared has the fields that declare a base, by the spans of their URLs. The value is not nil for the field of a
	// part that is both a base and a link.
	declared map[codec.Span]*mark.Declaration
}

// mark adds the marks of the header, in the order of the bytes. Links do not wait in found, because there may be many.
func (h *marker) mark() {
	h.bases()
	h.snapshot()
	h.external()
	slices.SortStableFunc(h.found, func(a, b mark.Mark) int { return a.Start - b.Start })
	h.links()
	h.add(math.MaxInt)
}

// add adds the marks in found up to an offset.
func (h *marker) add(upTo int) {
	for len(h.found) > 0 && h.found[0].Start <= upTo {
		h.Marks.Add(h.found[0])
		h.found = h.found[1:]
	}
}

// baseField is a field that declares a base for the entity of its header.
type baseField struct {
	place    *mark.Place // named "Base", "Content-Base" or "Content-Location"
	url      codec.Span  // inside the field's value; it may be empty
	codec    codec.Codec // of the URL
	repeated bool        // not the first field of this name: it is ignored
}

// baseNames lists the fields that declare a base, in order of priority: Base (RFC 1808 3.1), Content-Base (RFC 2110
// 4.2), Content-Location (RFC 2557 4.2). If a header has several of them, the first in this list applies.
var baseNames = []struct {
	folded string
	place  *mark.Place
}{
	{"base", &mark.Place{Name: "Base"}},
	{"content-base", &mark.Place{Name: "Content-Base"}},
	{"content-location", &mark.Place{Name: "Content-Location"}},
}

// baseFields returns the fields that declare a base, in the order of baseNames and, within a name, of the bytes.
func baseFields(src []byte, fields []Field) (bases []baseField) {
	for _, n := range baseNames {
		for i, value := range values(src, fields, n.folded) {
			url, c := FieldURL(src, value)
			bases = append(bases, baseField{place: n.place, url: url, codec: c, repeated: i > 0})
		}
	}
	return bases
}

const noBaseInHTTP = "Content-Location is not a base in HTTP (RFC 7231 appendix B)"

func (h *marker) bases() {
	bases := baseFields(h.Src, h.fields)
	if len(bases) > 0 {
		h.declared = make(map[codec.Span]*mark.Declaration, len(bases))
	}
	for i := len(bases) - 1; i >= 0; i-- { // the last one is the outermost
		b, name := &bases[i], bases[i].place.Name
		h.declared[b.url] = nil
		d := mark.Declaration{By: name, After: uint8(min(i, 255)), Header: true}
		if b.repeated {
			d.Refuse = mark.RepeatedHeader
		}
		if h.HTTP && name == ContentLocation.Name {
			d.Refuse = noBaseInHTTP
		}
		switch {
		case h.own:
			d.Listed = name != "Base" && b.url.Len() > 0
			h.base(b.place, b.url, b.codec, d)
		case !b.repeated || i < mark.ListedRefused:
			h.basePart(b, d)
		}
	}
}

// base adds a base of the text itself to found.
func (h *marker) base(place *mark.Place, url codec.Span, c codec.Codec, d mark.Declaration) {
	h.found = append(h.found, mark.Mark{Start: url.Start, End: url.End, Codec: c, Place: place, Kind: mark.IsBase,
		Base: &d})
}

// basePart opens the scope of a body part whose header declares a base.
func (h *marker) basePart(b *baseField, d mark.Declaration) {
	h.scope = h.Marks.OpenScope(h.scope, b.place, b.url.Start, b.url.End, b.codec, d)
	declared := *h.Marks.ScopeMark(h.scope)
	declared.ScopeNumber = h.scope
	switch {
	case b.repeated:
	case b.place.Name == "Base": // it is not a link
		h.found = append(h.found, declared)
	default:
		h.declared[b.url] = declared.Base
	}
}

// links adds the marks of the fields that contain links, and the marks in found before them.
func (h *marker) links() {
	links(h.Src, h.fields, h.HTTP, func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format) {
		d, ok := h.declared[span]
		if ok && h.own {
			return // bases has added it, as a base that is listed like a link
		}
		link := mark.Mark{Start: span.Start, End: span.End, Codec: c, Place: place, ScopeNumber: h.scope, Base: d}
		if h.HTTP && place.Name == "Location" {
			link.ScopeNumber = h.Marks.Request() // the base of the header is ignored (RFC 9110 10.2.2)
		}
		if format != nil {
			link.Format, link.Kind = format, mark.IsInline
		}
		if place == ContentLocation && h.location == nil {
			first := link
			h.location = &first
		}
		h.add(link.Start)
		h.Marks.Add(link)
	})
}

// snapshotPlace is the place of the URL of a page that Chromium saved as MHTML.
var snapshotPlace = &mark.Place{Name: "Snapshot-Content-Location"}

// snapshot finds the URL of a page that was saved as MHTML, which is the retrieval URL of the text (RFC 1808 3.3).
func (h *marker) snapshot() {
	field := h.Field(h.fields, "snapshot-content-location")
	if !h.own || field.Len() == 0 {
		return
	}
	h.Marks.Parts.Snapshot = true
	url, c := FieldURL(h.Src, field)
	h.base(snapshotPlace, url, c, mark.RetrievedFrom(snapshotPlace.Name))
}

var externalPlace = &mark.Place{Name: "Content-Type"}

// external finds the URL of the body of a message/external-body, which is its parameter URL (RFC 2017 3).
func (h *marker) external() {
	if h.HTTP {
		return
	}
	field := h.Field(h.fields, "content-type")
	if mediaType, params := h.ContentType(h.fields); mediaType != "message/external-body" || params["url"] == "" {
		return
	}
	if url, c, ok := parameterURL(h.Src, field); ok {
		h.found = append(h.found, mark.Mark{Start: url.Start, End: url.End, Codec: c, Place: externalPlace,
			ScopeNumber: h.scope})
	} else {
		h.Marks.Warn(field.Start, mark.HeaderMalformed,
			"the URL of the body is in sections (RFC 2231 3), which are not read; write it as one parameter")
	}
}
