package spell

// This file reads and writes the encoded words of header fields (RFC 2047).
//
//	=?utf-8?Q?caf=C3=A9?=     café; the words of the Q encoding (4.2)
//	=?utf-8?B?Y2Fmw6k=?=      café; the words of the B encoding (4.1)
//	  charset, encoding, text

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"strings"
	"sync"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
)

// wordLen returns the length of the encoded word at the start of src (RFC 2047 2), or 0 if there is none. It checks
// only the form, and accepts words longer than the 75 characters of the RFC. White space, another word or the end of
// src must follow.
func wordLen(src []byte) int {
	if !bytes.HasPrefix(src, []byte("=?")) {
		return 0
	}
	marks := 0
	for i := 2; i < len(src) && src[i] > ' ' && src[i] < 0x7F; i++ {
		if src[i] != '?' {
			continue
		}
		if marks++; marks < 3 {
			continue
		}
		if i+1 == len(src) || src[i+1] != '=' {
			return 0
		}
		if n := i + 2; n == len(src) || ascii.IsWhite(src[n]) || bytes.HasPrefix(src[n:], []byte("=?")) {
			return n
		}
		return 0
	}
	return 0
}

// encodedWord decodes the encoded word at the start of src. ok is false if there is none, or if it is invalid.
func encodedWord(src []byte) (n int, text string, ok bool) {
	if n = wordLen(src); n == 0 {
		return 0, "", false
	}
	words := mime.WordDecoder{CharsetReader: wordCharset}
	text, err := words.Decode(string(src[:n]))
	return n, text, err == nil
}

// wordCharset decodes the bytes of an encoded word. The bytes of an unknown charset stand for themselves, as RFC 2557
// 4.4.1 requires for UNKNOWN-8BIT. The label may have a language after an asterisk (RFC 2231 5).
func wordCharset(label string, octets io.Reader) (io.Reader, error) {
	label, _, _ = strings.Cut(label, "*")
	c, _, known := charsets.Of(charsets.MailLabel(label))
	if !known || label == "us-ascii" {
		return octets, nil
	}
	src, err := io.ReadAll(octets)
	text, _ := c.Decode(src) // usable even if bytes are invalid
	return bytes.NewReader(text), err
}

// besideWord reports whether the span contains an encoded word, or has one beside it with only white space between.
func besideWord(src []byte, at codec.Span) bool {
	if wordLen(src[ascii.SkipWhite(src, at.End, len(src)):]) > 0 {
		return true
	}
	end := at.Start
	for end > 0 && ascii.IsWhite(src[end-1]) {
		end--
	}
	if wordBefore(src[:end]) {
		return true
	}
	for i := at.Start; i < at.End; {
		n := bytes.Index(src[i:at.End], []byte("=?"))
		if n < 0 {
			return false
		}
		i += n
		if (i == 0 || ascii.IsWhite(src[i-1])) && wordLen(src[i:]) > 0 {
			return true
		}
		i++
	}
	return false
}

func wordBefore(src []byte) bool {
	if !bytes.HasSuffix(src, []byte("?=")) {
		return false
	}
	marks := 0
	for i := len(src) - 2; i > 0 && src[i] > ' '; i-- {
		if src[i] != '?' {
			continue
		}
		if marks++; marks == 4 {
			return src[i-1] == '=' && wordLen(src[i-1:]) == len(src)-i+1
		}
	}
	return false
}

// longestWord is the greatest length of an encoded word (RFC 2047 2).
const longestWord = 75

// inWord has the bytes that stand for themselves in an encoded word: the visible characters of ASCII, except characters
// that end the word, start an escape, or have a meaning in the grammars around it.
var inWord = sync.OnceValue(func() *ascii.Set {
	return ascii.SetOf("=?_\"<>(),\\").Or(ascii.Range('!', '~').Not()).Not()
})

// encodeWords appends text in encoded words of the Q encoding (RFC 2047 4.2). It writes a space between two words, and
// between a word and the bytes around the span.
func encodeWords(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	head := "=?us-ascii?Q?"
	if !ascii.IsASCII(text) {
		head = "=?utf-8?Q?"
	}
	out := dst
	if at.Start > 0 && !ascii.IsWhite(src[at.Start-1]) {
		out = append(out, ' ')
	}
	plain := inWord()
	room := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError {
			return dst, fmt.Errorf("%w: %q is not allowed in an encoded word", codec.ErrCannotSpell, text[i:i+n])
		}
		size := 3 * n
		if plain[text[i]] {
			size = 1
		}
		if room < size {
			if i > 0 {
				out = append(out, "?= "...)
			}
			out = append(out, head...)
			room = longestWord - len(head) - len("?=")
		}
		room -= size
		if size == 1 {
			out = append(out, text[i])
		} else {
			for _, b := range text[i : i+n] {
				out = append(out, '=', upperHex[b>>4], upperHex[b&0xF])
			}
		}
		i += n
	}
	out = append(out, "?="...)
	if at.End < len(src) && !ascii.IsWhite(src[at.End]) {
		out = append(out, ' ')
	}
	return out, nil
}
