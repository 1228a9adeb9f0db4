package extract

import (
	"bytes"

	"absolink/extract/internal/codec"
)

// fieldURL finds the URL that is the value of a field, in all spellings of old and new:
// `<URL:http://h/>` (RFC 1808 3.1), `<http://h/>`, `"http://h/"`, `URL:http://h/`, or bare
// (RFC 2557 4.2), with comments (RFC 822 3.1.4) and white space around. It gives its span,
// without white space at its ends, and its spelling. The URL of a value that has none is
// empty, and stands where it ends.
//
// A bracket or quote without an end goes on to the end of the value. A bare URL may have
// parentheses in it: a comment behind it begins after white space, and has an end.
func fieldURL(src []byte, value codec.Span) (codec.Span, codec.Codec) {
	var c comments
	s := trimWhite(src, value)
	s.Start = c.skipAll(src, s.Start, s.End)
	inside, named := false, false
	// Two pairs at most: "<URL:...>" within quotes, or quotes within brackets.
	for layer := 0; layer < 4 && s.Len() > 0; layer++ {
		switch at := src[s.Start]; {
		case at == '<' || at == '"':
			s, inside = bracketed(src, s), true
		case !named && s.Len() >= 4 && foldEqual(src[s.Start:s.Start+4], "url:"):
			s.Start, named = s.Start+4, true
		default:
			layer = 4
		}
		s = trimWhite(src, s)
	}
	if inside {
		return s, codec.HeaderURL
	}
	return beforeComment(src, s, &c), codec.HeaderBare
}

// bracketed gives what is inside the bracket or quote that s begins with.
func bracketed(src []byte, s codec.Span) codec.Span {
	closing := byte('>')
	if src[s.Start] == '"' {
		closing = '"'
	}
	s.Start++
	if n := bytes.IndexByte(src[s.Start:s.End], closing); n >= 0 {
		s.End = s.Start + n
	}
	return s
}

// beforeComment cuts a bare URL at the first comment behind it. A parenthesis without an end
// that the URL begins with hides none: it will not when something stands before it.
func beforeComment(src []byte, s codec.Span, c *comments) codec.Span {
	for i := s.Start; i < s.End; i++ {
		if src[i] != '(' || i > s.Start && !isWhite(src[i-1]) {
			continue
		}
		if _, ok := c.skip(src, i, s.End); ok {
			return trimWhite(src, codec.Span{Start: s.Start, End: i})
		}
		if i > s.Start {
			return s
		}
		c.endless = false
	}
	return s
}

// headerURLs calls visit for each URL of a list (RFC 2369 2, RFC 2068 19.6.2.5):
// `<mailto:a@h> (by mail), <http://h/>`. Their spans are those inside the brackets.
//
// RFC 2369 has what follows a bracket ignored up to a comma; here a URL without a comma
// before it counts, as it does in a Link field. A value with no bracket is a single URL, if
// it is absolute: so `NO` and `NO (posting not allowed)` are none (RFC 2369 3.4).
func headerURLs(src []byte, value codec.Span, visit func(url codec.Span, c codec.Codec)) {
	var c comments
	any := false
	for i := value.Start; i < value.End; {
		switch src[i] {
		case '(':
			after, ok := c.skip(src, i, value.End)
			if !ok {
				after = i + 1
			}
			i = after
		case '<':
			inner := bracketed(src, codec.Span{Start: i, End: value.End})
			visit(withoutName(src, trimWhite(src, inner)), codec.HeaderURL)
			any, i = true, inner.End+1
		default:
			i++
		}
	}
	if !any {
		if url, c := fieldURL(src, value); hasScheme(src[url.Start:url.End]) {
			visit(url, c)
		}
	}
}

// textURLs calls visit for each URL in brackets in the text of a field, which may hold
// other things in brackets, such as addresses: those with "URL:" before them, and those
// that are absolute (RFC 1738 appendix).
func textURLs(src []byte, value codec.Span, visit func(url codec.Span, c codec.Codec)) {
	open := -1
	for i := value.Start; i < value.End; i++ {
		switch src[i] {
		case '<':
			open = i + 1
		case '>':
			if open < 0 {
				continue
			}
			inner := trimWhite(src, codec.Span{Start: open, End: i})
			open = -1
			url := withoutName(src, inner)
			if url != inner || hasScheme(src[url.Start:url.End]) {
				visit(url, codec.HeaderURL)
			}
		}
	}
}

// withoutName takes "URL:" off.
func withoutName(src []byte, s codec.Span) codec.Span {
	if s.Len() >= 4 && foldEqual(src[s.Start:s.Start+4], "url:") {
		s.Start += 4
		return trimWhite(src, s)
	}
	return s
}

// urlsInWords are the URLs of a list that was encoded as a whole (codec.HeaderWords).
var urlsInWords = &Format{Name: "URLs in encoded words", Extract: extractURLsInWords, single: true}

var urlsInWordsPlace = &Place{Name: "URLs"}

func extractURLsInWords(src []byte, f *Finder) {
	headerURLs(src, codec.Span{End: len(src)}, func(url codec.Span, c codec.Codec) {
		f.Link(urlsInWordsPlace, url.Start, url.End, c)
	})
}
