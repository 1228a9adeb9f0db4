package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/grammar"
	"absolink/extract/internal/mark"
)

// Format is text/html as browsers read it (HTML 13.2), scripting on.
var Format = &mark.Format{
	Name:    "text/html",
	Exts:    []string{".html", ".htm", ".shtml"},
	Charset: charset,
	Extract: func(src []byte, m *mark.Marks) { scan(src, m, false) },
}

// Sniff is the part of MIME Sniffing 7.1 that is about HTML, but for the comment: one of a few tags at
// the beginning of a document, which sniffStart has found.
func Sniff(head []byte) bool {
	for _, sign := range []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
		"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p", "<base", "<meta", "<link"} {
		if len(head) > len(sign) && ascii.FoldEqual(head[:len(sign)], sign) && (ascii.IsSpace(head[len(sign)]) || head[len(sign)] == '>') {
			return true
		}
	}
	return false
}

// SniffStart gives where a page begins: behind white space or a mark, that of UTF-16 too.
func SniffStart(head []byte) []byte {
	head = head[codec.MarkLen(head):]
	if bytes.HasPrefix(head, []byte("\xFE\xFF")) || bytes.HasPrefix(head, []byte("\xFF\xFE")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return head[ascii.SkipSpace(head, 0):]
}

// htmlScanner is the tokenizer of HTML 13.2.5 in one pass over the bytes. It keeps no
// tree; of the tree builder it knows what changes the meaning of a tag: raw text,
// templates, framesets and foreign content.
type Scanner struct {
	src      []byte
	m        *mark.Marks
	Fragment bool // of a noscript: no bases here

	Attrs       [attrCount]Attr // of the tag at hand, those that were asked for
	Count       int
	selfClosing bool
	Tag         codec.Span // of it
	Scope       int32      // of the element: of an xml:base around it
	Filled      bool       // the element may hold something, in XHTML
	content     int        // where the content begins, of a file

	Based     bool                             // a BASE with an href has been seen
	headed    struct{ contentBase, base bool } // and these in the place of headers
	templates int                              // open template elements
	framed    bool                             // in or after a frameset: only its own tags count
	bodied    bool                             // a frameset tag came too late: no further one counts

	open   foreignStack
	around openElements // what is open around it; see openOutside

	// Kept from text to text: places of elements that no table names, and what a noscript element holds. That
	// is HTML for links, but nothing in it is a base, since where scripts run it is not there.
	places   map[placeKey]*mark.Place
	noscript *mark.Format
}

// Attr is an attribute of the tag at hand.
type Attr struct {
	Start, End int // of its value, without quotes
	ID         uint8
	Quoting    Quoting
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

func scan(src []byte, m *mark.Marks, fragment bool) {
	s := mark.ScratchOf[Scanner](m)
	s.Reset(src, m)
	s.Fragment = fragment
	if m.File && !fragment {
		s.content = s.prologue()
	}
	for p := ascii.Next(src, 0, '<'); p+1 < len(src); p = ascii.Next(src, p, '<') {
		switch c := src[p+1]; {
		case class[c]&letter != 0:
			p = s.startTag(p)
		case c == '/':
			p = s.endTag(p)
		case c == '!':
			p = s.markup(p)
		case c == '?':
			p = ascii.After(src, p+2, '>')
			s.styleText(p)
		default:
			p++
		}
	}
}

// Reset readies a scanner for a text. It keeps its buffers.
func (s *Scanner) Reset(src []byte, m *mark.Marks) {
	if s.noscript == nil {
		s.noscript = &mark.Format{Name: "text/html", Fragment: true, Extract: func(src []byte, m *mark.Marks) { scan(src, m, true) }}
	}
	*s = Scanner{src: src, m: m, open: s.open[:0], places: s.places, noscript: s.noscript,
		around: openElements{tags: s.around.tags[:0], foreign: s.around.foreign[:0]}}
}

// startTag reads the start tag at p and all that its element says; it gives the index
// behind it, and behind its raw text if it has such.
func (s *Scanner) startTag(p int) int {
	src, start := s.src, p
	p++
	for p < len(src) && class[src[p]]&endsName == 0 {
		p++
	}
	name := src[start+1 : p]
	e := LookupElement(src, start+1, p)
	if p < len(src) && src[p] == '>' && len(s.open) == 0 && e.Role == plain {
		s.Count, s.selfClosing, s.Scope = 0, false, 0
		p++
		if e.raw != notRaw {
			return s.raw(e, p)
		}
		return p
	}
	foreign := e.Role == roleForeign && !s.framed // a frameset ignores svg and math
	wanted := e.Attrs
	if s.m.Extended {
		wanted = wanted.union(Extended)
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
	s.Scope = s.open.scope()
	return s.element(e, name, start, p)
}

// attributes reads a tag's attributes from p on, behind its name, and keeps those that
// are wanted; of duplicates the first. It gives the index behind the ">", or
// -1 when the file ends before it (HTML 13.2.5.32 to 40).
func (s *Scanner) attributes(p int, wanted attrSet) int {
	src := s.src
	s.Count, s.selfClosing = 0, false
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
		a := Attr{Start: p, End: p, Quoting: bare}
		id := -1
		if wanted.letters>>(src[name]&31)&1 != 0 {
			id = LookupAttribute(src, name, p)
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
				a.Start, a.Quoting = p+1, doubleQuoted
				if c == '\'' {
					a.Quoting = singleQuoted
				}
				p = ascii.Next(src, p+1, c)
				a.End = p
				if p >= len(src) {
					return -1
				}
				p++
			case '>':
				a.Start, a.End, a.Quoting = p, p, empty
			default:
				a.Start, a.Quoting = p, unquoted
				for p < len(src) && class[src[p]]&endsUnquoted == 0 {
					p++
				}
				a.End = p
			}
		}
		if id >= 0 && wanted.IDs>>id&1 != 0 {
			wanted.IDs &^= 1 << id // the first of duplicates wins
			a.ID = uint8(id)
			s.Attrs[s.Count] = a
			s.Count++
		}
	}
}

// attr finds an attribute of the tag at hand; it must have been asked for.
func (s *Scanner) attr(id uint8) (Attr, bool) {
	for _, a := range s.Attrs[:s.Count] {
		if a.ID == id {
			return a, true
		}
	}
	return Attr{}, false
}

// text is an attribute's value, decoded: for keywords, which tell what other attributes
// mean. Links are decoded by the walk.
func (s *Scanner) text(id uint8) []byte {
	a, ok := s.attr(id)
	if !ok {
		return nil
	}
	text, _ := TextCodecs[a.Quoting].Decode(s.src[a.Start:a.End])
	return text
}

// keyword says whether an attribute's value is a word, in any case.
func (s *Scanner) keyword(id uint8, word string) bool { return ascii.FoldEqual(s.text(id), word) }

// element takes an HTML element whose tag stands in src[start:p], and gives the index
// behind it and its raw text.
func (s *Scanner) element(e *Element, name []byte, start, p int) int {
	if s.Count > 0 {
		if e.Role == RoleObject {
			s.object(e, name)
		} else {
			s.Tag = codec.Span{Start: start, End: p}
			s.links(e, name, s.Scope)
		}
	}
	switch {
	case e.Role == roleTemplate:
		s.templates++
	case e.Role == roleFrameset:
		s.frameset(start)
	case e.raw != notRaw:
		return s.raw(e, p)
	}
	return p
}

// links marks the links of the tag at hand.
func (s *Scanner) links(e *Element, name []byte, scope int32) {
	for _, a := range s.Attrs[:s.Count] {
		s.Attribute(e, name, a, scope)
	}
}

// Attribute marks the links of one attribute of the tag at hand.
func (s *Scanner) Attribute(e *Element, name []byte, a Attr, scope int32) {
	as := e.Links[a.ID]
	if as == NoLink && s.m.Extended && e != AnySVG && e != AnyMathML {
		as = extendedAs[a.ID]
		if as == asURL && bytes.Contains(s.src[a.Start:a.End], []byte("url(")) {
			as = AsStyle // some scripts put the CSS there
		}
	}
	if as == AsKeyword {
		s.keywordLink(a)
	}
	if as == NoLink || as == AsKeyword {
		return
	}
	place := e.place[a.ID]
	if place == nil || e.Name == "" {
		place = s.placeOf(e, name, a.ID, as)
	}
	s.link(a, as, place, scope)
}

// link marks one attribute that holds links.
func (s *Scanner) link(a Attr, as value, place *mark.Place, scope int32) {
	m, text := s.m, TextCodecs[a.Quoting]
	switch as {
	case asURL, asOwnURL, asName:
		m.LinkIn(scope, place, a.Start, a.End, URLCodecs[a.Quoting])
	case asEarlyURL:
		if scope == 0 {
			scope = mark.Early
		}
		m.LinkIn(scope, place, a.Start, a.End, URLCodecs[a.Quoting])
	case asList:
		m.Inline(scope, place, a.Start, a.End, text, grammar.URLList)
	case asCommaList:
		m.Inline(scope, place, a.Start, a.End, text, grammar.CommaList)
	case asSrcset:
		m.Inline(scope, place, a.Start, a.End, text, grammar.Srcset)
	case AsStyle:
		// What holds no "(" and no reference to one holds no url().
		v := s.src[a.Start:a.End]
		if bytes.IndexByte(v, '(') >= 0 || bytes.IndexByte(v, '&') >= 0 {
			m.Inline(scope, place, a.Start, a.End, text, css.StyleAttribute)
		}
	case AsDocument:
		m.Nested(scope, place, a.Start, a.End, text, m.FormatOf("text/html"))
	}
}

var basePlace = &mark.Place{Name: "base@href"}

// base takes the href of a BASE element. Only the first that has one is asked (HTML
// 4.2.3), wherever it stands, but for the content of templates, noscript and framesets.
func (s *Scanner) base(href Attr) {
	if s.Fragment || s.templates > 0 || s.framed {
		return
	}
	refuse := ""
	if s.Based {
		refuse = mark.RepeatedBase
	}
	s.Based = true
	filled := s.Filled || s.Tag.Start > 0 && s.src[s.Tag.Start-1] == '<' // which would begin another tag without this one
	s.m.Base(basePlace, href.Start, href.End, URLCodecs[href.Quoting],
		mark.Declaration{By: mark.BaseElement, Refuse: refuse, Element: s.Tag, Filled: filled, Before: s.commentedBase()})
}

// frameset takes a frameset tag at start.
func (s *Scanner) frameset(start int) {
	if !s.framed && !s.bodied && s.templates == 0 && !s.Fragment {
		body, counts := framesetCounts(s.src[:start])
		s.framed, s.bodied = counts, !counts
		if counts {
			s.open = s.open[:0] // they were in the body
		}
		for at := range s.m.Bases {
			if counts && at.Start >= body && at.Base.Refuse == "" {
				at.Base.Refuse = "a frameset replaces the body that it stands in"
			}
		}
	}
}

// endTag reads the end tag, or what looks like one, at p.
func (s *Scanner) endTag(p int) int {
	src := s.src
	p += 2
	if p >= len(src) || class[src[p]]&letter == 0 {
		p = ascii.After(src, p, '>') // "</>" is nothing, anything else a bogus comment
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
	case s.templates > 0 && ascii.FoldEqual(name, "template"):
		s.templates--
	}
	return p
}

// markup reads what begins with "<!" at p: a comment, a doctype, a CDATA section in
// foreign content, or a bogus comment.
func (s *Scanner) markup(p int) int {
	start, rest := p, s.src[p+2:]
	switch {
	case len(rest) >= 2 && rest[0] == '-' && rest[1] == '-':
		p = commentEnd(s.src, p+4)
		if s.m != nil && s.Evident() {
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
		p = ascii.After(s.src, p+2, '>')
	}
	s.styleText(p)
	return p
}
