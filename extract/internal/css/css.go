package css

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Format is text/css, and the content of a style element.
//
// A URL counts wherever the tokens spell one: in a rule that browsers drop, in a custom property, in @import after the
// first rule. Browsers differ in which declarations are valid. What the author meant to be a URL stays the same.
var Format = &mark.Format{
	Name:    "text/css",
	Embeds:  mark.NoDocuments,
	Exts:    []string{".css"},
	Charset: charset,
	Extract: func(src []byte, m *mark.Marks) { scan(src, m, false) },
	UTF8:    true, // css-values-4 4.5, "URL Processing Model", names no encoding to the URL parser
}

// StyleAttribute is the content of a style attribute (css-style-attr): declarations. At-rules are not allowed in it, so
// a string after @import is no link.
var StyleAttribute = &mark.Format{Name: "style attribute", UTF8: true, Extract: func(src []byte, m *mark.Marks) { scan(src, m, true) }}

// A url() that is only a fragment names something in the document that the style is for
// (css-values-4 4.5, "Fragment URLs"): url(#gradient).
var (
	urlPlace      = &mark.Place{Name: "url()", Names: true}
	srcPlace      = &mark.Place{Name: "src()", Names: true}
	imageSetPlace = &mark.Place{Name: "image-set()", Names: true}
	importPlace   = &mark.Place{Name: "@import", Names: true}
)

// charset is css-syntax-3 3.2: the byte order mark, the transport layer, an @charset
// that is spelled exactly so, and UTF-8.
func charset(raw []byte, transport string) string {
	if name := codec.BOMCharset(raw); name != "" {
		return name
	}
	if _, name, ok := codec.Charset(transport); ok {
		return name
	}
	head := raw[:min(len(raw), 1024)]
	if label, ok := bytes.CutPrefix(head, []byte(`@charset "`)); ok {
		if end := bytes.IndexByte(label, '"'); end >= 0 && end+1 < len(label) && label[end+1] == ';' {
			switch _, name, ok := codec.Charset(string(label[:end])); {
			case name == "UTF-16BE", name == "UTF-16LE":
				// UTF-16 could not have been read as this rule in ASCII.
				return "utf-8"
			case ok:
				return name
			}
		}
	}
	return "utf-8"
}

// scanner skips from place to place: it stops where a comment, a string, an escape, an at-keyword or a function may
// start.
type scanner struct {
	src  []byte
	m    *mark.Marks
	attr bool // a style attribute

	// low is where the last token ended that was read as one: no name reaches back
	// beyond it.
	low int

	// set counts the parentheses open in an image-set(), its own among them; 0 outside.
	// One number is enough, for image-set() must not stand in another, however deep.
	set int
}

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
			// None of {}[]; can be in an image-set(), so this one lacks its end. By the
			// grammar it goes on, but what follows was not meant to be its images.
			s.set = 0
			s.low = i + 1
		}
	}
}

// next is the offset of the next byte from i on that needs a look.
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

// function is a function whose arguments matter.
type function uint8

const (
	otherFunction    function = iota // any other, or a parenthesis alone
	urlFunction                      // url()
	srcFunction                      // src()
	imageSetFunction                 // image-set()
)

// named returns the function that the parenthesis at i opens, if its name has no escape.
func (s *scanner) named(i int) function {
	if i == s.low {
		return otherFunction
	}
	switch s.src[i-1] | 0x20 {
	case 'l':
		if s.ends(i, "url") {
			return urlFunction
		}
	case 'c':
		if s.ends(i, "src") {
			return srcFunction
		}
	case 't':
		if s.ends(i, "image-set") || s.ends(i, "-webkit-image-set") {
			return imageSetFunction
		}
	}
	return otherFunction
}

// ends reports whether an ident sequence that ends at i is name. It has to be all of it:
// "curl(" is another function, "2url(" has a unit, "#url(" a hash in front.
func (s *scanner) ends(i int, name string) bool {
	start := i - len(name)
	return start >= s.low && ascii.FoldEqual(s.src[start:i], name) && s.starts(start)
}

// starts reports whether a token starts at i, which begins a run of ident code points or is
// in one. Of what can stand before it, only "#" would take the run in (4.3.1; "@" has
// been read), and only "<!--" ends inside one.
func (s *scanner) starts(i int) bool {
	if i == s.low {
		return true
	}
	if c := s.src[i-1]; class[c]&nameByte == 0 {
		return c != '#'
	}
	return i-4 >= s.low && string(s.src[i-4:i]) == "<!--"
}

