package resolve

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

const upperHex = "0123456789ABCDEF"

// appendEncoded appends src, which must be UTF-8, with the bytes of set percent-encoded (URL Standard, 1.3 "UTF-8
// percent-encode").
func appendEncoded(dst, src []byte, set uint32) []byte {
	if len(src) > longURL { // growing step by step would need twice the memory
		dst = slices.Grow(dst, encodedLen(src, set))
	}
	from := 0
	for i, c := range src {
		if class[c]&set != 0 {
			dst = append(dst, src[from:i]...)
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
			from = i + 1
		}
	}
	return append(dst, src[from:]...)
}

// longURL is a length that few URLs reach.
const longURL = 64 << 10

// encodedLen returns the number of bytes that appendEncoded appends.
func encodedLen(src []byte, set uint32) int {
	n := len(src)
	for _, c := range src {
		if class[c]&set != 0 {
			n += len("%XX") - 1
		}
	}
	return n
}

// percentDecode returns src with its percent-encoded bytes decoded: a new slice, or src itself if it has none.
func percentDecode(src []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i+2 < len(src); i++ {
		if src[i] == '%' && class[src[i+1]]&class[src[i+2]]&isHex != 0 {
			out = append(out, src[from:i]...)
			out = append(out, hexValue(src[i+1])<<4|hexValue(src[i+2]))
			from = i + 3
			i += 2
		}
	}
	if from == 0 {
		return src
	}
	return append(out, src[from:]...)
}

// outputEncoding is "get an output encoding" (Encoding Standard, 4.3). It returns nil for UTF-8, and for encodings that
// do not contain ASCII.
func outputEncoding(e encoding.Encoding) encoding.Encoding {
	if e == nil {
		return nil
	}
	var dst [16]byte
	n, _, _ := e.NewEncoder().Transform(dst[:], []byte("a~bé"), true) // an error for "é" does not matter
	if out := string(dst[:n]); !strings.HasPrefix(out, "a~b") || out == "a~bé" {
		return nil
	}
	return e
}

// appendQuery is "percent-encode after encoding" (URL Standard, 1.3) of a query in UTF-8, with the encoding e and the
// special-query percent-encode set. A code point that e lacks becomes a character reference, percent-encoded.
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
				r = utf8.RuneError // an escape of ISO-2022-JP (Encoding Standard, 12.2.2, step 3)
			}
			dst = appendUnencodable(dst, r)
			query = query[n:]
		}
	}
}

// encodes reports whether an encoding that contains ASCII may change c. ISO-2022-JP uses controls as escapes.
func encodes(c byte) bool { return c < ' ' || c >= utf8.RuneSelf }

func appendUnencodable(dst []byte, r rune) []byte {
	dst = append(dst, "%26%23"...)
	dst = strconv.AppendInt(dst, int64(r), 10)
	return append(dst, "%3B"...)
}
