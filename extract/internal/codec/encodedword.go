package codec

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	mailcharset "github.com/emersion/go-message/charset"
)

// wordLen is the length of what has the form of an encoded word at the start of src (RFC 2047 2), 0
// if nothing has. White space, the end or another word must follow. Its length is not limited to 75.
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
		if n := i + 2; n == len(src) || isWhite(src[n]) || bytes.HasPrefix(src[n:], []byte("=?")) {
			return n
		}
		return 0
	}
	return 0
}

// encodedWord reads the encoded word that src begins with.
func encodedWord(src []byte) (n int, text string, ok bool) {
	if n = wordLen(src); n == 0 {
		return 0, "", false
	}
	words := mime.WordDecoder{CharsetReader: wordCharset}
	text, err := words.Decode(string(src[:n]))
	return n, text, err == nil
}

// wordCharset reads the octets of an encoded word. Those of a charset that nobody knows stand for
// themselves, as RFC 2557 4.4.1 wants it for UNKNOWN-8BIT. The label may carry a language behind a
// star (RFC 2231 5).
func wordCharset(label string, octets io.Reader) (io.Reader, error) {
	label, _, _ = strings.Cut(label, "*")
	if label == "utf-8" || label == "us-ascii" {
		return octets, nil
	}
	if text, err := mailcharset.Reader(label, octets); err == nil {
		return text, nil
	}
	return octets, nil
}

// besideWord reports whether an encoded word stands in the span, or beside it with nothing but white
// space between.
func besideWord(src []byte, at Span) bool {
	if wordLen(src[skipWhite(src, at.End):]) > 0 {
		return true
	}
	end := at.Start
	for end > 0 && isWhite(src[end-1]) {
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
		if (i == 0 || isWhite(src[i-1])) && wordLen(src[i:]) > 0 {
			return true
		}
		i++
	}
	return false
}

// wordBefore reports whether src ends with an encoded word.
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

// longestWord is the most that an encoded word may have (RFC 2047 2).
const longestWord = 75

// inWord is what stands for itself in an encoded word: what is printed, but for what ends the word,
// its own escapes, and what means something in the grammars around it.
var inWord = func() *set {
	s := setOf("=?_\"<>(),\\")
	for b := range s {
		s[b] = !s[b] && ' ' < b && b < 0x7F
	}
	return s
}()

// encodeWords spells text in words of the Q encoding (RFC 2047 4.2), with blanks between them and to
// what stands around.
func encodeWords(dst, src []byte, at Span, text []byte) ([]byte, error) {
	head := "=?us-ascii?Q?"
	if asciiLen(text) < len(text) {
		head = "=?utf-8?Q?"
	}
	out := dst
	if at.Start > 0 && !isWhite(src[at.Start-1]) {
		out = append(out, ' ')
	}
	room := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError {
			return dst, fmt.Errorf("%w: %q in an encoded word", ErrCannotSpell, text[i:i+n])
		}
		size := 3 * n
		if inWord[text[i]] {
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
	if at.End < len(src) && !isWhite(src[at.End]) {
		out = append(out, ' ')
	}
	return out, nil
}
