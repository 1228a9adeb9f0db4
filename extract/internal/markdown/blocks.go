package markdown

import (
	"bytes"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
)

// maxNesting is the largest number of block quotes, list items and footnotes around a block. The marker of a deeper
// container is read as text, so the links in it are still found.
const maxNesting = 64

// container is a block that contains blocks (5).
type container struct {
	kind  containerKind
	width int  // the indent of the lines of an item or a footnote, in columns
	empty bool // it has no content yet
}

type containerKind uint8

const (
	quote containerKind = iota
	item
	footnote
)

// leaf is the kind of the open block that cannot contain blocks (4).
type leaf uint8

const (
	noLeaf leaf = iota
	paragraph
	fencedCode
	htmlBlock
	table
)

// readBlocks reads the lines from offset p on (CommonMark appendix, "Phase 1").
func (s *scanner) readBlocks(p int) {
	s.line = line{src: s.src, cr: bytes.IndexByte(s.src, '\r') >= 0}
	for p < len(s.src) {
		s.line.start(p)
		s.readLine()
		p = s.line.next
	}
	s.closeTo(0)
}

func (s *scanner) readLine() {
	l := &s.line
	l.look()
	matched := 0
	for matched < len(s.open) && s.continues(&s.open[matched]) {
		matched++
	}
	if matched == len(s.open) && s.verbatim() {
		return
	}
	if matched < len(s.open) && s.leaf != paragraph {
		s.closeTo(matched) // only a paragraph can have lazy lines
	}
	for !l.blank && l.indent < 4 {
		rest := l.src[l.nonspace:l.end]
		if s.startsLeaf(matched, rest) {
			return
		}
		if matched == maxNesting || !s.startsContainer(matched, rest) {
			break
		}
		matched = len(s.open)
	}
	switch {
	case l.blank:
		s.closeTo(matched)
	case s.leaf == paragraph:
		s.add(l.nonspace, l.end)
	case l.indent >= 4:
		s.begin(matched, noLeaf) // indented code
	case s.leaf == table:
		s.row(l.nonspace, l.end)
	default:
		s.begin(matched, paragraph)
		s.add(l.nonspace, l.end)
	}
}

// continues reports whether the line belongs to the open container c, and skips the prefix of c.
func (s *scanner) continues(c *container) bool {
	l := &s.line
	switch {
	case c.kind == quote:
		if l.blank || l.indent >= 4 || l.src[l.nonspace] != '>' {
			return false
		}
		s.quoteMarker()
		return true
	case l.blank:
		return !c.empty // an item can begin with at most one blank line (5.2)
	case l.indent >= c.width:
		l.skip(c.width)
		return true
	}
	return false
}

// quoteMarker skips `>` and an optional space (5.1).
func (s *scanner) quoteMarker() {
	l := &s.line
	l.take(1)
	if l.pos < l.end && ascii.IsBlank(l.src[l.pos]) {
		l.skip(1)
	}
}

// verbatim adds the line to the open code or HTML block. It reports whether there is such a block.
func (s *scanner) verbatim() bool {
	l := &s.line
	switch s.leaf {
	case fencedCode:
		if l.indent < 4 && s.fence.closedBy(l.src[l.nonspace:l.end]) {
			s.leaf = noLeaf
		}
		return true
	case htmlBlock:
		if l.blank && s.htmlEnd.endsAtBlank() {
			return false
		}
		s.htmlLine()
		return true
	}
	return false
}

// begin opens a leaf, after closing the leaf and the containers that the line does not belong to.
func (s *scanner) begin(matched int, kind leaf) {
	s.closeTo(matched)
	s.leaf = kind
	if matched > 0 {
		s.open[matched-1].empty = false
	}
}

// closeTo reads the text of the leaf, and closes it and all containers but the first `matched`.
func (s *scanner) closeTo(matched int) {
	switch s.leaf {
	case paragraph:
		s.readDefinitions()
		s.readInlines(&s.text)
	case htmlBlock:
		if !s.defining {
			s.markHTML(&s.text, 0, len(s.text.b))
		}
	}
	s.text, s.leaf, s.open = text{}, noLeaf, s.open[:matched]
}

// continuing reports whether the line can continue the open paragraph, and is not a lazy line.
func (s *scanner) continuing(matched int) bool { return s.leaf == paragraph && matched == len(s.open) }

// startsLeaf opens the leaf that begins with rest, if any. The line belongs to the first `matched` containers.
func (s *scanner) startsLeaf(matched int, rest []byte) bool {
	switch rest[0] {
	case '#':
		return s.startHeading(matched, rest)
	case '`', '~':
		f, ok := openingFence(rest)
		if ok {
			s.begin(matched, fencedCode)
			s.fence = f
		}
		return ok
	case '<':
		return s.startHTML(matched, rest)
	case '=', '-', '*', '_', '|', ':':
		return s.underlines(matched, rest) || s.startBreak(matched, rest) || s.startTable(matched, rest)
	}
	return false
}

