package anchor

import (
	"unicode/utf8"

	"absolink/extract/internal/ascii"
)

// maxText is the largest number of characters of a text. The rest of the text is ignored.
const maxText = 256

// words is a text with its white space stripped and collapsed (Infra Standard: "strip and collapse ASCII whitespace").
type words struct {
	letters []byte
	count   int  // of characters
	space   bool // there is white space before the next character
}

func (w *words) clear() { *w = words{letters: w.letters[:0]} }

func (w *words) isFull() bool { return w.count == maxText }

func (w *words) add(text []byte) {
	for len(text) > 0 && !w.isFull() {
		if ascii.IsSpace(text[0]) {
			w.space, text = true, text[1:]
			continue
		}
		if w.space && w.count > 0 {
			if w.count == maxText-1 { // there is no room for a character after the space
				w.count = maxText
				return
			}
			w.letters = append(w.letters, ' ')
			w.count++
		}
		_, n := utf8.DecodeRune(text)
		w.letters = append(w.letters, text[:n]...)
		w.space, text = false, text[n:]
		w.count++
	}
}
