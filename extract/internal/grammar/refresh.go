package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Refresh is the value of a Refresh header, or the content of a meta element with http-equiv=refresh: "5;
// url=next.html".
var Refresh = &mark.Format{Name: "refresh", Mark: extractRefresh, Single: true}

var refreshPlace = &mark.Place{Name: "refresh"}

// The codecs of a URL in double quotes, in single quotes, and without quotes, where it extends to the end of the value.
// White space at both ends is not part of the URL, because URL parsers ignore it. A URL without "url=" before it must
// not begin with "url=", but no absolute URL does.
var (
	refreshDouble codec.Codec = &spell.BrokenURL{Unescaped: spell.Unescaped{Never: `"` + spell.Breaks,
		First: spell.WhiteSpace, Last: spell.WhiteSpace}}
	refreshSingle codec.Codec = &spell.BrokenURL{Unescaped: spell.Unescaped{Never: `'` + spell.Breaks,
		First: spell.WhiteSpace, Last: spell.WhiteSpace}}
	refreshBare codec.Codec = &spell.BrokenURL{Unescaped: spell.Unescaped{Never: spell.Breaks,
		First: spell.WhiteSpace + `"'`, Last: spell.WhiteSpace}}
)

// extractRefresh follows the "shared declarative refresh steps" of HTML 4.2.5.3. A value that does not start with a
// time has no effect, so it has no link.
//
// An empty URL, as in "0; url=", is a link, because it refers to the base URL. A value without a URL, as in "0", is
// not, because the document refreshes itself.
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
	// The standard skips a quote after "url=", and after the time if no "u" follows it. That is every quote here.
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

// refreshName returns the offset after "url" in any case and "=" at i, with white space after each. If ok is false, one
// of them is missing, and the URL begins at i.
func refreshName(src []byte, i int) (end int, ok bool) {
	if i+3 > len(src) || !ascii.FoldEqual(src[i:i+3], "url") {
		return i, false
	}
	if i = ascii.SkipSpace(src, i+3); i == len(src) || src[i] != '=' {
		return i, false
	}
	return ascii.SkipSpace(src, i+1), true
}
