package markdown

import (
	"bytes"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// htmlKind is a kind of HTML block, by its number in 4.6. 0 is no HTML block.
type htmlKind uint8

// endsAtBlank reports whether a blank line ends the block.
func (k htmlKind) endsAtBlank() bool { return k >= 6 }

// startHTML opens an HTML block. A block of kind 7 cannot interrupt a paragraph, not even at a lazy line.
func (s *Scanner) startHTML(matched int, rest []byte) start {
	kind := htmlStart(rest)
	if kind == 0 && s.leaf != paragraph && isLoneTag(rest) {
		kind = 7
	}
	if kind == 0 {
		return startsNothing
	}
	s.begin(matched, htmlBlock)
	s.htmlEnd = kind
	s.htmlLine()
	return startsLeaf
}

// htmlLine adds the line to the open HTML block, and closes the block if the line ends it.
func (s *Scanner) htmlLine() {
	l := &s.line
	s.pending.add(codec.Span{Start: l.pos, End: l.next})
	if s.htmlEnd.endsIn(l.src[l.pos:l.end]) {
		s.closeTo(len(s.open))
	}
}

// htmlStart returns the kind of the HTML block that begins with rest: 1 to 6, or 0.
func htmlStart(rest []byte) htmlKind {
	switch {
	case bytes.HasPrefix(rest, commentStart):
		return 2
	case bytes.HasPrefix(rest, instructionStart):
		return 3
	case bytes.HasPrefix(rest, cdataStart):
		return 5
	case len(rest) > 2 && rest[1] == '!' && ascii.IsLetter(rest[2]):
		return 4
	}
	n := 1
	closing := n < len(rest) && rest[n] == '/'
	if closing {
		n++
	}
	from := n
	for n < len(rest) && ascii.IsAlnum(rest[n]) {
		n++
	}
	var buf [16]byte
	name := ascii.Fold(buf[:0], rest[from:min(n, from+len(buf))])
	switch {
	case n == len(rest) || ascii.IsBlank(rest[n]) || rest[n] == '>':
		if !closing && slices.Contains(rawNames, string(name)) {
			return 1
		}
	case !bytes.HasPrefix(rest[n:], []byte("/>")):
		return 0
	}
	if _, ok := slices.BinarySearch(blockNames, string(name)); ok {
		return 6
	}
	return 0
}

// isLoneTag reports whether rest is one complete tag (kind 7). An open tag of rawNames does not count, even if it is not
// of kind 1, such as <pre/>.
func isLoneTag(rest []byte) bool {
	end := closingTagEnd(rest, 0)
	if end < 0 {
		var buf [16]byte
		if end = openTagEnd(rest, 0); end < 0 || slices.Contains(rawNames, string(ascii.Fold(buf[:0], rest[1:min(tagName(rest, 1), len(buf))]))) {
			return false
		}
	}
	return len(trimRight(rest[end:])) == 0
}

// endsIn reports whether the line contains the end of the block.
func (k htmlKind) endsIn(line []byte) bool {
	switch k {
	case 1:
		return hasRawEnd(line)
	case 2:
		return bytes.Contains(line, commentEnd)
	case 3:
		return bytes.Contains(line, instructionEnd)
	case 4:
		return bytes.IndexByte(line, '>') >= 0
	case 5:
		return bytes.Contains(line, cdataEnd)
	}
	return false
}

// hasRawEnd reports whether the line contains an end tag of one of rawNames.
func hasRawEnd(line []byte) bool {
	for {
		i := bytes.Index(line, []byte("</"))
		if i < 0 {
			return false
		}
		line = line[i+2:]
		for _, name := range rawNames {
			if len(line) > len(name) && line[len(name)] == '>' {
				var buf [16]byte
				if string(ascii.Fold(buf[:0], line[:len(name)])) == name {
					return true
				}
			}
		}
	}
}

// rawNames are the elements of kind 1.
var rawNames = []string{"script", "pre", "style", "textarea"}

// blockNames are the elements of kind 6.
var blockNames = []string{"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
	"colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame",
	"frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu",
	"menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section", "summary", "table", "tbody", "td",
	"tfoot", "th", "thead", "title", "tr", "track", "ul"}
