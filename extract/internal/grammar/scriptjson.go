package grammar

import (
	"bytes"
	stdjson "encoding/json"
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/json"
	"absolink/extract/internal/mark"
)

// ImportMap is the content of a script element with the type importmap (HTML, "parse an import map string"). The standard
// does not pass an encoding to the URL parser, so queries are encoded in UTF-8.
var ImportMap = &mark.Format{Name: "import map", UTF8: true, Extract: extractImportMap}

var (
	scriptPlace    = &mark.Place{Name: "script"}
	specifierPlace = &mark.Place{Name: "script", Reads: readsSpecifier}
)

// scriptJSON reads the JSON of one script.
type scriptJSON struct {
	json.Reader
	m        *mark.Marks
	spelling codec.Codec // the codec of its strings
}

// newScriptJSON returns a reader of a script. src is the whole script.
func newScriptJSON(src []byte, m *mark.Marks) *scriptJSON {
	s := &scriptJSON{Reader: json.Reader{Src: src}, m: m, spelling: spell.JSONScript}
	if bytes.Contains(src, []byte("<!--")) {
		s.spelling = spell.JSONCommented
	}
	return s
}

// object returns the offset of the object of the script. If the script is not an object, ok is false, and object adds a
// fault. An empty script has no fault, because browsers do not prepare it.
func (s *scriptJSON) object() (p int, ok bool) {
	if len(s.Src) == 0 {
		return 0, false
	}
	if !stdjson.Valid(s.Src) {
		s.wrong(0, "the script is not valid JSON; browsers ignore it")
		return 0, false
	}
	p = s.SkipSpace(0)
	if s.Src[p] != '{' {
		s.wrong(p, "the script is not a JSON object; browsers ignore it")
	}
	return p, s.Src[p] == '{'
}

// wrong adds a fault at an offset of the script.
func (s *scriptJSON) wrong(offset int, detail string) {
	s.m.Fault(offset, mark.ScriptMalformed, detail)
}

// fields sets at[i] to the offset of the value with the key names[i] in the object at p. It uses the last value of
// duplicate keys. at[i] is unchanged if the key is missing. unknown is the first key that is not in names, with its
// quotes.
func (s *scriptJSON) fields(p int, names []string, at []int) (unknown codec.Span) {
	s.Members(p, func(key codec.Span, value int) int {
		if i := slices.Index(names, string(s.text(inside(key)))); i >= 0 {
			at[i] = value
		} else if unknown.Len() == 0 {
			unknown = key
		}
		return s.Skip(value)
	})
	return unknown
}

// text returns the text of a string. at is the region between its quotes.
func (s *scriptJSON) text(at codec.Span) []byte {
	text, _ := spell.JSONScript.Decode(s.Src[at.Start:at.End])
	return text
}

// inside returns the region between the quotes of a string.
func inside(quoted codec.Span) codec.Span {
	return codec.Span{Start: quoted.Start + 1, End: quoted.End - 1}
}

// link marks a URL, without white space at both ends. at is the region between the quotes of a string.
func (s *scriptJSON) link(place *mark.Place, at codec.Span) {
	start, end := ascii.TrimSpace(s.Src, at.Start, at.End)
	s.m.Link(place, start, end, s.spelling)
}

// specifier marks a string if it is a URL-like module specifier.
func (s *scriptJSON) specifier(at codec.Span) {
	if readsSpecifier(s.Src[at.Start:at.End]) {
		s.link(specifierPlace, at)
	}
}

var specialSchemes = []string{"http", "https", "ws", "wss", "ftp", "file"}

// readsSpecifier reports whether bytes spell a module specifier that is a URL (HTML, "resolve a URL-like module specifier"):
// an absolute URL, or a reference that begins with "/", "./" or "../". Another reference, such as "a.js", is the name of a
// module.
//
// readsSpecifier returns false for "http:x", although it is a URL by the standard. The standard parses it without a base, as
// "http://x/". absolink resolves every link with a base. Under WHATWG, "http:x" with the base "http://h/" is "http://h/x".
func readsSpecifier(spelled []byte) bool {
	specifier, _ := spell.JSONScript.Decode(spelled)
	for _, prefix := range []string{"/", "./", "../"} {
		if bytes.HasPrefix(specifier, []byte(prefix)) {
			return true
		}
	}
	scheme, rest := ascii.CutScheme(string(specifier))
	if slices.Contains(specialSchemes, ascii.Lower(scheme)) {
		return len(rest) > 2 && rest[:2] == "//"
	}
	return scheme != ""
}

const (
	mapImports = iota
	mapScopes
	mapIntegrity
	mapFields
)

var importMapKeys = []string{mapImports: "imports", mapScopes: "scopes", mapIntegrity: "integrity"}

// extractImportMap marks the keys and addresses of an import map that are URLs, and the prefixes of its scopes. If a key
// ends in "/" and its address does not, browsers do not use the address, but it is marked, too.
func extractImportMap(src []byte, m *mark.Marks) {
	s := newScriptJSON(src, m)
	p, ok := s.object()
	if !ok {
		return
	}
	var at [mapFields]int
	s.fields(p, importMapKeys, at[:])
	for i, name := range importMapKeys {
		if at[i] > 0 && src[at[i]] != '{' {
			s.wrong(at[i], `"`+name+`" of the import map is not an object; browsers ignore the map`)
			return
		}
	}
	if at[mapScopes] > 0 && !s.scopesValid(at[mapScopes]) {
		return
	}
	s.Members(p, func(_ codec.Span, value int) int {
		switch value {
		case at[mapImports]:
			return s.specifiers(value)
		case at[mapScopes]:
			return s.Members(value, func(prefix codec.Span, specifiers int) int {
				s.link(scriptPlace, inside(prefix))
				return s.specifiers(specifiers)
			})
		case at[mapIntegrity]:
			return s.Members(value, func(url codec.Span, metadata int) int {
				if src[metadata] == '"' {
					s.specifier(inside(url))
				}
				return s.Skip(metadata)
			})
		}
		return s.Skip(value)
	})
}

// scopesValid reports whether all scopes at p are objects. If not, it adds a fault for the first other value.
func (s *scriptJSON) scopesValid(p int) bool {
	wrong := 0
	s.Members(p, func(_ codec.Span, value int) int {
		if wrong == 0 && s.Src[value] != '{' {
			wrong = value
		}
		return s.Skip(value)
	})
	if wrong > 0 {
		s.wrong(wrong, "a scope of the import map is not an object; browsers ignore the map")
	}
	return wrong == 0
}

// specifiers marks the module specifier map at p, and returns the offset after it (HTML, "sort and normalize a module
// specifier map"). It also marks a key without a valid address, because such a key blocks the import.
func (s *scriptJSON) specifiers(p int) int {
	return s.Members(p, func(key codec.Span, value int) int {
		if key = inside(key); key.Len() == 0 {
			return s.Skip(value)
		}
		s.specifier(key)
		address, end := s.Text(value)
		s.specifier(address)
		return end
	})
}
