package grammar

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// JSONLD is the content of a script element with the type application/ld+json (JSON-LD 1.1, 7), in the vocabulary of
// schema.org:
//
//	{"@context": "https://schema.org", "@id": "#shop", "url": "/", "image": ["a.png", {"@type": "ImageObject", "url": "b.png"}]}
//
// The strings in the members of jsonLDLinks are links, at any depth, and so is an @id. An absolute @id names a thing, and
// never changes. A @context is not read. Queries are encoded in UTF-8.
var JSONLD = &mark.Format{Name: "JSON-LD", UTF8: true, Extract: extractJSONLD}

// jsonLDLinks has the members whose strings are URLs, and not names or texts.
var jsonLDLinks = ascii.Words("url image logo contentUrl thumbnailUrl embedUrl sameAs mainEntityOfPage")

var namePlace = &mark.Place{Name: "script", Permanent: true}

func extractJSONLD(src []byte, m *mark.Marks) {
	if s, p := openScript(src, m, "it is not read"); s != nil {
		if s.rebased = bytes.Contains(src, []byte(`"@base"`)); s.rebased {
			m.Unread(mark.JSONLD, "", 0)
		}
		s.things(p, nil)
	}
}

// things marks the links in the value at p, and returns the offset after it. place is nil if a string there is not a link.
func (s *scriptJSON) things(p int, place *mark.Place) int {
	switch s.Src[p] {
	case '{':
		return s.Members(p, func(key codec.Span, value int) int {
			name := inside(key)
			switch {
			case s.Is(key, "@context"):
				return s.Skip(value)
			case s.Is(key, "@id"):
				return s.things(value, namePlace)
			case s.Is(key, "@list"), s.Is(key, "@set"): // forms of the member around them
				return s.things(value, place)
			case jsonLDLinks()[string(s.Src[name.Start:name.End])]:
				return s.things(value, scriptPlace)
			}
			return s.things(value, nil)
		})
	case '[':
		return s.Elements(p, func(p int) int { return s.things(p, place) })
	}
	text, end := s.Text(p)
	if place != nil && text.Len() > 0 && s.isReference(s.Src[text.Start:text.End]) {
		s.link(place, text)
	}
	return end
}

// isReference reports whether a string is absolute or relative to the base of the page. A blank node identifier is neither
// (JSON-LD 1.1, 3.5). If the script declares a base of its own, relative references are not read.
func (s *scriptJSON) isReference(text []byte) bool {
	scheme, _ := ascii.CutScheme(string(text))
	return scheme != "" || !bytes.HasPrefix(text, []byte("_:")) && !s.rebased
}
