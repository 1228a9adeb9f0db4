package resolve

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/unicode/norm"
)

// The encoders of the Encoding Standard, 12 for Japanese differ from those of
// x/text in a few code points: the yen sign and the overline, the minus sign,
// half-width katakana, and JIS X 0212, which is only ever decoded. x/text has
// the tables.

const (
	yen      = '\u00A5'
	overline = '\u203E'
)

// isHalfKatakana says "in the range U+FF61 to U+FF9F".
func isHalfKatakana(r rune) bool { return '\uFF61' <= r && r <= '\uFF9F' }

// appendJapanese appends r as the EUC-JP encoder (12.1.2) or the Shift_JIS
// encoder (12.3.2) has it, percent-encoded.
func appendJapanese(dst []byte, r rune, encoder *encoding.Encoder, euc bool) []byte {
	switch {
	case r == yen:
		return append(dst, '\\')
	case r == overline:
		return append(dst, '~')
	case r == 0x80 && !euc:
		return append(dst, "%80"...)
	case r == '\u2212':
		r = '\uFF0D'
	}
	var src, out [utf8.UTFMax]byte
	n, _, err := encoder.Transform(out[:], utf8.AppendRune(src[:0], r), true)
	if err != nil || n == 3 { // three bytes: JIS X 0212
		return appendUnencodable(dst, r)
	}
	return appendEncoded(dst, out[:n], encodeSpecialQuery)
}

// appendISO2022JP is the ISO-2022-JP encoder (12.2.2), which has a state, and
// percent-encodes what comes out of it.
func appendISO2022JP(dst, query []byte) []byte {
	const (
		toASCII   = "%1B(B"
		toRoman   = "%1B(J"
		toJIS0208 = "%1B$B"
	)
	state := toASCII
	enter := func(s string) {
		if state != s {
			state = s
			dst = append(dst, s...)
		}
	}
	encoder := japanese.EUCJP.NewEncoder()
	for len(query) > 0 {
		r, n := utf8.DecodeRune(query)
		query = query[n:]
		switch {
		case r < utf8.RuneSelf:
			if state != toRoman || r == '\\' || r == '~' {
				enter(toASCII)
			}
			if r == 0x0E || r == 0x0F || r == 0x1B {
				dst = appendUnencodable(dst, utf8.RuneError)
			} else {
				dst = appendEncoded(dst, []byte{byte(r)}, encodeSpecialQuery)
			}
			continue
		case r == yen:
			enter(toRoman)
			dst = append(dst, '\\')
			continue
		case r == overline:
			enter(toRoman)
			dst = append(dst, '~')
			continue
		}
		jis, ok := jis0208(r, encoder)
		if !ok {
			if state == toJIS0208 {
				enter(toASCII)
			}
			dst = appendUnencodable(dst, r)
			continue
		}
		enter(toJIS0208)
		dst = appendEncoded(dst, jis[:], encodeSpecialQuery)
	}
	enter(toASCII)
	return dst
}

// jis0208 returns the two bytes of r in JIS X 0208, by way of EUC-JP, which
// has them with the high bits set.
func jis0208(r rune, encoder *encoding.Encoder) (jis [2]byte, ok bool) {
	var src, out [utf8.UTFMax]byte
	s := utf8.AppendRune(src[:0], r)
	switch {
	case r == '\u2212':
		s = utf8.AppendRune(src[:0], '\uFF0D')
	case r == '\uFF9E': // index ISO-2022-JP katakana: the spacing marks
		s = utf8.AppendRune(src[:0], '\u309B')
	case r == '\uFF9F':
		s = utf8.AppendRune(src[:0], '\u309C')
	case isHalfKatakana(r):
		s = norm.NFKC.Bytes(s)
	}
	n, _, err := encoder.Transform(out[:], s, true)
	if err != nil || n != 2 || out[0] < 0xA1 {
		return jis, false
	}
	return [2]byte{out[0] &^ 0x80, out[1] &^ 0x80}, true
}
