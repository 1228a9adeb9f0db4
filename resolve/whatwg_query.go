package resolve

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
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
// with the special-query percent-encode set (URL Standard, 1.3). A code point
// that e does not have becomes "%26%23" + its number + "%3B", the encoded
// form of a character reference.
func appendQuery(dst, query []byte, e encoding.Encoding) []byte {
	if !slices.ContainsFunc(query, encodes) {
		return appendEncoded(dst, query, encodeSpecialQuery)
	}
	var buf [256]byte
	encoder := e.NewEncoder()
	for {
		nDst, nSrc, err := encoder.Transform(buf[:], query, true)
		dst = appendEncoded(dst, buf[:nDst], encodeSpecialQuery)
		query = query[nSrc:]
		switch {
		case err == transform.ErrShortDst:
		case err == nil || len(query) == 0:
			return dst
		default:
			r, n := utf8.DecodeRune(query)
			if r < utf8.RuneSelf {
				r = utf8.RuneError // what would be an escape in ISO-2022-JP (Encoding, 12.2.2, step 3)
			}
			dst = appendUnencodable(dst, r)
			query = query[n:]
		}
	}
}

// encodes says whether a byte is written otherwise in some encoding that is a
// superset of ASCII. The escapes of ISO-2022-JP are controls.
func encodes(c byte) bool { return c < ' ' || c >= utf8.RuneSelf }

// appendUnencodable appends what stands for a code point that the encoding
// does not have.
func appendUnencodable(dst []byte, r rune) []byte {
	dst = append(dst, "%26%23"...)
	dst = appendDecimal(dst, uint32(r))
	return append(dst, "%3B"...)
}
