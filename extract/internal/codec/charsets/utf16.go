package charsets

import (
	"encoding/binary"
	"unicode/utf8"

	"absolink/extract/internal/codec"

	surrogates "unicode/utf16"
)

// utf16 is UTF-16LE or UTF-16BE (Encoding Standard 14.2 to 14.4). Each character is an atom of two or four bytes.
//
//	source   FE FF  00 61  D8 3D DE 00     UTF-16BE
//	         |      |      |
//	text            a      😀              the byte order mark is an atom without text
//
// The byte order mark of the same encoding stays if the text changes. A surrogate without its other half, and an odd
// last byte, read as U+FFFD. x/text does not decode here, because it reads two second halves in a row as one U+FFFD.
type utf16 struct {
	codec.Simple
	order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	bom string
}

var (
	utf16LE = utf16{order: binary.LittleEndian, bom: "\xFF\xFE"}
	utf16BE = utf16{order: binary.BigEndian, bom: "\xFE\xFF"}
)

func (c utf16) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c utf16) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (c utf16) read(src []byte, atoms *codec.Atoms) (text []byte, err error) {
	text = make([]byte, 0, len(src))
	for i := 0; i < len(src); {
		n, code := c.unit(src[i:])
		if code < 0 {
			code, err = utf8.RuneError, codec.ErrUndecodable
		}
		at := len(text)
		if i > 0 || code != 0xFEFF {
			text = utf8.AppendRune(text, code)
		}
		if atoms != nil {
			atoms.Add(i, at, n, len(text)-at)
		}
		i += n
	}
	return text, err
}

// unit returns the length of the character at the start of src, and the character, or -1 if the bytes are invalid.
func (c utf16) unit(src []byte) (int, rune) {
	if len(src) < 2 {
		return len(src), -1
	}
	code := rune(c.order.Uint16(src))
	if !surrogates.IsSurrogate(code) {
		return 2, code
	}
	if len(src) >= 4 {
		if code = surrogates.DecodeRune(code, rune(c.order.Uint16(src[2:]))); code != utf8.RuneError {
			return 4, code
		}
	}
	return 2, -1
}

func (c utf16) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	out := keepBOM(dst, src, at, c.bom)
	err := runes(text, func(r rune) bool {
		if high, low := surrogates.EncodeRune(r); high != utf8.RuneError {
			out = c.order.AppendUint16(out, uint16(high))
			r = low
		}
		out = c.order.AppendUint16(out, uint16(r))
		return true
	})
	if err != nil {
		return dst, err
	}
	return out, nil
}