// startHeading reads an ATX heading (4.2).
func (s *scanner) startHeading(matched int, rest []byte) bool {
	n := 0
	for n < len(rest) && rest[n] == '#' {
		n++
	}
	if n > 6 || n < len(rest) && !ascii.IsBlank(rest[n]) {
		return false
	}
	s.begin(matched, noLeaf)
	s.readInlines(&text{b: rest[n:], at: s.line.nonspace + n})
	return true
}

// underlines reports whether the line underlines a setext heading (4.3), and closes the heading if it does. A paragraph
// with only definitions cannot be a heading.
func (s *scanner) underlines(matched int, rest []byte) bool {
	if !s.continuing(matched) || rest[0] != '=' && rest[0] != '-' {
		return false
	}
	if text := trimRight(rest); bytes.Count(text, rest[:1]) != len(text) {
		return false
	}
	s.readDefinitions()
	if s.text.from == len(s.text.b) {
		s.text, s.leaf = text{}, noLeaf
		return false
	}
	s.closeTo(matched)
	return true
}

// startBreak reads a thematic break (4.1).
func (s *scanner) startBreak(matched int, rest []byte) bool {
	n := bytes.Count(rest, rest[:1])
	blanks := bytes.Count(rest, []byte(" ")) + bytes.Count(rest, []byte("\t"))
	if n < 3 || n+blanks < len(rest) || bytes.IndexByte([]byte("*-_"), rest[0]) < 0 {
		return false
	}
	s.begin(matched, noLeaf)
	return true
}

// fence is the opening fence of a code block (4.5).
type fence struct {
	char byte
	n    int
}

// openingFence reads a fence and its info string. The info string after a fence of backticks must not have a backtick.
func openingFence(rest []byte) (fence, bool) {
	f := fence{char: rest[0]}
	for f.n < len(rest) && rest[f.n] == f.char {
		f.n++
	}
	return f, f.n >= 3 && (f.char == '~' || bytes.IndexByte(rest[f.n:], '`') < 0)
}

func (f fence) closedBy(rest []byte) bool {
	rest = trimRight(rest)
	return len(rest) >= f.n && bytes.Count(rest, []byte{f.char}) == len(rest)
}

func (s *scanner) startsContainer(matched int, rest []byte) bool {
	switch {
	case rest[0] == '>':
		s.begin(matched, noLeaf)
		s.open = append(s.open, container{kind: quote, empty: true})
		s.quoteMarker()
		return true
	case rest[0] == '[':
		return s.startFootnote(matched, rest)
	}
	return s.startItem(matched, rest)
}

// startItem opens a list item (5.2).
func (s *scanner) startItem(matched int, rest []byte) bool {
	n := markerLen(rest)
	if n == 0 {
		return false
	}
	blank := len(trimRight(rest[n:])) == 0
	if s.continuing(matched) && (blank || ascii.IsDigit(rest[0]) && (n != 2 || rest[0] != '1')) {
		return false // this item cannot interrupt a paragraph
	}
	s.begin(matched, noLeaf)
	l := &s.line
	width := l.indent + n
	l.take(n)
	indent := l.indent
	if l.blank || indent > 4 { // the content is a blank line or indented code
		indent = 1
	}
	l.skip(indent)
	s.open = append(s.open, container{kind: item, width: width + indent, empty: true})
	return true
}

// markerLen returns the length of the list marker at the start of rest, or 0. A space, a tab or the end of the line
// must follow the marker.
func markerLen(rest []byte) int {
	n := 0
	switch c := rest[0]; {
	case c == '-' || c == '+' || c == '*':
		n = 1
	case ascii.IsDigit(c):
		for n < len(rest) && n < 9 && ascii.IsDigit(rest[n]) {
			n++
		}
		if n == len(rest) || rest[n] != '.' && rest[n] != ')' {
			return 0
		}
		n++
	}
	if n < len(rest) && !ascii.IsBlank(rest[n]) {
		return 0
	}
	return n
}

// startFootnote opens a footnote: [^a]: and blocks indented by 4 columns. CommonMark has no footnotes, so the rules are
// those of cmark-gfm.
func (s *scanner) startFootnote(matched int, rest []byte) bool {
	if len(rest) < 2 || rest[1] != '^' {
		return false
	}
	end := labelEnd(rest, 0)
	if end < len("[^a]") || end == len(rest) || rest[end] != ':' || slices.ContainsFunc(rest[2:end-1], ascii.IsBlank) {
		return false
	}
	s.begin(matched, noLeaf)
	l := &s.line
	if l.take(end + 1); !l.blank { // the first line of a footnote is never indented code
		l.skip(l.indent)
	}
	s.open = append(s.open, container{kind: footnote, width: 4, empty: true})
	return true
}

