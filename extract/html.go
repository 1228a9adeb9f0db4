package extract

import (
	"bytes"

	"absolink/extract/internal/codec"
)

// HTML is text/html as browsers read it (HTML 13.2), scripting on.
var HTML = &Format{
	Name:    "text/html",
	Exts:    []string{".html", ".htm", ".shtml"},
	Charset: htmlCharset,
	Extract: func(src []byte, f *Finder) { scanHTML(src, f, false) },
}

// sniffHTML is the part of MIME Sniffing 7.1 that is about HTML, but for the comment: one of a few tags at
// the beginning of a document, which sniffStart has found.
func sniffHTML(head []byte) bool {
	for _, sign := range []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
		"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p", "<base", "<meta", "<link"} {
		if len(head) > len(sign) && foldEqual(head[:len(sign)], sign) && (isSpace(head[len(sign)]) || head[len(sign)] == '>') {
			return true
		}
	}
	return false
}

// sniffStart gives where a page begins: behind white space or a mark, that of UTF-16 too.
func sniffStart(head []byte) []byte {
	head = head[codec.MarkLen(head):]
	if bytes.HasPrefix(head, []byte("\xFE\xFF")) || bytes.HasPrefix(head, []byte("\xFF\xFE")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return head[skipSpace(head, 0):]
}

// htmlScanner is the tokenizer of HTML 13.2.5 in one pass over the bytes. It keeps no
// tree; of the tree builder it knows what changes the meaning of a tag: raw text,
// templates, framesets and foreign content.
type htmlScanner struct {
	src      []byte
	f        *Finder
	fragment bool // of a noscript: no bases here

	attrs       [attrCount]attr // of the tag at hand, those that were asked for
	count       int
	selfClosing bool
	tag         codec.Span // of it
	scope       int32      // of the element: of an xml:base around it
	filled      bool       // the element may hold something, in XHTML
	content     int        // where the content begins, of a file

	based     bool                             // a BASE with an href has been seen
	headed    struct{ contentBase, base bool } // and these in the place of headers
	templates int                              // open template elements
	framed    bool                             // in or after a frameset: only its own tags count
	bodied    bool                             // a frameset tag came too late: no further one counts

	open   foreignStack
	around openElements // what is open around it; see openOutside

	// Kept from text to text: places of elements that no table names, and what a noscript element holds. That
	// is HTML for links, but nothing in it is a base, since where scripts run it is not there.
	places   map[placeKey]*Place
	noscript *Format
}

// attr is an attribute of the tag at hand.
type attr struct {
	start, end int // of its value, without quotes
	id         uint8
	quoting    quoting
}

// class sorts the bytes that end something.
var class = byteClasses()

const (
	letter       = 1 << iota // ASCII alpha: opens a tag
	space                    // white space
	endsName                 // ends a tag name: white space / >
	endsAttr                 // ends an attribute name: white space / > =
	endsUnquoted             // ends an unquoted value: white space >
)

func byteClasses() (class [256]uint8) {
	for c := byte('a'); c <= 'z'; c++ {
		class[c], class[c-'a'+'A'] = letter, letter
	}
	for _, c := range []byte(" \t\n\r\f") {
		class[c] = space | endsName | endsAttr | endsUnquoted
	}
	class['/'] = endsName | endsAttr
	class['>'] = endsName | endsAttr | endsUnquoted
	class['='] = endsAttr
	return class
}

func scanHTML(src []byte, f *Finder, fragment bool) {
	s := scratchOf[htmlScanner](f)
	s.reset(src, f)
	s.fragment = fragment
	if f.file && !fragment {
		s.content = s.prologue()
	}
	for p := next(src, 0, '<'); p+1 < len(src); p = next(src, p, '<') {
		switch c := src[p+1]; {
		case class[c]&letter != 0:
			p = s.startTag(p)
		case c == '/':
			p = s.endTag(p)
		case c == '!':
			p = s.markup(p)
		case c == '?':
			p = after(src, p+2, '>')
			s.styleText(p)
		default:
			p++
		}
	}
}

// reset readies a scanner for a text. It keeps its buffers.
func (s *htmlScanner) reset(src []byte, f *Finder) {
	if s.noscript == nil {
		s.noscript = &Format{Name: "text/html", fragment: true, Extract: func(src []byte, f *Finder) { scanHTML(src, f, true) }}
	}
	*s = htmlScanner{src: src, f: f, open: s.open[:0], places: s.places, noscript: s.noscript,
		around: openElements{tags: s.around.tags[:0], foreign: s.around.foreign[:0]}}
}

// startTag reads the start tag at p and all that its element says; it gives the index
// behind it, and behind its raw text if it has such.
func (s *htmlScanner) startTag(p int) int {
	src, start := s.src, p
	p++
	for p < len(src) && class[src[p]]&endsName == 0 {
		p++
	}
	name := src[start+1 : p]
	e := lookupElement(src, start+1, p)
	if p < len(src) && src[p] == '>' && len(s.open) == 0 && e.role == plain {
		s.count, s.selfClosing, s.scope = 0, false, 0
		p++
		if e.raw != notRaw {
			return s.raw(e, p)
		}
		return p
	}
	foreign := e.role == roleForeign && !s.framed // a frameset ignores svg and math
	wanted := e.attrs
	if s.f.Extended {
		wanted = wanted.union(extended)
	}
	if len(s.open) > 0 || foreign {
		wanted = allAttrs
	}
	p = s.attributes(p, wanted)
	if p < 0 {
		return len(src) // the end of the file in a tag: the tag is not there
	}
	if inside := len(s.open) > 0; inside || foreign {
		if s.foreignStart(e, name, p) {
			return p
		}
		if inside {
			s.foreignLeft(start)
		}
	}
	s.scope = s.open.scope()
	return s.element(e, name, start, p)
}

// attributes reads a tag's attributes from p on, behind its name, and keeps those that
// are wanted; of duplicates the first. It gives the index behind the ">", or
// -1 when the file ends before it (HTML 13.2.5.32 to 40).
func (s *htmlScanner) attributes(p int, wanted attrSet) int {
	src := s.src
	s.count, s.selfClosing = 0, false
	for {
		// Before attribute name.
		if p >= len(src) {
			return -1
		}
		c := src[p]
		if class[c]&space != 0 {
			p++
			continue
		}
		if c == '>' {
			return p + 1
		}
		if c == '/' {
			p++
			s.selfClosing = p < len(src) && src[p] == '>'
			continue
		}

		// Attribute name; a "=" may begin one.
		name := p
		p++
		for p < len(src) && class[src[p]]&endsAttr == 0 {
			p++
		}
		a := attr{start: p, end: p, quoting: bare}
		id := -1
		if wanted.letters>>(src[name]&31)&1 != 0 {
			id = lookupAttribute(src, name, p)
		}

		// After attribute name.
		for p < len(src) && class[src[p]]&space != 0 {
			p++
		}
		if p < len(src) && src[p] == '=' {
			// Before attribute value.
			p++
			for p < len(src) && class[src[p]]&space != 0 {
				p++
			}
			if p >= len(src) {
				return -1
			}
			switch c := src[p]; c {
			case '"', '\'':
				a.start, a.quoting = p+1, doubleQuoted
				if c == '\'' {
					a.quoting = singleQuoted
				}
				p = next(src, p+1, c)
				a.end = p
				if p >= len(src) {
					return -1
				}
				p++
			case '>':
				a.start, a.end, a.quoting = p, p, empty
			default:
				a.start, a.quoting = p, unquoted
				for p < len(src) && class[src[p]]&endsUnquoted == 0 {
					p++
				}
				a.end = p
			}
		}
		if id >= 0 && wanted.ids>>id&1 != 0 {
			wanted.ids &^= 1 << id // the first of duplicates wins
			a.id = uint8(id)
			s.attrs[s.count] = a
			s.count++
		}
	}
}

// attr finds an attribute of the tag at hand; it must have been asked for.
func (s *htmlScanner) attr(id uint8) (attr, bool) {
	for _, a := range s.attrs[:s.count] {
		if a.id == id {
			return a, true
		}
	}
	return attr{}, false
}

// text is an attribute's value, decoded: for keywords, which tell what other attributes
// mean. Links are decoded by the walk.
func (s *htmlScanner) text(id uint8) []byte {
	a, ok := s.attr(id)
	if !ok {
		return nil
	}
	text, _ := textCodecs[a.quoting].Decode(s.src[a.start:a.end])
	return text
}

// keyword says whether an attribute's value is a word, in any case.
func (s *htmlScanner) keyword(id uint8, word string) bool { return foldEqual(s.text(id), word) }

// element takes an HTML element whose tag stands in src[start:p], and gives the index
// behind it and its raw text.
func (s *htmlScanner) element(e *element, name []byte, start, p int) int {
	if s.count > 0 {
		if e.role == roleObject {
			s.object(e, name)
		} else {
			s.tag = codec.Span{Start: start, End: p}
			s.links(e, name, s.scope)
		}
	}
	switch {
	case e.role == roleTemplate:
		s.templates++
	case e.role == roleFrameset:
		s.frameset(start)
	case e.raw != notRaw:
		return s.raw(e, p)
	}
	return p
}

// links marks the links of the tag at hand.
func (s *htmlScanner) links(e *element, name []byte, scope int32) {
	for _, a := range s.attrs[:s.count] {
		s.attribute(e, name, a, scope)
	}
}

// attribute marks the links of one attribute of the tag at hand.
func (s *htmlScanner) attribute(e *element, name []byte, a attr, scope int32) {
	as := e.links[a.id]
	if as == noLink && s.f.Extended && e != anySVG && e != anyMathML {
		as = extendedAs[a.id]
		if as == asURL && bytes.Contains(s.src[a.start:a.end], []byte("url(")) {
			as = asStyle // some scripts put the CSS there
		}
	}
	if as == asKeyword {
		s.keywordLink(a)
	}
	if as == noLink || as == asKeyword {
		return
	}
	place := e.place[a.id]
	if place == nil || e.name == "" {
		place = s.placeOf(e, name, a.id, as)
	}
	s.link(a, as, place, scope)
}

// link marks one attribute that holds links.
func (s *htmlScanner) link(a attr, as value, place *Place, scope int32) {
	f, text := s.f, textCodecs[a.quoting]
	switch as {
	case asURL, asOwnURL, asName:
		f.LinkIn(scope, place, a.start, a.end, urlCodecs[a.quoting])
	case asEarlyURL:
		if scope == 0 {
			scope = early
		}
		f.LinkIn(scope, place, a.start, a.end, urlCodecs[a.quoting])
	case asList:
		f.Inline(scope, place, a.start, a.end, text, urlList)
	case asCommaList:
		f.Inline(scope, place, a.start, a.end, text, commaList)
	case asSrcset:
		f.Inline(scope, place, a.start, a.end, text, srcset)
	case asStyle:
		// What holds no "(" and no reference to one holds no url().
		v := s.src[a.start:a.end]
		if bytes.IndexByte(v, '(') >= 0 || bytes.IndexByte(v, '&') >= 0 {
			f.Inline(scope, place, a.start, a.end, text, styleAttr)
		}
	case asDocument:
		f.Nested(scope, place, a.start, a.end, text, f.FormatOf("text/html"))
	}
}

var basePlace = &Place{Name: "base@href"}

// base takes the href of a BASE element. Only the first that has one is asked (HTML
// 4.2.3), wherever it stands, but for the content of templates, noscript and framesets.
func (s *htmlScanner) base(href attr) {
	if s.fragment || s.templates > 0 || s.framed {
		return
	}
	refuse := ""
	if s.based {
		refuse = repeatedBase
	}
	s.based = true
	filled := s.filled || s.tag.Start > 0 && s.src[s.tag.Start-1] == '<' // which would begin another tag without this one
	s.f.Base(basePlace, href.start, href.end, urlCodecs[href.quoting],
		declaration{by: baseElement, refuse: refuse, element: s.tag, filled: filled, before: s.commentedBase()})
}

// frameset takes a frameset tag at start.
func (s *htmlScanner) frameset(start int) {
	if !s.framed && !s.bodied && s.templates == 0 && !s.fragment {
		body, counts := framesetCounts(s.src[:start])
		s.framed, s.bodied = counts, !counts
		if counts {
			s.open = s.open[:0] // they were in the body
		}
		for at := range s.f.bases {
			if counts && at.start >= body && at.base.refuse == "" {
				at.base.refuse = "a frameset replaces the body that it stands in"
			}
		}
	}
}

// endTag reads the end tag, or what looks like one, at p.
func (s *htmlScanner) endTag(p int) int {
	src := s.src
	p += 2
	if p >= len(src) || class[src[p]]&letter == 0 {
		p = after(src, p, '>') // "</>" is nothing, anything else a bogus comment
		s.styleText(p)
		return p
	}
	start := p
	for p < len(src) && class[src[p]]&endsName == 0 {
		p++
	}
	name := src[start:p]
	if p < len(src) && src[p] == '>' {
		p++
	} else if p = s.attributes(p, attrSet{}); p < 0 {
		return len(src)
	}
	switch {
	case len(s.open) > 0:
		s.foreignEnd(name)
		s.foreignLeft(start - len("</"))
		s.styleText(p)
	case s.templates > 0 && foldEqual(name, "template"):
		s.templates--
	}
	return p
}

// markup reads what begins with "<!" at p: a comment, a doctype, a CDATA section in
// foreign content, or a bogus comment.
func (s *htmlScanner) markup(p int) int {
	start, rest := p, s.src[p+2:]
	switch {
	case len(rest) >= 2 && rest[0] == '-' && rest[1] == '-':
		p = commentEnd(s.src, p+4)
		if s.f != nil && s.evident() {
			s.trailer(start+4, p)
		}
	case bytes.HasPrefix(rest, []byte("[CDATA[")) && s.open.foreign():
		end := len(s.src)
		p = end
		if i := bytes.Index(s.src[start+9:], []byte("]]>")); i >= 0 {
			end = start + 9 + i
			p = end + 3
		}
		s.foreignText(start+9, end, codec.CDATASection)
	default:
		p = after(s.src, p+2, '>')
	}
	s.styleText(p)
	return p
}
