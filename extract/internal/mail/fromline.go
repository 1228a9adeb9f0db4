package mail

import (
	"bytes"
	"encoding/binary"

	"absolink/extract/internal/ascii"
)

const (
	longestFromLine = 1024
	fromLineReach   = len("\n\r\n") // the number of bytes before a From_ line that decide whether it counts
)

// nextFromLine returns the index of the first From_ line after src[p], or -1. A From_ line counts only after an empty line,
// and only if isFromLine returns true for it. So a line such as "From here on" does not count. quoted reports whether a
// quoted From_ line is before it.
//
// eof reports whether src ends at the end of the file. If it does not, sure may be false. Then the caller reads more bytes
// and continues at i.
func nextFromLine(src []byte, p int, eof bool) (i int, sure, quoted bool) {
	for {
		n := bytes.IndexByte(src[p:], '\n')
		line := p + n + 1
		switch {
		case n >= 0 && line < len(src):
		case eof:
			return -1, true, quoted
		case n < 0:
			return len(src), false, quoted
		default:
			return line - 1, false, quoted
		}
		if c := src[line]; c == 'F' || c == '>' {
			if !eof && len(src)-line < longestFromLine && bytes.IndexByte(src[line:], '\n') < 0 {
				return line - 1, false, quoted
			}
			if c == '>' {
				quoted = quoted || isQuotedFromLine(src[line:])
			} else if isFromLine(src[line:]) && afterEmptyLine(src, line) {
				return line, true, quoted
			}
		}
		p = spaceless(src, line)
	}
}

// spaceless skips the lines at p that have no space, such as lines of base64. A From_ line has a space, quoted or not. p is
// the start of a line. The result is the start or the end of a line.
func spaceless(src []byte, p int) int {
	if hasByte(src[p:], ' ') {
		return p
	}
	end := len(src)
	if i := bytes.IndexByte(src[p:], ' '); i >= 0 {
		end = p + i
	}
	return p + max(bytes.LastIndexByte(src[p:end], '\n'), 0)
}

// hasByte reports whether any of the first eight bytes is c. It returns true if there are fewer than eight bytes.
func hasByte(b []byte, c byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	if len(b) < 8 {
		return true
	}
	w := binary.LittleEndian.Uint64(b) ^ uint64(c)*ones
	return (w-ones)&^w&highs != 0
}

// afterEmptyLine reports whether the line before p is empty, or p is at the start of src.
func afterEmptyLine(src []byte, p int) bool {
	before := withoutNewline(src, p)
	return before == 0 || src[before-1] == '\n'
}

// isFromLine reports whether a line is "From sender date". It accepts any date that has a time of day. Thunderbird also
// writes "From - " and "From " without a sender and a date.
func isFromLine(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) {
		return false
	}
	line = line[:min(len(line), longestFromLine)]
	line = line[:ascii.LineEnd(line, 0)]
	if rest := ascii.Trimmed(line[len("From "):]); len(rest) == 0 || string(rest) == "-" {
		return true
	}
	digit := func(i int) bool { return i < len(line) && ascii.IsDigit(line[i]) }
	for i := len("From "); i < len(line); i++ {
		if line[i] == ':' && digit(i-1) && digit(i+1) && digit(i+2) {
			return true
		}
	}
	return false
}

// isQuotedFromLine reports whether a line begins with "From " after any number of ">".
func isQuotedFromLine(line []byte) bool {
	line = line[:min(len(line), longestFromLine)]
	return bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From "))
}
