package resolve

// The byte classes that all the grammars are made of. One load from class
// answers any of these questions about a byte. Where a set of the URL
// Standard is about code points, all that are not ASCII are alike in it, so
// that it is as good as one of bytes.
const (
	isAlpha  = 1 << iota // ALPHA, ASCII alpha
	isDigit              // DIGIT, ASCII digit
	isHex                // HEXDIG, ASCII hex digit
	inScheme             // ALPHA / DIGIT / "+" / "-" / "."

	// The percent-encode sets of the URL Standard, 1.3.
	encodeC0
	encodeFragment
	encodeQuery
	encodeSpecialQuery
	encodePath
	encodeUserinfo

	// The code points that the URL Standard, 3.2 forbids in hosts.
	forbiddenHost
	forbiddenDomain

	// What the short path of WHATWG may copy without a thought: in a path
	// no dot, percent sign, colon or question mark, which it looks at; in
	// a query or fragment everything that neither set encodes.
	shortPath
	shortTail
	shortHost

	// What the short path of the RFCs passes over in a path: all but the
	// dot and the delimiters that end or change a component.
	plainPath
)

// class has the classes of every byte.
var class = func() (t [256]uint16) {
	mark := func(bits uint16, chars string) {
		for i := range len(chars) {
			t[chars[i]] |= bits
		}
	}
	mark(isAlpha|inScheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	mark(isDigit|isHex|inScheme, "0123456789")
	mark(isHex, "abcdefABCDEF")
	mark(inScheme, "+-.")

	const (
		path       = encodePath | encodeUserinfo
		query      = encodeQuery | encodeSpecialQuery | path
		everything = encodeC0 | encodeFragment | query
		forbidden  = forbiddenHost | forbiddenDomain
	)
	for c := range 256 {
		if c < 0x20 || c >= 0x7F {
			t[c] |= everything
		}
		if c < 0x20 || c == 0x7F {
			t[c] |= forbiddenDomain
		}
	}
	mark(encodeFragment, " \"<>`")
	mark(query, " \"#<>")
	mark(encodeSpecialQuery, "'")
	mark(path, "?^`{}")
	mark(encodeUserinfo, "/:;=@[\\]|")
	mark(forbidden, "\x00\t\n\r #/:<>?@[\\]^|")
	mark(forbiddenDomain, "%")
	mark(shortHost, "abcdefghijklmnopqrstuvwxyz0123456789-._")
	for c := range t {
		t[c] |= plainPath
		if t[c]&(encodeFragment|encodeSpecialQuery|encodePath) == 0 && c != '\\' && c != '|' {
			t[c] |= shortPath | shortTail
		}
	}
	t['.'] &^= shortPath
	t['%'] &^= shortPath
	t[':'] &^= shortPath
	t['?'] |= shortTail
	for _, c := range []byte(".:;?#") {
		t[c] &^= plainPath
	}
	return t
}()

// lower returns c, an ASCII upper-case letter as its lower-case one.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// isLower reports whether s is want, which is in lower case, in any case.
func isLower[T string | []byte](s T, want string) bool {
	if len(s) != len(want) {
		return false
	}
	for i := range len(want) {
		if lower(s[i]) != want[i] {
			return false
		}
	}
	return true
}

// hexValue returns the value of a hex digit.
func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
