package report

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"absolink/cmd/absolink/internal/console"
)

// piece is a part of a source: plain text, a link, or a declared base.
type piece struct {
	Text   string
	Number int    // of the link, from 1; 0 for other pieces
	Class  string // the layer of the link; "base used", ... for a base; "" for plain text
	Label  string // the label of a base
}

// mark is a part of a source that is not plain text.
type mark struct {
	start, end int
	piece
}

func (e *entity) Span() string {
	span := "bytes " + console.Number(e.start) + " to " + console.Number(e.end) + " of the file"
	if !e.inPlace {
		span += ", decoded"
	}
	return span
}

// Pieces divides the source of the entity. A base that is also a link is one piece.
func (e *entity) Pieces() (all []piece) {
	marks := map[int]mark{} // by their start
	for _, l := range e.links {
		marks[l.offset] = mark{l.offset, l.offset + l.length, piece{Number: l.Number, Class: l.Layer.String()}}
	}
	for _, b := range e.bases {
		if l, ok := marks[b.start]; ok {
			b.end, b.Number, b.Class = l.end, l.Number, l.Class+" "+b.Class
		}
		marks[b.start] = b
	}
	text, at := charsetOf(e.source), 0
	add := func(p piece, end int) {
		if p.Text = text(e.source[at:end]); p.Text != "" || p.Number > 0 {
			all = append(all, p)
		}
		at = end
	}
	for _, start := range slices.Sorted(maps.Keys(marks)) {
		if m := marks[start]; at <= start && start < m.end {
			add(piece{}, start)
			add(m.piece, m.end)
		}
	}
	add(piece{}, len(e.source))
	return all
}

// Cut returns what is said about the rest of a long source, or "".
func (e *entity) Cut() (cut string) {
	if len(e.source) < e.Length {
		cut = fmt.Sprintf("The source has %s. The page shows the first %s.", bytesText(int64(e.Length)),
			bytesText(int64(len(e.source))))
	}
	if e.hidden > 0 {
		cut = strings.TrimLeft(cut+" "+count(e.hidden,
			"links")+" after the end of this source. The list below has them.", " ")
	}
	return cut
}

// charsetOf returns a function that decodes parts of a source for the page. A source that is not UTF-8 has the charset
// that it declares in its first bytes, or else windows-1252.
func charsetOf(src []byte) func([]byte) string {
	if utf8.Valid(src[:max(len(src)-utf8.UTFMax, 0)]) { // the last character may be cut
		return visible
	}
	var enc encoding.Encoding = charmap.Windows1252
	head := bytes.ToLower(src[:min(len(src), 1024)])
	if _, name, ok := bytes.Cut(head, []byte("charset=")); ok {
		name = bytes.TrimLeft(name, `"'`)
		if end := bytes.IndexAny(name, "\"' \t\r\n;/>"); end >= 0 {
			name = name[:end]
		}
		if found, err := htmlindex.Get(string(name)); err == nil {
			enc = found
		}
	}
	return func(part []byte) string {
		text, err := enc.NewDecoder().Bytes(part)
		if err != nil {
			return visible(part)
		}
		return visible(text)
	}
}
