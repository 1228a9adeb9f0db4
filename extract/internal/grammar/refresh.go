package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Refresh is the value of a Refresh header, and the content of a meta element that
// stands for one: "5; url=next.html".
var Refresh = &mark.Format{Name: "refresh", Extract: extractRefresh, Single: true}

var refreshPlace = &mark.Place{Name: "refresh"}

// A URL without quotes goes to the end of the value. White space at its ends is not
// taken as part of it, for the URL parsers strip it. Without "url=" in front it must not
// start with "url=" either, but that is nothing an absolute URL starts with.
var (
	refreshDouble codec.Codec = &codec.BrokenURL{Unescaped: codec.Unescaped{Never: `"` + codec.Breaks, First: codec.WhiteSpace, Last: codec.WhiteSpace}}
	refreshSingle codec.Codec = &codec.BrokenURL{Unescaped: codec.Unescaped{Never: `'` + codec.Breaks, First: codec.WhiteSpace, Last: codec.WhiteSpace}}
	refreshBare   codec.Codec = &codec.BrokenURL{Unescaped: codec.Unescaped{Never: codec.Breaks, First: codec.WhiteSpace + `"'`, Last: codec.WhiteSpace}}
)

// extractRefresh is the "shared declarative refresh steps" of HTML 4.2.5.3. A value that
// does not start with a time does nothing.
//
// A URL that is there and empty ("0; url=") is a link: it is parsed like any other, and
// so is the base URL. Where there is none the document refreshes itself.
func extractRefresh(src []byte, m *mark.Marks) {
	i := ascii.SkipSpace(src, 0)
	digits := i
	for i < len(src) && ascii.IsDigit(src[i]) {
		i++
	}
	if i == digits && (i == len(src) || src[i] != '.') {
		return
	}
	for i < len(src) && (ascii.IsDigit(src[i]) || src[i] == '.') {
		i++
	}
	if i == len(src) || src[i] != ';' && src[i] != ',' && !ascii.IsSpace(src[i]) {
		return
	}
	i = ascii.SkipSpace(src, i)
	if i < len(src) && (src[i] == ';' || src[i] == ',') {
		i = ascii.SkipSpace(src, i+1)
	}
	if i == len(src) {
		return
	}

	start, end, c := i, len(src), refreshBare
	afterName, named := refreshName(src, i)
	if named {
		start = afterName
	}
	// The standard skips a quote after "url=", or at once where what follows the time does
	// not begin with a "u". That is wherever there is a quote: a "u" is none.
	if start < end && (src[start] == '"' || src[start] == '\'') {
		c = refreshDouble
		if src[start] == '\'' {
			c = refreshSingle
		}
		start++
		if n := bytes.IndexByte(src[start:], src[start-1]); n >= 0 {
			end = start + n
		}
	}
	start, end = ascii.TrimSpace(src, start, end)
	m.Link(refreshPlace, start, end, c)
}

// refreshName reads "url", in any case, and "=" at i, with white space after each. Where
// one of them is missing what stands there is the URL.
func refreshName(src []byte, i int) (end int, ok bool) {
	if i+3 > len(src) || !ascii.FoldEqual(src[i:i+3], "url") {
		return i, false
	}
	if i = ascii.SkipSpace(src, i+3); i == len(src) || src[i] != '=' {
		return i, false
	}
	return ascii.SkipSpace(src, i+1), true
}
