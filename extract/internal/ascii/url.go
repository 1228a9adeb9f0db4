package ascii

import "bytes"

// PercentDecoded returns src with its percent-encoded bytes decoded (RFC 3986 2.1). A percent sign without two
// hexadecimal digits stays. src is not changed; if it has no percent sign, it is the result.
func PercentDecoded(src []byte) []byte {
	if bytes.IndexByte(src, '%') < 0 {
		return src
	}
	text := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		if src[i] == '%' && i+2 < len(src) && HexValue(src[i+1]) >= 0 && HexValue(src[i+2]) >= 0 {
			text = append(text, byte(HexValue(src[i+1])<<4|HexValue(src[i+2])))
			i += 2
			continue
		}
		text = append(text, src[i])
	}
	return text
}

// IsSchemeByte reports whether c is allowed in a scheme (RFC 3986 3.1).
func IsSchemeByte(c byte) bool {
	return IsLetter(c) || IsDigit(c) || c == '+' || c == '-' || c == '.'
}

// CutScheme returns the scheme of a URL, and the rest after the colon (RFC 1808 2.4.2), or "" and the whole URL. A
// scheme starts with a letter (RFC 3986 3.1).
func CutScheme(url string) (scheme, rest string) {
	for i := range len(url) {
		switch c := url[i]; {
		case c == ':' && i > 0:
			return url[:i], url[i+1:]
		case !IsSchemeByte(c), i == 0 && !IsLetter(c):
			return "", url
		}
	}
	return "", url
}

// HasScheme reports whether text looks like an absolute URL. The scheme (RFC 3986 3.1) must have two characters or
// more, because one letter is a drive, as in "c:\x". The byte after the colon must not be blank: "Re: x" is not a URL.
func HasScheme(text []byte) bool {
	for i, c := range text {
		switch {
		case i > 1 && c == ':':
			return i+1 < len(text) && !IsBlank(text[i+1])
		case !IsSchemeByte(c), i == 0 && !IsLetter(c):
			return false
		}
	}
	return false
}
