package charsets

import (
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// QueryEncoding returns the encoding with a label, for the queries of URLs in a document. It encodes as the Encoding
// Standard does. QueryEncoding returns nil for UTF-8, for an encoding whose output is UTF-8 (4.3, "get an output
// encoding"), and for an unknown label. Encodings with the same name are equal.
//
//	windows-1251   x?q=я     query q=%FF       one byte for each character
//	iso-2022-jp    x?q=¥     query q=%1B(J\%1B(B
//
// The encoder returns an error at a character that the encoding lacks. The caller may then continue after it.
func QueryEncoding(label string) encoding.Encoding {
	switch c, _, _ := Of(label); c := c.(type) {
	case stateless:
		return standard{c}
	case iso2022jp:
		return standard{stateless{name: "ISO-2022-JP", in: japanese.ISO2022JP}}
	}
	return nil
}

// standard is an encoding with the encoder of the Encoding Standard, because the encoders of x/text write other bytes
// for some characters, and write characters that the standard only reads.
type standard struct{ stateless }

// NewDecoder is a method of encoding.Encoding.
func (s standard) NewDecoder() *encoding.Decoder { return s.in.NewDecoder() }

// NewEncoder is a method of encoding.Encoding.
func (s standard) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: &standardEncoder{standard: s}}
}

// standardEncoder is a transform.Transformer from UTF-8.
type standardEncoder struct {
	standard
	state jisState // the state of ISO-2022-JP
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

// letter appends the bytes of a character, or returns false if the encoding lacks it.
func (e *standardEncoder) letter(dst []byte, r rune) ([]byte, bool) {
	if e.name == "ISO-2022-JP" {
		return e.iso2022jp(dst, r)
	}
	if e.name == "EUC-JP" || e.name == "Shift_JIS" { // 12.1.2 and 12.3.2
		switch r {
		case yen:
			r = '\\'
		case overline:
			r = '~'
		case minus:
			r = fullwidthMinus
		}
	}
	if r < utf8.RuneSelf {
		return append(dst, byte(r)), true
	}
	if bytes := pointers(e.stateless)[r]; bytes > 0xFF {
		return append(dst, byte(bytes>>8), byte(bytes)), true
	} else if bytes > 0 {
		return append(dst, byte(bytes)), true
	}
	switch {
	case e.name != "gb18030" || r == 0xE5E5: // 10.2.2, step 3: 0xA3A0 is read as the ideographic space
		return dst, false
	case string(r) == freedText:
		return append(dst, freed...), true
	}
	four, err := simplifiedchinese.GB18030.NewEncoder().String(string(r))
	return append(dst, four...), err == nil
}

// indexes caches the results of pointers by the name of the charset.
var indexes sync.Map

// pointers returns the one or two bytes of each character that a charset writes ("index pointer", 5 and 6). If several
// sequences read as one character, the first is written, except that for six characters of Big5 a later one replaces
// it.
func pointers(c stateless) map[rune]uint16 {
	if index, ok := indexes.Load(c.name); ok {
		return index.(map[rune]uint16)
	}
	index, dec := map[rune]uint16{}, c.in.NewDecoder()
	put := func(src ...byte) {
		r, n := utf8.DecodeRuneInString(c.sequence(dec, src))
		bytes := uint16(src[0])
		if len(src) == 2 {
			bytes = bytes<<8 | uint16(src[1])
		}
		_, known := index[r]
		// a later sequence replaces the earlier one
		if n > 1 && (!known || c.name == "Big5" && strings.ContainsRune("═╞╡╪十卅", r)) {
			index[r] = bytes
		}
	}
	for lead := byte(0x80); lead != 0; lead++ {
		if c.onlyReads(lead) {
			continue
		}
		if c.length([]byte{lead}) == 1 {
			put(lead)
			continue
		}
		for trail := byte(0x40); trail != 0xFF; trail++ {
			if c.length([]byte{lead, trail}) == 2 {
				put(lead, trail)
			}
		}
	}
	if c.isGB() {
		for _, g := range gb18030Moved {
			for i := range g.n {
				index[g.text+rune(i)] = uint16(g.sequence + i)
			}
		}
	}
	indexes.Store(c.name, index)
	return index
}

// onlyReads reports whether a charset reads the sequences with this first byte but never writes them (6 and 10.2.2).
func (c stateless) onlyReads(lead byte) bool {
	switch c.name {
	case "Big5":
		return lead < 0xA1 // the Hong Kong supplement
	case "Shift_JIS":
		return 0xED <= lead && lead <= 0xF9 // NEC's selection of IBM extensions, and the user-defined characters
	}
	return c.name == "gb18030" && lead == 0x80
}

// The characters for which the encoders of section 12 have exceptions.
const (
	yen            = '\u00A5'
	overline       = '\u203E'
	minus          = '\u2212'
	fullwidthMinus = '\uFF0D'
)

// jis0208 has the kanji of ISO-2022-JP, with the high bit of both bytes set.
var jis0208 = stateless{name: "EUC-JP", in: japanese.EUCJP}

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
	two := pointers(jis0208)[r]
	if two < 0xA1A1 {
		if e.state == jisKanji {
			dst = e.enter(dst, jisASCII)
		}
		return dst, false
	}
	return append(e.enter(dst, jisKanji), byte(two>>8)&^0x80, byte(two)&^0x80), true
}

// enter appends the escape sequence of a set unless the set is the current one.
func (e *standardEncoder) enter(dst []byte, to jisState) []byte {
	if e.state == to {
		return dst
	}
	e.state = to
	return appendEscape(dst, to)
}
