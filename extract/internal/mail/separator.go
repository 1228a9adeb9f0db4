package mail

import (
	"bytes"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// A separator is a way to separate the messages of a file. It is an index of separators.
type separator uint8

const (
	fromLine    separator = iota // a From_ line before each message (RFC 4155)
	closingLine                  // MMDF: a line of four ^A before each message, and another one after it
)

// separators describes each separator. The first line of a file decides which one the file uses.
var separators = [...]struct {
	name   string
	begin  string                 // of each line
	begins func(file []byte) bool // reports whether a file of messages begins so
	isLine func(line []byte) bool // reports whether a line, with the text after it, is a separator or may be one
}{
	fromLine: {"From_ line", fromSpace, isFromLine,
		func(line []byte) bool { return bytes.HasPrefix(line, []byte(fromSpace)) }},
	closingLine: {"line of four ^A", "\x01", isClosingLine, isClosingLine},
}

func (s separator) name() string            { return separators[s].name }
func (s separator) begins(file []byte) bool { return separators[s].begins(file) }
func (s separator) isLine(line []byte) bool { return separators[s].isLine(line) }

// separatorOf returns the separator of a file of messages. ok is false if the file does not begin with one.
func separatorOf(file []byte) (_ separator, ok bool) {
	for s := range separators {
		if s := separator(s); s.begins(file) {
			return s, true
		}
	}
	return fromLine, false
}

func isClosingLine(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("\x01\x01\x01\x01"))
	return ok && (len(rest) == 0 || ascii.NewlineLen(rest) > 0)
}

// message returns the start and the end of the message in a record, without its separators.
func (s separator) message(record []byte) (start, end int) {
	end = len(record)
	if i := header.SkipVoid(record, 0); s.isLine(record[i:]) {
		start = ascii.LineEnd(record, i)
	}
	if s == closingLine {
		last := bytes.TrimRight(record, "\r\n")
		if i := bytes.LastIndexByte(last, '\n') + 1; i >= start && isClosingLine(last[i:]) {
			end = i
		}
	}
	return start, end
}

const (
	longestFromLine  = 1024
	longestFieldName = 256
	longestField     = 4096          // the longest field after which the next one is looked at
	fromLineReach    = len("\n\r\n") // the bytes before a From_ line that decide whether it starts a message
	fromLineAhead    = longestFromLine + longestField + longestFieldName
)

// messageStart finds the separators that start a message. For From_ lines it must know where the body of the message
// before begins.
type messageStart struct {
	sep    separator
	first  fromLineKind // of the line that the file begins with
	inBody bool         // body is known
	body   int          // the start of the body
	header int          // the search for the body continues here
}

// findBody searches for the empty line that ends the header. It continues when it is called again with more of the
// file.
func (m *messageStart) findBody(src []byte, eof bool) {
	for !m.inBody {
		n := bytes.IndexByte(src[m.header:], '\n')
		if n < 0 {
			m.header = len(src)
			return
		}
		m.header += n
		after := src[m.header+1:]
		newline := ascii.NewlineLen(after)
		if newline == 0 && !eof && len(after) < 2 && (len(after) == 0 || after[0] == '\r') {
			return
		}
		m.inBody, m.body = newline > 0, m.header+1+newline
		m.header++
	}
}

func (m *messageStart) drop(n int) { m.body, m.header = m.body-n, m.header-n }

// next returns the index of the first separator after src[p] that starts or ends a message, or -1, and whether a quoted
// From_ line is before it.
//
// eof reports whether src ends at the end of the file. If it does not, sure may be false, and the caller must read more
// and continue at i.
//
// The search is for the first character of a separator instead of for newlines, because F and ^A are rare in most
// texts.
func (m *messageStart) next(src []byte, p int, eof bool) (i int, sure, quoted bool) {
	first := separators[m.sep].begin[0]
	for at := p + 1; ; {
		n := bytes.IndexByte(src[min(at, len(src)):], first)
		switch {
		case n >= 0:
		case eof:
			return -1, true, quoted
		default:
			if line := beforeQuotes(src, p, len(src)); startsLine(src, p, line) {
				return line - 1, false, quoted
			}
			return len(src), false, quoted
		}
		from := at + n
		if line := beforeQuotes(src, p, from); startsLine(src, p, line) {
			if !eof && len(src)-line < longestFromLine && bytes.IndexByte(src[line:], '\n') < 0 {
				return line - 1, false, quoted
			}
			if line < from {
				quoted = quoted || isQuotedFromLine(src[line:])
			} else if starts, sure := m.starts(src, line, eof); starts || !sure {
				if !sure {
					line--
				}
				return line, sure, quoted
			}
		}
		if at = from + 1; m.sep == fromLine {
			at = spaceless(src, at)
		}
	}
}

