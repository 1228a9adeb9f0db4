package codec

import (
	"errors"
	"unicode/utf8"
)

// Codec is one reversible spelling: the way in which bytes of a document stand for a text. It is a value without state,
// so goroutines may share it, and == compares Codecs.
type Codec interface {
	// Decode returns the text that src spells. If src has no escapes, that is src itself or a part of it; if it has,
	// the text is a new slice, which belongs to the caller. The text is usable even if there is an error.
	Decode(src []byte) ([]byte, error)

	// Map adds the atoms of src, the spans that Decode decodes as a whole. Every byte between two atoms stands for
	// itself. text is what Decode returned.
	Map(src, text []byte, atoms *Atoms)

	// Encode appends to dst the bytes that spell text in place of src[at.Start:at.End], in the style of that place. The
	// span starts and ends on boundaries of atoms. If no bytes spell text here, Encode returns dst unchanged and an
	// error that wraps ErrCannotSpell.
	//
	// Encode reads only the bytes of src in and near the span, so that many edits of a long source stay cheap. Lift
	// checks that the new bytes keep their meaning beside the bytes around them.
	Encode(dst, src []byte, at Span, text []byte) ([]byte, error)

	// Widen returns the groups that Lift spells instead of groups, or nil for groups itself. A codec needs it if an
	// edit changes more than its atoms: a whole line, which must not become too long, or all data after the edit.
	//
	//	groups    a=3D[1] b=3D[2]      two edits in a line of quoted-printable
	//	result    [a=3D1 b=3D2]        the line, which Encode breaks if it is too long
	//
	// The result is sorted, does not overlap, and holds each given group inside one of its own. There is at least one
	// group. Widen may write to groups.
	Widen(l *Lifting, groups []Group) []Group
}

// Simple is embedded by codecs for the methods they do not need: Decode returns the source, Map adds no atoms, and
// Widen returns nil.
type Simple struct{}

func (Simple) Decode(src []byte) ([]byte, error) { return src, nil }
func (Simple) Map(_, _ []byte, _ *Atoms)         {}
func (Simple) Widen(*Lifting, []Group) []Group   { return nil }

// OneAtom is embedded by codecs whose source is one atom.
type OneAtom struct{ Simple }

func (OneAtom) Map(src, text []byte, atoms *Atoms) { atoms.Add(0, 0, len(src), len(text)) }

// Whole is embedded by codecs whose text may be much longer than the source, like compressed data. The source is one
// atom, unless the codec has its own Map.
type Whole struct{ OneAtom }

func (Whole) InPlace() bool { return false }
func (Whole) IsWhole() bool { return true }

// InPlace reports whether the bytes of a text are in its source in the same order, except for escapes and bytes between
// lines. A codec for which this is not so says it with a method InPlace.
func InPlace(c Codec) bool {
	p, ok := c.(interface{ InPlace() bool })
	return !ok || p.InPlace()
}

// Escape returns spelled, bytes written by c, with escapes of c for the characters for which lacks returns true,
// because the charset of the document does not have them. Bytes that are not UTF-8 stay unchanged: their escape would
// read as U+FFFD. A codec with escapes has the method EscapeRune, which appends an escape of r, or r itself if there is
// none.
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

// ErrCannotSpell reports that a text has no spelling at a place, for instance because the charset lacks a character.
var ErrCannotSpell = errors.New("the new text cannot be written here")

// ErrUndecodable reports bytes that are invalid in their spelling. The text returned with the error is usable, and has
// U+FFFD or the bytes themselves in place of the invalid bytes.
var ErrUndecodable = errors.New("bytes are invalid in this encoding")

// Damage is an ErrUndecodable that says where and what.
type Damage struct {
	Offset int    // in the source
	What   string // the fault, and how the codec read it
	Unread bool   // text is missing: the error is an ErrUnread as well
}

func (d *Damage) Error() string { return d.What }

// Is reports whether target is ErrUndecodable, or ErrUnread if Unread is set.
func (d *Damage) Is(target error) bool {
	return target == ErrUndecodable || d.Unread && target == ErrUnread
}

// ErrUnread is an ErrUndecodable whose text is incomplete or wrong: a part of the data is lost.
var ErrUnread error = &Damage{What: "the data cannot be decoded", Unread: true}
