package mail

import (
	"bytes"
	"encoding/hex"
	"strings"
	"time"

	"absolink/extract/internal/ascii"
)

func isQuotedFromLine(line []byte) bool {
	line = line[:min(len(line), longestFromLine)]
	return bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From "))
}

const fromSpace = "From "

type fromLineKind uint8

const (
	notFromLine fromLineKind = iota
	partialLine              // a time of day without a complete date
	addressLine              // only an address
	stampLine                // only a number, or an address and the seconds since 1970 or an ISO date
	bareLine                 // neither sender nor date, as Thunderbird writes it
	patchLine                // written by git format-patch
	datedLine                // a complete date
)

// fields is the number of header fields that must follow a From_ line for it to start a message.
type fields struct{ afterEmpty, inBody int }

const never = -1

// evidence says how many header fields each kind of From_ line needs after it.
// asFirst applies to the From_ lines of the kind with which the file begins.
var evidence = [...]struct{ asFirst, other fields }{
	notFromLine: {fields{never, never}, fields{never, never}},
	partialLine: {fields{1, never}, fields{1, never}},
	addressLine: {fields{1, 2}, fields{1, never}},
	stampLine:   {fields{1, 1}, fields{1, never}},
	bareLine:    {fields{0, 2}, fields{0, never}},
	patchLine:   {fields{0, 1}, fields{never, never}},
	datedLine:   {fields{0, 1}, fields{0, 1}},
}

// isFromLine reports whether src begins with a From_ line that can start a message.
func isFromLine(src []byte) bool {
	kind, end := fromLineAt(src, 0)
	follow, _ := beginsFields(src, end, evidence[kind].asFirst.afterEmpty, true)
	return follow
}

// fromLineAt returns the kind of the From_ line at i, and the start of the next line. A From_ line with its newline has
// at most longestFromLine bytes.
func fromLineAt(src []byte, i int) (kind fromLineKind, end int) {
	line := src[i:min(len(src), i+longestFromLine)]
	line = line[:ascii.LineEnd(line, 0)]
	end = i + len(line)
	if !bytes.HasPrefix(line, []byte(fromSpace)) || len(line) == longestFromLine && line[len(line)-1] != '\n' {
		return notFromLine, end
	}
	rest := ascii.Trimmed(line[len(fromSpace):])
	switch {
	case len(rest) == 0 || string(rest) == "-":
		kind = bareLine
	case isPatch(rest):
		kind = patchLine
	case hasDate(rest):
		kind = datedLine
	case isStamp(rest):
		kind = stampLine
	case isAddress(rest):
		kind = addressLine
	case hasTime(rest):
		kind = partialLine
	}
	return kind, end
}

// patchDate follows the commit's name in every From_ line of git format-patch.
const patchDate = " Mon Sep 17 00:00:00 2001"

// isPatch reports whether rest, a From_ line without its "From ", was written by git format-patch.
func isPatch(rest []byte) bool {
	commit, ok := bytes.CutSuffix(rest, []byte(patchDate))
	_, err := hex.DecodeString(string(commit))
	return ok && err == nil && (len(commit) == 40 || len(commit) == 64)
}

var (
	weekdays = ascii.Words("mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday")
	months   = ascii.Words("jan feb mar apr may jun jul aug sep oct nov dec " +
		"january february march april june july august sept september october november december")
)

// hasDate reports whether a From_ line has a complete date after the sender. The date begins with the day of the week,
// and so may the sender's name, which is why each word is tried.
func hasDate(rest []byte) bool {
	for len(rest) > 0 {
		var word []byte
		if word, rest = nextWord(rest); weekdays()[ascii.Lower(string(word))] && isDate(rest) {
			return true
		}
	}
	return false
}

// mostZones is the largest number of words in the name of a time zone: "MET DST".
const mostZones = 2

