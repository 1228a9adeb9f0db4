package header

import (
	"bytes"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
)

// linkField describes a field whose value contains links.
type linkField struct {
	folded string // the name of the field in lower case
	place  *mark.Place
	as     fieldValue
	text   *mark.Format // the grammar of the value as decoded text: see TextField
}

// fieldValue is the syntax of the value of a field.
type fieldValue uint8

const (
	asOneURL      fieldValue = iota // one URL
	asWhereabouts                   // one URL, or words like "Room 5", which are not a link
	asAbsoluteURL                   // one URL; it is a link if it is absolute or in brackets
	asURLs                          // a list of URLs in brackets
	asLinks                         // links in the syntax of RFC 8288
	asRefresh                       // a delay and a URL
)

// linkFields has the fields with links. Base is not a link: it is only used to resolve links. List-Id is not a URL (RFC
// 2919).
var linkFields = slices.Concat(
	// RFC 2557 4.2 and RFC 9110 8.7, RFC 2110 4.2, RFC 5064 2
	fieldsWith(asOneURL, "Content-Location", "Content-Base", "Archived-At"),
	// RFC 9110 10.2.2; the Location of iCalendar has words
	fieldsWith(asWhereabouts, "Location"),
	fieldsWith(asAbsoluteURL, "X-URL", "X-URI", "X-Archived-At", "X-Homepage", "X-Home-Page"),
	// RFC 2369 3
	fieldsWith(asURLs, "List-Help", "List-Unsubscribe", "List-Subscribe", "List-Post", "List-Owner", "List-Archive",
		"List-Url"),
	fieldsWith(asURLs, "URI"), // RFC 2068 19.6.2.5
	fieldsWith(asLinks, "Link"),
	fieldsWith(asRefresh, "Refresh"),
)

func fieldsWith(as fieldValue, names ...string) (fields []linkField) {
	for _, name := range names {
		fields = append(fields, linkField{folded: ascii.Lower(name), place: &mark.Place{Name: name}, as: as})
	}
	return fields
}

// ContentLocation is the place of the URL of a Content-Location field.
var ContentLocation = linkFields[0].place

// linkFieldOf returns the row of a field in any case, or nil if the field has no links.
func linkFieldOf(name []byte) *linkField {
	if len(name) == 0 || !linkInitials[name[0]|0x20] {
		return nil
	}
	for i := range linkFields {
		if f := &linkFields[i]; ascii.FoldEqual(name, f.folded) {
			return f
		}
	}
	return nil
}

// linkInitials has the first letters of the names in linkFields, which rule out most fields at once.
var linkInitials [256]bool

func init() {
	for i := range linkFields {
		f := &linkFields[i]
		linkInitials[f.folded[0]] = true
		switch f.as {
		case asLinks:
			f.text = grammar.LinkHeader
		case asRefresh:
			f.text = grammar.Refresh
		default:
			f.text = &mark.Format{Name: f.place.Name, Single: true, Mark: func(src []byte, m *mark.Marks) {
				f.links(src, codec.Span{End: len(src)}, true,
					func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format) {
						if format == nil {
							m.Link(place, span.Start, span.End, c)
						}
					})
			}}
		}
	}
}

// TextField returns the place of a field of HTTP with links, and the grammar of its value as decoded text, which a HAR
// has. Both are nil for a field without links, and for Content-Base.
func TextField(name []byte) (place *mark.Place, format *mark.Format) {
	if f := linkFieldOf(name); f != nil && f.folded != "content-base" {
		return f.place, f.text
	}
	return nil, nil
}

// PlaceNames returns the names of the places of links and bases in headers.
func PlaceNames() []string {
	names := []string{snapshotPlace.Name, externalPlace.Name}
	for _, base := range baseNames {
		names = append(names, base.place.Name)
	}
	for i := range linkFields {
		names = append(names, linkFields[i].place.Name)
	}
	return names
}

// links calls visit for each link of a header, in the order of the bytes. place is named after the field, span is the
// URL and c its codec. If format is not nil, span is a text that contains links, and format is its grammar.
func links(src []byte, fields []Field, http bool,
	visit func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format)) {
	for i := range fields {
		if f := linkFieldOf(src[fields[i].Name.Start:fields[i].Name.End]); f != nil {
			f.links(src, TrimWhite(src, fields[i].Value), http, visit)
		}
	}
}

// links calls visit for each link in the value of a field. In HTTP a Location is always a URL, because servers send
// URLs with spaces and browsers follow them. In other headers a Location may be words.
func (f *linkField) links(src []byte, value codec.Span, http bool,
	visit func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format)) {
	switch {
	case f.as == asLinks:
		visit(f.place, value, spell.HeaderFolds, grammar.LinkHeader)
	case f.as == asRefresh:
		visit(f.place, value, spell.HeaderLines, grammar.Refresh)
	case f.as == asURLs && encodedList(src[value.Start:value.End]):
		visit(f.place, value, spell.HeaderWords, f.text)
	case f.as == asURLs:
		headerURLs(src, value, func(s codec.Span, c codec.Codec) { visit(f.place, s, c, nil) })
	default:
		as := f.as
		if http && as == asWhereabouts {
			as = asOneURL
		}
		s, c := FieldURL(src, value)
		if text, _ := c.Decode(src[s.Start:s.End]); isLinkIn(as, text, src[s.Start:s.End], c) {
			visit(f.place, s, c, nil)
		}
	}
}

// encodedList reports whether a whole list of URLs is in encoded words (RFC 2047), so that its brackets are encoded as
// well.
func encodedList(value []byte) bool {
	return bytes.HasPrefix(value, []byte("=?")) && bytes.IndexByte(value, '<') < 0
}

// isLinkIn reports whether the URL of a field, which raw spells, is a link. An empty URL is not one, because in these
// fields it does not mean the document itself.
func isLinkIn(as fieldValue, url, raw []byte, c codec.Codec) bool {
	if len(url) == 0 {
		return false
	}
	if c == spell.HeaderURL || as == asOneURL || ascii.HasScheme(url) {
		return true
	}
	if as == asAbsoluteURL {
		return false
	}
	// Words have spaces or folds between them, and rarely begin like a path.
	return bytes.IndexByte(url, ' ') < 0 && bytes.IndexByte(raw, ' ') < 0 ||
		bytes.IndexByte([]byte("/.?#"), url[0]) >= 0
}
