package codec

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Values of header fields, one value per place where a URL can stand in one. The source is a part of
// the value, folds and all; the text is that part unfolded. CR and LF are a newline only as CRLF or
// LF; a CR elsewhere is white space as a blank is.
//
// Encode folds nothing: a line may grow beyond the 78 columns of RFC 5322 2.1.1, and beyond its 998.
// What may be folded and where depends on the field, and most readers fold no URL.
var (
	// HeaderURL is a URL between brackets or quotes: "any whitespace (including that used for line
	// folding) inside the angle brackets is ignored" (RFC 1808 3.1, RFC 2017 3.1). Encoded words in it
	// are read (RFC 2557 4.4.3).
	HeaderURL Codec = &header{drop: everyBlank, words: true, url: true}

	// TextURL is a URL between brackets in a text that is no header: letters outside ASCII may stand
	// in it, and encoded words not.
	TextURL Codec = &header{drop: everyBlank, url: true, letters: true}

	// HeaderSections is a URL in the sections of a parameter that follow one another (RFC 2231 3), from
	// inside the first quotes to inside the last. What stands from quote to quote between two of them, such
	// as `";␍␊ URL*1="`, is an atom without text. It has no encoded words (RFC 2047 5 (3)).
	HeaderSections Codec = &header{drop: everyBlank, url: true, sections: true}

	// HeaderBare is a URL without brackets. Folds go together with the blanks around them (RFC 2557
	// 4.4.2), but a blank inside a line is part of the URL, such as it is: savers write
	// `file://C:\My Documents\x.htm`.
	HeaderBare Codec = &header{drop: folds, words: true, url: true, bare: true}

	// HeaderFolds is a value in a grammar of its own, such as Link's, in which blanks between its
	// tokens mean nothing: folds go with the blanks around them. It has no encoded words.
	HeaderFolds Codec = &header{drop: folds}

	// HeaderLines is a value in which blanks count, such as Refresh's: folds go, and the blanks that
	// make them stay (RFC 5322 2.2.3). It has no encoded words.
	HeaderLines Codec = &header{drop: newlines}

	// HeaderWords is HeaderLines with encoded words: a structured value that was encoded as a whole,
	// against RFC 2047 5, as `List-Unsubscribe: =?us-ascii?Q?=3Cmailto=3Aa=40b=3E?=`.
	HeaderWords Codec = &header{drop: newlines, words: true}
)

// header is how a part of a value is read, and what may be put in it.
type header struct {
	drop     dropped
	words    bool // encoded words are read
	url      bool // all of it is a URL
	bare     bool // it stands in no brackets
	letters  bool // those outside ASCII may stand in it
	sections bool // it goes on behind quotes
}

// dropped is the white space that is not part of the text.
type dropped uint8

const (
	everyBlank dropped = iota
	folds              // runs of white space with a newline in them
	newlines           // newlines alone
)

func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// Decode never fails: an encoded word that cannot be read stands for itself (RFC 2047 6.3).
func (c *header) Decode(src []byte) ([]byte, error) {
	return c.read(src, nil), nil
}

func (c *header) Map(src []byte) ([]byte, Atoms, error) {
	var atoms Atoms
	text := c.read(src, &atoms)
	return text, atoms, nil
}

func (c *header) read(src []byte, atoms *Atoms) []byte {
	r := readFrom(src, 0, atoms)
	wordEnd := 0 // where a word may begin without white space before it
	for i := 0; i < len(src); {
		start := i
		if i = skipWhite(src, start); i > start {
			c.readBlanks(&r, src, start, i, start > 0 && start == wordEnd)
			continue
		}
		if c.words && (i == wordEnd || isWhite(src[i-1])) {
			if n, text, ok := encodedWord(src[i:]); ok {
				r.put(n, text)
				i += n
				wordEnd = i
				continue
			}
		}
		if c.sections && src[i] == '"' {
			if n := bytes.IndexByte(src[i+1:], '"'); n >= 0 {
				i += n + 2
				r.put(i-start, "")
				continue
			}
		}
		for i++; i < len(src) && !isWhite(src[i]) && !(c.sections && src[i] == '"'); i++ {
		}
		r.same(i)
	}
	return r.text()
}

// readBlanks reads the white space src[start:end]; afterWord says that an encoded word ends at its
// start. Between two of them it means nothing (RFC 2047 6.2).
func (c *header) readBlanks(r *reader, src []byte, start, end int, afterWord bool) {
	all := c.drop == everyBlank || c.drop == folds && bytes.IndexByte(src[start:end], '\n') >= 0
	if !all && afterWord {
		_, _, all = encodedWord(src[end:])
	}
	for i := start; i < end; i++ {
		isNewline := src[i] == '\n' || src[i] == '\r' && i+1 < end && src[i+1] == '\n'
		if all || c.drop == newlines && isNewline {
			r.put(1, "")
		} else {
			r.same(i + 1)
		}
	}
}

func skipWhite(src []byte, i int) int {
	for i < len(src) && isWhite(src[i]) {
		i++
	}
	return i
}

// Encode writes text as it is, and refuses what cannot be written in a header or would be read as
// something else: controls, letters outside ASCII; in a URL also blanks, brackets and quotes. Inside
// and beside an encoded word it writes encoded words, which can spell all of these: there ordinary
// text would be against RFC 2047 5 (1).
func (c *header) Encode(dst, src []byte, at Span, text []byte) ([]byte, error) {
	if c.words && len(text) > 0 && besideWord(src, at) {
		return encodeWords(dst, src, at, text)
	}
	for i, b := range text {
		if b < ' ' || b == 0x7F || b > 0x7F && !c.letters || c.url && (b == ' ' || b == '<' || b == '>' || b == '"') {
			_, n := utf8.DecodeRune(text[i:])
			return dst, fmt.Errorf("%w: %q in a header", ErrCannotSpell, text[i:i+n])
		}
	}
	if c.url && at.Start == 0 {
		if start := c.wrongStart(text, src[at.End:]); start != "" {
			return dst, fmt.Errorf("%w: %q at the start of a URL in a header", ErrCannotSpell, start)
		}
	}
	dst = append(dst, text...)
	if c.sections {
		// The sections that the span ends stay, empty: those behind them have their numbers.
		for i, piece := range bytes.Split(src[at.Start:at.End], []byte(`"`)) {
			if i%2 == 1 {
				dst = append(append(append(dst, '"'), piece...), '"')
			}
		}
	}
	return dst, nil
}

// wrongStart is what a URL, given in two pieces, starts with that is not read as part of it: "" if there
// is no such thing. A comment is one that begins so only outside brackets.
func (c *header) wrongStart(text, rest []byte) string {
	var buf [4]byte
	n := copy(buf[:], text)
	n += copy(buf[n:], rest)
	switch head := string(buf[:n]); {
	case n == 4 && buf[0]|0x20 == 'u' && buf[1]|0x20 == 'r' && buf[2]|0x20 == 'l' && buf[3] == ':':
		return head
	case n > 0 && c.bare && (head[0] == '(' || head[0] == '<' || head[0] == '"'):
		return head[:1]
	}
	return ""
}