// isDate reports whether text begins with what follows the day of the week in a complete date: day and month in either
// order, then the year and the time, with an optional time zone, in either order.
//
//	Jan  1 00:00:00 2024        Jan  1 00:00 MET DST 2024        1 Jan 2024 00:00:00 +0000
func isDate(text []byte) bool {
	day, month, year, time, zones := false, false, false, false, 0
	for !year || !time {
		var word []byte
		word, text = nextWord(text)
		switch {
		case len(word) == 0:
			return false
		case !day && len(word) <= 2 && ascii.IsDigits(word):
			day = true
		case !month && months()[ascii.Lower(string(word))]:
			month = true
		case !day || !month:
			return false
		case !year && (len(word) == 2 || len(word) == 4) && ascii.IsDigits(word):
			year = true
		case !time && ascii.IsDigit(word[0]) && hasTime(word[:min(len(word), len("00:00"))]):
			time = true
		case !time || zones == mostZones || !ascii.IsLetter(word[0]) && bytes.IndexByte([]byte("+-("), word[0]) < 0:
			return false
		default:
			zones++
		}
	}
	return true
}

// nextWord cuts the first word, and a comma after it, from a text.
func nextWord(text []byte) (word, rest []byte) {
	text = ascii.Trimmed(text)
	end := bytes.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	return bytes.TrimSuffix(text[:end], []byte(",")), text[end:]
}

func hasTime(text []byte) bool {
	digit := func(i int) bool { return 0 <= i && i < len(text) && ascii.IsDigit(text[i]) }
	for i, c := range text {
		if c == ':' && digit(i-1) && digit(i+1) && digit(i+2) {
			return true
		}
	}
	return false
}

func isAddress(text []byte) bool {
	at := bytes.IndexByte(text, '@')
	return at > 0 && at < len(text)-1 && !bytes.ContainsAny(text, " \t")
}

// isStamp reports whether a From_ line has only a number, as in Google's archives of Usenet, or an address and a date
// in digits: the seconds since 1970, or an ISO date with an optional time and time zone.
func isStamp(rest []byte) bool {
	if ascii.IsDigits(rest) || len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') && ascii.IsDigits(rest[1:]) {
		return true
	}
	sender, rest := nextWord(rest)
	date, rest := nextWord(rest)
	if !isAddress(sender) {
		return false
	}
	if ascii.IsDigits(date) {
		return 8 <= len(date) && len(date) <= 10 && len(ascii.Trimmed(rest)) == 0
	}
	day, at := date, []byte(nil)
	if n := len(time.DateOnly); len(date) > n {
		day, at = date[:n], date[n:]
	}
	_, err := time.Parse(time.DateOnly, string(day))
	return err == nil && (len(at) == 0 || ascii.Lower(string(at[:1])) == "t") &&
		(len(ascii.Trimmed(rest)) == 0 || hasTime(rest))
}

// beginsField reports whether the line at i begins like a header field. sure is false if that needs more bytes. A
// field's name is a letter followed by letters, digits and "-_."; a URL like http://h/ is not a field.
func beginsField(src []byte, i int, eof bool) (begins, sure bool) {
	name := i
	for i < len(src) &&
		(ascii.IsLetter(src[i]) || i > name && (ascii.IsDigit(src[i]) || bytes.IndexByte([]byte("-_."), src[i]) >= 0)) {
		i++
	}
	for named := i > name; named && i < len(src) && ascii.IsBlank(src[i]); {
		i++
	}
	switch {
	case i-name >= longestFieldName || i < len(src) && src[i] != ':':
		return false, true
	case i+1 < len(src):
		return i > name && src[i+1] != '/', true
	}
	return i < len(src) && eof && i > name, eof
}

// beginsFields reports whether the lines from i on begin like n header fields. sure is false if that needs more bytes.
// A line that begins with ">From " is taken for a field, because UUCP wrote such lines at the start of a header.
func beginsFields(src []byte, i, n int, eof bool) (begin, sure bool) {
	const uucp = ">" + fromSpace
	for ; n > 0; n-- {
		line := src[i:min(len(src), i+len(uucp))]
		if len(line) < len(uucp) && strings.HasPrefix(uucp, string(line)) {
			return false, eof
		}
		if string(line) != uucp {
			if begin, sure = beginsField(src, i, eof); !begin {
				return false, sure
			}
		}
		if n == 1 {
			break
		}
		field := src[:min(len(src), i+longestField)]
		for i = ascii.LineEnd(field, i); i < len(field) && ascii.IsBlank(field[i]); {
			i = ascii.LineEnd(field, i)
		}
		if i == len(field) {
			return false, eof || len(field) < len(src)
		}
	}
	return n >= 0, true
}
