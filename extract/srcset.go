package extract

import (
	"bytes"

	"absolink/extract/internal/codec"
)

// srcset is the value of a srcset or imagesrcset attribute: "a.png 1x, b.png 2x".
var srcset = &Format{Name: "srcset", Extract: extractSrcset}

var srcsetPlace = &Place{Name: "srcset"}

var srcsetURL codec.Codec = &codec.Unescaped{Never: codec.WhiteSpace, First: ",", Last: ","}

// extractSrcset is "parse a srcset attribute" of HTML 4.8.4.3, its splitting loop. Each
// candidate is marked, also one whose descriptors make browsers drop it: what it names is
// a URL all the same, and other readers are less strict.
func extractSrcset(src []byte, f *Finder) {
	for i := 0; ; {
		for i < len(src) && (isSpace(src[i]) || src[i] == ',') {
			i++
		}
		if i == len(src) {
			return
		}
		// The URL goes up to white space, commas and all; only those at its end are not part
		// of it, and mean that it has no descriptors.
		start := i
		for i < len(src) && !isSpace(src[i]) {
			i++
		}
		end := i
		for src[end-1] == ',' {
			end--
		}
		f.Link(srcsetPlace, start, end, srcsetURL)
		if end == i {
			i = srcsetDescriptors(src, i)
		}
	}
}

// srcsetDescriptors gives the end of the descriptors at i: a comma that is not in
// parentheses. Those do not nest.
func srcsetDescriptors(src []byte, i int) int {
	for i < len(src) && src[i] != ',' {
		if src[i] == '(' {
			n := bytes.IndexByte(src[i:], ')')
			if n < 0 {
				return len(src)
			}
			i += n
		}
		i++
	}
	return i
}
