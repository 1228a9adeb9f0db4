package mail

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

const (
	longestFromLine  = 1024
	longestFieldName = 256
	fromLineReach    = len("\n\r\n") // the number of bytes before a From_ line that decide whether it counts
	fromLineAhead    = longestFromLine + longestFieldName
)

// messageStart finds From_ lines that start a message. It depends on the position of the body of the message before.
type messageStart struct {
	patches bool // the file begins with a From_ line of git format-patch, so these lines start messages
	inBody  bool // body is known
	body    int  // the start of the body
	header  int  // the search for the body continues here
}

// findBody searches for the empty line that ends the header. It is called again when more of the file was read.
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

// drop removes n bytes from the start of the message.
func (m *messageStart) drop(n int) { m.body, m.header = m.body-n, m.header-n }

// next returns the index of the first From_ line after src[p] that starts a message, or -1. quoted reports whether a quoted
// From_ line is before it.
//
// eof reports whether src ends at the end of the file. If it does not, sure may be false. Then the caller reads more bytes
// and continues at i.
//
// It searches for the letter F and not for newlines, because F is rare in most texts.
func (m *messageStart) next(src []byte, p int, eof bool) (i int, sure, quoted bool) {
	for at := p + 1; ; {
		n := bytes.IndexByte(src[min(at, len(src)):], 'F')
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
		at = spaceless(src, from+1)
	}
}

// starts reports whether the line at i starts a message. sure is false if more bytes must be read to decide that.
//
//	From_ line                    after an empty line        elsewhere in a body
//	with a complete date          starts a message           if a field follows
//	of git format-patch           as above in a file that begins with such a line, and never in other files
//	with an address or a time     if a field follows         never
//	without sender and date       starts a message           never
func (m *messageStart) starts(src []byte, i int, eof bool) (starts, sure bool) {
	if !bytes.HasPrefix(src[i:], []byte(fromSpace)) {
		return false, true
	}
	empty := afterEmptyLine(src, i)
	if !empty && (!m.inBody || i < m.body) {
		return false, true
	}
	kind, end := fromLineAt(src, i)
	if kind == patchLine && m.patches {
		kind = datedLine
	}
	switch {
	case empty && (kind == datedLine || kind == bareLine):
		return true, true
	case kind == datedLine, empty && kind == partialLine:
		return beginsField(src, end, eof)
	}
	return false, true
}

// beforeQuotes returns the index of the first ">" directly before i and after src[p], or i. It reads at most longestFromLine
// bytes.
func beforeQuotes(src []byte, p, i int) int {
	line := i
	for line > p+1 && i-line < longestFromLine && src[line-1] == '>' {
		line--
	}
	return line
}

// startsLine reports whether a newline at or after src[p] is directly before i.
func startsLine(src []byte, p, i int) bool { return i > p && src[i-1] == '\n' }

// spaceless skips bytes at p that have no space, such as base64. A From_ line has a space after "From", so its F is at most four
// bytes before a space.
func spaceless(src []byte, p int) int {
	end := len(src)
	if i := bytes.IndexByte(src[p:], ' '); i >= 0 {
		end = p + i
	}
	return max(p, end-len("From"))
}

// afterEmptyLine reports whether the line before p is empty, or p is at the start of src.
func afterEmptyLine(src []byte, p int) bool {
	before := withoutNewline(src, p)
	return before == 0 || src[before-1] == '\n'
}

// isQuotedFromLine reports whether a line begins with "From " after any number of ">".
func isQuotedFromLine(line []byte) bool {
	line = line[:min(len(line), longestFromLine)]
	return bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From "))
}
