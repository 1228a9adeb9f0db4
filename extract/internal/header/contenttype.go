package header

import (
	"bytes"
	"strings"

	message "github.com/emersion/go-message"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/spell"
)

// ContentType returns the media type and the parameters of the value of a Content-Type field. The media type and the
// names of the parameters are in lower case. The values are UTF-8. If the value has no media type, ContentType returns
// "" and nil. The caller then uses the default of RFC 2045 5.2.
//
// go-message reads the value. ContentType reads the values that go-message refuses, and the parameters that go-message
// omits. If a parameter is repeated, the first one counts. A boundary is never decoded as an encoded word.
func ContentType(value []byte) (mediaType string, params map[string]string) {
	unfolded, _ := spell.HeaderLines.Decode(value)
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

// Charset returns the charset parameter of a message, or "". Some programs write it in single quotes, which RFC 2045 does not know.
func Charset(params map[string]string) string { return strings.Trim(params["charset"], "'") }

// isPlainValue reports whether go-message is not needed for a value: it is ASCII without comments, encoded words,
// backslashes and sections (RFC 2231). Most values are plain, and are read in a fraction of the time.
func isPlainValue(value []byte) bool {
	for _, c := range value {
		if c >= 0x7F || c == '(' || c == '*' || c == '?' || c == '\\' {
			return false
		}
	}
	return true
}

// TransferEncoding returns the mechanism in the value of a Content-Transfer-Encoding field (RFC 2045 6.1), in lower case.
// It returns "" if there is no mechanism. It skips comments, double and single quotes, and the text after the first token. It accepts
// variants of 7bit and 8bit, such as "8-bit" and "8 bit".
func TransferEncoding(value []byte) string {
	var c comments
	i := c.skipAll(value, 0, len(value))
	if i < len(value) && value[i] == '"' {
		i = ascii.SkipWhite(value, i+1, len(value))
	}
	switch token := strings.Trim(ascii.Lower(string(value[i:tokenEnd(value, i)])), "'"); token {
	case "7-bit", "7bits", "7": // 7 bit
		return "7bit"
	case "8-bit", "8bits", "8":
		return "8bit"
	default:
		return token
	}
}

// tokenEnd returns the end of the token at i (RFC 2045 5.1). It accepts "?", "=" and characters outside ASCII, too.
func tokenEnd(src []byte, i int) int {
	for i < len(src) && inToken(src[i]) {
		i++
	}
	return i
}

func inToken(c byte) bool {
	return c > ' ' && c != 0x7F && bytes.IndexByte([]byte(`()<>@,;:\"/[]`), c) < 0
}

// MediaTypeOf returns the media type at the start of a value, in lower case, or "" if there is none. rest is the index of
// the parameters. Comments around the slash and quotes around the media type are skipped.
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
