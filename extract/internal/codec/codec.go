package codec

// This file has the interface Codec, the functions for any codec, and the errors.

import (
	"errors"
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

	Duties
}

// Duties are the methods without which edits of some codecs would be wrong, because a place is more than its atoms. A
// codec without a duty embeds Simple. The methods that only make a codec fast are in speed.go.
type Duties interface {
	// Widen returns the groups that Lift spells instead of groups, or nil if it spells groups. A codec needs Widen if an
	// edit changes more than its atoms. For example, it may change a whole line, which must not become too long, or all
	// data after the edit. The result is sorted and does not overlap, and contains each given group as a part of one
	// group. There is at least one group, except in a call of Respell. Widen may write to groups.
	Widen(l *Lifting, groups []Group) []Group

	// InOrder returns an Encode for places of one src in ascending order, or nil if Encode reads only bytes near the
	// place. A codec needs InOrder if the spelling at a place depends on all bytes before the place.
	InOrder() Encoder

	// Cut returns where a long source, whose text is text, can be cut into pieces of at least least bytes. It returns
	// the zero Cuts if the source cannot be cut.
	Cut(src, text []byte, least int) Cuts

	// EscapeRune appends an escape of r, or r itself if the codec has no escape for it.
	EscapeRune(dst []byte, r rune) []byte

	// InPlace reports whether the bytes of a text are in its source in the same order, except for escapes and bytes
	// between lines.
	InPlace() bool
}

// Encoder is the type of the method Encode.
type Encoder func(dst, src []byte, at Span, text []byte) ([]byte, error)

// Simple has the duties of a codec in which a place is only its atoms.
type Simple struct{}

func (Simple) Widen(*Lifting, []Group) []Group      { return nil }
func (Simple) InOrder() Encoder                     { return nil }
func (Simple) Cut(_, _ []byte, _ int) Cuts          { return Cuts{} }
func (Simple) EscapeRune(dst []byte, r rune) []byte { return utf8.AppendRune(dst, r) }
func (Simple) InPlace() bool                        { return true }

// Whole has the duties of a codec whose source is always one atom.
type Whole struct{ Simple }

func (Whole) InPlace() bool { return false }

func (Whole) isWhole() {}

// encoderOf returns the function that spells places of one source in ascending order.
func encoderOf(c Codec) Encoder {
	if encode := c.InOrder(); encode != nil {
		return encode
	}
	return c.Encode
}

// DecodeInto returns c.Decode(src). The text may be in the memory of *room, which DecodeInto makes larger if needed.
// The text is then valid until the next call with the same room.
func DecodeInto(room *[]byte, c Codec, src []byte) ([]byte, error) {
	if d, ok := c.(decoder); ok {
		return d.DecodeInto(room, src)
	}
	return c.Decode(src)
}

// Escape returns spelled, which are bytes written by c, with escapes of c for some characters: the characters for which
// lacks returns true. An example is a character that the charset of the document does not have. Bytes that are not UTF-8
// stay unchanged, because their escape would read as U+FFFD.
func Escape(c Codec, spelled []byte, lacks func([]byte) bool) []byte {
	var out []byte
	for len(spelled) > 0 {
		r, n := utf8.DecodeRune(spelled)
		if (r != utf8.RuneError || n > 1) && lacks(spelled[:n]) {
			out = c.EscapeRune(out, r)
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

// ErrUnread is an ErrUndecodable whose text is incomplete or wrong: a part of the data is lost.
var ErrUnread error = unread{}

type unread struct{}

func (unread) Error() string { return "the data cannot be decoded" }

// Is reports whether target is ErrUndecodable. So errors.Is finds ErrUndecodable in an ErrUnread.
func (unread) Is(target error) bool { return target == ErrUndecodable }
