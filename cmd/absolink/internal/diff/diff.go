// Package diff makes unified diffs from the edits of a document.
//
//	edits (offset, old, new) ---.
//	                             >--- Writer --- hunks, with three lines around each ---> Output
//	the rewritten document -----'
//
// The edits are known, so nothing is compared: a hunk is the lines around edits. The old document is not read, because
// it is the rewritten document without the edits. Diffs are made of bytes: nothing is decoded, and each CR stays.
package diff

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

const contextLines = 3

type Look struct {
	Colors console.Colors
	Escape func(line []byte) []byte // for a terminal; nil keeps the bytes
}

// Writer writes the diff of one document. Call Edit for each edit before Write gets the bytes after it, as an Extractor
// does, and End after the last bytes. A Writer keeps in memory only the current hunk, and the lines with which the next
// one may begin.
type Writer struct {
	out    *files.Output
	name   string
	look   Look
	named  bool  // the file names are written
	failed error // the first error of out

	same    []byte // the bytes outside edits, from the first line on that the current or the next hunk may need
	first   int64  // the number of bytes outside edits before same
	edits   []byte // the edits that are not written yet: see next
	reached int    // the length of the edits up to the end of same
	skip    int    // the number of bytes that Write still gets of the last reached edit

	old     int64  // the length of the old texts of all edits so far
	last    []byte // the new text of the last edit
	written []byte // the new text of the last edit that was written

	begin   int     // the start of the current line in same
	changed bool    // an edit is in the current line
	open    bool    // an edit is in a line before it
	context []int   // the starts in same of the lines since that edit, all unchanged
	start   [2]int  // the number of lines before same, old and new
	lines   [2]int  // the number of lines before the current line
	end     [2]byte // the last byte so far, or a newline
}

// New returns a Writer that writes the diff of the document name to out.
func New(out *files.Output, name string, look Look) *Writer {
	return &Writer{out: out, name: name, look: look, end: [2]byte{'\n', '\n'}}
}

// edit is an edit as it is kept: without the bytes that its new text shares with the one before. The new texts of a
// document begin alike, with a base URL that may be as long as the document.
type edit struct {
	at       int64 // the number of bytes outside edits before it
	shared   int
	old, new []byte
}

// Edit adds an edit. The edits must be in order.
func (d *Writer) Edit(e extract.Edit) {
	shared := 0
	for shared < min(len(e.New), len(d.last)) && e.New[shared] == d.last[shared] {
		shared++
	}
	d.last = append(d.last[:shared], e.New[shared:]...)
	for _, n := range []int64{e.Offset - d.old, int64(shared), int64(len(e.Old)), int64(len(e.New) - shared)} {
		d.edits = binary.AppendUvarint(d.edits, uint64(n))
	}
	d.edits = append(append(d.edits, e.Old...), e.New[shared:]...)
	d.old += int64(len(e.Old))
}

func next(edits []byte) (e edit, others []byte) {
	var fields [4]uint64
	for i := range fields {
		n := 0
		fields[i], n = binary.Uvarint(edits)
		edits = edits[n:]
	}
	old, end := int(fields[2]), int(fields[2]+fields[3])
	return edit{int64(fields[0]), int(fields[1]), edits[:old], edits[old:end]}, edits[end:]
}

// Write adds the next bytes of the rewritten document.
func (d *Writer) Write(p []byte) (int, error) {
	for rest := p; ; {
		n := min(d.skip, len(rest))
		d.count(1, rest[:n])
		d.skip -= n
		rest = rest[n:]
		n = len(rest)
		if d.skip == 0 && d.reached < len(d.edits) {
			e, others := next(d.edits[d.reached:])
			before := e.at - d.first - int64(len(d.same))
			if before == 0 {
				d.count(0, e.old)
				d.changed, d.skip, d.reached = true, e.shared+len(e.new), len(d.edits)-len(others)
				continue
			}
			n = int(min(int64(n), before))
		}
		if n == 0 {
			return len(p), d.failed
		}
		for line := range bytes.Lines(rest[:n]) {
			d.same = append(d.same, line...)
			d.count(0, line)
			d.count(1, line)
			if d.end[0] == '\n' {
				d.endLine()
			}
		}
		rest = rest[n:]
	}
}

// count counts the lines of the old or the new document that end in text.
func (d *Writer) count(side int, text []byte) {
	if len(text) > 0 {
		d.lines[side] += bytes.Count(text, []byte("\n"))
		d.end[side] = text[len(text)-1]
	}
}

// endLine ends the current line. Both versions are at the start of a line there, or at their end.
func (d *Writer) endLine() {
	most := contextLines
	if d.changed {
		d.open, d.changed, d.context = true, false, d.context[:0]
	} else {
		d.context = append(d.context, d.begin)
	}
	if d.open {
		most *= 2
	}
	if d.begin = len(d.same); len(d.context) > most {
		d.close()
	}
}

