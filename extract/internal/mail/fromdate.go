package mail

import (
	"bytes"

	"absolink/extract/internal/ascii"
)

const fromSpace = "From "

// fromLineKind is the kind of a From_ line. docs/formats.md has the rules for each kind.
type fromLineKind uint8

const (
	notFromLine fromLineKind = iota
	partialLine              // it has only an address, or a time of day without a complete date
	bareLine                 // it has no sender and no date, as Thunderbird writes it
	patchLine                // git format-patch writes it
	datedLine                // it has a complete date
)

// fromLineAt returns the kind of the From_ line at i, and the start of the next line. A From_ line is shorter than
// longestFromLine, or has this length with its newline.
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
	case hasTime(rest) || isAddress(rest):
		kind = partialLine
	}
	return kind, end
}

// patchDate is the date in each From_ line that git format-patch writes, after the name of the commit.
const patchDate = " Mon Sep 17 00:00:00 2001"

// isPatch reports whether a From_ line without its "From " is that of git format-patch.
func isPatch(rest []byte) bool {
	commit, ok := bytes.CutSuffix(rest, []byte(patchDate))
	if !ok || len(commit) != 40 && len(commit) != 64 {
		return false
	}
	for _, c := range commit {
		if ascii.HexValue(c) < 0 {
			return false
		}
	}
	return true
}

var (
	weekdays = ascii.Words("mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday")
	months   = ascii.Words("jan feb mar apr may jun jul aug sep oct nov dec " +
		"january february march april june july august sept september october november december")
)

// hasDate reports whether a From_ line has a complete date after the sender. The date begins with the day of the week. The
// name of the sender may look like a day of the week.
func hasDate(rest []byte) bool {
	for len(rest) > 0 {
		var word []byte
		if word, rest = nextWord(rest); weekdays()[ascii.Lower(string(word))] && isDate(rest) {
			return true
		}
	}
	return false
}

// mostZones is the largest number of words in the name of a time zone, such as "MET DST".
const mostZones = 2

// isDate reports whether text begins with the rest of a complete date, after the day of the week. The day and the month
// come first, in any order. Then come the time, which a time zone may follow, and the year, in any order.
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

// nextWord returns the first word of a text, without a comma after it, and the text after the word.
func nextWord(text []byte) (word, rest []byte) {
	text = ascii.Trimmed(text)
	end := bytes.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	return bytes.TrimSuffix(text[:end], []byte(",")), text[end:]
}

// hasTime reports whether a text has a time of day, such as 1:11 or 10:10:10.
func hasTime(text []byte) bool {
	digit := func(i int) bool { return 0 <= i && i < len(text) && ascii.IsDigit(text[i]) }
	for i, c := range text {
		if c == ':' && digit(i-1) && digit(i+1) && digit(i+2) {
			return true
		}
	}
	return false
}

// isAddress reports whether a text is one word with an "@" in it.
func isAddress(text []byte) bool {
	at := bytes.IndexByte(text, '@')
	return at > 0 && at < len(text)-1 && !bytes.ContainsAny(text, " \t")
}

// beginsField reports whether the line at i begins like a header field. sure is false if more bytes must be read to
// decide that. The name of the field begins with a letter, and has letters, digits and "-_.". A URL such as http://h/ is not
// a field.
func beginsField(src []byte, i int, eof bool) (begins, sure bool) {
	name := i
	for i < len(src) && (ascii.IsLetter(src[i]) || i > name && (ascii.IsDigit(src[i]) || bytes.IndexByte([]byte("-_."), src[i]) >= 0)) {
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