// starts reports whether the line at i is a separator that starts or ends a message. sure is false if that needs more
// bytes.
func (m *messageStart) starts(src []byte, i int, eof bool) (starts, sure bool) {
	if m.sep != fromLine || !bytes.HasPrefix(src[i:], []byte(fromSpace)) {
		return m.sep != fromLine && m.sep.isLine(src[i:]), true
	}
	empty := afterEmptyLine(src, i)
	if !empty && (!m.inBody || i < m.body) {
		return false, true
	}
	kind, end := fromLineAt(src, i)
	needed := evidence[kind].other
	if kind == m.first {
		needed = evidence[kind].asFirst
	}
	if empty {
		return beginsFields(src, end, needed.afterEmpty, eof)
	}
	return beginsFields(src, end, needed.inBody, eof)
}

// beforeQuotes returns the index of the first of the ">" that end at i, after src[p], or i if there are none. It reads
// at most longestFromLine bytes.
func beforeQuotes(src []byte, p, i int) int {
	line := i
	for line > p+1 && i-line < longestFromLine && src[line-1] == '>' {
		line--
	}
	return line
}

// startsLine reports whether a newline, at p or later, ends directly before i.
func startsLine(src []byte, p, i int) bool { return i > p && src[i-1] == '\n' }

// spaceless skips text at p that cannot begin a From_ line, like base64. "From" is followed by a space, so the F is at
// most four bytes before one.
func spaceless(src []byte, p int) int {
	end := len(src)
	if i := bytes.IndexByte(src[p:], ' '); i >= 0 {
		end = p + i
	}
	return max(p, end-len("From"))
}

// afterEmptyLine reports whether the line before p is empty, or p is 0.
func afterEmptyLine(src []byte, p int) bool {
	before := withoutNewline(src, p)
	return before == 0 || src[before-1] == '\n'
}

// messageFormat returns Message for a file of messages, where no edit may make a separator. first is the kind of the
// From_ line that the file begins with.
func (s separator) messageFormat(first fromLineKind) *mark.Format {
	f := *Message
	f.Mark = func(src []byte, m *mark.Marks) {
		g := separatorGuard{src: src, messageStart: messageStart{sep: s, first: first, inBody: true}, line: -1}
		m.Guard(codec.Span{End: len(src)}, g.refuses)
		extractMessage(src, m, true)
	}
	return &f
}

// separatorGuard refuses edits that make a separator: edits in its line and, for a From_ line, also in the fields after
// the line or in the line before it.
type separatorGuard struct {
	messageStart
	src  []byte
	line int // the last line that begins like a separator and starts before src[seen], or -1
	seen int
}

// refuses returns why an edit of a message in an mbox is refused, or "".
func (g *separatorGuard) refuses(e codec.Edit) (why string) {
	begin := separators[g.sep].begin
	if g.seen > e.Start { // the removal of an element comes after the edits inside it
		g.line, g.seen = -1, 0
	}
	if g.seen == 0 && bytes.HasPrefix(g.src, []byte(begin)) {
		g.line = 0
	}
	const newline = len("\n")
	if i := bytes.LastIndex(g.src[max(0, g.seen-newline):e.Start], []byte("\n"+begin)); i >= 0 {
		g.line = max(0, g.seen-newline) + i + newline
	}
	g.seen = max(g.seen, e.Start-len(begin))
	next := e.End + ascii.NewlineLen(g.src[e.End:])
	emptied := next > e.End && (len(e.New) == 0 || e.New[len(e.New)-1] == '\n')
	switch {
	case g.line >= 0 && e.Start-g.line < fromLineAhead && g.makes(e, g.line),
		g.sep == fromLine && emptied && bytes.HasPrefix(g.src[next:], []byte(begin)) && g.makes(e, next),
		g.sep != fromLine && (e.Start == 0 || g.src[e.Start-1] == '\n') && g.makes(e, e.Start):
		return " would make a " + g.sep.name() + ", which begins the next message of the mbox"
	}
	return ""
}

// makes reports whether an edit, before or after a line, turns the line into the start of a message.
func (g *separatorGuard) makes(e codec.Edit, line int) bool {
	if was, _ := g.starts(g.src, line, true); was {
		return false
	}
	before := max(0, min(line, e.Start)-fromLineReach)
	edited := slices.Concat(g.src[before:e.Start], e.New, g.src[e.End:min(len(g.src), e.End+fromLineAhead)])
	at := line - before
	if line >= e.End {
		at += len(e.New) - e.Len()
	}
	starts, _ := g.starts(edited, at, true)
	return starts
}
