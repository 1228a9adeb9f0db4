package html

import (
	"bytes"
	"slices"

	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/css"
	"absolink/extract/internal/mark"
)

// Format is the format text/html. A page is read as browsers read it when scripting is enabled (HTML 13.2).
var Format = &mark.Format{
	Name:    "text/html",
	Embeds:  mark.OnlyPages,
	Exts:    []string{".html", ".htm", ".shtml"},
	Places:  placeNames,
	Charset: charset,
	Guess:   guess,
	Mark:    func(src []byte, m *mark.Marks) { scan(src, m, false) },
}

// Sniff reports whether a document begins with one of the tags of MIME Sniffing 7.1. head must come from SniffStart.
// Unlike in MIME Sniffing, a comment at the start does not make a document HTML.
func Sniff(head []byte) bool {
	for _, sign := range []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
		"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p", "<base", "<meta", "<link"} {
		if len(head) > len(sign) && ascii.FoldEqual(head[:len(sign)], sign) &&
			(ascii.IsSpace(head[len(sign)]) || head[len(sign)] == '>') {
			return true
		}
	}
	return false
}

// SniffStart returns head without a byte order mark and white space at its start, with UTF-16 converted to ASCII.
func SniffStart(head []byte) []byte {
	head = head[charsets.BOMLen(head):]
	if bytes.HasPrefix(head, []byte("\xFE\xFF")) || bytes.HasPrefix(head, []byte("\xFF\xFE")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return head[ascii.SkipSpace(head, 0):]
}

// scanner is the tokenizer of HTML 13.2.5, in one pass over the bytes.
type scanner struct {
	src      []byte
	m        *mark.Marks
	fragment bool   // the content of a noscript or a comment, where nothing declares a base
	noBase   string // why BASE elements of a fragment are refused; if "", they are not listed

	attrs       [attrCount]attribute // the wanted attributes of the current tag
	count       int                  // of attrs
	selfClosing bool
	after       int        // the offset after the current tag, before its raw text; -1 if the file ends inside the tag
	tag         codec.Span // the current tag, if it has wanted attributes
	scope       int32      // that of the nearest xml:base
	adding      []byte     // the name of the current start tag, or nil if mark.Settings.Added has no places
	adds        bool       // there may be such places
	more        attrSet    // the attributes that are wanted of every element
	extra       []added    // the attributes of the current tag at these places, still to be marked
	filled      bool       // in XML: the current element has content
	content     int        // the offset at which the content of a file begins

	based     bool                             // a BASE element with an href has been seen
	headed    struct{ contentBase, base bool } // a meta element for this header has been seen
	templates int                              // the number of open template elements
	navs      int                              // the number of open nav elements
	open      []foreign                        // the open SVG and MathML elements

	index *anchor.Index // nil, unless mark.Settings.DescribeLinks is set

	// These are reused from one text to the next.
	places map[placeKey]*mark.Place // those that no table has
	inner  *mark.Format             // the fragment inside a noscript element or a conditional comment
}

const (
	letter       = 1 << iota // ASCII alpha: opens a tag
	space                    // white space
	endsName                 // ends a tag name: white space / >
	endsAttr                 // ends an attribute name: white space / > =
	endsUnquoted             // ends an unquoted value: white space >
)

var class = func() (class [256]uint8) {
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
}()

// scan marks the links of a page, or of a fragment: the content of a noscript element or a conditional comment.
func scan(src []byte, m *mark.Marks, fragment bool) {
	s := mark.ScratchOf[scanner](m)
	s.reset(src, m)
	s.fragment = fragment
	if m.File && !fragment {
		s.content = s.prologue()
	}
	s.read(0)
}

// Embedded marks the links of HTML inside a document of another type, for example Markdown. BASE elements are listed
// but refused, for the reason noBase.
func Embedded(src []byte, m *mark.Marks, noBase string) {
	s := mark.ScratchOf[scanner](m)
	s.reset(src, m)
	s.fragment, s.noBase = true, noBase
	s.read(0)
}

// read reads the markup from p on.
func (s *scanner) read(p int) {
	src := s.src
	p, name := s.next(p)
	for ; p+1 < len(src); p, name = s.next(p) {
		start := p
		switch c := src[p+1]; {
		case class[c]&letter != 0:
			p = s.startTag(p, name)
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
		if s.index != nil {
			s.describe(start, p)
		}
	}
}

// next returns the offset of the next "<" that must be read, or len(src). Most tags are end tags, or start tags of
// simple elements without attributes. Skipping them saves 7 % of the time for the links of a page, but is not possible
// where the open elements matter.
//
// If a tag begins at start, all bytes of src[start+1:name] belong to its name.
func (s *scanner) next(p int) (start, name int) {
	src := s.src
	if s.index != nil || len(s.open) > 0 || s.templates > 0 || s.navs > 0 {
		start = ascii.Next(src, p, '<')
		return start, start + 1
	}
	for {
		if p = ascii.Near(src, p, '<'); p < 0 || p > len(src)-8 {
			p = ascii.Next(src, p, '<')
			return p, p + 1
		}
		c, end := src[p+1], p+2
		if c != '/' && class[c]&letter == 0 {
			return p, p + 1 // perhaps text, so the bytes after the "<" must be read again
		}
		for end < len(src) && class[src[end]]&endsName == 0 {
			end++
		}
		if end >= len(src) || src[end] != '>' {
			return p, end
		}
		if n := end - p - 1; c != '/' && (n >= len(complexNames) || complexNames[n]>>(c&31)&1 != 0) {
			return p, end
		}
		p = end + 1
	}
}

func (s *scanner) reset(src []byte, m *mark.Marks) {
	if s.inner == nil {
		s.inner = &mark.Format{Name: "text/html", Fragment: true,
			Mark: func(src []byte, m *mark.Marks) { scan(src, m, true) }}
	}
	*s = scanner{src: src, m: m, open: s.open[:0], extra: s.extra[:0], places: s.places, inner: s.inner}
	s.adds = len(m.Added) > 0 || m.Extended
	if m.Extended || m.Rewriting {
		s.more = extended
	}
	if m.DescribeLinks {
		s.index = mark.ScratchOf[anchor.Index](m)
	}
}

func nameEnd(src []byte, p int) int {
	for p < len(src) && class[src[p]]&endsName == 0 {
		p++
	}
	return p
}

// startTag reads the start tag at start, of whose name the bytes before p are known. It returns the offset after the
// tag and the raw text of the element.
func (s *scanner) startTag(start, p int) int {
	src := s.src
	p = nameEnd(src, p)
	e := lookupElement(src, start+1, p)
	if len(s.open) > 0 || e.role == roleForeign {
		return s.foreignTag(e, start, p)
	}
	name := src[start+1 : p]
	if e == anyElement {
		e = s.unnamed(name)
	}
	s.begin(name)
	p = s.attributes(p, e.attrs|s.more)
	if s.after = p; p < 0 {
		return len(src) // the file ends inside the tag, which is therefore dropped (HTML 13.2.5, "eof-in-tag")
	}
	if s.scope = 0; e == anyCustom && slices.ContainsFunc(s.attrs[:s.count], s.isUnread) {
		s.m.Unread(mark.Custom, "", start)
	}
	if s.count == 0 && len(s.extra) == 0 && e.simple() {
		return p
	}
	return s.element(e, name, start, p)
}

// unnamed returns the row of an element that the tables do not name.
func (s *scanner) unnamed(name []byte) *element {
	switch {
	case s.m.Office && isOffice(name):
		return anyOffice
	case bytes.IndexByte(name, '-') > 0:
		return anyCustom
	}
	return anyElement
}

// endTag reads the markup at p, which begins with "</", and returns the offset after it.
func (s *scanner) endTag(p int) int {
	src := s.src
	p += 2
	if p >= len(src) || class[src[p]]&letter == 0 {
		p = ascii.After(src, p, '>') // "</>" is ignored, and anything else is a bogus comment
		s.styleText(p)
		return p
	}
	start := p
	p = nameEnd(src, p)
	name := src[start:p]
	s.adding = nil
	if p < len(src) && src[p] == '>' {
		p++
	} else if p = s.attributes(p, 0); p < 0 {
		return len(src)
	}
	if s.navs > 0 && ascii.FoldEqual(name, "nav") {
		s.navs--
	}
	switch {
	case s.templates > 0 && !s.inForeign() && ascii.FoldEqual(name, "template"):
		s.templates--
	case len(s.open) > 0:
		s.foreignEnd(name)
		s.styleText(p)
	}
	return p
}

// markup reads the markup at p, which begins with "<!", and returns the offset after it.
func (s *scanner) markup(p int) int {
	start, rest := p, s.src[p+2:]
	switch {
	case len(rest) >= 2 && rest[0] == '-' && rest[1] == '-':
		p = commentEnd(s.src, p+4)
		if s.m != nil && s.evident() {
			s.trailer(start+4, p)
		}
		if s.m != nil {
			s.conditional(start, p, spell.Comment)
			s.block(start, p)
		}
	case bytes.HasPrefix(rest, []byte("[CDATA[")) && s.inForeign():
		end := len(s.src)
		p = end
		if i := bytes.Index(s.src[start+9:], []byte("]]>")); i >= 0 {
			end = start + 9 + i
			p = end + 3
		}
		s.foreignText(start+9, end, spell.CDATASection)
	default:
		p = ascii.After(s.src, p+2, '>')
	}
	s.styleText(p)
	return p
}

var commentPlace = &mark.Place{Name: "comment"}

// conditional marks the content of src[start:end] if it is a conditional comment for Outlook: <!--[if mso]> ...
// <![endif]-->. The content may be half of an element. Without mark.Settings.Office, it is only reported as unread.
// "<!--[if !mso]><!-->" is a whole comment, after which comes what all other readers see.
func (s *scanner) conditional(start, end int, spelling codec.Codec) {
	if !bytes.HasPrefix(s.src[start:end], []byte("<!--[if")) {
		return
	}
	if !s.m.Office {
		if text := s.src[start:end]; !bytes.HasSuffix(text, []byte("<!-->")) &&
			!bytes.HasSuffix(text, []byte("]>-->")) {
			s.m.Skip(mark.Conditional, start, end)
		}
		return
	}
	start, end = s.commentText(start+len("<!--"), end)
	text := s.src[start:end]
	from, to := bytes.Index(text, []byte("]>"))+len("]>"), bytes.LastIndex(text, []byte("<![endif]"))
	if from < len("]>") || from > to || bytes.IndexByte(text[from:to], '<') < 0 {
		return
	}
	s.m.Nested(0, commentPlace, start+from, start+to, spelling, s.inner)
}

// attribute is an attribute of the current tag.
type attribute struct {
	start, end int // of its value, without quotes
	id         uint8
	quoting    attr.Quoting
}

// attributes reads the attributes of a tag, from the offset p after its name. It keeps the first of each wanted
// attribute, and returns the offset after the ">", or -1 if the file ends before it.
func (s *scanner) attributes(p int, wanted attrSet) int {
	src := s.src
	s.count, s.selfClosing = 0, false
	// Most attributes are a space, a name, and a value in quotes. Without this loop, the links of a page take 6 %
	// longer.
	for p >= 0 && p < len(src) && src[p] == ' ' {
		name := p + 1
		end := name
		for end < len(src) && class[src[end]]&endsAttr == 0 {
			end++
		}
		if end == name || end+1 >= len(src) || src[end] != '=' || src[end+1] != '"' {
			break
		}
		value := end + 2
		n := bytes.IndexByte(src[value:], '"')
		if n < 0 {
			return -1
		}
		p = value + n + 1
		if id := lookupAttribute(src, name, end); id >= 0 && wanted>>id&1 != 0 {
			wanted &^= 1 << id // the first of duplicates wins
			s.attrs[s.count] = attribute{start: value, end: value + n, id: uint8(id), quoting: attr.Double}
			s.count++
		} else if s.adding != nil {
			s.add(src[name:end], id, attribute{start: value, end: value + n, quoting: attr.Double})
		}
	}
	if p < len(src) && src[p] == '>' {
		return p + 1
	}
	return s.moreAttributes(p, wanted)
}

// moreAttributes reads the rest of a tag's attributes, from p on: see attributes. It has one case for each state of
// HTML 13.2.5.32 to 40, in one function because every attribute of a page needs it.
//
//gocognit:ignore
func (s *scanner) moreAttributes(p int, wanted attrSet) int {
	src := s.src
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
		a := attribute{start: p, end: p, quoting: attr.Bare}
		nameEnd := p
		id := lookupAttribute(src, name, p)

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
				a.start, a.quoting = p+1, attr.Double
				if c == '\'' {
					a.quoting = attr.Single
				}
				p = ascii.Next(src, p+1, c)
				a.end = p
				if p >= len(src) {
					return -1
				}
				p++
			case '>':
				a.start, a.end, a.quoting = p, p, attr.Empty
			default:
				a.start, a.quoting = p, attr.Unquoted
				for p < len(src) && class[src[p]]&endsUnquoted == 0 {
					p++
				}
				a.end = p
			}
		}
		if id >= 0 && wanted>>id&1 != 0 {
			wanted &^= 1 << id // the first of duplicates wins
			a.id = uint8(id)
			s.attrs[s.count] = a
			s.count++
		} else if s.adding != nil {
			s.add(src[name:nameEnd], id, a)
		}
	}
}

