package spell

import (
	"bytes"
	"fmt"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// The places of a URL in Markdown, with one codec each: those of CommonMark 0.31.2, and the tables and autolinks of
// GFM.
//
//	codec              place             source          text               clause
//	MarkdownBare       [a](b\_c&amp;d)   b\_c&amp;d      b_c&d              CommonMark 6.3
//	MarkdownPointy     [a](<b c\>d>)     b c\>d          b c>d              CommonMark 6.3
//	MarkdownAutolink   <http://h/a>      http://h/a      http://h/a         CommonMark 6.5, GFM 6.9
//	MarkdownMail       <a@h.example>     a@h.example     mailto:a@h.example CommonMark 6.5, GFM 6.9
//	MarkdownWWW        www.h.example     www.h.example   http://www.h...    GFM 6.9
//	MarkdownCell       | a\|b |          a\|b            a|b                GFM 4.10
//
// In the two destinations, a backslash escapes ASCII punctuation (2.4), and a character reference ends with a semicolon
// (2.5). Bytes that are invalid there, like a space or an unbalanced parenthesis in a bare destination, read as U+FFFD
// with ErrUndecodable, so Lift refuses an edit that would end the destination early. The empty bare destination is
// written <>, because a title may follow it. A pipe is written as a reference, because it might end the cell of a
// table, and so are quotes, backticks and ">", which might end code, a tag or a title that begins before the link.
//
// In an autolink, a backslash stands for itself and a reference is decoded (2.5). Encode writes neither, and refuses
// the bytes that an autolink cannot contain.
//
// MarkdownCell is the outer codec of whatever is in a table cell.
var (
	MarkdownBare codec.Codec = newDestination(destination{bare: true, escape: ascii.SetOf(`\<`),
		number: ascii.SetOf("| \x7F").Or(ascii.Controls)})
	MarkdownPointy   codec.Codec = newDestination(destination{escape: ascii.SetOf(`\<`), number: ascii.SetOf("|\n\r")})
	MarkdownAutolink codec.Codec = autolink{}
	MarkdownMail     codec.Codec = implied{prefix: "mailto:"}
	MarkdownWWW                  = codec.Nested(MarkdownAutolink, implied{prefix: "http://"})
	MarkdownCell     codec.Codec = cell{}
)

// destination is one of the two spellings of a link destination.
type destination struct {
	codec.Simple
	bare   bool
	escape *ascii.Set // the bytes that Encode writes with a backslash
	number *ascii.Set // the bytes that Encode writes as numeric references; all but the pipe are invalid in the source
	alone  *ascii.Set // the bytes that always stand for themselves
}

// endings are the bytes that Encode writes as references, because they might end a construct around the destination.
var endings = ascii.SetOf("`>\"'")

func newDestination(d destination) *destination {
	special := ascii.SetOf(`\&|<`, "\x00", "`>\"'")
	if d.bare {
		special['('], special[')'] = true, true
	}
	d.alone = special.Or(d.escape).Or(d.number).Not()
	return &d
}

func (d *destination) Decode(src []byte) ([]byte, error) { return d.read(src, nil) }

func (d *destination) Map(src, _ []byte, atoms *codec.Atoms) { d.read(src, atoms) }

func (d *destination) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	if d.bare && string(src) == "<>" {
		r.Put(len(src), "")
		return r.Text(), nil
	}
	balanced := d.balanced(src)
	var err error
	for i := 0; i < len(src); {
		if d.alone[src[i]] {
			i++
			r.Same(i)
			continue
		}
		n, text, ok := d.unit(src, i, balanced)
		if !ok {
			err = codec.ErrUndecodable
		}
		if text == "" {
			r.Same(i + n)
		} else {
			r.Put(n, text)
		}
		i += n
	}
	return r.Text(), err
}

// noCharacter is the text of a byte that is invalid at its place.
const noCharacter = "\uFFFD"

// unit reads the character at src[i]. It returns its length and its text, which is empty if the bytes stand for
// themselves. ok is false if the character is invalid there.
func (d *destination) unit(src []byte, i int, balanced bool) (n int, text string, ok bool) {
	switch b := src[i]; {
	case b == '\\' && i+1 < len(src) && ascii.IsPunct(src[i+1]):
		return 2, string(src[i+1 : i+2]), true
	case b == '&':
		if n, text := markdownReference(src[i:]); n > 0 {
			return n, text, true
		}
	case b == '(' || b == ')':
		if !balanced {
			return 1, noCharacter, false
		}
	case b == 0:
		return 1, noCharacter, !d.bare // 2.3 replaces NUL by U+FFFD
	case b == '<' && (i == 0 || !d.bare), b == '>' && !d.bare, d.number[b] && b != '|':
		return 1, noCharacter, false
	}
	return 1, "", true
}

