package resolve

// The byte classes of the grammars. Bytes are enough for the URL Standard, whose sets contain all code points outside
// ASCII or none.
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

	// The forbidden host code points and the forbidden domain code points (URL Standard, 3.2).
	forbiddenHost
	forbiddenDomain

	// Bytes that the short path of WHATWG copies in a path, in a query or a
	// fragment, and in a host. None of them is percent-encoded there. In a path,
	// the dot, the percent sign and the colon are not in the class, because the
	// scan looks at what follows or precedes them.
	shortPath
	shortTail
	shortHost

	// Bytes in a path that the short path of the RFCs copies: all except the dot and
	// the delimiters of components.
	plainPath

	// Bytes in a path that the RFCs and the URL Standard may treat differently.
	unlike
)

var class = func() (t [256]uint32) {
	mark := func(bits uint32, chars string) {
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
	for c := range byte(' ' + 1) {
		t[c] |= unlike
	}
	mark(unlike, "\\\x7F")
	return t
}()

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// isLower reports whether s is want, which is in lower case, in any ASCII case.
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

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
