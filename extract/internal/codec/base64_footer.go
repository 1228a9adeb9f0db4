package codec

// This file finds the text after base64 data, such as the footer of a mailing list.

// emptyLine reports whether b starts with a line that is empty or has only white space.
func emptyLine(b []byte) bool {
	for _, x := range b {
		if x == '\n' {
			return true
		}
		if !isSpace(x) {
			break
		}
	}
	return false
}

// ruleLine reports whether b starts with a line above a footer, such as "____" or "-- ". It has at least two characters, and no
// character of base64.
func ruleLine(b []byte) bool {
	n := 0
	for _, x := range b {
		switch {
		case x == '\n':
			return n >= 2
		case isSpace(x):
		case inBase64(x):
			return false
		default:
			n++
		}
	}
	return n >= 2
}

// base64Only reports whether b has only letters, padding and white space.
func base64Only(b []byte) bool {
	for _, x := range b {
		if !inBase64(x) {
			return false
		}
	}
	return true
}

// inBase64 reports whether b is a letter, padding or white space.
func inBase64(b byte) bool { return base64Value[b] < 64 || b == '=' || isSpace(b) }

// isFooter reports whether text that only padding separates from the data begins on the line after b.
func isFooter(b []byte) bool {
	n := eol(b)
	return n > 0 && !emptyLine(b[n:]) && !ruleLine(b[n:]) && !base64Only(b[n:])
}
