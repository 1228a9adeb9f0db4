package grammar

import (
	"bytes"
	stdjson "encoding/json"
	"strings"
	"sync"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/json"
	"absolink/extract/internal/mark"
)

// JSONLD is the content of a script element with the type application/ld+json (JSON-LD 1.1, 7), in the vocabulary of
// schema.org:
//
//	{"@context": "https://schema.org", "@id": "#shop", "url": "/", "image": ["a.png", {"@type": "Image", "url": "b"}]}
//
// The strings in the members of jsonLDMembers are links, at any depth. An absolute @id names a thing, and never
// changes. A @context is not read. Queries are encoded in UTF-8.
var JSONLD = &mark.Format{Name: "JSON-LD", UTF8: true, Mark: extractJSONLD}

// Block is the JSON in a comment of WordPress that begins a block:
//
//	<!-- wp:image {"url":"https:\/\/h\/a.png","href":"https:\/\/h\/"} -->
var Block = &mark.Format{Name: "WordPress block", UTF8: true, Mark: extractBlock}

var (
	namePlace = &mark.Place{Name: "script", Permanent: true}

	// urlPlace is for strings that may also be words, such as "license": "MIT", or templates such as
	// "https://h/?s={q}".
	urlPlace = &mark.Place{Name: "script", Reads: readsURL}

	// rebasedPlace is for the links of a script with a base of its own, where relative ones are not read.
	rebasedPlace = &mark.Place{Name: "script", Reads: hasScheme}

	jsonLDMembers = membersOf(map[*mark.Place]string{
		namePlace:   "@id",
		scriptPlace: "url image logo contentUrl thumbnailUrl embedUrl sameAs mainEntityOfPage",
		urlPlace:    "item target urlTemplate license discussionUrl downloadUrl installUrl photo screenshot",
	})
	blockMembers = membersOf(map[*mark.Place]string{urlPlace: "url href mediaLink src poster"})
)

func membersOf(keys map[*mark.Place]string) func() map[string]*mark.Place {
	return sync.OnceValue(func() map[string]*mark.Place {
		members := map[string]*mark.Place{}
		for place, list := range keys {
			for key := range strings.FieldsSeq(list) {
				members[key] = place
			}
		}
		return members
	})
}

func extractJSONLD(src []byte, m *mark.Marks) {
	if s, p := openScript(src, m, "it is not read"); s != nil {
		if s.rebased = bytes.Contains(src, []byte(`"@base"`)); s.rebased {
			m.Unread(mark.JSONLD, "", 0)
		}
		s.members = jsonLDMembers()
		s.things(p, nil)
	}
}

func extractBlock(src []byte, m *mark.Marks) {
	if stdjson.Valid(src) {
		s := &scriptJSON{Reader: json.Reader{Src: src}, m: m, spelling: spell.JSONBlock, members: blockMembers()}
		s.things(0, nil)
	}
}

// things marks the links in the value at p, and returns the offset after it. place is nil if a string there is not a
// link.
func (s *scriptJSON) things(p int, place *mark.Place) int {
	switch s.Src[p] {
	case '{':
		return s.Members(p, func(key codec.Span, value int) int {
			switch {
			case s.Is(key, "@context"):
				return s.Skip(value)
			case s.Is(key, "@list"), s.Is(key, "@set"): // forms of the member around them
				return s.things(value, place)
			}
			name := inside(key)
			return s.things(value, s.members[string(s.Src[name.Start:name.End])])
		})
	case '[':
		return s.Elements(p, func(p int) int { return s.things(p, place) })
	}
	if place == scriptPlace && s.rebased {
		place = rebasedPlace
	}
	text, end := s.Text(p)
	if spelled := s.Src[text.Start:text.End]; place != nil && len(spelled) > 0 && s.isReference(spelled) &&
		(place.Reads == nil || place.Reads(spelled)) {
		s.link(place, text)
	}
	return end
}

// isReference reports whether a string is absolute or relative to the base of the page. A blank node identifier is
// neither (JSON-LD 1.1, 3.5). If the script declares a base of its own, relative references are not read.
func (s *scriptJSON) isReference(text []byte) bool {
	return hasScheme(text) || !bytes.HasPrefix(text, []byte("_:")) && !s.rebased
}

func hasScheme(spelled []byte) bool {
	scheme, _ := ascii.CutScheme(string(spelled))
	return scheme != ""
}

// ReadsTemplate reports whether bytes spell no URL whose braces are escaped, as the URL Standard would write those of a
// template.
func ReadsTemplate(spelled []byte) bool { return !bytes.Contains(spelled, []byte("%7B")) }

// readsURL reports whether a JSON string looks like a URL: an absolute one of HTTP, or a reference that begins with a
// sign.
func readsURL(spelled []byte) bool {
	decoded, _ := spell.JSONScript.Decode(spelled)
	text := strings.TrimLeft(string(decoded), "\t\n\f\r ")
	scheme, rest := ascii.CutScheme(text)
	clear := text != "" && strings.IndexByte("/#?", text[0]) >= 0 || strings.HasPrefix(text, "./") ||
		strings.HasPrefix(text, "../")
	if name := ascii.Lower(scheme); name == "http" || name == "https" {
		clear = strings.HasPrefix(rest, "//")
	}
	return clear && ReadsTemplate(decoded)
}