// escaped reads the name around the backslash at i, and what it calls. It returns the
// offset to go on from.
func (s *scanner) escaped(i int) int {
	if !isEscape(s.src, i) {
		return i + 1
	}
	// A name that is longer than the longest of ours does not matter however long it is.
	start := i
	for start > s.low && start >= i-len(word{}.text) && class[s.src[start-1]]&nameByte != 0 {
		start--
	}
	if start+2 <= i && start-2 >= s.low && string(s.src[start-2:start+2]) == "<!--" {
		start += 2
	}
	word, end := ident(s.src, start)
	if end == len(s.src) || s.src[end] != '(' {
		return end
	}
	fn := otherFunction
	if s.starts(start) {
		fn = word.called()
	}
	return s.open(fn, end+1, urlPlace)
}

// called returns the function that has this name.
func (w *word) called() function {
	switch {
	case w.is("url"):
		return urlFunction
	case w.is("src"):
		return srcFunction
	case w.is("image-set"), w.is("-webkit-image-set"):
		return imageSetFunction
	}
	return otherFunction
}

// open reads on from i, after the parenthesis of a function, and returns the offset to go
// on from. place is that of a url(), nil if a URL here is no link; src() has it too,
// unless it is urlPlace.
//
// A URL that is empty is left out: url() and url("") are made to fail (css-values-4 4.5,
// "Empty URLs"), unlike an empty reference elsewhere, which is the base. Made absolute they
// would come to life.
func (s *scanner) open(fn function, i int, place *mark.Place) int {
	if fn == urlFunction {
		i = ascii.SkipSpace(s.src, i)
		if i == len(s.src) || s.src[i] != '"' && s.src[i] != '\'' {
			end, next := urlToken(s.src, i)
			if place != nil && end > i {
				s.m.Link(place, i, end, codec.CSSURL)
			}
			return next
		}
		// 4.3.4: with a quote it is a function like any other, url(<string> <modifier>*).
	}
	if s.set > 0 {
		s.set++
	}
	switch fn {
	case urlFunction:
		return s.text(i, place)
	case srcFunction:
		if place == urlPlace {
			place = srcPlace
		}
		i = skipBlanks(s.src, i)
		if i < len(s.src) && (s.src[i] == '"' || s.src[i] == '\'') {
			return s.text(i, place)
		}
	case imageSetFunction:
		if s.set == 0 {
			s.set = 1
		}
	}
	return i
}

// text reads the string at i, which is a link if place says so.
func (s *scanner) text(i int, place *mark.Place) int {
	c := codec.CSSDouble
	if s.src[i] == '\'' {
		c = codec.CSSSingle
	}
	start := i + 1
	end, next, ok := quotedEnd(s.src, i)
	if !ok || place == nil || isBlank(s.src[start:end]) {
		return next
	}
	// The URL parsers strip white space from the ends.
	for ascii.IsSpace(s.src[start]) {
		start++
	}
	if ascii.IsSpace(s.src[end-1]) {
		end = trimmedEnd(s.src, start, end)
	}
	s.m.Link(place, start, end, c)
	return next
}

// atKeyword reads the at-keyword at i, and what follows @import and @namespace. It returns
// the offset to go on from.
func (s *scanner) atKeyword(i int) int {
	word, i := ident(s.src, i+1)
	place := importPlace
	switch {
	case word.is("import"):
		if s.attr {
			place = nil
		}
		i = skipBlanks(s.src, i)
	case word.is("namespace"):
		// css-namespaces-3 2: the URL is the name of a namespace, a prefix may come first.
		place = nil
		i = skipBlanks(s.src, i)
		if startsIdent(s.src, i) {
			if _, end := ident(s.src, i); end == len(s.src) || s.src[end] != '(' {
				i = skipBlanks(s.src, end)
			}
		}
	default:
		return i
	}
	if i < len(s.src) && (s.src[i] == '"' || s.src[i] == '\'') {
		return s.text(i, place)
	}
	if startsIdent(s.src, i) {
		word, end := ident(s.src, i)
		if fn := word.called(); end < len(s.src) && s.src[end] == '(' && (fn == urlFunction || fn == srcFunction) {
			return s.open(fn, end+1, place)
		}
	}
	return i
}