// attr returns an attribute of the current tag, which must have been wanted when the tag was read.
func (s *scanner) attr(id uint8) (attribute, bool) {
	for _, a := range s.attrs[:s.count] {
		if a.id == id {
			return a, true
		}
	}
	return attribute{}, false
}

// isUnread reports whether an attribute of a custom element may be a link that nobody added.
func (s *scanner) isUnread(a attribute) bool {
	return customLinks>>a.id&1 != 0 && (s.adding == nil || s.addedAs(a) == noLink)
}

// text returns the decoded value of an attribute, or nil. It is for keywords; links are decoded by the engine.
func (s *scanner) text(id uint8) []byte {
	a, ok := s.attr(id)
	if !ok {
		return nil
	}
	text, _ := a.quoting.Text().Decode(s.src[a.start:a.end])
	return text
}

var (
	noscriptPlace = &mark.Place{Name: "noscript"}
	stylePlace    = &mark.Place{Name: "style"}
)

// raw marks the links in the raw text of an element (HTML 13.2.6.2), which begins at p, and returns its end.
func (s *scanner) raw(e *element, p int) int {
	end := e.contentEnd(s.src, p)
	switch e.raw {
	case rawScript:
		if s.evident() {
			s.replayed(p, end)
		}
		if s.count > 0 && end < len(s.src) { // a script without an end tag is not prepared (HTML 13.2.6.4.8)
			s.scriptData(p, end)
		}
	case rawStyle:
		if s.isCSS() {
			s.m.Inline(s.scope, stylePlace, p, end, codec.Identity, css.Format)
			s.m.Allowed(s.src, p, end, codec.Identity)
		}
	case rawNoscript:
		if ascii.Next(s.src[:end], p, '<') < end {
			s.m.Nested(s.scope, noscriptPlace, p, end, codec.Identity, s.inner)
		}
	}
	return end
}

