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
// The target of each link is marked, but not the value of an anchor parameter (RFC 8288 3.2), which is the URL of the
// document that has the link: consumers may ignore a link with an anchor.
var LinkHeader = &mark.Format{Name: "Link", Mark: extractLinkHeader}

var linkPlace = &mark.Place{Name: "Link", Describe: describeLink}

// linkTarget is the codec of a target. A target has no escapes (RFC 8288 3, B.2), and no white space at its ends.
var linkTarget codec.Codec = &spell.BrokenURL{Unescaped: spell.Unescaped{Never: ">" + spell.Breaks,
	First: spell.WhiteSpace, Last: spell.WhiteSpace}}

// extractLinkHeader follows RFC 8288 appendix B.2, with one difference: at an element that does not start with "<" the
// RFC stops, but extractLinkHeader continues after the next comma, because empty elements are allowed (RFC 9110
// 5.6.1.2) and an invalid element should not hide the links after it.
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
// the element, or len(src). A quoted string begins only right after "=": the quote in title=it"s is not a quoted
// string.
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

// describeLink returns the parameters rel and title of a link (RFC 8288 3.3 and 3.4.1). after begins no later than the
// ">" of the target. The first of several parameters with one name applies.
func describeLink(after []byte) (rel, title []byte) {
	after = after[bytes.IndexByte(after, '>')+1:]
	after = after[:linkParameters(after, 0)]
	for i := ascii.SkipSpace(after, 0); i < len(after) && after[i] == ';'; {
		start := ascii.SkipSpace(after, i+1)
		for i = start; i < len(after) && after[i] != '=' && after[i] != ';'; {
			i++
		}
		_, end := ascii.TrimSpace(after, start, i)
		name, value := after[start:max(start, end)], []byte{}
		if i < len(after) && after[i] == '=' {
			value, i = linkValue(after, ascii.SkipSpace(after, i+1))
		}
		switch {
		case rel == nil && ascii.FoldEqual(name, "rel"):
			rel = value
		case title == nil && ascii.FoldEqual(name, "title"):
			title = value
		}
	}
	return rel, title
}

// linkValue returns the value of a parameter at src[i], and the offset of the semicolon after it.
func linkValue(src []byte, i int) (value []byte, end int) {
	start := i
	if i == len(src) || src[i] != '"' {
		for i < len(src) && src[i] != ';' {
			i++
		}
		_, end := ascii.TrimSpace(src, start, i)
		return src[start:max(start, end)], i
	}
	value = []byte{}
	for i++; i < len(src) && src[i] != '"'; i++ {
		if src[i] == '\\' && i+1 < len(src) {
			i++
		}
		value = append(value, src[i])
	}
	for i < len(src) && src[i] != ';' {
		i++
	}
	return value, i
}
