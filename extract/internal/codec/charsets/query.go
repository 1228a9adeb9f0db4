package charsets

import (
	"errors"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// QueryEncoding returns the encoding with a label, for the queries of URLs in a document. Its encoder is the encoder of
// the Encoding Standard. QueryEncoding returns nil for UTF-8, for an encoding whose output is UTF-8 (4.3, "get an
// output encoding"), and for an unknown label. Encodings with the same name are equal.
//
//	windows-1251   x?q=я     query q=%FF       one byte for each character
//	iso-2022-jp    x?q=¥     query q=%1B(J\%1B(B
//
// The encoder returns an error at a character that the encoding does not have. The caller may then continue after this
// character.
func QueryEncoding(label string) encoding.Encoding {
	c, name, _ := Of(label)
	switch c := c.(type) {
	case *singleByte:
		return standard{c.charmap, name}
	case multiByte:
		return standard{c.in, name}
	case iso2022jp:
		return standard{japanese.ISO2022JP, name}
	}
	return nil
}

// standard is an encoding of x/text with the encoder of the Encoding Standard. The tables are the tables of x/text. The
// encoder of x/text differs from the standard: it writes some characters in another way or not at all, and writes
// characters that the standard only reads.
type standard struct {
	encoding.Encoding
	name string
}

// NewEncoder returns an encoder of the standard. It is a method of encoding.Encoding.
func (s standard) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: &standardEncoder{standard: s, x: s.tables().NewEncoder()}}
}

// tables returns the encoding of x/text that has the characters.
func (s standard) tables() encoding.Encoding {
	switch s.name {
	case "ISO-2022-JP":
		return japanese.EUCJP // JIS X 0208, both bytes with their high bit set
	case "GBK":
		return simplifiedchinese.GBK
	}
	return s.Encoding
}

// standardEncoder is a transform.Transformer from UTF-8.
type standardEncoder struct {
	standard
	x     *encoding.Encoder // the encoder of x/text, from tables
	state jisState          // the state of ISO-2022-JP
}

var errNoLetter = errors.New("the encoding does not have the character")

// Reset is a method of transform.Transformer.
func (e *standardEncoder) Reset() { e.state = jisASCII }

// Transform is a method of transform.Transformer.
func (e *standardEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	var buf [8]byte // room for an escape sequence and a character
	for nSrc < len(src) {
		if len(dst)-nDst < len(buf) {
			return nDst, nSrc, transform.ErrShortDst
		}
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, n := utf8.DecodeRune(src[nSrc:])
		out, ok := e.letter(buf[:0], r)
		nDst += copy(dst[nDst:], out)
		if !ok {
			return nDst, nSrc, errNoLetter
		}
		nSrc += n
	}
	if atEOF && e.state != jisASCII {
		if len(dst)-nDst < len(buf) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += copy(dst[nDst:], e.enter(buf[:0], jisASCII))
	}
	return nDst, nSrc, nil
}

// letter appends the bytes of a character. It returns false if the encoding does not have the character.
func (e *standardEncoder) letter(dst []byte, r rune) ([]byte, bool) {
	switch {
	case e.name == "ISO-2022-JP":
		return e.iso2022jp(dst, r)
	case r < utf8.RuneSelf:
		return append(dst, byte(r)), true
	}
	if cm, ok := e.Encoding.(*charmap.Charmap); ok {
		b, ok := encodeByte(cm, r)
		if !ok {
			return dst, false
		}
		return append(dst, b), true
	}
	switch e.name {
	case "EUC-JP", "Shift_JIS":
		switch {
		case r == yen:
			return append(dst, '\\'), true
		case r == overline:
			return append(dst, '~'), true
		case r == 0x80 && e.name == "Shift_JIS":
			return append(dst, 0x80), true
		case r == minus:
			r = fullwidthMinus
		}
	case "gb18030", "GBK":
		if r == 0xE5E5 {
			return dst, false // 10.2.2, step 3: U+E5E5 has no bytes, because 0xA3A0 is read as the ideographic space
		}
		if two := gb18030Gap(r); two > 0 {
			return append(dst, byte(two>>8), byte(two)), true
		}
		if string(r) == freedText && e.name == "gb18030" {
			return append(dst, freed...), true
		}
	case "Big5":
		if two := big5First()[r]; two > 0 {
			return append(dst, byte(two>>8), byte(two)), true
		}
	}
	at := len(dst)
	dst, ok := e.table(dst, r)
	if !ok {
		return dst, false
	}
	switch out := dst[at:]; {
	case e.name == "EUC-JP" && len(out) == 3:
		return dst[:at], false // JIS X 0212 is only read
	case e.name == "Big5" && out[0] < 0xA1:
		return dst[:at], false // the Hong Kong supplement is only read (6, "index Big5 pointer")
	case e.name == "Shift_JIS" && (out[0] == 0xED || out[0] == 0xEE):
		ibmExtension(out)
	}
	return dst, true
}

// table appends the bytes that x/text has for a character.
func (e *standardEncoder) table(dst []byte, r rune) ([]byte, bool) {
	var src, out [utf8.UTFMax]byte
	n, _, err := e.x.Transform(out[:], utf8.AppendRune(src[:0], r), true)
	if err != nil {
		return dst, false
	}
	return append(dst, out[:n]...), true
}

