package codec

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Charset gives the encoding that a label names, by the table of the Encoding Standard (4.2), and the
// encoding's name as that standard spells it. White space around the label and its case do not
// matter. ok is false for an unknown label.
//
// The text is UTF-8. Bytes that stand for nothing in the encoding are atoms that read as U+FFFD, and
// Decode returns ErrUndecodable beside the text; they are never written again, so that nothing is
// lost: Encode refuses U+FFFD. Only under UTF-8 do such bytes stand for themselves, without error. A
// byte order mark of the encoding itself is an atom without text. To look for one, and for
// declarations, is for the caller; `utf-16` means UTF-16LE, as that standard says.
func Charset(label string) (c Codec, name string, ok bool) {
	if label == "utf-8" || label == "UTF-8" {
		return UTF8, "UTF-8", true // as nearly all are
	}
	lower := make([]byte, 0, len(label))
	for i := 0; i < len(label); i++ {
		b := label[i]
		switch {
		case b >= utf8.RuneSelf || b == '\v':
			return nil, "", false // htmlindex would fold U+212A to k, and trim more than ASCII white space
		case 'A' <= b && b <= 'Z':
			b |= 0x20
		}
		lower = append(lower, b)
	}
	lower = bytes.Trim(lower, " \t\n\f\r")
	enc, err := htmlindex.Get(string(lower))
	if err != nil {
		return nil, "", false
	}
	index, _ := htmlindex.Name(enc) // each that Get gives has one
	name, ok = spelled[index]
	if !ok {
		name = index
	}
	switch name {
	case "UTF-8":
		return UTF8, name, true
	case "UTF-16LE":
		return utf16LE, name, true
	case "UTF-16BE":
		return utf16BE, name, true
	case "ISO-2022-JP":
		return iso2022jp{}, name, true
	case "replacement":
		return replacement{}, name, true
	case "GBK":
		// GBK's decoder is gb18030's decoder (10.1.1).
		return multiByte{name, simplifiedchinese.GB18030}, name, true
	case "ISO-8859-8-I":
		// The same letters as ISO-8859-8; what differs is their direction.
		enc = charmap.ISO8859_8
	}
	if cm, single := enc.(*charmap.Charmap); single {
		return singleByteOf(cm), name, true
	}
	return multiByte{name, enc}, name, true
}

// spelled has the names of the Encoding Standard that are not all lower case.
var spelled = map[string]string{
	"utf-8": "UTF-8", "utf-16be": "UTF-16BE", "utf-16le": "UTF-16LE", "ibm866": "IBM866", "koi8-r": "KOI8-R", "koi8-u": "KOI8-U",
	"iso-8859-2": "ISO-8859-2", "iso-8859-3": "ISO-8859-3", "iso-8859-4": "ISO-8859-4", "iso-8859-5": "ISO-8859-5", "iso-8859-6": "ISO-8859-6",
	"iso-8859-7": "ISO-8859-7", "iso-8859-8": "ISO-8859-8", "iso-8859-8-i": "ISO-8859-8-I", "iso-8859-10": "ISO-8859-10", "iso-8859-13": "ISO-8859-13",
	"iso-8859-14": "ISO-8859-14", "iso-8859-15": "ISO-8859-15", "iso-8859-16": "ISO-8859-16",
	"gbk": "GBK", "big5": "Big5", "euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP", "shift_jis": "Shift_JIS", "euc-kr": "EUC-KR",
}

// UTF8 is UTF-8: every byte stands for itself, those that are no UTF-8 too, but a byte order mark at
// the start is an atom without text. Decode returns src or what follows the mark.
var UTF8 Codec = utf8Codec{}

type utf8Codec struct{}

const utf8BOM = "\xEF\xBB\xBF"

// A byte order mark can only come about with its first byte.
var utf8Plain = setOf("\xEF").not()

func (utf8Codec) plain() *set { return utf8Plain }

func (utf8Codec) Decode(src []byte) ([]byte, error) {
	return bytes.TrimPrefix(src, []byte(utf8BOM)), nil
}

func (utf8Codec) Map(src []byte) ([]byte, Atoms, error) {
	text := bytes.TrimPrefix(src, []byte(utf8BOM))
	return text, Atoms(nil).add(0, 0, len(src)-len(text), 0), nil
}

func (utf8Codec) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	return append(keepBOM(dst, src, at, utf8BOM), text...), nil
}

// keepBOM appends the mark if the span takes it in.
func keepBOM(dst, src []byte, at Span, bom string) []byte {
	if at.Start == 0 && at.End >= len(bom) && bytes.HasPrefix(src, []byte(bom)) {
		return append(dst, bom...)
	}
	return dst
}

// replacement is the Encoding Standard's encoding for those that are not safe to decode (14.1): all
// of the source is one U+FFFD, and nothing can be written.
type replacement struct{}

func (replacement) Decode(src []byte) ([]byte, error) {
	if len(src) == 0 {
		return src, nil
	}
	return []byte("\uFFFD"), ErrUnread
}

func (c replacement) Map(src []byte) ([]byte, Atoms, error) { return oneAtom(c, src) }

func (replacement) Encode(dst, _ []byte, _ Span, text []byte) ([]byte, error) {
	if len(text) == 0 {
		return dst, nil
	}
	return dst, fmt.Errorf("%w: the charset can only be read", ErrCannotSpell)
}

// ascii is the set of the bytes that stand for themselves in every charset but UTF-16 and ISO-2022-JP.
var ascii = func() *set {
	var s set
	for b := range utf8.RuneSelf {
		s[b] = true
	}
	return &s
}()

// runes calls put for each character of text, and fails at one that a charset must not be given: what
// is no UTF-8, and U+FFFD, which may stand for bytes that could not be read and would be lost.
func runes(text []byte, put func(r rune) bool) error {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError || !put(r) {
			return fmt.Errorf("%w: %q in this charset", ErrCannotSpell, text[i:i+n])
		}
		i += n
	}
	return nil
}
