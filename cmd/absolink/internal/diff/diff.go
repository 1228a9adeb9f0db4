package diff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

// contextLines is the number of unchanged lines around a change.
const contextLines = 3

// Writer makes a unified diff of a document from its edits and from the stream of the rewritten document. An Extractor reports
// an edit before it writes the bytes after it. Writer keeps only the current hunk and the lines of context before the next hunk
// in memory. The hunk is a script, because its first line has the number of its lines.
//
// The diff is in bytes: nothing is decoded, and each CR is kept.
type Writer struct {
	out    *files.Output
	name   string
	look   Look
	failed error // the first error of out

	at    int64 // in the old document
	skip  int   // bytes of the new text of an edit that are still to be written
	edits []edit
	texts []byte // the old and the new text of each of edits

	hunk    script // the current hunk, if it is open, and the current lines
	current place  // the start of the current lines in hunk; several lines if an edit spans them
	sides   [2]side
	changed bool   // an edit has changed the current lines
	line    [2]int // complete lines so far, old and new

	before  [][]byte // the last unchanged lines, outside a hunk
	open    bool     // there is a hunk
	lead    [][]byte // the unchanged lines before hunk
	tail    []place  // the unchanged lines at the end of hunk
	start   [2]int   // lines before the hunk
	count   [2]int   // lines in the hunk
	written bool     // the file names are written
}

// Look is the look of a diff.
type Look struct {
	Colors console.Colors
	Escape func(line []byte) []byte // for a terminal; nil keeps the bytes
}

// edit is an edit that was reported and is not written yet.
type edit struct {
	offset   int64
	old, new int // the lengths of its texts
}

// side counts the current lines of one side.
type side struct {
	ended   int  // lines that end with a newline
	partial bool // there is text after them
}

// add counts the lines of text.
func (s *side) add(text []byte) {
	if len(text) > 0 {
		s.ended += bytes.Count(text, []byte("\n"))
		s.partial = text[len(text)-1] != '\n'
	}
}

// lines returns the number of lines.
func (s *side) lines() int {
	if s.partial {
		return s.ended + 1
	}
	return s.ended
}

// New returns a Writer that writes the diff of the document name to out.
func New(out *files.Output, name string, look Look) *Writer {
	return &Writer{out: out, name: name, look: look}
}

// Edit records an edit. The edits must be in order.
func (d *Writer) Edit(e extract.Edit) {
	d.edits = append(d.edits, edit{e.Offset, len(e.Old), len(e.New)})
	d.texts = append(append(d.texts, e.Old...), e.New...)
}

// Write adds the next bytes of the rewritten document.
func (d *Writer) Write(p []byte) (int, error) {
	rest, edits, texts := p, d.edits, d.texts
	for {
		n := min(d.skip, len(rest))
		d.skip -= n
		rest = rest[n:]
		for d.skip == 0 && len(edits) > 0 && edits[0].offset == d.at {
			e := edits[0]
			d.change(texts[:e.old], texts[e.old:e.old+e.new])
			edits, texts = edits[1:], texts[e.old+e.new:]
			d.at += int64(e.old)
			d.skip = e.new
		}
		if d.skip > 0 && len(rest) > 0 {
			continue
		}
		if len(rest) == 0 {
			d.edits, d.texts = append(d.edits[:0], edits...), append(d.texts[:0], texts...)
			return len(p), d.failed
		}
		same := rest
		if len(edits) > 0 {
			same = rest[:min(int64(len(rest)), edits[0].offset-d.at)]
		}
		d.at += int64(len(same))
		rest = rest[len(same):]
		d.same(same)
	}
}

// change adds an edit to the current lines.
func (d *Writer) change(old, new []byte) {
	d.hunk.change(old, new)
	d.sides[0].add(old)
	d.sides[1].add(new)
	d.changed = true
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
		if n > 0 && !d.inLine() {
			d.context(part)
			continue
		}
		d.hunk.text(opSame, part)
		d.sides[0].add(part)
		d.sides[1].add(part)
		if n > 0 {
			d.lines()
		}
	}
}

// inLine reports whether there are current lines.
func (d *Writer) inLine() bool { return d.changed || d.hunk.here() != d.current }

// lines ends the current lines. Both sides are at the beginning of a line.
func (d *Writer) lines() {
	if d.changed {
		if !d.open {
			n := len(d.before)
			d.start, d.count = [2]int{d.line[0] - n, d.line[1] - n}, [2]int{n, n}
			d.lead, d.before, d.open = d.before, nil, true
		}
		d.hunk.end()
		d.tail = d.tail[:0]
		for i := range d.sides {
			d.line[i] += d.sides[i].lines()
			d.count[i] += d.sides[i].lines()
		}
		d.current = d.hunk.here()
	} else {
		var line []byte
		r := d.hunk.from(d.current)
		for r.more() {
			r.op()
			r.text(func(p []byte) { line = append(line, p...) })
		}
		d.hunk.cut(d.current)
		d.context(line)
	}
	d.sides, d.changed = [2]side{}, false
}