// End writes the last hunk. Call it after the whole document was written.
func (d *Writer) End() error {
	if d.changed || d.begin < len(d.same) {
		for side := range d.lines {
			if d.end[side] != '\n' {
				d.lines[side]++
			}
		}
		d.endLine()
	}
	d.close()
	return d.failed
}

// close writes the hunk, if one is open, and keeps the last lines, because the next hunk may begin with them.
func (d *Writer) close() {
	if d.open {
		d.hunk(max(len(d.context)-contextLines, 0))
	}
	n := min(len(d.context), contextLines)
	kept, from := d.context[len(d.context)-n:], d.begin
	if n > 0 {
		from = kept[0]
	}
	d.same = append(d.same[:0], d.same[from:]...)
	d.first += int64(from)
	d.begin -= from
	for i := range kept {
		d.context[i] = kept[i] - from
	}
	d.context = d.context[:n]
	d.start = [2]int{d.lines[0] - n, d.lines[1] - n}
}

// hunk writes the hunk, but not its last lines.
func (d *Writer) hunk(without int) {
	if !d.named {
		d.out.Buf = fmt.Appendf(d.out.Buf, "--- %s\n+++ %s\n", quotedName(d.name+".orig"), quotedName(d.name))
		d.named = true
	}
	mark := d.look.Colors.Place
	d.out.Buf = fmt.Appendf(d.out.Buf, "%s@@ -%s +%s @@%s\n", mark, lineRange(d.start[0], d.lines[0]-without),
		lineRange(d.start[1], d.lines[1]-without), mark.End())
	end := len(d.same)
	if without > 0 {
		end = d.context[contextLines]
	}
	edits := d.edits[:d.reached]
	for at := 0; at < end || len(edits) > 0; {
		if bytes.IndexByte(d.same[at:d.before(edits, end)], '\n') >= 0 || len(edits) == 0 {
			at, _ = d.print(' ', "", at, end, edits)
			continue
		}
		d.print('-', d.look.Colors.Old, at, end, edits)
		at, edits = d.print('+', d.look.Colors.New, at, end, edits)
	}
	rest := d.edits[d.reached:]
	if len(rest) == 0 {
		rest = d.edits[:0] // reuse the memory
	}
	d.edits, d.reached, d.open = rest, 0, false
}

// before returns the offset in same of the first of the edits, or end if there is none.
func (d *Writer) before(edits []byte, end int) int {
	if len(edits) == 0 {
		return end
	}
	e, _ := next(edits)
	return int(e.at - d.first)
}

// print prints one side of the line at an offset in same, and returns the offset of the next line and the edits from
// there on. A newline in an edit does not end the line, so one side may be several lines.
func (d *Writer) print(sign byte, color console.Color, at, end int, edits []byte) (int, []byte) {
	inLine := false
	text := func(p []byte) {
		for line := range bytes.Lines(p) {
			if !inLine {
				d.out.Buf = append(append(d.out.Buf, color...), sign)
			}
			if d.look.Escape != nil {
				line = d.look.Escape(line)
			}
			line, ended := bytes.CutSuffix(line, []byte("\n"))
			d.out.Buf = append(d.out.Buf, line...)
			if inLine = !ended; ended {
				d.out.Buf = append(append(d.out.Buf, color.End()...), '\n')
			}
		}
		if err := d.out.Spill(); d.failed == nil {
			d.failed = err
		}
	}
	for {
		until := d.before(edits, end)
		if n := bytes.IndexByte(d.same[at:until], '\n'); n >= 0 {
			text(d.same[at : at+n+1])
			return at + n + 1, edits
		}
		text(d.same[at:until])
		if at = until; len(edits) == 0 {
			if inLine {
				d.out.Buf = append(append(d.out.Buf, color.End()...), "\n\\ No newline at end of file\n"...)
			}
			return end, nil
		}
		var e edit
		if e, edits = next(edits); sign == '-' {
			text(e.old)
		} else {
			d.written = append(d.written[:e.shared], e.new...)
			text(d.written)
		}
	}
}

// lineRange returns the range of lines as the first line of a hunk has it.
func lineRange(before, end int) string {
	switch end - before {
	case 0:
		return fmt.Sprintf("%d,0", before) // an empty range has the number of the line before it
	case 1:
		return strconv.Itoa(end)
	}
	return fmt.Sprintf("%d,%d", before+1, end-before)
}

// quotedName returns a file name as patch reads it. A name that would break the line, or change a terminal, becomes a C
// string with octal escapes. After a name with a space comes a tab, where patch ends the name.
func quotedName(name string) string {
	switch {
	case strings.ContainsAny(name, `"\`) || !bytes.Equal(console.Printable([]byte(name)), []byte(name)):
		quoted := []byte{'"'}
		for i := range len(name) {
			if c := name[i]; ' ' <= c && c < 0x7F && c != '"' && c != '\\' {
				quoted = append(quoted, c)
			} else {
				quoted = fmt.Appendf(quoted, `\%03o`, c)
			}
		}
		return string(append(quoted, '"'))
	case strings.Contains(name, " "):
		return name + "\t"
	}
	return name
}
