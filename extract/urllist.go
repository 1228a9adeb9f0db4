package extract

import (
	"bytes"

	"absolink/extract/internal/codec"
)

// urlList is a list of URLs between white space: a@ping (HTML 2.3.7, "set of
// space-separated tokens"), object@archive (HTML 4.01 13.3).
var urlList = &Format{Name: "URL list", Extract: extractURLList}

// commaList is a list of URLs between commas: applet@archive (HTML 4.01 13.4).
var commaList = &Format{Name: "comma list", Extract: extractCommaList}

var listPlace = &Place{Name: "list"}

var (
	urlListItem   codec.Codec = &codec.Unescaped{Never: codec.WhiteSpace}
	commaListItem codec.Codec = &codec.BrokenURL{Unescaped: codec.Unescaped{Never: "," + codec.Breaks, First: codec.WhiteSpace, Last: codec.WhiteSpace}}
)

func extractURLList(src []byte, f *Finder) {
	for i := 0; i < len(src); {
		if isSpace(src[i]) {
			i++
			continue
		}
		start := i
		for i < len(src) && !isSpace(src[i]) {
			i++
		}
		f.Link(listPlace, start, i, urlListItem)
	}
}

// extractCommaList leaves out empty items, and white space around the others. HTML 4.01
// says no more than "comma-separated".
func extractCommaList(src []byte, f *Finder) {
	for i := 0; i < len(src); {
		end := len(src)
		if n := bytes.IndexByte(src[i:], ','); n >= 0 {
			end = i + n
		}
		if start, stop := trimSpace(src, i, end); start < stop {
			f.Link(listPlace, start, stop, commaListItem)
		}
		i = end + 1
	}
}
