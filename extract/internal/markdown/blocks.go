package markdown

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// MaxNesting is the largest number of block quotes, list items and footnotes around a block. The marker of a deeper
// container is read as text, so the links in it are still found.
const MaxNesting = 64

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

// readBlocks is the first pass (CommonMark appendix, "Phase 1"). It starts at offset p.
func (s *Scanner) readBlocks(p int) {
	s.line = line{src: s.src, cr: bytes.IndexByte(s.src, '\r') >= 0}
	for p < len(s.src) {
		s.line.start(p)
		s.readLine()
		p = s.line.next
	}
	s.closeTo(0)
}

// readLine reads the current line: it closes blocks, opens blocks, and adds the line to the open leaf.
func (s *Scanner) readLine() {
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
	for !l.blank {
		if l.indent >= 4 {
			if s.leaf != paragraph {
				s.begin(matched, noLeaf) // indented code
				return
			}
			break
		}
		switch s.starts(matched) {
		case startsContainer:
			matched = len(s.open)
			continue
		case startsLeaf:
			return
		}
		break
	}
	here := codec.Span{Start: l.nonspace, End: l.end}
	switch {
	case l.blank:
		s.closeTo(matched)
	case s.leaf == paragraph:
		s.pending.add(here)
	case s.leaf == table:
		s.row(here)
	default:
		s.begin(matched, paragraph)
		s.pending.add(here)
	}
}

// continues reports whether the line belongs to the open container c, and skips the prefix of c.
func (s *Scanner) continues(c *container) bool {
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
		l.look()
		return true
	}
	return false
}

// quoteMarker skips `>` and an optional space (5.1).
func (s *Scanner) quoteMarker() {
	l := &s.line
	l.take(1)
	if l.pos < l.end && ascii.IsBlank(l.src[l.pos]) {
		l.skip(1)
		l.look()
	}
}

// verbatim adds the line to the open code or HTML block. It reports whether there is such a block.
func (s *Scanner) verbatim() bool {
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

// start is the result of an attempt to open a block.
type start uint8

const (
	startsNothing start = iota
	startsContainer
	startsLeaf
)

// starts opens the block that begins at nonspace, if any. The line belongs to the first `matched` containers.
func (s *Scanner) starts(matched int) start {
	l := &s.line
	rest := l.src[l.nonspace:l.end]
	switch c := rest[0]; c {
	case '>':
		if matched < MaxNesting {
			s.begin(matched, noLeaf)
			s.open = append(s.open, container{kind: quote, empty: true})
			s.quoteMarker()
			return startsContainer
		}
	case '#':
		return s.heading(matched, rest)
	case '`', '~':
		if f, ok := openingFence(rest); ok {
			s.begin(matched, fencedCode)
			s.fence = f
			return startsLeaf
		}
	case '<':
		return s.startHTML(matched, rest)
	case '[':
		return s.startFootnote(matched, rest)
	}
	if s.underlines(matched, rest) {
		return startsLeaf
	}
	if isThematicBreak(rest) {
		s.begin(matched, noLeaf)
		return startsLeaf
	}
	if s.startItem(matched, rest) {
		return startsContainer
	}
	if s.startTable(matched, rest) {
		return startsLeaf
	}
	return startsNothing
}

// continuing reports whether the line can continue the open paragraph, and is not a lazy line.
func (s *Scanner) continuing(matched int) bool { return s.leaf == paragraph && matched == len(s.open) }

// begin closes the leaf and the containers that the line does not belong to. Then it opens a leaf.
func (s *Scanner) begin(matched int, kind leaf) {
	s.closeTo(matched)
	s.leaf = kind
	if matched > 0 {
		s.open[matched-1].empty = false
	}
}

// closeTo closes the leaf, and all containers except the first `matched`.
func (s *Scanner) closeTo(matched int) {
	switch s.leaf {
	case paragraph:
		s.takeDefinitions()
		if s.pending.n > 0 {
			s.blocks.addAll(inlineText, &s.pending)
		}
	case htmlBlock:
		s.blocks.addAll(htmlText, &s.pending)
	}
	s.pending.clear()
	s.leaf, s.open = noLeaf, s.open[:matched]
}
