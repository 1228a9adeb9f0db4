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
//
// It searches for the letter F and not for newlines, because F is rare in most texts.
func nextFromLine(src []byte, p int, eof bool) (i int, sure, quoted bool) {
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
			} else if isFromLine(src[line:]) && afterEmptyLine(src, line) {
				return line, true, quoted
			}
		}
		at = spaceless(src, from+1)
	}
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
	if hasByte(src[p:], ' ') {
		return p
	}
	end := len(src)
	if i := bytes.IndexByte(src[p:], ' '); i >= 0 {
		end = p + i
	}
	return max(p, end-len("From"))
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
