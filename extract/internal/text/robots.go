package text

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Robots is the format of a plain text with the name robots.txt (RFC 9309). The URL of a line "Sitemap: /sitemap.xml"
// may be relative, and ends at white space or at the "#" of a comment. A CR alone ends a line, too (2.2).
var Robots = &mark.Format{Name: Plain.Name, Charset: plainCharset, Embeds: mark.NoDocuments, Mark: extractRobots}

var (
	sitemapPlace    = &mark.Place{Name: "Sitemap", Absolute: true}
	sitemapSpelling = &spell.Unescaped{Never: spell.WhiteSpace + "#"}
)

func extractRobots(src []byte, m *mark.Marks) {
	t := lines{src: src, marks: m}
	done := 0 // the URLs before this offset are marked
	for p, end := 0, 0; p < len(src); p = end {
		end = len(src)
		if n := bytes.IndexAny(src[p:], "\r\n"); n >= 0 {
			end = p + n + 1
		}
		key, value := keyed(src[:end], p, ':')
		if n := bytes.IndexAny(src[value.Start:value.End], sitemapSpelling.Never); n >= 0 {
			value.End = value.Start + n
		}
		if value.Len() == 0 || !ascii.FoldEqual(key, "sitemap") {
			continue
		}
		t.text = src[:p]
		t.extract(done)
		m.Link(sitemapPlace, value.Start, value.End, sitemapSpelling)
		done = value.End
	}
	t.text = src
	t.extract(done)
}

// Shortcut is a file in which Windows keeps a bookmark:
//
//	[InternetShortcut]
//	URL=http://h/
var Shortcut = &mark.Format{Name: "application/x-mswinurl", Exts: []string{".url"}, Charset: plainCharset,
	Embeds: mark.NoDocuments, Mark: extractShortcut,
	Places: func() []string { return []string{shortcutPlace.Name} }}

var (
	shortcutPlace    = &mark.Place{Name: "URL", Absolute: true}
	shortcutSpelling = &spell.Unescaped{Never: spell.Breaks, First: spell.WhiteSpace, Last: spell.WhiteSpace}
)

const shortcutSection = "[internetshortcut]"

// SniffShortcut reports whether a file begins like a Shortcut.
func SniffShortcut(head []byte) bool {
	return len(head) > len(shortcutSection) && ascii.FoldEqual(head[:len(shortcutSection)], shortcutSection)
}

func extractShortcut(src []byte, m *mark.Marks) {
	inside := false
	for p := 0; p < len(src); p = ascii.LineEnd(src, p) {
		if src[p] == '[' {
			inside = SniffShortcut(src[p:])
		}
		if key, value := keyed(src, p, '='); inside && value.Len() > 0 && ascii.FoldEqual(key, "url") {
			m.Link(shortcutPlace, value.Start, value.End, shortcutSpelling)
			return
		}
	}
}

// keyed returns the key and the value of the line at p, which sep separates, without the white space around them.
func keyed(src []byte, p int, sep byte) (key []byte, value codec.Span) {
	end := ascii.LineEnd(src, p)
	at := ascii.Next(src[:end], p, sep)
	start, stop := ascii.TrimSpace(src, p, at)
	value.Start, value.End = ascii.TrimSpace(src, min(at+1, end), end)
	return src[start:stop], value
}
