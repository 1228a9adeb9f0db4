package header

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// FieldURL returns the span and the codec of the URL in the value of a field. It accepts all of these spellings, with
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
		case !named && isNamed(src, s):
			s.Start, named = s.Start+len("url:"), true
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

// afterComments returns a value without the comments at its start, unless a bare relative URL follows: `(old) p.htm` is
// the name of a file.
func afterComments(src []byte, s codec.Span) codec.Span {
	var c comments
	rest := codec.Span{Start: c.skipAll(src, s.Start, s.End), End: s.End}
	url := src[rest.Start:rest.End]
	if len(url) == 0 || url[0] == '<' || url[0] == '"' || isNamed(src, rest) || ascii.HasScheme(url) {
		return rest
	}
	return s
}

// ContentID returns the value of a Content-ID field (RFC 2045 7) without its comments, and its brackets if it has any.
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

// beforeComment returns a bare URL without the comments at its end, which follow white space. Other parentheses belong
// to the URL, as in `a (1).gif`.
func beforeComment(src []byte, s codec.Span) codec.Span {
	var c comments
	for i := s.Start; i < s.End; i++ {
		if src[i] != '(' || i > s.Start && !ascii.IsWhite(src[i-1]) {
			continue
		}
		after := c.skipAll(src, i, s.End)
		if after == s.End {
			return TrimWhite(src, codec.Span{Start: s.Start, End: i})
		}
		if i == s.Start && after == i {
			c = comments{} // this "(" begins the name of a file, as it does after a base; comments may follow
		}
		i = max(i, after-1)
	}
	return s
}

// headerURLs calls visit for each URL of a list (RFC 2369 2, RFC 2068 19.6.2.5) like
// `<mailto:a@h> (by mail), <http://h/>`. The spans are inside the brackets.
//
// RFC 2369 ignores the text after a bracket up to the next comma, but headerURLs does not need the comma. A value
// without brackets is one URL if it is absolute; any other, like `NO (posting not allowed)` (RFC 2369 3.4), has none.
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
			end := min(bracketed(src, codec.Span{Start: i, End: value.End}).End+1, value.End)
			visit(FieldURL(src, codec.Span{Start: i, End: end}))
			any, i = true, end
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

// isNamed reports whether a URL has the prefix "URL:".
func isNamed(src []byte, s codec.Span) bool {
	return s.Len() >= 4 && ascii.FoldEqual(src[s.Start:s.Start+4], "url:")
}

// parameterURL returns the span, inside the quotes, and the codec of the parameter url of a Content-Type field (RFC
// 2017 3). ok is false if there is no such parameter.
func parameterURL(src []byte, value codec.Span) (span codec.Span, c codec.Codec, ok bool) {
	_, rest := MediaTypeOf(src[value.Start:value.End])
	c = spell.HeaderURL
	parametersAt(src[:value.End], value.Start+rest, func(p parameter) bool {
		if ok = ascii.FoldEqual(src[p.name.Start:p.name.End], "url"); ok {
			span = p.value
			before := bytes.TrimRight(src[:p.value.Start], spell.WhiteSpace)
			if !p.quote && before[len(before)-1] != '"' { // not after a quote without an end
				c = spell.UnquotedParameter
			}
		}
		return !ok
	})
	return span, c, ok
}

// TrimWhite returns a span without the white space and folds at its ends.
func TrimWhite(src []byte, s codec.Span) codec.Span {
	s.Start = ascii.SkipWhite(src, s.Start, s.End)
	for s.Start < s.End && ascii.IsWhite(src[s.End-1]) {
		s.End--
	}
	return s
}
