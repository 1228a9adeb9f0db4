package resolve

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
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
	switch e {
	case japanese.ISO2022JP:
		return appendISO2022JP(dst, query)
	case japanese.EUCJP, japanese.ShiftJIS:
		encoder := e.NewEncoder()
		for len(query) > 0 {
			r, n := utf8.DecodeRune(query)
			dst = appendJapanese(dst, r, encoder, e == japanese.EUCJP)
			query = query[n:]
		}
		return dst
	}
	var buf [256]byte
	encoder := e.NewEncoder()
	for {
		nDst, nSrc, err := encoder.Transform(buf[:], query, true)
		dst = appendEncoded(dst, buf[:nDst], encodeSpecialQuery)
		query = query[nSrc:]
		if len(query) == 0 {
			return dst
		}
		if err != nil && err != transform.ErrShortDst || nDst+nSrc == 0 {
			r, n := utf8.DecodeRune(query)
			dst = appendUnencodable(dst, r)
			query = query[n:]
		}
	}
}

// appendUnencodable appends what stands for a code point that the encoding
// does not have.
func appendUnencodable(dst []byte, r rune) []byte {
	dst = append(dst, "%26%23"...)
	dst = appendDecimal(dst, uint32(r))
	return append(dst, "%3B"...)
}
