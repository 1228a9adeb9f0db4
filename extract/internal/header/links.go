package header

import (
	"bytes"
	"maps"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
)

// linkField describes a field whose value contains links.
type linkField struct {
	place *mark.Place
	as    fieldValue
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

// linkFields has the fields with links, by their names in lower case. Base is not a link: it is only used to resolve
// links. List-Id is not a URL (RFC 2919).
var linkFields = fieldTable(map[fieldValue][]string{
	asOneURL: {"Content-Base", "Content-Location", // RFC 2110 4.2, RFC 2557 4.2, RFC 9110 8.7
		"Archived-At"}, // RFC 5064 2
	asWhereabouts: {"Location"}, // RFC 9110 10.2.2; iCalendar has a Location, too
	asAbsoluteURL: {"X-URL", "X-URI", "X-Archived-At", "X-Homepage", "X-Home-Page"},
	asURLs: {"List-Help", "List-Unsubscribe", "List-Subscribe", "List-Post", "List-Owner", "List-Archive", // RFC 2369 3
		"List-Url",
		"URI"}, // RFC 2068 19.6.2.5
	asText:    {"Comments"},
	asLinks:   {"Link"},
	asRefresh: {"Refresh"},
})

// linkInitials has the first letters of the names in linkFields, in lower case. Most fields have another first letter.
var linkInitials = func() (initials [256]bool) {
	for name := range linkFields {
		initials[name[0]] = true
	}
	return initials
}()

// ContentLocation is the place of the URL of a Content-Location field.
var ContentLocation = linkFields["content-location"].place

var location = linkFields["location"].place

func fieldTable(names map[fieldValue][]string) map[string]linkField {
	table := map[string]linkField{}
	for as, list := range names {
		for _, name := range list {
			table[ascii.Lower(name)] = linkField{&mark.Place{Name: name}, as}
		}
	}
	return table
}

// PlaceNames returns the names of the places of links and bases in headers.
func PlaceNames() []string {
	names := []string{snapshotPlace.Name, externalPlace.Name}
	for _, base := range baseNames {
		names = append(names, base.place.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(linkFields)) {
		names = append(names, linkFields[name].place.Name)
	}
	return names
}

// links calls visit for each link of a header, in the order of the bytes. place is the name of the field. span is the
// URL, and c is its codec. If format is not nil, span is a text that contains links, and format is its grammar.
//
// In a header of HTTP a Location is always a URL. Servers send URLs with spaces, and browsers follow them. In other
// headers a Location may be words.
func links(src []byte, fields []Field, http bool, visit func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format)) {
	var buf [32]byte
	for i := range fields {
		f := &fields[i]
		if f.Name.Len() == 0 || f.Name.Len() > len(buf) || !linkInitials[src[f.Name.Start]|0x20] {
			continue
		}
		row, ok := linkFields[string(ascii.Fold(buf[:0], src[f.Name.Start:f.Name.End]))]
		if !ok {
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
var textFields = func() map[string]*mark.Format {
	formats := map[string]*mark.Format{}
	for name, row := range linkFields {
		switch row.as {
		case asLinks:
			formats[name] = grammar.LinkHeader
		case asRefresh:
			formats[name] = grammar.Refresh
		default:
			formats[name] = &mark.Format{Name: row.place.Name, Single: true, Extract: func(src []byte, m *mark.Marks) { textField(name, src, m) }}
		}
	}
	delete(formats, "content-base")
	return formats
}()

// TextField returns the place of a field of HTTP with links, and the grammar of its value. The value is decoded text, as in a
// HAR. The place and the format are nil for a field without links.
func TextField(name []byte) (place *mark.Place, format *mark.Format) {
	folded := ascii.Lower(string(name))
	if format = textFields[folded]; format != nil {
		place = linkFields[folded].place
	}
	return place, format
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
