package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// LinkHeader is the value of a Link field: `<next.html>; rel=next, <a.css>; rel=stylesheet`.
//
// The target of each link is a URL. The value of an anchor parameter (RFC 8288 3.2) is a URL, too, but it is that of
// the document that links. Consumers may ignore a link with it. It is not marked.
var LinkHeader = &mark.Format{Name: "Link", Extract: extractLinkHeader}

var linkPlace = &mark.Place{Name: "Link"}

// linkTarget has no escapes (RFC 8288 3, B.2). White space at its ends is left out.
var linkTarget codec.Codec = &codec.BrokenURL{Unescaped: codec.Unescaped{Never: ">" + codec.Breaks, First: codec.WhiteSpace, Last: codec.WhiteSpace}}

// extractLinkHeader is RFC 8288 appendix B.2, but where that gives up at an element that
// does not start with "<", here the next comma is tried: empty elements are allowed
// (RFC 9110 5.6.1.2), and one that is junk costs no other.
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

// linkParameters skips parameters (RFC 8288 B.3 and B.4) and junk, to the comma that ends the
// element. A quoted string counts only as the whole of a value: the quote in title=it"s
// opens none.
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
