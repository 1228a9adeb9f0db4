package codec

import (
	"errors"
	"unicode/utf8"
)

// Codec is one reversible spelling: how bytes of a document spell a text. A Codec is a value without state. Goroutines may
// share it, and == compares it.
type Codec interface {
	// Decode returns the text that src spells. It returns src itself, or a part of src, if src has no escapes. Otherwise
	// it returns a new slice, which belongs to the caller. The text is usable even if there is an error.
	Decode(src []byte) ([]byte, error)

	// Map returns the text of Decode and the atoms: the spans of src that are decoded as a whole. Every byte between two
	// atoms stands for itself.
	Map(src []byte) (text []byte, atoms Atoms, err error)

	// Encode appends to dst the bytes that spell text in place of src[at.Start:at.End], in the style of that place. at
	// starts and ends on boundaries of atoms. If no bytes spell text at this place, Encode returns dst unchanged and an
	// error that wraps ErrCannotSpell.
	//
	// Encode reads src only in and near at, so that many edits of a long source stay cheap. Lift checks whether the
	// bytes keep their meaning between their neighbours.
	Encode(dst, src []byte, at Span, text []byte) ([]byte, error)
}

// DecodeInto returns the text of c.Decode(src). It may use the memory of room for the text, and lets room grow if needed:
// the text is valid until the next call with the same room.
func DecodeInto(room *[]byte, c Codec, src []byte) ([]byte, error) {
	if d, ok := c.(interface {
		decodeInto(room *[]byte, src []byte) ([]byte, error)
	}); ok {
		return d.decodeInto(room, src)
	}
	return c.Decode(src)
}

// Escape replaces letters of spelled by escapes of c: those for which lacks returns true. c spells the bytes in spelled.
// Escape returns spelled itself if c has no escapes. Bytes that are not UTF-8 stay, because their escape would be that of
// U+FFFD.
func Escape(c Codec, spelled []byte, lacks func([]byte) bool) []byte {
	e, ok := c.(interface {
		escapeRune(dst []byte, r rune) []byte
	})
	if !ok {
		return spelled
	}
	var out []byte
	for len(spelled) > 0 {
		r, n := utf8.DecodeRune(spelled)
		if (r != utf8.RuneError || n > 1) && lacks(spelled[:n]) {
			out = e.escapeRune(out, r)
		} else {
			out = append(out, spelled[:n]...)
		}
		spelled = spelled[n:]
	}
	return out
}

// ErrCannotSpell reports that a text has no spelling at a place, such as a letter that the charset does not have.
var ErrCannotSpell = errors.New("text cannot be spelled here")

// ErrUndecodable reports bytes that stand for nothing in their spelling. The text that comes with the error is usable: it
// has U+FFFD, or the bytes themselves, in their place.
var ErrUndecodable = errors.New("bytes stand for nothing in this encoding")

// ErrUnread is an ErrUndecodable with a text that is not complete or not right: a part of the data was lost.
var ErrUnread error = unread{}

type unread struct{}

func (unread) Error() string { return "the data cannot be decoded" }

// damaged is an ErrUndecodable or an ErrUnread, in words for the user.
type damaged struct {
	kind error
	text string
}

func (d damaged) Error() string { return d.text }
func (d damaged) Unwrap() error { return d.kind }

// Is makes ErrUnread an ErrUndecodable for errors.Is.
func (unread) Is(target error) bool { return target == ErrUndecodable }
