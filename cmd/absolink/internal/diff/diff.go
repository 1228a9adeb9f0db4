package diff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// contextLines is how many unchanged lines stand around a change.
const contextLines = 3

// Writer makes a unified diff of a document out of its edits and the rewritten document,
// which comes in as a stream: an Extractor tells an edit before it writes past it. What is
// kept is the hunk at hand and the lines of context before the next one.
//
// A unified diff of bytes is bytes: nothing is decoded, and a CR stays where it is.
type Writer struct {
	out    *files.Output
	name   string
	colors console.Colors

	at    int64 // in the old document
	skip  int   // bytes of an edit's new text still to come
	edits []edit

	old, new []byte // the line at hand on either side, many if an edit spans them
	changed  bool   // by an edit
	line     [2]int // lines complete so far, old and new

	before  [][]byte // the last unchanged lines, outside a hunk
	hunk    []byte   // its lines, with their first columns
	start   [2]int   // lines before the hunk
	count   [2]int   // lines in it
	tail    []int    // where the unchanged lines at its end begin in hunk
	written bool     // the file names
}

// edit is an edit that has been told and not yet been written.
type edit struct {
	offset   int64
	old, new []byte
}

// New returns a Writer that writes the diff of the document name to out.
func New(out *files.Output, name string, c console.Colors) *Writer {
	return &Writer{out: out, name: name, colors: c}
}

// Edit takes an edit down.
func (d *Writer) Edit(e extract.Edit) {
	offset, old, new := e.Offset, e.Old, e.New
	d.edits = append(d.edits, edit{offset, bytes.Clone(old), bytes.Clone(new)})
}

// Write takes the next bytes of the rewritten document.
func (d *Writer) Write(p []byte) (int, error) {
	rest := p
	for {
		if d.skip > 0 {
			n := min(d.skip, len(rest))
			d.skip -= n
			rest = rest[n:]
		}
		for d.skip == 0 && len(d.edits) > 0 && d.edits[0].offset == d.at {
			e := d.edits[0]
			d.edits = d.edits[1:]
			d.old, d.new = append(d.old, e.old...), append(d.new, e.new...)
			d.changed = true
			d.at += int64(len(e.old))
			d.skip = len(e.new)
		}
		if d.skip > 0 && len(rest) > 0 {
			continue
		}
		if len(rest) == 0 {
			return len(p), d.out.Spill()
		}
		same := rest
		if len(d.edits) > 0 {
			same = rest[:min(int64(len(rest)), d.edits[0].offset-d.at)]
		}
		d.at += int64(len(same))
		rest = rest[len(same):]
		d.same(same)
	}
}

// same takes bytes that no edit has touched.
func (d *Writer) same(p []byte) {
	for len(p) > 0 {
		n := bytes.IndexByte(p, '\n') + 1
		part := p[:n]
		if n == 0 {
			part = p
		}
		p = p[len(part):]
		if n > 0 && !d.changed && len(d.old) == 0 {
			d.context(part)
			continue
		}
		d.old, d.new = append(d.old, part...), append(d.new, part...)
		if n > 0 {
			d.lines()
		}
	}
}

// lines ends the lines at hand: both sides are at the beginning of one.
func (d *Writer) lines() {
	if !d.changed {
		d.context(d.old)
	} else {
		d.open()
		d.tail = d.tail[:0]
		d.add(d.colors.Old, '-', 0, d.old)
		d.add(d.colors.New, '+', 1, d.new)
	}
	d.old, d.new, d.changed = d.old[:0], d.new[:0], false
}

// open begins a hunk with the context before it, unless there is one.
func (d *Writer) open() {
	if d.hunk != nil {
		return
	}
	n := len(d.before)
	d.start, d.count = [2]int{d.line[0] - n, d.line[1] - n}, [2]int{n, n}
	d.hunk = make([]byte, 0, 1024)
	for _, line := range d.before {
		d.hunk = appendLine(d.hunk, "", ' ', line)
	}
	d.before = d.before[:0]
}

