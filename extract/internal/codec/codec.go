package codec

// This file has the interface Codec, the functions for any codec, and the errors.

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Codec is one reversible spelling: the way in which bytes of a document stand for a text. A Codec is a value without
// state. Goroutines may share a Codec, and == compares Codecs.
type Codec interface {
	// Decode returns the text that src spells. If src has no escapes, the text is src itself or a part of src.
	// Otherwise the text is a new slice, which belongs to the caller. The text is usable even if there is an error.
	Decode(src []byte) ([]byte, error)

	// Map returns the text of Decode and the atoms: the spans of src that are decoded as a whole. Every byte between two
	// atoms stands for itself.
	Map(src []byte) (text []byte, atoms Atoms, err error)

	// Encode appends to dst the bytes that spell text in place of src[at.Start:at.End], in the style of that place. The
	// span at starts and ends on boundaries of atoms. If no bytes spell text at this place, Encode returns dst
	// unchanged and an error that wraps ErrCannotSpell.
	//
	// Encode reads only the bytes of src in and near the span, so that many edits of a long source stay cheap. Lift
	// checks that the new bytes keep their meaning next to the bytes around them.
	Encode(dst, src []byte, at Span, text []byte) ([]byte, error)
}

// DecodeInto returns c.Decode(src). The text may be in the memory of *room, which DecodeInto makes larger if needed.
// The text is then valid until the next call with the same room.
func DecodeInto(room *[]byte, c Codec, src []byte) ([]byte, error) {
	if d, ok := c.(interface {
		decodeInto(room *[]byte, src []byte) ([]byte, error)
	}); ok {
		return d.decodeInto(room, src)
	}
	return c.Decode(src)
}

// Escape returns spelled, which are bytes written by c, with escapes of c for some characters: the characters for which
// lacks returns true. An example is a character that the charset of the document does not have. Escape returns spelled
// itself if c has no escapes. Bytes that are not UTF-8 stay unchanged, because their escape would read as U+FFFD.
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

// ErrCannotSpell reports that a text has no spelling at a place. An example is a character that the charset does not
// have.
var ErrCannotSpell = errors.New("the new text cannot be written here")

// ErrUndecodable reports bytes that are invalid in their spelling. The text that is returned with the error is usable.
// In place of the invalid bytes it has U+FFFD, or the bytes unchanged.
var ErrUndecodable = errors.New("bytes are invalid in this encoding")

// Damage is an ErrUndecodable with an offset.
type Damage struct {
	Offset int    // in the source
	What   string // the fault, and how the codec read it
	Unread bool   // text is missing: the error is an ErrUnread too
}

func (d *Damage) Error() string { return d.What }

// Is reports whether target is ErrUndecodable, or ErrUnread if Unread is set.
func (d *Damage) Is(target error) bool {
	return target == ErrUndecodable || d.Unread && target == ErrUnread
}

// andMore returns the end of a message about the first of several places: how many other places have the same damage.
func andMore(places int) string {
	if places < 2 {
		return ""
	}
	return fmt.Sprintf(" (and %d more in this part)", places-1)
}

// ErrUnread is an ErrUndecodable whose text is incomplete or wrong: a part of the data is lost.
var ErrUnread error = unread{}

type unread struct{}

func (unread) Error() string { return "the data cannot be decoded" }

// Is reports whether target is ErrUndecodable. So errors.Is finds ErrUndecodable in an ErrUnread.
func (unread) Is(target error) bool { return target == ErrUndecodable }
