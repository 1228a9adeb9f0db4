package header

import (
	"bytes"
	"sync"

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
}

// fieldValue is the syntax of the value of a field.
type fieldValue uint8

const (
	asOneURL      fieldValue = iota // one URL
	asWhereabouts                   // one URL, or words such as "Room 5", which are not a link
	asAbsoluteURL                   // one URL; it is a link if it is absolute or in brackets
	asURLs                          // a list of URLs in brackets
	asText                          // text that may have URLs in brackets
	asLinks                         // links in the syntax of RFC 8288
	asRefresh                       // a delay and a URL
)

// linkFields has the fields with links. Base is not a link: it is only used to resolve links. List-Id is not a URL (RFC 2919).
var linkFields = []linkField{
	{"content-location", ContentLocation, asOneURL},               // RFC 2557 4.2, RFC 9110 8.7
	{"location", location, asWhereabouts},                         // RFC 9110 10.2.2; iCalendar has a Location, too
	{"content-base", &mark.Place{Name: "Content-Base"}, asOneURL}, // RFC 2110 4.2
	{"archived-at", &mark.Place{Name: "Archived-At"}, asOneURL},   // RFC 5064 2
	{"x-url", &mark.Place{Name: "X-URL"}, asAbsoluteURL},
	{"x-uri", &mark.Place{Name: "X-URI"}, asAbsoluteURL},
	{"x-archived-at", &mark.Place{Name: "X-Archived-At"}, asAbsoluteURL},
	{"x-homepage", &mark.Place{Name: "X-Homepage"}, asAbsoluteURL},
	{"x-home-page", &mark.Place{Name: "X-Home-Page"}, asAbsoluteURL},
	{"list-help", &mark.Place{Name: "List-Help"}, asURLs}, // RFC 2369 3
	{"list-unsubscribe", &mark.Place{Name: "List-Unsubscribe"}, asURLs},
	{"list-subscribe", &mark.Place{Name: "List-Subscribe"}, asURLs},
	{"list-post", &mark.Place{Name: "List-Post"}, asURLs},
	{"list-owner", &mark.Place{Name: "List-Owner"}, asURLs},
	{"list-archive", &mark.Place{Name: "List-Archive"}, asURLs},
	{"list-url", &mark.Place{Name: "List-Url"}, asURLs},
	{"uri", &mark.Place{Name: "URI"}, asURLs}, // RFC 2068 19.6.2.5
	{"comments", &mark.Place{Name: "Comments"}, asText},
	{"link", &mark.Place{Name: "Link"}, asLinks},
	{"refresh", &mark.Place{Name: "Refresh"}, asRefresh},
}

// ContentLocation is the place of the URL of a Content-Location field.
var ContentLocation = &mark.Place{Name: "Content-Location"}

var location = &mark.Place{Name: "Location"}

// linkFieldOf returns the row of a field, or nil if the field has no links. It ignores case.
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

// linkInitials has the first letters of the names in linkFields. Most fields have another first letter.
var linkInitials = func() (initials [256]bool) {
	for i := range linkFields {
		initials[linkFields[i].folded[0]] = true
	}
	return initials
}()

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

// links calls visit for each link of a header, in the order of the bytes. place is the name of the field. span is the
// URL, and c is its codec. If format is not nil, span is a text that contains links, and format is its grammar.
//
// In a header of HTTP a Location is always a URL. Servers send URLs with spaces, and browsers follow them. In other
// headers a Location may be words.
func links(src []byte, fields []Field, http bool, visit func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format)) {
	for i := range fields {
		f := &fields[i]
		row := linkFieldOf(src[f.Name.Start:f.Name.End])
		if row == nil {
			continue
		}
		value := TrimWhite(src, f.Value)
		url := func(s codec.Span, c codec.Codec) { visit(row.place, s, c, nil) }
		switch row.as {
		case asLinks:
			visit(row.place, value, spell.HeaderFolds, grammar.LinkHeader)
		case asRefresh:
			visit(row.place, value, spell.HeaderLines, grammar.Refresh)
		case asText:
			textURLs(src, value, url)
		case asURLs:
			if encodedList(src[value.Start:value.End]) {
				visit(row.place, value, spell.HeaderWords, urlsInWords)
			} else {
				headerURLs(src, value, url)
			}
		default:
			as := row.as
			if http && as == asWhereabouts {
				as = asOneURL
			}
			s, c := FieldURL(src, value)
			if text, _ := c.Decode(src[s.Start:s.End]); isLinkIn(as, text, src[s.Start:s.End], c) {
				url(s, c)
			}
		}
	}
}

// textFields has the grammar of the value of each field with links, by the names in lower case. A field that declares a base
// is not in it.
var textFields = sync.OnceValue(func() map[string]*mark.Format {
	formats := map[string]*mark.Format{}
	for _, row := range linkFields {
		switch row.as {
		case asLinks:
			formats[row.folded] = grammar.LinkHeader
		case asRefresh:
			formats[row.folded] = grammar.Refresh
		default:
			formats[row.folded] = &mark.Format{Name: row.place.Name, Single: true, Extract: func(src []byte, m *mark.Marks) { textField(row.folded, src, m) }}
		}
	}
	delete(formats, "content-base")
	return formats
})

// TextField returns the place of a field of HTTP with links, and the grammar of its value. The value is decoded text, as in a
// HAR. The place and the format are nil for a field without links.
func TextField(name []byte) (place *mark.Place, format *mark.Format) {
	row := linkFieldOf(name)
	if row == nil || textFields()[row.folded] == nil {
		return nil, nil
	}
	return row.place, textFields()[row.folded]
}

// textField marks the URLs in the value of a field.
func textField(name string, value []byte, m *mark.Marks) {
	src := append([]byte(name), value...)
	field := Field{Name: codec.Span{End: len(name)}, Value: codec.Span{Start: len(name), End: len(src)}}
	links(src, []Field{field}, true, func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format) {
		if format == nil {
			m.Link(place, span.Start-len(name), span.End-len(name), c)
		}
	})
}

// encodedList reports whether the whole list of URLs is in encoded words, brackets included (RFC 2047). Such a list begins
// with an encoded word, and has no bracket.
func encodedList(value []byte) bool {
	return bytes.HasPrefix(value, []byte("=?")) && bytes.IndexByte(value, '<') < 0
}

// isLinkIn reports whether the URL of a field is a link. raw has the bytes that spell the URL. An empty URL is not a link:
// in these fields it does not mean the document itself.
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
	return bytes.IndexByte(url, ' ') < 0 && bytes.IndexByte(raw, ' ') < 0 || bytes.IndexByte([]byte("/.?#"), url[0]) >= 0
}