// startTable opens a table (GFM 4.10) if the line is a delimiter row, and the line before it is a row with the same
// number of cells. The lines before that row are a paragraph.
func (s *scanner) startTable(matched int, rest []byte) bool {
	if !s.continuing(matched) || markerLen(rest) > 0 {
		return false
	}
	columns, t := 0, &s.text
	for cell := range s.cells(s.line.nonspace, s.line.end) {
		hyphens := bytes.TrimSuffix(bytes.TrimPrefix(s.src[cell.Start:cell.End], []byte(":")), []byte(":"))
		if len(hyphens) == 0 || bytes.Count(hyphens, []byte("-")) < len(hyphens) {
			return false
		}
		columns++
	}
	start, end := t.source(t.line), t.end
	named := 0
	for range s.cells(start, end) {
		named++
	}
	if named != columns || columns == 0 {
		return false
	}
	t.b = t.b[:t.line]
	s.begin(matched, table)
	s.columns = columns
	s.row(start, end)
	return true
}

// row reads the cells of a row. It ignores the cells after the last column of the header.
func (s *scanner) row(start, end int) {
	n := 0
	for cell := range s.cells(start, end) {
		if n++; n > s.columns || s.defining {
			return
		}
		t := text{b: s.src[cell.Start:cell.End], at: cell.Start}
		if bytes.Contains(t.b, []byte(`\|`)) {
			b, _ := spell.MarkdownCell.Decode(t.b) // never fails
			t.atoms = new(codec.Atoms)
			spell.MarkdownCell.Map(t.b, b, t.atoms)
			t.b = b
		}
		s.readInlines(&t)
	}
}

// cells yields the cells of a row, without white space around them. A pipe after a backslash does not separate cells.
func (s *scanner) cells(p, lineEnd int) func(yield func(codec.Span) bool) {
	return func(yield func(codec.Span) bool) {
		p := skipBlanks(s.src, p, lineEnd)
		if p < lineEnd && s.src[p] == '|' {
			p++
		}
		for p = skipBlanks(s.src, p, lineEnd); p < lineEnd; {
			end := p
			for end < lineEnd && (s.src[end] != '|' || end > p && s.src[end-1] == '\\') {
				end++
			}
			if !yield(codec.Span{Start: p, End: p + len(trimRight(s.src[p:end]))}) {
				return
			}
			p = skipBlanks(s.src, min(end+1, lineEnd), lineEnd)
		}
	}
}

// line is a cursor in one line of the source (CommonMark 2.1, 2.2). Columns count from 0. A tab ends at the next
// multiple of 4.
type line struct {
	src  []byte
	cr   bool // src contains a CR
	pos  int  // the byte at the cursor
	col  int  // the column of the cursor, which may be in the middle of a tab
	end  int  // of the line, without the line ending
	next int  // the start of the next line

	// set by look
	nonspace int // the first byte at or after pos that is not a space or a tab
	indent   int // the number of columns from col to nonspace
	blank    bool
}

func (l *line) start(p int) {
	l.pos, l.col, l.nonspace = p, 0, -1
	if l.cr {
		l.end = lineEnd(l.src, p)
	} else {
		l.end = ascii.Next(l.src, p, '\n')
	}
	l.next = newline(l.src, l.end)
}

// look sets nonspace, indent and blank for the position of the cursor.
func (l *line) look() {
	if l.nonspace < l.pos {
		l.nonspace = skipBlanks(l.src, l.pos, l.end)
		l.blank = l.nonspace == l.end
	}
	col := l.col
	for _, c := range l.src[l.pos:min(l.nonspace, l.pos+farIndent)] {
		if c == '\t' {
			col += 4 - col%4
		} else {
			col++
		}
	}
	l.indent = col - l.col
}

// farIndent is the largest number of spaces and tabs that look takes into account. No container needs a larger indent.
const farIndent = 100

// skip moves the cursor by n columns of spaces and tabs, at most to the end of the line.
func (l *line) skip(n int) {
	for n > 0 && l.pos < l.end {
		width := 1
		if l.src[l.pos] == '\t' {
			width = 4 - l.col%4
		}
		if width <= n {
			l.pos++
		}
		l.col, n = l.col+min(width, n), n-width
	}
	l.look()
}

// take moves the cursor to n bytes after nonspace. The n bytes must not contain a tab.
func (l *line) take(n int) {
	l.col += l.indent + n
	l.pos = l.nonspace + n
	l.look()
}

// lineEnd returns the offset of the line ending after p, or len(src).
func lineEnd(src []byte, p int) int {
	for p < len(src) && !isNewline(src[p]) {
		p++
	}
	return p
}

// newline returns the offset after the line ending at p, or p if there is none.
func newline(src []byte, p int) int {
	if p < len(src) && src[p] == '\r' {
		if p++; p == len(src) || src[p] != '\n' {
			return p
		}
	}
	if p < len(src) && src[p] == '\n' {
		p++
	}
	return p
}

func isNewline(c byte) bool { return c == '\n' || c == '\r' }

// endsURL reports whether c is a space or an ASCII control character (2.1), which no destination or autolink has.
func endsURL(c byte) bool { return c <= ' ' || c == 0x7F }

func trimRight(b []byte) []byte { return bytes.TrimRight(b, " \t") }

// skipBlanks returns the offset of the first byte at or after p that is not a space or a tab, or end.
func skipBlanks(src []byte, p, end int) int {
	for p < end && ascii.IsBlank(src[p]) {
		p++
	}
	return p
}
