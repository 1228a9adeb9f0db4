package css

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
)

// Format is text/css, and the content of a style element.
//
// A URL in the tokens is always a link, even in a rule that browsers ignore, in a custom property, or in an @import
// after the first rule. Browsers differ in the declarations that they ignore, but the author meant each URL as a link.
var Format = &mark.Format{
	Name:   "text/css",
	Embeds: mark.NoDocuments,
	Exts:   []string{".css"},
	Places: func() []string {
		return []string{urlPlace.Name, srcPlace.Name, imageSetPlace.Name, importPlace.Name}
	},
	Charset: charset,
	Mark:    func(src []byte, m *mark.Marks) { scan(src, m, false) },
	UTF8:    true, // css-values-4 4.5, "URL Processing Model", names no encoding to the URL parser
}

// StyleAttribute is the content of a style attribute (css-style-attr). It has only declarations and no at-rules, so a
// string after @import is not a link.
var StyleAttribute = &mark.Format{Name: "style attribute", UTF8: true,
	Mark: func(src []byte, m *mark.Marks) { scan(src, m, true) }}

// In each of these places, a fragment-only URL like url(#gradient) names something in the document to which the style
// applies (css-values-4 4.5, "Fragment URLs").
var (
	urlPlace      = &mark.Place{Name: "url()", Names: true}
	srcPlace      = &mark.Place{Name: "src()", Names: true}
	imageSetPlace = &mark.Place{Name: "image-set()", Names: true}
	importPlace   = &mark.Place{Name: "@import", Names: true}
)

// charset returns a label of the encoding of a style sheet (css-syntax-3 3.2): that of the byte order mark, or else of
// the transport layer, or else of an @charset rule in its exact form, or else UTF-8.
func charset(raw []byte, transport string) string {
	if name := charsets.OfBOM(raw); name != "" {
		return name
	}
	if _, name, ok := charsets.Of(transport); ok {
		return name
	}
	head := raw[:min(len(raw), 1024)]
	if label, ok := bytes.CutPrefix(head, []byte(`@charset "`)); ok {
		if end := bytes.IndexByte(label, '"'); end >= 0 && end+1 < len(label) && label[end+1] == ';' {
			switch _, name, ok := charsets.Of(string(label[:end])); {
			case name == "UTF-16BE", name == "UTF-16LE":
				// The rule was read as ASCII, so the style sheet is not in UTF-16.
				return "utf-8"
			case ok:
				return name
			}
		}
	}
	return "utf-8"
}

// scanner finds the places of URLs. It reads only the tokens that matter for them, which are comments, strings,
// escapes, at-keywords and functions, and skips all other bytes.
type scanner struct {
	src  []byte
	m    *mark.Marks
	attr bool // a style attribute

	// low is the end of the last token that was read. A name cannot begin before low.
	low int

	// set is the number of open parentheses in an image-set(), including its own, or 0 outside one. One number is
	// enough, because an image-set() may not be inside another.
	set int
}

// scan marks the links of a style sheet, or of a style attribute if attr is set.
func scan(src []byte, m *mark.Marks, attr bool) {
	if bytes.IndexByte(src, '(') < 0 && (attr || bytes.IndexByte(src, '@') < 0) {
		return
	}
	s := scanner{src: src, m: m, attr: attr}
	for i := s.next(0); i < len(src); i = s.next(s.low) {
		switch src[i] {
		case '(':
			s.low = s.open(s.named(i), i+1, urlPlace)
		case '"', '\'':
			var place *mark.Place
			if s.set == 1 {
				place = imageSetPlace
			}
			s.low = s.text(i, place)
		case '/':
			s.low = i + 1
			if i+1 < len(src) && src[i+1] == '*' {
				s.low = commentEnd(src, i)
			}
		case '\\':
			s.low = s.escaped(i)
		case '@':
			s.low = s.atKeyword(i)
		case ')':
			s.set--
			s.low = i + 1
		default:
			// {}[]; are not allowed in an image-set(), so its parenthesis is missing. By the grammar it continues, but
			// the strings after this byte were not meant as images.
			s.set = 0
			s.low = i + 1
		}
	}
}

// next returns the offset of the first byte at or after i that scan must read.
func (s *scanner) next(i int) int {
	stops := stop
	if s.set > 0 {
		stops = setStop
	}
	for n, c := range s.src[i:] {
		if class[c]&stops != 0 {
			return i + n
		}
	}
	return len(s.src)
}

const longestName = "-webkit-image-set"

// functions are the functions whose arguments may be links.
var functions = [...]string{"url", "src", "image-set", longestName}

// named returns the function that the parenthesis at i opens, or "" if it is not one of functions or its name has an
// escape.
func (s *scanner) named(i int) string {
	for _, name := range functions {
		if s.ends(i, name) {
			return name
		}
	}
	return ""
}

// called returns the one of functions that has a name, in any case, or "".
func called(name []byte) string {
	for _, function := range functions {
		if ascii.FoldEqual(name, function) {
			return function
		}
	}
	return ""
}

