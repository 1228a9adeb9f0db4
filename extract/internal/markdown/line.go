package markdown

import (
	"bytes"
	"encoding/binary"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// line is a cursor in one line of the source (CommonMark 2.1, 2.2). Columns count from 0. A tab ends at the next multiple
// of 4.
type line struct {
	src  []byte
	cr   bool // the source contains a CR
	pos  int  // the byte at the cursor
	col  int  // the column of the cursor, which may be in the middle of a tab
	end  int  // of the line, without the line ending
	next int  // the start of the next line

	// Set by look.
	nonspace int // the first byte at or after pos that is not a space or a tab
	indent   int // the number of columns from col to nonspace
	blank    bool
}

// start moves the cursor to the line that begins at p.
func (l *line) start(p int) {
	l.pos, l.col, l.nonspace = p, 0, -1
	if l.cr {
		l.end = lineEnd(l.src, p)
	} else if i := bytes.IndexByte(l.src[p:], '\n'); i >= 0 {
		l.end = p + i
	} else {
		l.end = len(l.src)
	}
	l.next = newline(l.src, l.end)
}

// look finds the first byte that is not a space or a tab.
func (l *line) look() {
	if l.nonspace < l.pos {
		l.nonspace = l.pos
		for l.nonspace < l.end && ascii.IsBlank(l.src[l.nonspace]) {
			l.nonspace++
		}
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

// farIndent is the largest number of spaces and tabs that look counts. No container needs a larger indent.
const farIndent = 100

// skip moves the cursor by n columns of spaces and tabs, at most to the end of the line.
func (l *line) skip(n int) {
	for n > 0 && l.pos < l.end {
		if l.src[l.pos] != '\t' {
			l.pos, l.col, n = l.pos+1, l.col+1, n-1
			continue
		}
		width := 4 - l.col%4
		if width <= n {
			l.pos++
		}
		l.col, n = l.col+min(width, n), n-width
	}
}

// take moves the cursor to n bytes after nonspace, and calls look. The n bytes must not contain a tab.
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
		p++
		if p == len(src) || src[p] != '\n' {
			return p
		}
	}
	if p < len(src) && src[p] == '\n' {
		p++
	}
	return p
}

// frontMatterEnd returns the offset after the byte order mark and the front matter at the start of the document. Front
// matter begins with a line of "---" (YAML) or "+++" (TOML), and ends with the same line. In YAML, it may also end with
// a line of "...". No blank line may follow its first line, as in Pandoc. CommonMark and GFM have no front matter.
func frontMatterEnd(src []byte) int {
	p := 0
	if bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")) {
		p = 3
	}
	open := trimRight(src[p:lineEnd(src, p)])
	if string(open) != "---" && string(open) != "+++" {
		return p
	}
	body := newline(src, lineEnd(src, p))
	for q := body; q < len(src); {
		end := lineEnd(src, q)
		text := trimRight(src[q:end])
		if q == body && len(text) == 0 {
			return p
		}
		q = newline(src, end)
		if bytes.Equal(text, open) || string(open) == "---" && string(text) == "..." {
			return q
		}
	}
	return p
}

func isNewline(c byte) bool { return c == '\n' || c == '\r' }

// trimRight returns b without spaces and tabs at its end.
func trimRight(b []byte) []byte { return bytes.TrimRight(b, " \t") }

// isControl reports whether c is an ASCII control character (2.1).
func isControl(c byte) bool { return c < ' ' || c == 0x7F }

// lines is a list of spans of the source in a few bytes each, because a document may be many short lines. Each span is the
// distance from the end of the span before it, and its length.
type lines struct {
	packed []byte
	n      int
	from   int // the end of the span before the first one
}

// all yields the spans.
func (l lines) all(yield func(codec.Span) bool) {
	at, packed := l.from, l.packed
	for range l.n {
		gap, n := binary.Varint(packed)
		size, m := binary.Uvarint(packed[n:])
		s := codec.Span{Start: at + int(gap), End: at + int(gap) + int(size)}
		if !yield(s) {
			return
		}
		at, packed = s.End, packed[n+m:]
	}
}

// lineList is lines that grow at the end.
type lineList struct {
	lines
	first, last codec.Span
	size        int // the length of packed without the last line
}

func (l *lineList) clear() { *l = lineList{lines: lines{packed: l.packed[:0]}} }

func (l *lineList) add(s codec.Span) {
	if l.n == 0 {
		l.first = s
	}
	l.size = len(l.packed)
	l.packed = binary.AppendVarint(l.packed, int64(s.Start-l.last.End))
	l.packed = binary.AppendUvarint(l.packed, uint64(s.Len()))
	l.n, l.last = l.n+1, s
}

// rest returns the lines after the first one.
func (l *lineList) rest() lines {
	_, n := binary.Varint(l.packed)
	_, m := binary.Uvarint(l.packed[n:])
	return lines{packed: l.packed[n+m:], n: l.n - 1, from: l.first.End}
}

// removeLast removes the last line. Then no line can be added.
func (l *lineList) removeLast() { l.packed, l.n = l.packed[:l.size], l.n-1 }

// block is the lines of a part of the document that may contain links. There is at least one line.
type block struct {
	first codec.Span
	rest  lines
}

// blocks is a list of blocks. A block is the number of its lines with its kind, and its lines. The distance of its first line
// counts from the start of the block before it.
type blocks struct {
	packed []byte
	start  int // of the last block
}

func (b *blocks) clear() { *b = blocks{packed: b.packed[:0]} }

const kindBits = 3

// add adds a block with one line.
func (b *blocks) add(kind blockKind, line codec.Span) {
	b.packed = binary.AppendUvarint(b.packed, 1<<kindBits|uint64(kind))
	b.addLine(line)
}

func (b *blocks) addLine(s codec.Span) {
	b.packed = binary.AppendVarint(b.packed, int64(s.Start-b.start))
	b.packed = binary.AppendUvarint(b.packed, uint64(s.Len()))
	b.start = s.Start
}

// addAll adds a block with all lines of a list.
func (b *blocks) addAll(kind blockKind, l *lineList) {
	if l.n == 1 {
		b.add(kind, l.first)
		return
	}
	rest := l.rest().packed
	b.packed = binary.AppendUvarint(b.packed, uint64(l.n)<<kindBits|uint64(kind))
	b.packed = binary.AppendUvarint(b.packed, uint64(len(rest)))
	b.addLine(l.first)
	b.packed = append(b.packed, rest...)
}

// all yields the blocks with their kinds.
func (b *blocks) all(yield func(blockKind, block) bool) {
	start := 0
	for packed := b.packed; len(packed) > 0; {
		number := func() uint64 {
			v, n := binary.Uvarint(packed)
			packed = packed[n:]
			return v
		}
		head := number()
		rest := lines{n: int(head>>kindBits) - 1}
		size := 0
		if rest.n > 0 {
			size = int(number())
		}
		gap, n := binary.Varint(packed)
		packed = packed[n:]
		start += int(gap)
		first := codec.Span{Start: start, End: start + int(number())}
		rest.packed, rest.from, packed = packed[:size], first.End, packed[size:]
		if !yield(blockKind(head&(1<<kindBits-1)), block{first, rest}) {
			return
		}
	}
}