// balanced reports whether the unescaped parentheses of a bare destination are balanced, and are nested at most
// MarkdownParentheses deep. It returns true for a destination in brackets.
func (d *destination) balanced(src []byte) bool {
	depth := 0
	for i := 0; i < len(src) && d.bare; i++ {
		switch src[i] {
		case '\\':
			if i+1 < len(src) && ascii.IsPunct(src[i+1]) {
				i++
			}
		case '(':
			if depth++; depth > MarkdownParentheses {
				return false
			}
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// MarkdownParentheses is the greatest nesting of parentheses in a bare destination. CommonMark 6.3 allows a limit, and
// this is cmark's.
const MarkdownParentheses = 32

// Encode escapes the bytes that would end the destination or read as other text. NUL has no spelling (2.3).
func (d *destination) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	out := dst
	if d.bare && len(text) == 0 && at.Len() == len(src) {
		return append(out, "<>"...), nil
	}
	balanced := d.balanced(text)
	for i, b := range text {
		switch {
		case b == 0:
			return dst, fmt.Errorf("%w: byte 0x00 is not allowed in Markdown", codec.ErrCannotSpell)
		case d.number[b] || endings[b]:
			out = appendNumber(out, rune(b))
		case d.escape[b], !balanced && (b == '(' || b == ')'):
			out = append(out, '\\', b)
		case b == '&' && isReference(text[i:]):
			out = append(out, "&amp;"...)
		default:
			out = append(out, b)
		}
	}
	return out, nil
}

func (d *destination) EscapeRune(dst []byte, r rune) []byte { return appendNumber(dst, r) }

// isReference reports whether src starts with a character reference.
func isReference(src []byte) bool {
	n, _ := markdownReference(src)
	return n > 0
}

// markdownReference reads the character reference at the start of src (2.5). The length n is 0 if there is none.
func markdownReference(src []byte) (n int, text string) {
	if len(src) > 1 && src[1] == '#' {
		return markdownNumber(src)
	}
	return closed(src)
}

// markdownNumber reads "&#" and 1 to 7 decimal digits, or "&#x" and 1 to 6 hexadecimal digits, and a semicolon.
func markdownNumber(src []byte) (n int, text string) {
	from, most, base := 2, 7, 10
	if len(src) > 2 && src[2]|0x20 == 'x' {
		from, most, base = 3, 6, 16
	}
	n, code := digits(src, from, most, base)
	if n == from || n == len(src) || src[n] != ';' {
		return 0, ""
	}
	if code == 0 {
		return n + 1, noCharacter
	}
	return n + 1, runeText(code)
}

type autolink struct{ codec.Simple }

// noAutolink has the bytes that an autolink cannot contain: control characters, the space and brackets (6.5), and the
// pipe, which might end a table cell.
var noAutolink = ascii.SetOf(" <>|\x7F").Or(ascii.Controls)

func (c autolink) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c autolink) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (autolink) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	for r.To([]byte("&")) {
		if n, text := markdownReference(r.Rest()); n > 0 {
			r.Put(n, text)
		} else {
			r.Skip(1)
		}
	}
	return r.Text(), nil
}

func (autolink) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	if len(text) == 0 && at.Len() == len(src) {
		return dst, fmt.Errorf("%w: a Markdown autolink cannot be empty", codec.ErrCannotSpell)
	}
	return appendAutolink(dst, text)
}

// appendAutolink appends text, or returns an error if an autolink cannot contain it.
func appendAutolink(dst, text []byte) ([]byte, error) {
	for _, b := range text {
		if noAutolink[b] {
			return dst, fmt.Errorf("%w: byte 0x%02x is not allowed in a Markdown autolink", codec.ErrCannotSpell, b)
		}
	}
	return append(dst, text...), nil
}

// implied is the spelling of a URL without its prefix, with which every text starts except the empty one. The source is
// one atom.
type implied struct {
	codec.OneAtom
	prefix string
}

func (c implied) Decode(src []byte) ([]byte, error) {
	if len(src) == 0 {
		return src, nil
	}
	return append([]byte(c.prefix), src...), nil
}

func (c implied) Encode(dst, _ []byte, at codec.Span, text []byte) ([]byte, error) {
	if at.Start == 0 && len(text) > 0 {
		rest, ok := bytes.CutPrefix(text, []byte(c.prefix))
		if !ok {
			return dst, fmt.Errorf("%w: the URL of this Markdown autolink must start with %s", codec.ErrCannotSpell,
				c.prefix)
		}
		text = rest
	}
	return appendAutolink(dst, text)
}

type cell struct{ codec.Simple }

var escapedPipe = []byte(`\|`)

func (c cell) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c cell) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (cell) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	r := codec.ReadFrom(src, 0, atoms)
	for r.To(escapedPipe) {
		r.Put(len(escapedPipe), "|")
	}
	return r.Text(), nil
}

func (cell) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	return append(dst, bytes.ReplaceAll(text, []byte("|"), escapedPipe)...), nil
}