// contentEnd returns the end of the raw text that begins at p, or p if the element has none.
func (e *element) contentEnd(src []byte, p int) int {
	switch e.raw {
	case notRaw:
		return p
	case rawPlaintext:
		return len(src)
	case rawScript:
		return scriptEnd(src, p)
	}
	return rawEnd(src, p, e.name)
}

// isCSS reports whether the current style element contains CSS (HTML 4.2.6, "update a style block").
func (s *scanner) isCSS() bool {
	t := s.text(attrType)
	return len(t) == 0 || ascii.FoldEqual(t, "text/css")
}

// commentEnd returns the offset after a comment (HTML 13.2.5.43 to 51), whose "<!--" ends at p.
func commentEnd(src []byte, p int) int {
	if rest := src[p:]; len(rest) > 0 && rest[0] == '>' {
		return p + 1
	} else if len(rest) > 1 && rest[0] == '-' && rest[1] == '>' {
		return p + 2
	}
	for {
		i := bytes.Index(src[p:], []byte("--"))
		if i < 0 {
			return len(src)
		}
		p += i + 2
		switch rest := src[p:]; {
		case len(rest) > 0 && rest[0] == '>':
			return p + 1
		case len(rest) > 1 && rest[0] == '!' && rest[1] == '>':
			return p + 2
		}
		p-- // in "--->", the second and third dash close the comment
	}
}