// context adds an unchanged line. After the last change of a hunk, the line is kept until it is known whether another change
// follows soon.
func (d *Writer) context(line []byte) {
	d.line[0]++
	d.line[1]++
	if !d.open {
		if len(d.before) == contextLines {
			first := d.before[0]
			copy(d.before, d.before[1:])
			d.before[contextLines-1] = append(first[:0], line...)
			return
		}
		d.before = append(d.before, bytes.Clone(line))
		return
	}
	d.tail = append(d.tail, d.hunk.here())
	d.hunk.text(opContext, line)
	d.current = d.hunk.here()
	d.count[0]++
	d.count[1]++
	if len(d.tail) > 2*contextLines {
		d.close()
	}
}

// close writes the open hunk with contextLines lines of context after it.
func (d *Writer) close() {
	if !d.open {
		return
	}
	// The last lines may be the context of the next hunk.
	var before [][]byte
	for _, at := range d.tail[max(len(d.tail)-contextLines, 0):] {
		r := d.hunk.from(at)
		r.op()
		var line []byte
		r.text(func(p []byte) { line = append(line, p...) })
		before = append(before, line)
	}
	if extra := len(d.tail) - contextLines; extra > 0 {
		d.hunk.cut(d.tail[contextLines])
		d.count[0] -= extra
		d.count[1] -= extra
	}
	if !d.written {
		d.out.Buf = fmt.Appendf(d.out.Buf, "--- %s\n+++ %s\n", quotedName(d.name+".orig"), quotedName(d.name))
		d.written = true
	}
	mark := d.look.Colors.Place
	d.out.Buf = append(append(d.out.Buf, mark...), "@@ -"...)
	d.out.Buf = appendRange(d.out.Buf, d.start[0], d.count[0])
	d.out.Buf = appendRange(append(d.out.Buf, " +"...), d.start[1], d.count[1])
	d.out.Buf = append(append(append(d.out.Buf, " @@"...), mark.End()...), '\n')
	for _, text := range d.lead {
		line := printer{d: d, sign: ' '}
		line.text(text)
		line.end()
	}
	for r := d.hunk.from(place{}); r.more(); {
		if r.next() == opContext {
			line := printer{d: d, sign: ' '}
			r.op()
			r.text(line.text)
			line.end()
			continue
		}
		old := r
		removed, added := printer{d: d, color: d.look.Colors.Old, sign: '-'}, printer{d: d, color: d.look.Colors.New, sign: '+'}
		old.lines(0, removed.text)
		removed.end()
		r.lines(1, added.text)
		added.end()
	}
	d.hunk.clear()
	d.before, d.open, d.tail, d.current = before, false, d.tail[:0], place{}
}

// End writes the last hunk. Call it after the whole document was written.
func (d *Writer) End() error {
	if d.inLine() {
		d.lines()
	}
	d.close()
	d.spill()
	return d.failed
}

// spill writes the output if it is long enough.
func (d *Writer) spill() {
	if err := d.out.Spill(); d.failed == nil {
		d.failed = err
	}
}

// printer prints lines of one side of a hunk. The text comes in pieces.
type printer struct {
	d      *Writer
	color  console.Color
	sign   byte
	inLine bool
	held   []byte // with Look.Escape, the bytes of the current line whose escapes depend on the next piece
}

func (p *printer) text(b []byte) {
	for len(b) > 0 {
		if !p.inLine {
			p.d.out.Buf = append(append(p.d.out.Buf, p.color...), p.sign)
		}
		n := bytes.IndexByte(b, '\n')
		if p.inLine = n < 0; p.inLine {
			p.piece(b)
			break
		}
		p.last(b[:n])
		p.d.out.Buf = append(p.d.out.Buf, '\n')
		b = b[n+1:]
	}
	p.d.spill()
}

// piece prints a piece of a line that does not end the line.
func (p *printer) piece(b []byte) {
	if p.d.look.Escape != nil {
		b = append(p.held, b...)
		n := len(b)
		for i := max(0, n-utf8.UTFMax); i < len(b); i++ {
			if b[i] == '\r' && i == len(b)-1 || utf8.RuneStart(b[i]) && !utf8.FullRune(b[i:]) {
				n = i
				break
			}
		}
		b, p.held = p.d.look.Escape(b[:n]), b[n:]
	}
	p.d.out.Buf = append(p.d.out.Buf, b...)
}

// last prints the last piece of a line, without its newline.
func (p *printer) last(b []byte) {
	if p.d.look.Escape != nil {
		b = p.d.look.Escape(append(append(p.held, b...), '\n'))
		b, p.held = b[:len(b)-1], nil
	}
	p.d.out.Buf = append(append(p.d.out.Buf, b...), p.color.End()...)
}

// end ends the last line, if it has no newline.
func (p *printer) end() {
	if p.inLine {
		p.last(nil)
		p.d.out.Buf = append(p.d.out.Buf, "\n\\ No newline at end of file\n"...)
	}
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

// quotedName returns a file name as GNU diff writes it. A name that would break the line, or change a terminal, is in quotes. A name with a space has
// a tab after it, at which patch ends the name.
func quotedName(name string) string {
	if strings.ContainsAny(name, `"\`) || !bytes.Equal(console.Printable([]byte(name)), []byte(name)) {
		return quoteC(name)
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
