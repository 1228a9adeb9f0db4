package resolve

// The byte classes that all the grammars are made of. One load from class
// answers any of these questions about a byte.
const (
	isAlpha  = 1 << iota // ALPHA
	isDigit              // DIGIT
	isHex                // HEXDIG, either case
	inScheme             // ALPHA / DIGIT / "+" / "-" / "."
)

// class has the classes of every byte.
var class = func() (t [256]uint16) {
	for c := range 256 {
		b := byte(c)
		if 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' {
			t[c] |= isAlpha | inScheme
		}
		if '0' <= b && b <= '9' {
			t[c] |= isDigit | isHex | inScheme
		}
		if 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F' {
			t[c] |= isHex
		}
		if b == '+' || b == '-' || b == '.' {
			t[c] |= inScheme
		}
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
