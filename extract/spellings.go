package extract

import (
	"bytes"
	"fmt"
	"slices"

	"absolink/extract/codec"
)

// Codecs that only the formats here need: URLs in small grammars without escapes, and regions
// that are read and never written.

const (
	whiteSpace = " \t\n\f\r" // of HTML, see isSpace
	breaks     = "\t\n\r"    // what URL parsers take out of a URL
)

// unescaped is how a URL is spelled in a grammar that has no escapes: every byte stands for
// itself, and so what would end the URL cannot be in it. Nor can it be empty.
type unescaped struct {
	never       string // bytes that cannot stand in it
	first, last string // bytes that cannot stand at its ends
}

func (*unescaped) Decode(src []byte) ([]byte, error) { return src, nil }

func (*unescaped) Map(src []byte) ([]byte, codec.Atoms, error) { return src, nil, nil }

// Encode refuses text that would be cut, or would lose an end, when it is read again.
func (b *unescaped) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	if i := bytes.IndexAny(text, b.never); i >= 0 {
		return dst, fmt.Errorf("%w: %q in a URL", codec.ErrCannotSpell, text[i])
	}
	first, last := text, text
	if at.Start > 0 || len(text) == 0 {
		first = edge(src[:at.Start], src[at.End:])
	}
	if at.End < len(src) || len(text) == 0 {
		last = edge(src[at.End:], src[:at.Start])
	}
	if len(first) == 0 {
		return dst, fmt.Errorf("%w: an empty URL", codec.ErrCannotSpell)
	}
	if c := first[:1]; bytes.ContainsAny(c, b.first) {
		return dst, fmt.Errorf("%w: %q at the start of a URL", codec.ErrCannotSpell, c)
	}
	if c := last[len(last)-1:]; bytes.ContainsAny(c, b.last) {
		return dst, fmt.Errorf("%w: %q at the end of a URL", codec.ErrCannotSpell, c)
	}
	return append(dst, text...), nil
}

// brokenURL is unescaped where tabs and newlines can stand inside the URL: they are no part
// of it (URL Standard 4.4, step 3), and stay where they are.
type brokenURL struct{ unescaped }

func (b *brokenURL) Decode(src []byte) ([]byte, error) {
	text, _, err := b.Map(src)
	return text, err
}

func (*brokenURL) Map(src []byte) ([]byte, codec.Atoms, error) {
	i := bytes.IndexAny(src, breaks)
	if i < 0 {
		return src, nil, nil
	}
	text, atoms := append([]byte(nil), src[:i]...), codec.Atoms(nil)
	for ; i < len(src); i++ {
		if c := src[i]; c == '\t' || c == '\n' || c == '\r' {
			atoms = append(atoms, codec.Atom{Src: i, Text: len(text), N: 1, SrcLen: 1})
		} else {
			text = append(text, c)
		}
	}
	return text, atoms, nil
}

// edge is near, or far if that is empty.
func edge(near, far []byte) []byte {
	if len(near) > 0 {
		return near
	}
	return far
}

// unquotedParameter is how a URL is spelled that is the value of a parameter without quotes. It is written
// with them, for a token has no colon and no slash (RFC 2045 5.1).
type unquotedParameter struct{}

func (unquotedParameter) Decode(src []byte) ([]byte, error) {
	if len(src) > 1 && src[0] == '"' && src[len(src)-1] == '"' {
		src = src[1 : len(src)-1]
	}
	return codec.HeaderURL.Decode(src)
}

func (u unquotedParameter) Map(src []byte) ([]byte, codec.Atoms, error) {
	text, err := u.Decode(src)
	return text, codec.Atoms{{N: 1, SrcLen: len(src), TextLen: len(text)}}, err
}

func (unquotedParameter) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	out, err := codec.HeaderURL.Encode(append(dst, '"'), nil, codec.Span{}, text)
	if err != nil {
		return dst, err
	}
	return append(out, '"'), nil
}

// section is the spelling of what a CDATA section in HTML holds: all stands for itself, and its end
// cannot be in it.
type section struct{}

func (section) Decode(src []byte) ([]byte, error)           { return src, nil }
func (section) Map(src []byte) ([]byte, codec.Atoms, error) { return src, nil, nil }

func (section) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	const end = "]]>"
	around := slices.Concat(src[max(at.Start-len(end)+1, 0):at.Start], text, src[at.End:min(at.End+len(end)-1, len(src))])
	if bytes.Contains(around, []byte(end)) {
		return dst, fmt.Errorf("%w: %q in a CDATA section", codec.ErrCannotSpell, end)
	}
	return append(dst, text...), nil
}

// kept is the spelling of a region that stands for itself and is never written. The string says
// why, such as that something outside of the entity depends on these bytes.
type kept string

func (kept) Decode(src []byte) ([]byte, error)           { return src, nil }
func (kept) Map(src []byte) ([]byte, codec.Atoms, error) { return src, nil, nil }
func (k kept) Encode(dst, _ []byte, _ codec.Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s", codec.ErrCannotSpell, string(k))
}

// told is the spelling of a region that says a text in some other way than by its bytes, such as
// a packed file with a URL in it. The string is that text; it is never written.
type told string

func (t told) Decode([]byte) ([]byte, error) { return []byte(t), nil }

func (t told) Map(src []byte) ([]byte, codec.Atoms, error) {
	return []byte(t), codec.Atoms{{N: 1, SrcLen: len(src), TextLen: len(t)}}, nil
}

func (t told) Encode(dst, _ []byte, _ codec.Span, _ []byte) ([]byte, error) {
	return dst, fmt.Errorf("%w: %s is not written", codec.ErrCannotSpell, string(t))
}
