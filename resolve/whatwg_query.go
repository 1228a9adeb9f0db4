package resolve

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// outputEncoding is "get an output encoding" (Encoding, 4.3): nil for UTF-8
// and for what is not ASCII-compatible, which a probe finds out without a
// list of names.
func outputEncoding(e encoding.Encoding) encoding.Encoding {
	if e == nil {
		return nil
	}
	if s, err := e.NewEncoder().String("a~"); err != nil || s != "a~" {
		return nil
	}
	if s, err := e.NewEncoder().String("é"); err == nil && s == "é" {
		return nil
	}
	return e
}

// appendQuery appends query, which is UTF-8, percent-encoded after encoding
// with the special-query percent-encode set (URL Standard, 1.3). The query is
// cut only where a code point cannot be encoded: the encoder of ISO-2022-JP
// has a state, and goes back to ASCII before each such place and at the end.
func appendQuery(dst, query []byte, e encoding.Encoding) []byte {
	encoder := e.NewEncoder()
	for len(query) > 0 {
		out, err := encoder.Bytes(query)
		if err == nil {
			return appendEncoded(dst, out, encodeSpecialQuery)
		}
		n := encodable(encoder, query)
		if out, err = encoder.Bytes(query[:n]); err == nil {
			dst = appendEncoded(dst, out, encodeSpecialQuery)
		}
		r, size := utf8.DecodeRune(query[n:])
		dst = append(dst, "%26%23"...)
		dst = appendDecimal(dst, uint32(r))
		dst = append(dst, "%3B"...)
		query = query[n+size:]
	}
	return dst
}

// encodable returns the length of the start of s that encoder can encode.
func encodable(encoder *encoding.Encoder, s []byte) int {
	n := 0
	for n < len(s) {
		_, size := utf8.DecodeRune(s[n:])
		if _, err := encoder.Bytes(s[n : n+size]); err != nil {
			return n
		}
		n += size
	}
	return n
}
