package codec

import (
	"errors"
	"unicode/utf8"
)

// Codec is one reversible spelling: how bytes of a document spell a text.
// A Codec is a value without state, may be used by many goroutines, and can be compared with ==.
type Codec interface {
	// Decode gives the text that src spells. It returns src itself, or a part of it, when nothing in it
	// is escaped; otherwise a fresh slice owned by the caller. A decode error comes together with
	// usable text.
	Decode(src []byte) ([]byte, error)

	// Map is Decode with the atoms: the source spans that decode as indivisible wholes. Everything
	// between atoms stands for itself byte for byte. Its text is always that of Decode.
	Map(src []byte) (text []byte, atoms Atoms, err error)

	// Encode appends to dst the bytes that spell text where src[at.Start:at.End] stands now, in the
	// style found there. at begins and ends on boundaries of atoms. The error wraps ErrCannotSpell
	// when no spelling of text can stand here; dst is returned as it came then.
	// Encode looks at src in and around at only, so that many edits of a long source stay cheap;
	// whether its result reads well between its neighbours is for Lift to check.
	Encode(dst, src []byte, at Span, text []byte) ([]byte, error)
}

// DecodeInto is c.Decode, but a fresh text may be put in room, which grows as needed: it is valid
// until the next call with that room.
func DecodeInto(room *[]byte, c Codec, src []byte) ([]byte, error) {
	if d, ok := c.(interface {
		decodeInto(room *[]byte, src []byte) ([]byte, error)
	}); ok {
		return d.decodeInto(room, src)
	}
	return c.Decode(src)
}

// Escape writes the letters of spelled, which is spelled by c, that lacks says cannot be written, as
// escapes of c. It gives spelled itself where c has none. What is no UTF-8 stays, for an escape would
// be that of U+FFFD.
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

// ErrCannotSpell: the text has no spelling at this place, such as a letter outside the charset.
var ErrCannotSpell = errors.New("text cannot be spelled here")

// ErrUndecodable: the source holds bytes that stand for nothing in its spelling. The text returned
// beside it is usable: it has U+FFFD (or the bytes themselves) in their place.
var ErrUndecodable = errors.New("bytes stand for nothing in this encoding")
