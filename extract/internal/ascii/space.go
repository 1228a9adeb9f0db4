package ascii

// IsSpace reports whether c is ASCII whitespace (Infra Standard): space, tab, LF, CR or form feed.
func IsSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// SkipSpace returns the first index from i on that is not ASCII whitespace, or len(src).
func SkipSpace(src []byte, i int) int {
	for i < len(src) && IsSpace(src[i]) {
		i++
	}
	return i
}

// TrimSpace removes leading and trailing ASCII whitespace from src[start:end]. It returns the new start and end.
func TrimSpace(src []byte, start, end int) (int, int) {
	for start < end && IsSpace(src[start]) {
		start++
	}
	for start < end && IsSpace(src[end-1]) {
		end--
	}
	return start, end
}

// Trimmed returns text without leading and trailing ASCII whitespace. The result shares memory with text.
func Trimmed(text []byte) []byte {
	for len(text) > 0 && IsSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	for len(text) > 0 && IsSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// IsBlank reports whether c is WSP (RFC 5234 B.1): space or tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsWhite reports whether c is white space of a header field, including the line ends of folding (RFC 5322 3.2.2):
// space, tab, CR or LF.
func IsWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// SkipWhite returns the first index in [i, end) that is not white space of a header field, or end.
func SkipWhite(src []byte, i, end int) int {
	for i < end && IsWhite(src[i]) {
		i++
	}
	return i
}
