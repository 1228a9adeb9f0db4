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

	// Map adds the atoms of src: the spans that Decode decodes as a whole. Every byte between two atoms stands for itself. text
	// is the text of Decode.
	Map(src, text []byte, atoms *Atoms)

	// Encode appends to dst the bytes that spell text in place of src[at.Start:at.End], in the style of that place. The
	// span at starts and ends on boundaries of atoms. If no bytes spell text at this place, Encode returns dst
	// unchanged and an error that wraps ErrCannotSpell.
	//
	// Encode reads only the bytes of src in and near the span, so that many edits of a long source stay cheap. Lift
	// checks that the new bytes keep their meaning next to the bytes around them.
	Encode(dst, src []byte, at Span, text []byte) ([]byte, error)

	// Widen returns the groups that Lift spells instead of groups, or nil if it spells groups. A codec needs Widen if an
	// edit changes more than its atoms. For example, it may change a whole line, which must not become too long, or all
	// data after the edit. The result is sorted and does not overlap, and contains each given group as a part of one
	// group. There is at least one group. Widen may write to groups.
	Widen(l *Lifting, groups []Group) []Group
}

// Simple has the methods of a codec whose text is its source, and in which an edit changes only its atoms.
type Simple struct{}

func (Simple) Decode(src []byte) ([]byte, error) { return src, nil }
func (Simple) Map(_, _ []byte, _ *Atoms)         {}
func (Simple) Widen(*Lifting, []Group) []Group   { return nil }

// OneAtom has the methods of a codec whose source is one atom.
type OneAtom struct{ Simple }

func (OneAtom) Map(src, text []byte, atoms *Atoms) { atoms.Add(0, 0, len(src), len(text)) }

// Whole has the methods of a codec whose source is one atom and may be much shorter than its text, as compressed data is.
type Whole struct{ OneAtom }

func (Whole) InPlace() bool { return false }
func (Whole) IsWhole() bool { return true }

// InPlace reports whether the bytes of a text are in its source in the same order, except for escapes and bytes between lines. A
// codec for which this is not so has a method InPlace.
func InPlace(c Codec) bool {
	p, ok := c.(interface{ InPlace() bool })
	return !ok || p.InPlace()
}

// Escape returns spelled, which are bytes written by c, with escapes of c for some characters: the characters for which
// lacks returns true. An example is a character that the charset of the document does not have. Bytes that are not UTF-8
// stay unchanged, because their escape would read as U+FFFD. A codec with escapes has the method EscapeRune, which appends an
// escape of r, or r itself if there is none.
func Escape(c Codec, spelled []byte, lacks func([]byte) bool) []byte {
	e, ok := c.(interface {
		EscapeRune(dst []byte, r rune) []byte
	})
	if !ok {
		return spelled
	}
	var out []byte
	for len(spelled) > 0 {
		r, n := utf8.DecodeRune(spelled)
		if (r != utf8.RuneError || n > 1) && lacks(spelled[:n]) {
			out = e.EscapeRune(out, r)
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
var ErrUnread error = &Damage{What: "the data cannot be decoded", Unread: true}
