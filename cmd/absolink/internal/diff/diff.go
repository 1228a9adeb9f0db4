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

// contextLines is the number of unchanged lines around a change.
const contextLines = 3

// Writer makes a unified diff of a document from its edits and from the stream of the rewritten document. An Extractor reports
// an edit before it writes the bytes after it. Writer keeps only the current hunk and the lines of context before the next hunk
// in memory.
//
// The diff is in bytes: nothing is decoded, and each CR is kept.
type Writer struct {
	out    *files.Output
	name   string
	colors console.Colors

	at    int64 // in the old document
	skip  int   // bytes of the new text of an edit that are still to be written
	edits []edit

	old, new []byte // the current line of each side; several lines if an edit spans them
	changed  bool   // an edit has changed the current line
	line     [2]int // complete lines so far, old and new

	before  [][]byte // the last unchanged lines, outside a hunk
	hunk    []byte   // the lines of the current hunk, with their first columns
	start   [2]int   // lines before the hunk
	count   [2]int   // lines in the hunk
	tail    []int    // the offsets in hunk of the unchanged lines at its end
	written bool     // the file names are written
}

// edit is an edit that was reported and is not written yet.
type edit struct {
	offset   int64
	old, new []byte
}

// New returns a Writer that writes the diff of the document name to out.
func New(out *files.Output, name string, c console.Colors) *Writer {
	return &Writer{out: out, name: name, colors: c}
}

// Edit records an edit. The edits must be in order.
func (d *Writer) Edit(e extract.Edit) {
	offset, old, new := e.Offset, e.Old, e.New
	d.edits = append(d.edits, edit{offset, bytes.Clone(old), bytes.Clone(new)})
}

// Write adds the next bytes of the rewritten document.
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

// same adds bytes that no edit has changed.
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

// lines ends the current lines. Both sides are at the beginning of a line.
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

// open begins a hunk with the context before it, unless a hunk is open.
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

// context adds an unchanged line. After the last change of a hunk, the line is kept until it is known whether another change
// follows soon.
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

// close writes the open hunk with contextLines lines of context after it.
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

// End writes the last hunk. Call it after the whole document was written.
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

// appendRange appends the range of the lines of one side. before is the number of lines before the range.
func appendRange(dst []byte, before, count int) []byte {
	if count > 0 {
		before++ // lines are counted from 1, but an empty range has the number of the line before it
	}
	dst = strconv.AppendInt(dst, int64(before), 10)
	if count != 1 {
		dst = strconv.AppendInt(append(dst, ','), int64(count), 10)
	}
	return dst
}

// quotedName returns a file name as GNU diff writes it. A name that would break the line is in quotes. A name with a space has
// a tab after it, at which patch ends the name.
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

// quoteC returns a name as a C string, with octal escapes for bytes without another escape.
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
