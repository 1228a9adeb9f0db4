package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

// Raw HTML in a text (CommonMark 6.6).

var (
	commentStart, commentEnd         = []byte("<!--"), []byte("-->")
	instructionStart, instructionEnd = []byte("<?"), []byte("?>")
	cdataStart, cdataEnd             = []byte("<![CDATA["), []byte("]]>")
	declarationEnd                   = []byte(">")
)

// missing has a field for each kind of end that the rest of a text does not contain. A missing end is searched for only
// once, so that the time stays linear.
type missing struct{ comment, instruction, cdata, declaration bool }

// rawHTMLEnd returns the offset after the raw HTML at b[i], or -1. b[i] is `<`.
func rawHTMLEnd(b []byte, i int, no *missing) int {
	if i+1 == len(b) {
		return -1
	}
	rest := b[i:]
	switch c := b[i+1]; {
	case ascii.IsLetter(c):
		return openTagEnd(b, i)
	case c == '/':
		return closingTagEnd(b, i)
	case c == '?':
		return until(b, i+2, instructionEnd, &no.instruction)
	case bytes.HasPrefix(rest, []byte("<!-->")):
		return i + 5
	case bytes.HasPrefix(rest, []byte("<!--->")):
		return i + 6
	case bytes.HasPrefix(rest, commentStart):
		return until(b, i+4, commentEnd, &no.comment)
	case bytes.HasPrefix(rest, cdataStart):
		return until(b, i+len(cdataStart), cdataEnd, &no.cdata)
	case len(rest) > 2 && c == '!' && ascii.IsLetter(rest[2]):
		return until(b, i+2, declarationEnd, &no.declaration)
	}
	return -1
}

// until returns the offset after the first end at or after p, or -1.
func until(b []byte, p int, end []byte, missing *bool) int {
	if *missing {
		return -1
	}
	n := bytes.Index(b[p:], end)
	if n < 0 {
		*missing = true
		return -1
	}
	return p + n + len(end)
}

// openTagEnd returns the offset after the open tag at b[i], or -1.
func openTagEnd(b []byte, i int) int {
	p := tagName(b, i+1)
	if p < 0 {
		return -1
	}
	for {
		q := ascii.SkipWhite(b, p, len(b))
		if q == len(b) {
			return -1
		}
		switch {
		case b[q] == '>':
			return q + 1
		case b[q] == '/':
			if q+1 < len(b) && b[q+1] == '>' {
				return q + 2
			}
			return -1
		case q == p:
			return -1
		}
		if p = attributeEnd(b, q); p < 0 {
			return -1
		}
	}
}

// closingTagEnd returns the offset after the closing tag at b[i], or -1.
func closingTagEnd(b []byte, i int) int {
	if i+1 >= len(b) || b[i+1] != '/' {
		return -1
	}
	p := tagName(b, i+2)
	if p < 0 {
		return -1
	}
	if p = ascii.SkipWhite(b, p, len(b)); p < len(b) && b[p] == '>' {
		return p + 1
	}
	return -1
}

// tagName returns the offset after the tag name at b[p], or -1.
func tagName(b []byte, p int) int {
	if p >= len(b) || !ascii.IsLetter(b[p]) {
		return -1
	}
	for p < len(b) && (ascii.IsAlnum(b[p]) || b[p] == '-') {
		p++
	}
	return p
}

// attributeEnd returns the offset after the attribute at b[p], or -1.
func attributeEnd(b []byte, p int) int {
	if !ascii.IsLetter(b[p]) && b[p] != '_' && b[p] != ':' {
		return -1
	}
	for p < len(b) && (ascii.IsAlnum(b[p]) || b[p] == '_' || b[p] == ':' || b[p] == '.' || b[p] == '-') {
		p++
	}
	q := ascii.SkipWhite(b, p, len(b))
	if q == len(b) || b[q] != '=' {
		return p
	}
	if q = ascii.SkipWhite(b, q+1, len(b)); q == len(b) {
		return -1
	}
	if quote := b[q]; quote == '"' || quote == '\'' {
		n := bytes.IndexByte(b[q+1:], quote)
		if n < 0 {
			return -1
		}
		return q + 1 + n + 1
	}
	end := q
	for end < len(b) && !ascii.IsWhite(b[end]) && bytes.IndexByte([]byte("\"'=<>`"), b[end]) < 0 {
		end++
	}
	if end == q {
		return -1
	}
	return end
}