// add adds changed lines of one side to the hunk.
func (d *Writer) add(c console.Color, sign byte, side int, text []byte) {
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		d.hunk = appendLine(d.hunk, c, sign, text[:n])
		text = text[n:]
		d.line[side]++
		d.count[side]++
	}
}

// context takes an unchanged line. Behind a hunk's last change it waits until it is
// known whether another change is near.
func (d *Writer) context(line []byte) {
	d.line[0]++
	d.line[1]++
	if d.hunk == nil {
		if len(d.before) == contextLines {
			first := d.before[0]
			copy(d.before, d.before[1:])
			d.before[contextLines-1] = append(first[:0], line...)
			return
		}
		d.before = append(d.before, bytes.Clone(line))
		return
	}
	d.tail = append(d.tail, len(d.hunk))
	d.hunk = appendLine(d.hunk, "", ' ', line)
	d.count[0]++
	d.count[1]++
	if len(d.tail) > 2*contextLines {
		d.close()
	}
}

// close writes the hunk, if there is one, with no more context behind it than there should be.
func (d *Writer) close() {
	if d.hunk == nil {
		return
	}
	body := d.hunk
	if extra := len(d.tail) - contextLines; extra > 0 {
		body = body[:d.tail[contextLines]]
		d.count[0] -= extra
		d.count[1] -= extra
	}
	if !d.written {
		d.out.Buf = fmt.Appendf(d.out.Buf, "--- %s\n+++ %s\n", quotedName(d.name+".orig"), quotedName(d.name))
		d.written = true
	}
	place := d.colors.Place
	d.out.Buf = append(append(d.out.Buf, place...), "@@ -"...)
	d.out.Buf = appendRange(d.out.Buf, d.start[0], d.count[0])
	d.out.Buf = appendRange(append(d.out.Buf, " +"...), d.start[1], d.count[1])
	d.out.Buf = append(append(append(append(d.out.Buf, " @@"...), place.End()...), '\n'), body...)

	// The last lines may be the context of the next hunk.
	for i := max(len(d.tail)-contextLines, 0); i < len(d.tail); i++ {
		end := len(d.hunk)
		if i+1 < len(d.tail) {
			end = d.tail[i+1]
		}
		d.before = append(d.before, bytes.Clone(d.hunk[d.tail[i]+1:end]))
	}
	d.hunk, d.tail = nil, d.tail[:0]
}

// End writes what is left, once the whole document has come.
func (d *Writer) End() error {
	if d.changed || len(d.old) > 0 {
		d.lines()
	}
	d.close()
	return d.out.Spill()
}

func appendLine(dst []byte, c console.Color, sign byte, line []byte) []byte {
	text, ended := bytes.CutSuffix(line, []byte("\n"))
	dst = append(append(append(dst, c...), sign), text...)
	dst = append(append(dst, c.End()...), '\n')
	if !ended {
		dst = append(dst, "\\ No newline at end of file\n"...)
	}
	return dst
}

// appendRange appends a side's lines: before is how many come before them.
func appendRange(dst []byte, before, count int) []byte {
	if count > 0 {
		before++ // lines are counted from 1, but an empty range is named by what it follows
	}
	dst = strconv.AppendInt(dst, int64(before), 10)
	if count != 1 {
		dst = strconv.AppendInt(append(dst, ','), int64(count), 10)
	}
	return dst
}

// quotedName spells a file's name as GNU diff does: one that would break the line in
// quotes, one with a blank with a tab behind it, where patch looks for the end.
func quotedName(name string) string {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c == '"' || c == '\\' || c == 0x7F {
			return quoteC(name)
		}
	}
	if strings.IndexByte(name, ' ') >= 0 {
		return name + "\t"
	}
	return name
}

// quoteC quotes a name as C does, with octal escapes for bytes that have none of their own.
func quoteC(name string) string {
	out := []byte{'"'}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\t':
			out = append(out, '\\', 't')
		case c < ' ' || c >= 0x7F:
			out = fmt.Appendf(out, `\%03o`, c)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}
