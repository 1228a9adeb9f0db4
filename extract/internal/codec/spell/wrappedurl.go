package spell

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// WrappedURL is a URL that goes over several lines of a text. The source may have quote marks at the start of each line,
// and the spaces of soft line breaks (RFC 3676). No other character of the URL is white space or ">".
//
//	source   http://h/a/␠␍␊>␠b     the break is a space, CRLF, a quote mark and a space
//	text     http://h/a/b
//
// The new URL keeps the line breaks of the old one unless a line would have more than 78 columns. If it would, all line
// breaks are placed anew, in the form of the first one. No new break is beside a hyphen, because readers cannot know
// whether that hyphen belongs to the URL (RFC 3986 appendix C), and a line of hyphens may be a boundary.
type WrappedURL struct {
	codec.Simple
	Before, After int  // the number of columns before the URL in its first line, and after it in its last line
	Scheme        bool // the scheme and its colon must stay in the first line
}

const (
	textColumns = 78  // RFC 5322 2.1.1, RFC 3676 4.2
	longestLine = 998 // RFC 5322 2.1.1
)

// inWrapping has the bytes that are not part of a wrapped URL.
var inWrapping = ascii.SetOf(" \t\r\n>")

func (c WrappedURL) Decode(src []byte) ([]byte, error) { return c.read(src, nil) }

func (c WrappedURL) Map(src, _ []byte, atoms *codec.Atoms) { c.read(src, atoms) }

func (WrappedURL) read(src []byte, atoms *codec.Atoms) ([]byte, error) {
	return without(inWrapping, src, atoms), nil
}

// Widen returns the groups if the lines have room for them, or else one group, the whole URL.
func (c WrappedURL) Widen(l *codec.Lifting, groups []codec.Group) []codec.Group {
	edits := make([]codec.Edit, len(groups))
	for i, g := range groups {
		edits[i] = codec.Edit{Span: g.Src, New: g.New}
	}
	url, newline := c.bounds(l.Src)
	if newline == nil || c.fits(codec.Apply(nil, l.Src, edits)) {
		return groups
	}
	return l.Whole(groups, url)
}

// bounds returns the span of the URL without the white space and quote marks around it, and its first break. The break is
// nil if the lines have different numbers of quote marks: then the line breaks stay, because the text after the URL must
// stay in a line with as many quote marks.
func (WrappedURL) bounds(src []byte) (url codec.Span, newline []byte) {
	for url.End = len(src); url.End > 0 && inWrapping[src[url.End-1]]; url.End-- {
	}
	for ; url.Start < url.End && inWrapping[src[url.Start]]; url.Start++ {
	}
	marks := -1
	for i := 0; i < len(src); i++ {
		if !inWrapping[src[i]] {
			continue
		}
		from := i
		for i < len(src) && inWrapping[src[i]] {
			i++
		}
		n := bytes.LastIndexByte(src[from:i], '\n')
		if n < 0 {
			continue
		}
		switch own := bytes.Count(src[from+n:i], []byte(">")); {
		case marks < 0:
			marks, newline = own, src[from:i]
		case own != marks:
			return url, nil
		}
	}
	return url, newline
}

// fits reports whether no line of a source is too long. If the scheme must stay in the first line, no line may end in a
// hyphen either, because the rest would not be read as a part of the URL.
func (c WrappedURL) fits(src []byte) bool {
	col := c.Before
	for {
		i := bytes.IndexByte(src, '\n')
		if i < 0 {
			return col+utf8.RuneCount(src)+c.After <= textColumns
		}
		line := bytes.TrimRight(src[:i], "\r")
		if src = src[i+1:]; col+utf8.RuneCount(line) > textColumns || c.Scheme && bytes.HasSuffix(bytes.TrimRight(line, " "), []byte("-")) {
			return false
		}
		col = 0
	}
}

// Encode writes a part of the URL without line breaks, and wraps the whole URL.
func (c WrappedURL) Encode(dst, src []byte, at codec.Span, text []byte) ([]byte, error) {
	if _, err := TextURL.Encode(nil, src, at, text); err != nil {
		return dst, err
	}
	url, newline := c.bounds(src)
	if newline == nil || at.Start > url.Start || at.End < url.End {
		return append(dst, text...), nil
	}
	col := c.columns(src[:url.Start], c.Before)
	indent := c.columns(newline, 0)
	rest, _, more := bytes.Cut(src[url.End:], []byte("\n"))
	after := utf8.RuneCount(bytes.TrimRight(rest, "\r"))
	if !more {
		after += c.After
	}
	if indent+after >= textColumns {
		after = 0 // the text after the URL has no room
	}
	least := 1
	if c.Scheme {
		least = bytes.IndexByte(text, ':') + 1
	}
	soft := len(newline) - len(bytes.TrimLeft(newline, " \t"))
	for out := append(dst, src[at.Start:max(at.Start, url.Start)]...); ; {
		if col+utf8.RuneCount(text)+after <= textColumns {
			return append(append(out, text...), src[url.End:at.End]...), nil
		}
		n := breakBefore(text, textColumns-soft-col, least)
		if col+n > longestLine {
			return dst, fmt.Errorf("%w: a line would have more than %d characters", codec.ErrCannotSpell, longestLine)
		}
		if out = append(out, text[:n]...); n == len(text) {
			return append(out, src[url.End:at.End]...), nil
		}
		out = append(out, newline...)
		text, col, least = text[n:], indent, 1
	}
}

// columns returns the column after text. col is the column before it.
func (WrappedURL) columns(text []byte, col int) int {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		text, col = text[i+1:], 0
	}
	return col + utf8.RuneCount(text)
}

// breakBefore returns the offset in a URL, at least least, of the best place for a break in its first room columns: the
// last end of a segment or parameter in the second half of these columns, or else the last place. If there is no place,
// it returns the first one after these columns, or len(url).
func breakBefore(url []byte, room, least int) int {
	last, segment := 0, 0
	for i, col := 0, 1; ; col++ {
		_, n := utf8.DecodeRune(url[i:])
		if i += n; i >= len(url) {
			break
		}
		if i < least || url[i-1] == '-' || url[i] == '-' {
			continue
		}
		if col > room {
			if last == 0 {
				last = i
			}
			break
		}
		last = i
		if 2*col >= room && bytes.IndexByte([]byte("/?&#=;,"), url[i-1]) >= 0 {
			segment = i
		}
	}
	switch {
	case segment > 0:
		return segment
	case last > 0:
		return last
	}
	return len(url)
}
