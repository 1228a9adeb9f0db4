package header

import (
	"bytes"

	message "github.com/emersion/go-message"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// ContentType returns the media type that the value of a Content-Type field names, in lower case. It returns the
// parameters by their names in lower case, as UTF-8. A value without a media type returns "": the default is in
// RFC 2045 5.2.
//
// go-message reads the value. ContentType itself reads the values that go-message refuses, and the parameters that
// go-message leaves out. If a parameter comes twice, the first one counts. A boundary is never an encoded word.
func ContentType(value []byte) (mediaType string, params map[string]string) {
	unfolded, _ := codec.HeaderLines.Decode(value)
	mediaType, rest := MediaTypeOf(unfolded)
	if mediaType == "" {
		return "", nil
	}
	params = parametersOf(unfolded, rest)
	if isPlainValue(unfolded) {
		return mediaType, params
	}
	var h message.Header
	h.Set("Content-Type", string(unfolded))
	theirType, theirs, err := h.ContentType()
	if err != nil || theirType != mediaType {
		return mediaType, params
	}
	for name, v := range theirs {
		if name != "boundary" || params[name] == "" {
			params[name] = v
		}
	}
	return mediaType, params
}

// isPlainValue reports whether a value can be read in one way only: it has no comment, no encoded word, no backslash, no
// section of RFC 2231, only ASCII. Most values are plain, and are read in a fraction of the time.
func isPlainValue(value []byte) bool {
	for _, c := range value {
		if c >= 0x7F || c == '(' || c == '*' || c == '?' || c == '\\' {
			return false
		}
	}
	return true
}

// TransferEncoding returns the mechanism that the value of a Content-Transfer-Encoding field names (RFC 2045 6.1), in
// lower case, or "". It skips comments, quotes, and the text after the first token. 7bit and 8bit may be written as two
// words.
func TransferEncoding(value []byte) string {
	var c comments
	i := c.skipAll(value, 0, len(value))
	if i < len(value) && value[i] == '"' {
		i = ascii.SkipWhite(value, i+1, len(value))
	}
	switch token := ascii.Lower(string(value[i:tokenEnd(value, i)])); token {
	case "7-bit", "7bits", "7": // 7 bit
		return "7bit"
	case "8-bit", "8bits", "8":
		return "8bit"
	default:
		return token
	}
}

// tokenEnd returns the end of the token at i (RFC 2045 5.1). Here "?", "=" and letters outside ASCII belong to a token.
func tokenEnd(src []byte, i int) int {
	for i < len(src) && src[i] > ' ' && src[i] != 0x7F && bytes.IndexByte([]byte(`()<>@,;:\"/[]`), src[i]) < 0 {
		i++
	}
	return i
}

// MediaTypeOf returns the type and the subtype that a value begins with, in lower case, or "". Comments may stand around
// the slash, and quotes around both. rest is the index of the parameters.
func MediaTypeOf(src []byte) (mediaType string, rest int) {
	var c comments
	i := c.skipAll(src, 0, len(src))
	quoted := i < len(src) && src[i] == '"'
	if quoted {
		i++
	}
	typeEnd := tokenEnd(src, i)
	slash := c.skipAll(src, typeEnd, len(src))
	if slash == len(src) || src[slash] != '/' {
		return "", 0
	}
	sub := c.skipAll(src, slash+1, len(src))
	subEnd := tokenEnd(src, sub)
	if i == typeEnd || sub == subEnd {
		return "", 0
	}
	rest = subEnd
	if quoted && rest < len(src) && src[rest] == '"' {
		rest++
	}
	return ascii.Lower(string(src[i:typeEnd])) + "/" + ascii.Lower(string(src[sub:subEnd])), rest
}
