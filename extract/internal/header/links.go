package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
)

// linkField is a field whose value holds links.
type linkField struct {
	place *mark.Place
	as    fieldValue
}

// fieldValue is what the value of a field is.
type fieldValue uint8

const (
	asOneURL      fieldValue = iota
	asWhereabouts            // one URL, if it is not words such as "Room 5"
	asAbsoluteURL            // one URL, if it is absolute or in brackets
	asURLs                   // a list of URLs in brackets
	asText                   // text that may have URLs in brackets
	asLinks                  // RFC 8288
	asRefresh
)

// linkFields are the fields with links, by their names in lower case. Base is not one of them: it only serves to
// resolve. List-Id is no URL (RFC 2919).
var linkFields = fieldTable(map[fieldValue][]string{
	asOneURL: {"Content-Base", "Content-Location", // RFC 2110 4.2, RFC 2557 4.2, RFC 9110 8.7
		"Archived-At"}, // RFC 5064 2
	asWhereabouts: {"Location"}, // RFC 9110 10.2.2; iCalendar's, too
	asAbsoluteURL: {"X-URL", "X-URI", "X-Archived-At", "X-Homepage", "X-Home-Page"},
	asURLs: {"List-Help", "List-Unsubscribe", "List-Subscribe", "List-Post", "List-Owner", "List-Archive", // RFC 2369 3
		"List-Url",
		"URI"}, // RFC 2068 19.6.2.5
	asText:    {"Comments"},
	asLinks:   {"Link"},
	asRefresh: {"Refresh"},
})

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

// links calls visit for each link of a header, in the order of the bytes. place names the field. span is the URL, and c
// is how it is spelled there. If format is not nil, span is a text in that small grammar, which holds links.
//
// In a header of HTTP a Location is always a URL. Servers send URLs with blanks, and browsers follow them. In other
// headers a Location may be words.
func links(src []byte, fields []Field, http bool, visit func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format)) {
	var buf [32]byte
	for i := range fields {
		f := &fields[i]
		if f.Name.Len() == 0 || f.Name.Len() > len(buf) {
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
			visit(row.place, value, codec.HeaderFolds, grammar.LinkHeader)
		case asRefresh:
			visit(row.place, value, codec.HeaderLines, grammar.Refresh)
		case asText:
			textURLs(src, value, url)
		case asURLs:
			if encodedList(src[value.Start:value.End]) {
				visit(row.place, value, codec.HeaderWords, urlsInWords)
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

// encodedList reports whether a list of URLs was encoded as a whole: it begins with an encoded word, and it has no
// bracket.
func encodedList(value []byte) bool {
	return bytes.HasPrefix(value, []byte("=?")) && bytes.IndexByte(value, '<') < 0
}

// isLinkIn reports whether the URL of a field is a link. raw spells the URL. An empty URL is no link: none of these
// fields means the document itself.
func isLinkIn(as fieldValue, url, raw []byte, c codec.Codec) bool {
	if len(url) == 0 {
		return false
	}
	if c == codec.HeaderURL || as == asOneURL || ascii.HasScheme(url) {
		return true
	}
	if as == asAbsoluteURL {
		return false
	}
	// Words have blanks or folds between them, and few of them begin like a path.
	return bytes.IndexByte(url, ' ') < 0 && bytes.IndexByte(raw, ' ') < 0 || bytes.IndexByte([]byte("/.?#"), url[0]) >= 0
}
