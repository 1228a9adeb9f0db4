package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// FieldURL returns the span and the codec of the URL in the value of a field. It accepts all old and new spellings, with
// comments (RFC 822 3.1.4) and white space around them:
//
//	<URL:http://h/>  (RFC 1808 3.1)      <http://h/>      "http://h/"      URL:http://h/      http://h/  (RFC 2557 4.2)
//
// The span has no white space at its ends. If the value has no URL, the span is empty, at the end of the value.
//
// If a closing bracket or quote is missing, the URL ends with the value. A bare URL may contain white space and
// parentheses: see beforeComment and afterComments.
func FieldURL(src []byte, value codec.Span) (codec.Span, codec.Codec) {
	s := afterComments(src, TrimWhite(src, value))
	inside, named := false, false
	// At most two pairs: "<URL:...>" in quotes, or quotes in brackets.
	for layer := 0; layer < 4 && s.Len() > 0; layer++ {
		switch at := src[s.Start]; {
		case at == '<' || at == '"':
			s, inside = bracketed(src, s), true
		case !named && s.Len() >= 4 && ascii.FoldEqual(src[s.Start:s.Start+4], "url:"):
			s.Start, named = s.Start+4, true
		default:
			layer = 4
		}
		s = TrimWhite(src, s)
	}
	if inside {
		return s, spell.HeaderURL
	}
	return beforeComment(src, s), spell.HeaderBare
}

// afterComments returns a value without the comments at its start. Before a bare relative URL it keeps them, because
// `(old) p.htm` is the name of a file.
func afterComments(src []byte, s codec.Span) codec.Span {
	var c comments
	rest := codec.Span{Start: c.skipAll(src, s.Start, s.End), End: s.End}
	url := src[rest.Start:rest.End]
	if len(url) == 0 || url[0] == '<' || url[0] == '"' || len(url) >= 4 && ascii.FoldEqual(url[:4], "url:") || ascii.HasScheme(url) {
		return rest
	}
	return s
}

// ContentID returns the value of a Content-ID field (RFC 2045 7) without its brackets and comments. It accepts a value
// without brackets.
func ContentID(src []byte, value codec.Span) []byte {
	var c comments
	id := codec.Span{Start: c.skipAll(src, value.Start, value.End), End: value.End}
	if id.Len() > 0 && src[id.Start] == '<' {
		id = bracketed(src, id)
	} else {
		id = beforeComment(src, id)
	}
	return ascii.Trimmed(src[id.Start:id.End])
}

// bracketed returns the span inside the bracket or quote at the start of s.
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

// beforeComment returns a bare URL without the comments at its end. Text in parentheses is a comment under two
// conditions. Only white space and comments follow it, and white space or a comment is before it. Otherwise the
// parentheses belong to the URL, as in `a (1).gif`. beforeComment reads backwards, so that it reads each byte once.
func beforeComment(src []byte, s codec.Span) codec.Span {
	for end := TrimWhite(src, s).End; ; {
		start := commentStart(src, s.Start, end)
		if start < 0 {
			return s
		}
		if end = start; start == s.Start || ascii.IsWhite(src[start-1]) {
			s = TrimWhite(src, codec.Span{Start: s.Start, End: start})
			end = s.End
		}
	}
}

// commentStart returns the index of the "(" of the comment that ends at end, or -1 if no comment ends there.
func commentStart(src []byte, start, end int) int {
	if end == start || src[end-1] != ')' || isQuoted(src, start, end-1) {
		return -1
	}
	depth := 1
	for i := end - 2; i >= start; i-- {
		switch c := src[i]; {
		case c != '(' && c != ')':
		case isQuoted(src, start, i):
		case c == ')':
			depth++
		default:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// isQuoted reports whether src[i] is the second half of a quoted pair (RFC 5322 3.2.1) in a comment after start.
func isQuoted(src []byte, start, i int) bool {
	n := i
	for n > start && src[n-1] == '\\' {
		n--
	}
	return (i-n)%2 == 1
}

// headerURLs calls visit for each URL of a list (RFC 2369 2, RFC 2068 19.6.2.5), such as
// `<mailto:a@h> (by mail), <http://h/>`. The spans are inside the brackets.
//
// RFC 2369 ignores the text after a bracket up to the next comma. headerURLs does not need the comma, as in a Link field.
// A value without brackets is one URL if it is absolute. Otherwise it has no URL, such as `NO (posting not allowed)`
// (RFC 2369 3.4).
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
			visit(withoutName(src, TrimWhite(src, inner)), spell.HeaderURL)
			any, i = true, inner.End+1
		default:
			i++
		}
	}
	if !any {
		if url, c := FieldURL(src, value); ascii.HasScheme(src[url.Start:url.End]) {
			visit(url, c)
		}
	}
}

// textURLs calls visit for each URL in brackets in the text of a field (RFC 1738 appendix). A URL begins with "URL:" or is
// absolute. Other text in brackets, such as an address, is skipped.
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
			inner := TrimWhite(src, codec.Span{Start: open, End: i})
			open = -1
			url := withoutName(src, inner)
			if url != inner || ascii.HasScheme(src[url.Start:url.End]) {
				visit(url, spell.HeaderURL)
			}
		}
	}
}

// withoutName returns a URL without the prefix "URL:".
func withoutName(src []byte, s codec.Span) codec.Span {
	if s.Len() >= 4 && ascii.FoldEqual(src[s.Start:s.Start+4], "url:") {
		s.Start += 4
		return TrimWhite(src, s)
	}
	return s
}

// urlsInWords is the format of a list of URLs that is decoded from encoded words (spell.HeaderWords). See encodedList.
var urlsInWords = &mark.Format{Name: "URLs in encoded words", Extract: extractURLsInWords, Single: true}

var urlsInWordsPlace = &mark.Place{Name: "URLs"}

func extractURLsInWords(src []byte, m *mark.Marks) {
	headerURLs(src, codec.Span{End: len(src)}, func(url codec.Span, c codec.Codec) {
		m.Link(urlsInWordsPlace, url.Start, url.End, c)
	})
}