// rawEnd returns the offset of the first end tag with this name, or len(src).
func rawEnd(src []byte, p int, name string) int {
	for ; ; p++ {
		if p = ascii.Next(src, p, '<'); p >= len(src) {
			return len(src)
		}
		if p+1 < len(src) && src[p+1] == '/' && isTag(src, p+2, name) {
			return p
		}
	}
}

// isTag reports whether the tag name at p is name.
func isTag(src []byte, p int, name string) bool {
	end := p + len(name)
	return end < len(src) && class[src[end]]&endsName != 0 && ascii.FoldEqual(src[p:end], name)
}

// scriptEnd returns the offset of the end tag of the script whose text begins at p, or len(src). After "<!-- <script",
// the next "</script" does not end the script unless a "-->" comes before it (HTML 13.2.5.15 to 31).
func scriptEnd(src []byte, p int) int {
	for ; ; p++ {
		if p = ascii.Next(src, p, '<'); p >= len(src) {
			return len(src)
		}
		switch rest := src[p+1:]; {
		case len(rest) == 0:
			return len(src)
		case rest[0] == '/' && isTag(src, p+2, "script"):
			return p
		case bytes.HasPrefix(rest, []byte("!--")):
			var closed bool
			if p, closed = escapedEnd(src, p+2); closed {
				return p
			}
			p--
		}
	}
}

// escapedEnd reads a script in the escaped states, from the dashes of its "<!--" on. It returns the offset of the end
// tag and true, or the offset after "-->" and false.
func escapedEnd(src []byte, p int) (int, bool) {
	double := false
	for dashes := 0; p < len(src); p++ {
		switch c := src[p]; {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			return p + 1, false
		case c != '<':
		case double:
			if p+1 < len(src) && src[p+1] == '/' && isTag(src, p+2, "script") {
				double = false
			}
		case isTag(src, p+1, "script"):
			double = true
		case p+1 < len(src) && src[p+1] == '/' && isTag(src, p+2, "script"):
			return p, true
		}
		dashes = 0
	}
	return len(src), true
}