// ends reports whether the ident sequence that ends at i is name, as a whole: "curl(" is another function, "2url(" is a
// number with a unit, and "#url(" begins with a hash.
func (s *scanner) ends(i int, name string) bool {
	start := i - len(name)
	return start >= s.low && ascii.FoldEqual(s.src[start:i], name) && s.starts(start)
}

// starts reports whether a token starts at the ident code point src[i]. Unless another ident code point is before it,
// only a "#" makes it a part of an earlier token (4.3.1; "@" has already been read). The dashes of "<!--" are no ident
// code points.
func (s *scanner) starts(i int) bool {
	return i == s.low || class[s.src[i-1]]&nameByte == 0 && s.src[i-1] != '#' || s.opensComment(i-2)
}

// opensComment reports whether the dashes at i are the end of a CDO token, "<!--".
func (s *scanner) opensComment(i int) bool {
	return i-2 >= s.low && bytes.HasPrefix(s.src[i-2:], []byte("<!--"))
}

// escaped reads the name around the backslash at i, and the function if the name is followed by a parenthesis. It
// returns the offset at which scan continues.
func (s *scanner) escaped(i int) int {
	if !isEscape(s.src, i) {
		return i + 1
	}
	// Do not search further back than the length of the longest name.
	start := i
	for start > s.low && start >= i-len(longestName) && class[s.src[start-1]]&nameByte != 0 {
		start--
	}
	if s.opensComment(start) {
		start += len("--")
	}
	var buf [32]byte
	name, end := ident(buf[:0], s.src, start)
	if end == len(s.src) || s.src[end] != '(' {
		return end
	}
	fn := ""
	if s.starts(start) {
		fn = called(name)
	}
	return s.open(fn, end+1, urlPlace)
}

// open reads the arguments of a function from i, the offset after its parenthesis, and returns the offset at which scan
// continues. place is the place of a url(), or nil if a URL here is not a link. That of a src() is the same, except
// that srcPlace replaces urlPlace.
//
// An empty URL is not marked, because url() and url("") always fail to load (css-values-4 4.5, "Empty URLs"). Elsewhere
// an empty reference is the base, so if they were made absolute, they would load the base.
func (s *scanner) open(fn string, i int, place *mark.Place) int {
	if fn == "url" {
		i = ascii.SkipSpace(s.src, i)
		if i == len(s.src) || s.src[i] != '"' && s.src[i] != '\'' {
			end, next := urlToken(s.src, i)
			if place != nil && end > i {
				s.m.Link(place, i, end, spell.CSSURL)
			}
			return next
		}
		// With a string, url(<string> <modifier>*) is an ordinary function (4.3.4).
	}
	if s.set > 0 {
		s.set++
	}
	switch fn {
	case "url":
		return s.text(i, place)
	case "src":
		if place == urlPlace {
			place = srcPlace
		}
		i = skipSpace(s.src, i)
		if i < len(s.src) && (s.src[i] == '"' || s.src[i] == '\'') {
			return s.text(i, place)
		}
	case "image-set", longestName:
		if s.set == 0 {
			s.set = 1
		}
	}
	return i
}

// text reads the string at i, which is a link unless place is nil, and returns the offset after it.
func (s *scanner) text(i int, place *mark.Place) int {
	c := spell.CSSDouble
	if s.src[i] == '\'' {
		c = spell.CSSSingle
	}
	end, next, ok := quotedEnd(s.src, i)
	if !ok || place == nil {
		return next
	}
	start := ascii.SkipSpace(s.src[:end], i+1) // URL parsers ignore white space at both ends
	if start < end && (ascii.IsSpace(s.src[end-1]) || s.src[end-1] == '\\') {
		end = trimmedEnd(s.src, start, end)
	}
	if start < end {
		s.m.Link(place, start, end, c)
	}
	return next
}

// atKeyword reads the at-keyword at i, with the URL after @import and @namespace, and returns the offset at which scan
// continues.
func (s *scanner) atKeyword(i int) int {
	var buf [32]byte
	rule, i := ident(buf[:0], s.src, i+1)
	place := importPlace
	switch {
	case ascii.FoldEqual(rule, "import"):
		if s.attr {
			place = nil
		}
		i = skipSpace(s.src, i)
	case ascii.FoldEqual(rule, "namespace"):
		// The URL is the name of a namespace, so it is not a link. A prefix may be before it (css-namespaces-3 2).
		place = nil
		i = skipSpace(s.src, i)
		if startsIdent(s.src, i) {
			if _, end := ident(nil, s.src, i); end == len(s.src) || s.src[end] != '(' {
				i = skipSpace(s.src, end)
			}
		}
	default:
		return i
	}
	if i < len(s.src) && (s.src[i] == '"' || s.src[i] == '\'') {
		return s.text(i, place)
	}
	if startsIdent(s.src, i) {
		name, end := ident(buf[:0], s.src, i)
		if fn := called(name); end < len(s.src) && s.src[end] == '(' && (fn == "url" || fn == "src") {
			return s.open(fn, end+1, place)
		}
	}
	return i
}
