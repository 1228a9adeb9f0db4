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

// ImportMap is the content of a script element with the type importmap (HTML, "parse an import map string"):
//
//	{"imports": {"a": "./a.js"}, "scopes": {"/old/": {"a": "./b.js"}}, "integrity": {"./a.js": "sha384-..."}}
//
// The keys and addresses that are URLs are links, and so are the prefixes of the scopes. The standard does not pass an
// encoding to the URL parser, so queries are encoded in UTF-8.
var ImportMap = &mark.Format{Name: "import map", UTF8: true, Mark: extractImportMap}

// SpeculationRules is the content of a script element with the type speculationrules (HTML 7.6.1.2):
//
//	{"prefetch": [{"urls": ["next.html"]}, {"where": {"href_matches": "/docs/*"}}]}
//
// The URLs of each rule are links, even of a rule that browsers skip for an unknown key or value, because rewriting
// them does no harm. URL patterns are not links, but a relative pattern needs the base. Queries are encoded in UTF-8.
var SpeculationRules = &mark.Format{Name: "speculation rules", UTF8: true, Mark: extractSpeculationRules}

var (
	scriptPlace    = &mark.Place{Name: "script"}
	specifierPlace = &mark.Place{Name: "script", Reads: readsSpecifier}
)

// scriptJSON reads the JSON of one script.
type scriptJSON struct {
	json.Reader
	m        *mark.Marks
	spelling codec.Codec // of its strings
	rebased  bool        // JSON-LD declares a base of its own

	members map[string]*mark.Place // by the keys of the members that have links
}

// readScript reads the members of the object that a script must be with the functions for their keys. Any other script
// is a fault unless it is empty, because browsers ignore it.
func readScript(src []byte, m *mark.Marks, members func(s *scriptJSON) map[string]func(value int) int) {
	s, p := openScript(src, m, "browsers ignore it")
	switch {
	case s == nil:
	case src[p] != '{':
		m.Fault(p, mark.ScriptMalformed, "the script is not a JSON object; browsers ignore it")
	default:
		s.Fields(p, members(s))
	}
}

// openScript returns the reader of a script, and the offset of its value. It returns nil for an empty script, and for
// one that is not JSON, which it reports; so says in that report what readers do with the script.
func openScript(src []byte, m *mark.Marks, so string) (s *scriptJSON, p int) {
	s = &scriptJSON{Reader: json.Reader{Src: src}, m: m, spelling: spell.JSONScript}
	if bytes.Contains(src, []byte("<!--")) {
		s.spelling = spell.JSONCommented
	}
	switch {
	case len(src) == 0:
		return nil, 0
	case !stdjson.Valid(src):
		m.Fault(0, mark.ScriptMalformed, "the script is not valid JSON; "+so)
		return nil, 0
	}
	return s, s.SkipSpace(0)
}

// link marks the URL at, between the quotes of a string, without the white space at its ends.
func (s *scriptJSON) link(place *mark.Place, at codec.Span) {
	start, end := ascii.TrimSpace(s.Src, at.Start, at.End)
	s.m.Link(place, start, end, s.spelling)
}

func extractImportMap(src []byte, m *mark.Marks) {
	readScript(src, m, func(s *scriptJSON) map[string]func(value int) int {
		return map[string]func(int) int{"imports": s.specifiers, "integrity": s.specifiers, "scopes": func(p int) int {
			return s.Members(p, func(prefix codec.Span, specifiers int) int {
				s.link(scriptPlace, inside(prefix))
				return s.specifiers(specifiers)
			})
		}}
	})
}

// inside returns the region between the quotes of a string.
func inside(quoted codec.Span) codec.Span {
	return codec.Span{Start: quoted.Start + 1, End: quoted.End - 1}
}

// specifiers marks the keys and the addresses of the object at p, and returns the offset after it (HTML, "sort and
// normalize a module specifier map"). A key is a link even without an address, because it then blocks the import.
func (s *scriptJSON) specifiers(p int) int {
	specifier := func(at codec.Span) {
		if readsSpecifier(s.Src[at.Start:at.End]) {
			s.link(specifierPlace, at)
		}
	}
	return s.Members(p, func(key codec.Span, value int) int {
		specifier(inside(key))
		address, end := s.Text(value)
		specifier(address)
		if s.m.Rewriting {
			s.m.Integrity(s.Src[address.Start:address.End])
		}
		return end
	})
}

// readsSpecifier reports whether bytes spell a module specifier that is a URL (HTML, "resolve a URL-like module
// specifier"): an absolute URL, or a reference that begins with "/", "./" or "../". Any other, like "a.js", is the name
// of a module. "http:x" is left out although it is a URL, because the standard parses it without a base, as
// "http://x/", and absolink would resolve it with one.
func readsSpecifier(spelled []byte) bool {
	decoded, _ := spell.JSONScript.Decode(spelled)
	specifier := string(decoded)
	if strings.HasPrefix(specifier, "/") || strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../") {
		return true
	}
	scheme, rest := ascii.CutScheme(specifier)
	if name := ascii.Lower(scheme); name == "http" || name == "https" {
		return strings.HasPrefix(rest, "//")
	}
	return scheme != ""
}

func extractSpeculationRules(src []byte, m *mark.Marks) {
	readScript(src, m, func(s *scriptJSON) map[string]func(value int) int {
		rules := func(p int) int { return s.Elements(p, s.rule) }
		return map[string]func(int) int{"prefetch": rules, "prerender": rules}
	})
}

// rule marks the URLs of the rule at p, and returns the offset after it (HTML, "parse a speculation rule").
func (s *scriptJSON) rule(p int) int {
	return s.Fields(p, map[string]func(int) int{
		"urls": func(p int) int {
			return s.Elements(p, func(p int) int {
				url, end := s.Text(p)
				if s.Src[p] == '"' {
					s.link(scriptPlace, url)
				}
				return end
			})
		},
		"where": func(p int) int { return s.where(p, false) },
	})
}

// where sets NeedsBase if the predicate at p has a URL pattern that may be relative, and returns the offset after it
// (HTML, "parse a document rule predicate"). isPattern reports whether the value is a pattern, or a list of them. A
// pattern that is an object may always be relative, because it takes missing parts from the base.
func (s *scriptJSON) where(p int, isPattern bool) int {
	switch s.Src[p] {
	case '[':
		return s.Elements(p, func(p int) int { return s.where(p, isPattern) })
	case '{':
		s.m.Notes.NeedsBase = s.m.Notes.NeedsBase || isPattern
		return s.Members(p, func(key codec.Span, value int) int { return s.where(value, s.Is(key, "href_matches")) })
	}
	at, end := s.Text(p)
	if text, _ := spell.JSONScript.Decode(s.Src[at.Start:at.End]); isPattern && s.Src[p] == '"' &&
		!isAbsolutePattern(text) {
		s.m.Notes.NeedsBase = true
	}
	return end
}

// isAbsolutePattern reports whether a URL pattern has a protocol: a scheme, "*" or "http{s}?" before "://".
func isAbsolutePattern(pattern []byte) bool {
	protocol, _, ok := strings.Cut(string(pattern), "://")
	scheme, _ := ascii.CutScheme(strings.TrimSuffix(protocol, "{s}?") + ":")
	return ok && (scheme != "" || protocol == "*")
}
