package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// LinkHeader is the value of a Link field: `<next.html>; rel=next, <a.css>; rel=stylesheet`.
//
// The target of each link is marked. The value of an anchor parameter (RFC 8288 3.2) is not marked. It is the URL of the
// document that has the link, and consumers may ignore a link with an anchor.
var LinkHeader = &mark.Format{Name: "Link", Extract: extractLinkHeader}

var linkPlace = &mark.Place{Name: "Link"}

// linkTarget is the codec of a target. A target has no escapes (RFC 8288 3, B.2), and no white space at its ends.
var linkTarget codec.Codec = &spell.BrokenURL{Unescaped: spell.Unescaped{Never: ">" + spell.Breaks, First: spell.WhiteSpace, Last: spell.WhiteSpace}}

// extractLinkHeader follows RFC 8288 appendix B.2, with one difference. At an element that does not start with "<", the
// RFC stops, but extractLinkHeader continues after the next comma. Empty elements are allowed (RFC 9110 5.6.1.2), and an
// invalid element should not hide the links after it.
func extractLinkHeader(src []byte, m *mark.Marks) {
	for i := 0; i < len(src); {
		switch {
		case ascii.IsSpace(src[i]) || src[i] == ',':
			i++
		case src[i] == '<':
			n := bytes.IndexByte(src[i:], '>')
			if n < 0 {
				return
			}
			start, end := ascii.TrimSpace(src, i+1, i+n)
			m.Link(linkPlace, start, end, linkTarget)
			i += n + 1
		default:
			i = linkParameters(src, i)
		}
	}
}

// linkParameters skips parameters (RFC 8288 B.3 and B.4) and invalid text. It returns the offset of the comma that ends
// the element, or len(src). A quoted string begins only right after "=": the quote in title=it"s is not a quoted string.
func linkParameters(src []byte, i int) int {
	for i < len(src) && src[i] != ',' {
		if src[i] != '=' {
			i++
			continue
		}
		if i = ascii.SkipSpace(src, i+1); i < len(src) && src[i] == '"' {
			i = min(ascii.QuotedEnd(src, i+1)+1, len(src))
			continue
		}
		for i < len(src) && src[i] != ';' && src[i] != ',' {
			i++
		}
	}
	return i
}