// encodeByte returns the byte of a character. In the indexes of the Encoding Standard, a byte that a code page does not
// use is a C1 control.
func encodeByte(cm *charmap.Charmap, r rune) (byte, bool) {
	if 0x80 <= r && r < 0xA0 {
		if d := cm.DecodeByte(byte(r)); d == r || d == utf8.RuneError {
			return byte(r), true
		}
	}
	return cm.EncodeRune(r)
}

// gb18030Gap returns the two bytes of a character in gb18030 and GBK that x/text does not have, or 0 for another
// character. It returns the two bytes of a character that GB 18030-2022 moved also for the old code point of the
// character (10.2.2, step 5).
func gb18030Gap(r rune) int {
	for _, gaps := range [][]gap{gb18030Gaps(), gb18030Moved} {
		for _, g := range gaps {
			if at := int(r - g.text); 0 <= at && at < g.n {
				return g.sequence + at
			}
		}
	}
	return 0
}

// gb18030Moved has the characters that GB 18030-2022 moved, with their old code points.
var gb18030Moved = []gap{
	{0xA6D9, 0xE78D, 7}, {0xA6EC, 0xE794, 2}, {0xA6F3, 0xE796, 1}, {0xFE59, 0xE81E, 1}, {0xFE61, 0xE826, 1}, {0xFE66, 0xE82B, 2},
	{0xFE6D, 0xE832, 1}, {0xFE7E, 0xE843, 1}, {0xFE90, 0xE854, 1}, {0xFEA0, 0xE864, 1},
}

// big5First has the characters that are in index Big5 twice and are written with the first of their two places (6,
// "index Big5 pointer"). x/text writes the last place.
var big5First = sync.OnceValue(func() map[rune]int {
	return map[rune]int{
		'╭': 0xA27E, '╮': 0xA2A1, '╯': 0xA2A3, '╰': 0xA2A2, '〃': 0xA1B2, '仝': 0xC6DF, '倩': 0xADC5, '偽': 0xB0B0, '包': 0xA55D,
		'卄': 0xA2CD, '卿': 0xADEB, '婷': 0xB440, '幵': 0xC9DB, '廴': 0xC6CF, '彘': 0xD8F4, '撐': 0xBCB5, '无': 0xC6D3, '晴': 0xB4B8,
		'杞': 0xA7FB, '沜': 0xCB58, '渝': 0xB4FC, '港': 0xB4E4, '煮': 0xB54E, '瑜': 0xB7EC, '瓩': 0xA260, '癶': 0xC6D5, '砉': 0xCFF1,
	}
})

// ibmExtension replaces two bytes of NEC's selection of IBM extensions in Shift_JIS by the two bytes of the IBM
// extension itself. The selection is only read (6, "index Shift_JIS pointer"). Both have the same characters in nearly
// the same order.
func ibmExtension(out []byte) {
	const row, ibm = 188, (0xFA - 0xC1) * 188
	pointer := (int(out[0])-0xC1)*row + int(out[1]) - 0x40
	if out[1] > 0x7E {
		pointer--
	}
	switch {
	case pointer < 8632:
		pointer += ibm + 28 - 8272
	case pointer < 8644:
		pointer += ibm - 8634
	default:
		pointer += ibm + 20 - 8644
	}
	out[0], out[1] = byte(pointer/row+0xC1), byte(pointer%row+0x40)
	if out[1] > 0x7E {
		out[1]++
	}
}

// The characters for which the encoders of section 12 have exceptions.
const (
	yen            = '\u00A5'
	overline       = '\u203E'
	minus          = '\u2212'
	fullwidthMinus = '\uFF0D'
)

// iso2022jp appends the bytes of a character as the encoder of ISO-2022-JP does (12.2.2).
func (e *standardEncoder) iso2022jp(dst []byte, r rune) ([]byte, bool) {
	switch {
	case r == 0x0E || r == 0x0F || r == esc:
		return dst, false
	case r < utf8.RuneSelf:
		if e.state != jisRoman || r == '\\' || r == '~' {
			dst = e.enter(dst, jisASCII)
		}
		return append(dst, byte(r)), true
	case r == yen:
		return append(e.enter(dst, jisRoman), '\\'), true
	case r == overline:
		return append(e.enter(dst, jisRoman), '~'), true
	case r == minus:
		r = fullwidthMinus
	case r == '\uFF9E': // index ISO-2022-JP katakana has the spacing marks
		r = '\u309B'
	case r == '\uFF9F':
		r = '\u309C'
	case '\uFF61' <= r && r <= '\uFF9F':
		r, _ = utf8.DecodeRune(norm.NFKC.Bytes(utf8.AppendRune(nil, r)))
	}
	var two [utf8.UTFMax]byte
	out, ok := e.table(two[:0], r)
	if !ok || len(out) != 2 || out[0] < 0xA1 {
		if e.state == jisKanji {
			dst = e.enter(dst, jisASCII)
		}
		return dst, false
	}
	return append(e.enter(dst, jisKanji), out[0]&^0x80, out[1]&^0x80), true
}

// enter appends the escape sequence of a set, if the set is not the current one.
func (e *standardEncoder) enter(dst []byte, to jisState) []byte {
	if e.state == to {
		return dst
	}
	e.state = to
	return appendEscape(dst, to)
}
