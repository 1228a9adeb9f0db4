package spell

// This file reads and writes single character references of HTML. The table of names is in entities_table.go.
//
//	&amp;     a name and a semicolon (13.2.5.73)
//	&amp      a legacy name, without a semicolon
//	&#38;     a decimal number (13.2.5.79)
//	&#x26;    a hexadecimal number (13.2.5.78)

import (
	"sort"
	"strconv"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// named reads "&" and a name (13.2.5.73). It returns the number of bytes and their text. If there is no reference, it
// returns the "&" itself.
func (c *charref) named(src []byte) (int, string) {
	n := 1
	for n < len(src) && n <= longestName && isAlnum(src[n]) {
		n++
	}
	if n < len(src) && src[n] == ';' {
		if e := lookup(src[1:n]); e != nil {
			return n + 1, e.text
		}
	}
	if c.attr {
		// The longest known name counts, and no letter, digit or "=" may follow it. So the name is the whole run of
		// letters and digits, or there is no reference.
		if n-1 <= longestLegacy && (n == len(src) || src[n] != '=' && !isAlnum(src[n])) {
			if e := lookup(src[1:n]); e != nil && e.legacy {
				return n, e.text
			}
		}
		return 1, "&"
	}
	for n = min(n, longestLegacy+1); n > 1; n-- {
		if e := lookup(src[1:n]); e != nil && e.legacy {
			return n, e.text
		}
	}
	return 1, "&"
}

// isAlnum reports whether b is ASCII alphanumeric (Infra Standard 4.6).
func isAlnum(b byte) bool { return ascii.IsDigit(b) || ascii.IsLetter(b) }

// entity is one named character reference.
type entity struct {
	name   string // without "&" and ";"
	text   string // one or two code points
	legacy bool   // also a reference without its ";"
}

// longestName and longestLegacy are the lengths of the longest name and of the longest legacy name.
const (
	longestName   = 31
	longestLegacy = 6
)

// lookup returns the entity with a name, or nil if there is none. The name has no "&" and no ";".
func lookup(name []byte) *entity {
	if len(name) < 2 {
		return nil
	}
	i := sort.Search(len(entities), func(i int) bool { return entities[i].name >= string(name) })
	if i < len(entities) && entities[i].name == string(name) {
		return &entities[i]
	}
	return nil
}

// numeric reads "&#" and a number (13.2.5.75 to 13.2.5.80). It returns the number of bytes and their text. If there is
// no number, it returns the "&" itself.
func numeric(src []byte) (int, string) {
	from, base := 2, 10
	if len(src) > 2 && src[2]|0x20 == 'x' {
		from, base = 3, 16
	}
	n, code := digits(src, from, len(src), base)
	if n == from {
		return 1, "&"
	}
	if n < len(src) && src[n] == ';' {
		n++
	}
	switch {
	case code == 0 || code > 0x10FFFF || 0xD800 <= code && code <= 0xDFFF:
		code = 0xFFFD
	case 0x80 <= code && code <= 0x9F:
		code = c1[code-0x80]
	}
	return n, runeText(code)
}

// digits reads at most most digits in a base at src[i]. It returns their end and their value. The value does not matter
// after the last code point, but it must not overflow.
func digits(src []byte, i, most, base int) (end int, code rune) {
	for end = i; end < len(src) && end-i < most; end++ {
		d := ascii.HexValue(src[end])
		if d < 0 || d >= base {
			break
		}
		code = min(code*rune(base)+rune(d), 0x110000)
	}
	return end, code
}

// c1 is the table of 13.2.5.80: a numeric reference to a C1 control is read as a byte of windows-1252.
var c1 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// runeText returns string(r). It allocates no memory for ASCII.
func runeText(r rune) string {
	if r < utf8.RuneSelf {
		return string([]byte{byte(r)})
	}
	return string(r)
}

// appendReference appends a reference to r. It uses a name that HTML and XML have in common, or else the number.
func appendReference(dst []byte, r rune) []byte {
	switch r {
	case '&':
		return append(dst, "&amp;"...)
	case '<':
		return append(dst, "&lt;"...)
	case '>':
		return append(dst, "&gt;"...)
	case '"':
		return append(dst, "&quot;"...)
	}
	return append(strconv.AppendInt(append(dst, "&#"...), int64(r), 10), ';')
}

// cutReferences returns the cuts before the bytes that end every reference.
func cutReferences(src []byte) codec.Cuts {
	return codec.Cuts{Next: func(i int) int { return endOfReference(src, i) }}
}

// endOfReference returns the offset of the first byte from src[i] on that ends every reference.
func endOfReference(src []byte, i int) int {
	for i < len(src) && !endsReference[src[i]] {
		i++
	}
	return i
}

// endsReference has the ASCII characters that are in no reference and in no line end. It has no "=": before an "=", a name
// without a semicolon is not a reference.
var endsReference = ascii.SetOf(" !\"$%'()*+,-./:<>?@[\\]^_`{|}~")
