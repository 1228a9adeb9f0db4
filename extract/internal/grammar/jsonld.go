package grammar

import (
	"bytes"
	stdjson "encoding/json"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/json"
	"absolink/extract/internal/mark"
)

// JSONLD is the content of a script element with the type application/ld+json (JSON-LD 1.1, 7), in the vocabulary of
// schema.org:
//
//	{"@context": "https://schema.org", "@id": "#shop", "url": "/", "image": ["a.png", {"@type": "ImageObject", "url": "b.png"}]}
//
// The strings in the members of jsonLDLinks are links, at any depth, and so is an @id. An absolute @id names a thing, and
// never changes. The members of jsonLDTexts may be words, such as "license": "MIT", so only what looks like a URL is a link.
// A @context is not read. Queries are encoded in UTF-8.
var JSONLD = &mark.Format{Name: "JSON-LD", UTF8: true, Extract: extractJSONLD}

// jsonLDLinks has the members whose strings are URLs, and not names or texts.
var jsonLDLinks = ascii.Words("url image logo contentUrl thumbnailUrl embedUrl sameAs mainEntityOfPage")

var jsonLDTexts = ascii.Words("item target urlTemplate license discussionUrl downloadUrl installUrl photo screenshot")

// Block is the JSON in a comment of WordPress that begins a block:
//
//	<!-- wp:image {"url":"https:\/\/h\/a.png","href":"https:\/\/h\/"} -->
var Block = &mark.Format{Name: "WordPress block", UTF8: true, Extract: extractBlock}

var blockLinks = ascii.Words("url href mediaLink src poster")

func extractBlock(src []byte, m *mark.Marks) {
	if stdjson.Valid(src) {
		s := &scriptJSON{Reader: json.Reader{Src: src}, m: m, spelling: spell.JSONBlock, texts: blockLinks()}
		s.things(0, nil)
	}
}

var namePlace = &mark.Place{Name: "script", Permanent: true}

func extractJSONLD(src []byte, m *mark.Marks) {
	if s, p := openScript(src, m, "it is not read"); s != nil {
		if s.rebased = bytes.Contains(src, []byte(`"@base"`)); s.rebased {
			m.Unread(mark.JSONLD, "", 0)
		}
		s.urls, s.texts = jsonLDLinks(), jsonLDTexts()
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
			case s.urls[string(s.Src[name.Start:name.End])]:
				return s.things(value, scriptPlace)
			case s.texts[string(s.Src[name.Start:name.End])]:
				return s.things(value, urlPlace)
			}
			return s.things(value, nil)
		})
	case '[':
		return s.Elements(p, func(p int) int { return s.things(p, place) })
	}
	text, end := s.Text(p)
	if spelled := s.Src[text.Start:text.End]; place != nil && len(spelled) > 0 && s.isReference(spelled) && (place.Reads == nil || place.Reads(spelled)) {
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

// urlPlace is for strings that may also be words, or a template such as "https://h/?s={q}".
var urlPlace = &mark.Place{Name: "script", Reads: readsURL}

// ReadsTemplate reports whether bytes spell no URL whose braces are escaped, as the URL Standard would write those of a template.
func ReadsTemplate(spelled []byte) bool { return !bytes.Contains(spelled, []byte("%7B")) }

// readsURL reports whether a JSON string looks like a URL: an absolute one of HTTP, or a reference that begins with a sign.
func readsURL(spelled []byte) bool {
	decoded, _ := spell.JSONScript.Decode(spelled)
	text := strings.TrimLeft(string(decoded), "\t\n\f\r ")
	scheme, rest := ascii.CutScheme(text)
	clear := text != "" && strings.IndexByte("/#?", text[0]) >= 0 || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")
	if name := ascii.Lower(scheme); name == "http" || name == "https" {
		clear = strings.HasPrefix(rest, "//")
	}
	return clear && ReadsTemplate(decoded)
}
