package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// URLList is a list of URLs separated by white space: the value of a@ping (HTML 2.3.7, "set of space-separated tokens")
// and of object@archive (HTML 4.01 13.3).
var URLList = &mark.Format{Name: "URL list", Mark: extractURLList}

// CommaList is a list of URLs separated by commas: the value of applet@archive (HTML 4.01 13.4).
var CommaList = &mark.Format{Name: "comma list", Mark: extractCommaList}

var listPlace = &mark.Place{Name: "list"}

var (
	urlListItem   codec.Codec = &spell.Unescaped{Never: spell.WhiteSpace}
	commaListItem codec.Codec = &spell.BrokenURL{Unescaped: spell.Unescaped{Never: "," + spell.Breaks,
		First: spell.WhiteSpace, Last: spell.WhiteSpace}}
)

func extractURLList(src []byte, m *mark.Marks) {
	for i := 0; i < len(src); {
		if ascii.IsSpace(src[i]) {
			i++
			continue
		}
		start := i
		for i < len(src) && !ascii.IsSpace(src[i]) {
			i++
		}
		m.Link(listPlace, start, i, urlListItem)
	}
}

// extractCommaList ignores empty items, and white space around items, about which HTML 4.01 says nothing.
func extractCommaList(src []byte, m *mark.Marks) {
	for i := 0; i < len(src); {
		end := len(src)
		if n := bytes.IndexByte(src[i:], ','); n >= 0 {
			end = i + n
		}
		if start, stop := ascii.TrimSpace(src, i, end); start < stop {
			m.Link(listPlace, start, stop, commaListItem)
		}
		i = end + 1
	}
}
