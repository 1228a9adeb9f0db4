package rows

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// AppendJSON appends a value as encoding/json writes it, but without escapes for HTML. The value must be one that JSON can have.
func AppendJSON(dst []byte, v any) []byte {
	out := bytes.NewBuffer(dst)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // URLs stay readable
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'})
}

// appendString is AppendJSON for a string. Most strings of a row are plain, and need no encoder.
func appendString[T string | []byte](dst []byte, s T) []byte {
	start := len(dst)
	dst = append(append(dst, '"'), s...)
	if isPlain(dst[start+1:]) {
		return append(dst, '"')
	}
	return AppendJSON(dst[:start], string(s))
}

// isPlain reports whether a JSON string has these bytes as they are. It is false for some that it could have.
func isPlain(b []byte) bool {
	for _, c := range b {
		if jsonEscaped[c] {
			return false
		}
	}
	return utf8.Valid(b)
}

// jsonEscaped has the bytes that a JSON string may not have as they are. 0xE2 is the first byte of U+2028 and U+2029, which
// encoding/json escapes because older JavaScript does not allow them.
var jsonEscaped = func() (t [256]bool) {
	for c := range byte(' ') {
		t[c] = true
	}
	t['"'], t['\\'], t[0xE2] = true, true, true
	return t
}()
