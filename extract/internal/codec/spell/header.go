package spell

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// The places of a text in the value of a header field, with one codec each. The source is a part of the value, and the
// text is that part unfolded. A newline is CRLF or LF; a CR without LF is white space like a space.
//
//	Content-Base: <http://h/␍␊ a b/>
//	source         http://h/␍␊ a b/      the fold is ␍␊ and the space after it
//	text           http://h/ab/          HeaderURL: without white space
//	text           http://h/a b/         HeaderFolds and HeaderBare: without the fold
//	text           http://h/ a b/        HeaderLines: without the newline of the fold
//
// Encode does not fold lines, because where a fold may be depends on the field, and most readers cannot unfold a URL.
// So a line may become longer than the 78 and the 998 characters of RFC 5322 2.1.1.
var (
	// HeaderURL is a URL between brackets or quotes: "any whitespace (including that used for line folding) inside the
	// angle brackets is ignored" (RFC 1808 3.1, RFC 2017 3.1). Decode reads encoded words (RFC 2557 4.4.3).
	HeaderURL codec.Codec = &header{drop: everyBlank, words: true, url: true}

	// TextURL is a URL between brackets in a text outside header fields. It may have characters outside ASCII, but no
	// encoded words.
	TextURL codec.Codec = &header{drop: everyBlank, url: true, letters: true}

	// HeaderBare is a URL without brackets. Decode removes folds together with the white space around them (RFC 2557
	// 4.4.2). A space inside a line is a part of the URL, because programs that save pages write file://C:\My
	// Documents\x.htm.
	HeaderBare codec.Codec = &header{drop: folds, words: true, url: true, bare: true}

	// HeaderFolds is a value in whose grammar white space between tokens has no meaning, like that of Link. Decode
	// removes folds together with the white space around them. There are no encoded words.
	HeaderFolds codec.Codec = &header{drop: folds}

	// HeaderLines is a value in which white space has a meaning, like that of Refresh. Decode removes the newlines of
	// folds, but not the white space after them (RFC 5322 2.2.3). There are no encoded words.
	HeaderLines codec.Codec = &header{drop: newlines}

	// HeaderWords is HeaderLines with encoded words, because some programs encode a whole structured value, against RFC
	// 2047 5: List-Unsubscribe: =?us-ascii?Q?=3Cmailto=3Aa=40b=3E?=
	HeaderWords codec.Codec = &header{drop: newlines, words: true}
)

// header is the spelling of text at one kind of place in a value.
type header struct {
	codec.Simple
	drop    dropped
	words   bool // Decode reads encoded words
	url     bool // the text is a URL
	bare    bool // there are no brackets around the URL
	letters bool // characters outside ASCII are allowed
}

// dropped is the white space that is not part of the text.
type dropped uint8

const (
	everyBlank dropped = iota
	folds              // runs of white space that contain a newline
	newlines           // newlines only
)

// Decode never fails. An invalid encoded word stands for itself (RFC 2047 6.3).
func (c *header) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c *header) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (c *header) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	wordEnd := 0 // a word may start here without white space before it
	for i := 0; i < len(src); {
		start := i
		if i = ascii.SkipWhite(src, start, len(src)); i > start {
			c.readBlanks(&r, src, start, i, start > 0 && start == wordEnd)
			continue
		}
		if c.words && (i == wordEnd || ascii.IsWhite(src[i-1])) {
			if n, text, ok := encodedWord(src[i:]); ok {
				r.Put(n, text)
				i += n
				wordEnd = i
				continue
			}
		}
		for i++; i < len(src) && !ascii.IsWhite(src[i]); i++ {
		}
		r.Same(i)
	}
	return r.Text(), nil
}

// readBlanks reads the white space src[start:end], which has no meaning between two encoded words (RFC 2047 6.2).
// afterWord reports whether one ends at start.
func (c *header) readBlanks(r *codec.Reader, src []byte, start, end int, afterWord bool) {
	all := c.drop == everyBlank || c.drop == folds && bytes.IndexByte(src[start:end], '\n') >= 0
	if !all && afterWord {
		_, _, all = encodedWord(src[end:])
	}
	for i := start; i < end; i++ {
		isNewline := src[i] == '\n' || src[i] == '\r' && i+1 < end && src[i+1] == '\n'
		if all || c.drop == newlines && isNewline {
			r.Put(1, "")
		} else {
			r.Same(i + 1)
		}
	}
}

// Encode writes text unchanged, and refuses control characters, characters outside ASCII unless letters is set, and in
// a URL also spaces, brackets and quotes. If an encoded word is in the span or beside it, Encode writes encoded words,
// as RFC 2047 5 (1) requires; these can spell all of the characters.
func (c *header) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	if c.words && len(text) > 0 && besideWord(src, at) {
		return encodeWords(dst, src, at, text)
	}
	for i, b := range text {
		if b < ' ' || b == 0x7F || b > 0x7F && !c.letters || c.url && (b == ' ' || b == '<' || b == '>' || b == '"') {
			_, n := utf8.DecodeRune(text[i:])
			return dst, fmt.Errorf("%w: %q is not allowed in this header field", codec.ErrCannotSpell, text[i:i+n])
		}
	}
	if c.url && at.Start == 0 {
		if start := c.wrongStart(text, src[at.End:]); start != "" {
			return dst, fmt.Errorf("%w: %q is not allowed at the start of a URL in a header field",
				codec.ErrCannotSpell, start)
		}
	}
	return append(dst, text...), nil
}

// wrongStart returns what readers would not take for a part of the URL at the start of text and rest: "URL:" or,
// without brackets, a character that begins a comment, a bracketed URL or a quoted string. It returns "" if there is
// none.
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
