package rows

import (
	"net/mail"
	"strings"
	"time"

	"absolink/extract"
)

// MessageColumns returns the columns about the message around a row. entity returns the entity of a row, and put
// appends a value that the message has.
func MessageColumns[T any](entity func(T) *extract.Entity,
	put func(row T, dst []byte, f Form, value string) []byte) []Column[T] {
	column := func(name string, of func(*extract.Entity) string) Column[T] {
		return Column[T]{Name: name, Kind: Optional, Extra: true, Value: func(dst []byte, f Form, row T) []byte {
			value := of(entity(row))
			if value == "" {
				return dst
			}
			return put(row, dst, f, value)
		}}
	}
	return []Column[T]{
		column("message_id", func(e *extract.Entity) string { id, _, _ := e.Message(); return id }),
		column("date", func(e *extract.Entity) string { _, date, _ := e.Message(); return sortable(date) }),
		column("subject", func(e *extract.Entity) string { _, _, subject := e.Message(); return subject }),
	}
}

// longestDate is the length beyond which a date is not parsed.
const longestDate = 100

// usualDate is the form of most dates, which net/mail tries only after many others.
const usualDate = "Mon, 2 Jan 2006 15:04:05 -0700"

// sortable returns the date of a message by RFC 3339, with the offset of the sender. A date without an offset, and text
// that is no date, stay unchanged.
func sortable(date string) string {
	if len(date) > longestDate {
		return date
	}
	words := strings.Fields(date)
	for i, word := range words[:max(len(words)-1, 0)] {
		zone := words[i+1]
		if !strings.Contains(word, ":") || zone[0] == '+' || zone[0] == '-' || zone[0] == '(' {
			continue
		}
		offset, ok := zones[strings.ToUpper(zone)]
		if !ok {
			return date // net/mail reads an unknown name as UTC, and some names by the settings of this machine
		}
		words[i+1] = offset
	}
	plain := strings.Join(words, " ")
	t, err := time.Parse(usualDate, plain)
	if err != nil {
		t, err = mail.ParseDate(plain)
	}
	if err != nil {
		return date
	}
	return t.Format(time.RFC3339)
}

// zones has the offsets of the zone names in RFC 5322, 4.3, and of UTC.
var zones = map[string]string{
	"UT": "+0000", "GMT": "+0000", "UTC": "+0000", "Z": "+0000",
	"EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500", "MST": "-0700", "MDT": "-0600", "PST": "-0800",
	"PDT": "-0700",
}
