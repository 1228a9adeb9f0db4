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

// appendEncoded appends src with the bytes of set percent-encoded (URL Standard, 1.3 "UTF-8 percent-encode"). src must be
// UTF-8.
func appendEncoded(dst, src []byte, set uint32) []byte {
	if len(src) > longURL { // to grow step by step would need twice the memory
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

// longURL is a length of a URL that few references have.
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

// percentDecode returns src with its percent-encoded bytes decoded. The result is src itself if it has no such bytes,
// else a new slice.
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

// outputEncoding is "get an output encoding" (Encoding Standard, 4.3). It returns nil for UTF-8 and for encodings that do
// not contain ASCII. To find out, it encodes a few characters.
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

// appendQuery encodes query with e, percent-encodes the result with the special-query percent-encode set (URL Standard,
// 1.3 "percent-encode after encoding"), and appends it. query must be UTF-8. A code point that e does not have becomes
// "%26%23" + its number + "%3B", the encoded form of a character reference.
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

// encodes reports whether some encoding that contains ASCII may change the byte. ISO-2022-JP changes controls, because it
// uses them as escapes.
func encodes(c byte) bool { return c < ' ' || c >= utf8.RuneSelf }

// appendUnencodable appends the percent-encoded character reference for a code point that the encoding does not have.
func appendUnencodable(dst []byte, r rune) []byte {
	dst = append(dst, "%26%23"...)
	dst = strconv.AppendInt(dst, int64(r), 10)
	return append(dst, "%3B"...)
}
