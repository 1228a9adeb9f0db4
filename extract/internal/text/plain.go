package text

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Plain is the format text/plain. It marks wrapped URLs and bare URLs.
var Plain = &mark.Format{Name: "text/plain", Exts: []string{".txt"}, Charset: plainCharset, Embeds: mark.NoDocuments, Extract: extractPlain, Variant: variant,
	Places: func() []string { return []string{wrappedPlace.Name, barePlace.Name} }}

var (
	wrappedPlace = &mark.Place{Name: "<URL:>", Reads: func(spelled []byte) bool { return len(spelled) < longestWrapped }}
	barePlace    = &mark.Place{Name: "text", Reads: readsBare}
	// hyphenPlace is the place of a URL that ends with a hyphen. A URL without the hyphen could continue in the next line.
	hyphenPlace = &mark.Place{Name: barePlace.Name, Reads: func(spelled []byte) bool {
		return readsBare(spelled) && spelled[len(spelled)-1] == '-'
	}}
)

// plainCharset returns the charset of the byte order mark, or else of the transport layer. The default UTF-8 leaves bytes
// unchanged. This is right for ISO-2022-KR and HZ, too, which mail uses and the Encoding Standard does not decode: a URL in
// them is ASCII.
func plainCharset(raw []byte, transport string) string {
	if name := charsets.OfBOM(raw); name != "" {
		return name
	}
	if _, name, ok := charsets.Of(transport); !ok || name == "replacement" {
		return "utf-8"
	}
	return transport
}

// longestWrapped limits the search for the ">" of a wrapped URL.
const longestWrapped = 4096

func extractPlain(src []byte, m *mark.Marks) {
	markLines(src, m)
	t := lines{src: src, text: src, marks: m}
	t.extract()
}

// extract marks the URLs of a text, all of which have a colon.
func (t *lines) extract() {
	for p := 0; p < len(t.text); {
		i := bytes.IndexByte(t.text[p:], ':')
		if i < 0 {
			return
		}
		p += i + 1
		if start := p - len("<URL:"); start >= 0 && ascii.FoldEqual(t.text[start:p], "<url:") {
			p = t.markWrapped(p)
		} else if end := t.markAngle(p); end > p {
			p = end
		} else if bytes.HasPrefix(t.text[p:], []byte("//")) {
			if start, end := bareURL(t.text, p); start < end {
				place := barePlace
				if t.text[end-1] == '-' {
					place = hyphenPlace
				}
				t.link(place, flowedPlace, start, end, codec.Identity)
				p = end
			}
		}
	}
}

// markWrapped marks the URL after the "<URL:" that ends at p. It returns the index after the URL.
func (t *lines) markWrapped(p int) int {
	end := p
	for end < len(t.text) && end-p < longestWrapped && t.text[end] != '<' && t.text[end] != '>' {
		if end++; t.text[end-1] == '\n' {
			if depth, prefix := quoteMarks(t.text[end:]); depth > 0 && depth == t.depthAt(p) {
				end += prefix
			}
		}
	}
	end = min(end, len(t.text))
	if a, b := ascii.TrimSpace(t.text, p, end); a < b && end < len(t.text) && t.text[end] == '>' {
		t.link(wrappedPlace, wrappedPlace, p, end, spell.TextURL)
	}
	return end
}

// bareURL returns the bounds of an absolute URL with "//" at p, after the colon of its scheme. The bounds are empty if there
// is no scheme, or no text after the "//". Punctuation at the end of a sentence is not part of the URL. A closing bracket
// is not part of the URL if its opening bracket is before the URL.
func bareURL(src []byte, p int) (start, end int) {
	start = p - 1
	for start > 0 && p-start < 32 && ascii.IsSchemeByte(src[start-1]) {
		start--
	}
	for start < p-1 && !ascii.IsLetter(src[start]) {
		start++
	}
	if start == p-1 {
		return p, p // return before the search for the end: many such places may have the same end
	}
	const opening, closing = "([{", ")]}"
	var open [len(opening)]int // for each kind, the number of opening brackets less that of closing brackets
	for end = p + 2; end < len(src) && src[end] > ' ' && src[end] != '<' && src[end] != '>' && src[end] != '"' && src[end] != 0x7F; end++ {
		if i := strings.IndexByte(opening, src[end]); i >= 0 {
			open[i]++
		} else if i := strings.IndexByte(closing, src[end]); i >= 0 {
			open[i]--
		}
	}
	for end > p+2 {
		if i := strings.IndexByte(closing, src[end-1]); i >= 0 && open[i] < 0 {
			open[i]++
		} else if strings.IndexByte(".,;:!?'", src[end-1]) < 0 {
			break
		}
		end--
	}
	if end == p+2 {
		return p, p
	}
	return start, end
}

func readsBare(spelled []byte) bool {
	i := bytes.Index(spelled, []byte("://"))
	if i < 0 {
		return false
	}
	start, end := bareURL(spelled, i+1)
	return start == 0 && end == len(spelled)
}
