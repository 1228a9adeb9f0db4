package report

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"absolink/base"
)

// source is the text of an entity for the page, in pieces.
type source struct {
	Name, Type, Span string
	Anchor           int
	Pieces           []piece
	Empty            bool
	Cut              string // the text about the rest of a long source, or ""
}

// piece is a part of a source: plain text, a link, or a declared base.
type piece struct {
	Text   string
	Number int    // of the link, from 1; 0 for other pieces
	Class  string // the rung of the link; "base used", ... for a base; "" for plain text
	Label  string // the label of a base
}

// source returns the text of the entity for the page.
func (e *entity) sourceView(document string) source {
	s := source{Name: e.whole(document), Type: shown(e.kind, longName), Anchor: e.anchor, Empty: e.length == 0}
	s.Span = "bytes " + number(e.start) + " to " + number(e.end) + " of the file"
	if !e.inPlace {
		s.Span += ", decoded"
	}
	marks := make([]span, 0, len(e.links)+len(e.bases))
	byOffset := map[int]*link{}
	for _, l := range e.links {
		marks = append(marks, span{start: l.offset, end: l.offset + l.length})
		byOffset[l.offset] = l
	}
	bases := map[int]*base.Candidate{} // those that are also links
	for _, b := range e.bases {
		if byOffset[b.start] == nil {
			marks = append(marks, b)
		} else {
			bases[b.start] = b.candidate
		}
	}
	slices.SortStableFunc(marks, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	text := charsetOf(e.source)
	at := 0
	for _, m := range marks {
		if m.start < at || m.end <= m.start {
			continue
		}
		s.add(piece{Text: text(e.source[at:m.start])})
		p := piece{Text: text(e.source[m.start:m.end])}
		declared := m.candidate
		if declared == nil {
			l := byOffset[m.start]
			p.Number, p.Class, declared = l.number, l.rung.String(), bases[m.start]
		}
		if declared != nil {
			c := newCandidate(declared)
			p.Class, p.Label = strings.TrimSpace(p.Class+" base "+c.Class), c.By+", "+c.Verdict
		}
		s.add(p)
		at = m.end
	}
	s.add(piece{Text: text(e.source[at:])})
	if rest := e.length - len(e.source); rest > 0 {
		s.Cut = "The source has " + bytesText(int64(e.length)) + ". The page shows the first " + bytesText(int64(len(e.source))) + "."
	}
	if e.hidden > 0 {
		s.Cut = join(s.Cut, count(e.hidden, "links")+" after the end of this source. The list below has them.")
	}
	return s
}

// join joins two sentences. The first one may be "".
func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

// whole returns the name of the entity in the document.
func (e *entity) whole(document string) string {
	if e.path == "" {
		return shown(document, longName)
	}
	return shown(e.path, longName)
}

// add adds a piece that is not empty.
func (s *source) add(p piece) {
	if p.Text != "" || p.Number > 0 {
		s.Pieces = append(s.Pieces, p)
	}
}

// charsetOf returns a function that decodes parts of a source for the page. A source that is not UTF-8 has the charset that it
// declares in its first bytes, or else windows-1252.
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
