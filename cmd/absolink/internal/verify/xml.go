// XML, XHTML, SVG and feeds, read by encoding/xml.

package verify

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Namespaces whose elements have the links of HTML.
const (
	nsXHTML  = "http://www.w3.org/1999/xhtml"
	nsSVG    = "http://www.w3.org/2000/svg"
	nsMathML = "http://www.w3.org/1998/Math/MathML"
)

const nsXSLT = "http://www.w3.org/1999/XSL/Transform"

// The names of attributes and elements in other namespaces that are links, and of elements that are HTML.
const (
	xmlAttributes = " href src url uri xmlUrl htmlUrl about resource datatype type info itemid base fileref img " +
		"image source template "
	xmlLinks = " link id icon logo uri url comments docs guid new-feed-url comment commentRss commentRSS " +
		"origLink origEnclosureLink license ping about releaseNotesLink fullReleaseNotesLink ownerId loc " +
		"thumbnail_loc content_loc player_loc gallery_loc location info image attachment_url base_site_url " +
		"base_blog_url comment_author_url Image SearchForm "
	xmlPages = " description encoded content summary title subtitle rights tagline info copyright text " +
		"comment_content comment environment customfieldvalue "
	atomTexts = " content summary title subtitle rights tagline info copyright "
)

type xmlReader struct {
	*page
	stack  []element
	d      *xml.Decoder
	at     int
	raw    []byte // the token
	rooted bool   // the root element has begun
	style  bool   // the document is an XSLT stylesheet, whose other elements are the text of another document
	mixed  bool   // an element that is a page has elements, too
}

type element struct {
	name   xml.Name
	tag    *token
	scope  *scope
	raw    string // the name with its prefix
	text   strings.Builder
	mixed  bool            // it has elements, too
	markup strings.Builder // the comments and processing instructions in its text
	at     span            // of its text
}

func parseXML(k *checker, e *entity, src []byte) *reading {
	x := &xmlReader{page: &page{reading: &reading{src: src}, checker: k, e: e, l: &lexer{}},
		d: xml.NewDecoder(bytes.NewReader(src))}
	x.d.Strict = false // so that it reads a bare "&" as text
	x.d.Entity, x.d.CharsetReader = xml.HTMLEntity, func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	x.stack = []element{{}}
	for {
		x.at = int(x.d.InputOffset())
		token, err := x.d.Token()
		x.raw = src[x.at:int(x.d.InputOffset())]
		if err != nil || x.isInvented(token) {
			if err != io.EOF {
				x.failed = "encoding/xml cannot read the document to its end"
			}
			if x.end(); x.failed != "" {
				x.scope = &scope{outer: x.scope, unsure: true} // the rest may declare another base
			}
			return x.reading
		}
		x.token(token)
	}
}

// isInvented reports whether a token is not well-formed in a way that readers repair differently: an end tag that is
// missing, a second root, a base with an unknown entity, an attribute that occurs twice, has no value, or follows
// another directly.
func (x *xmlReader) isInvented(token xml.Token) bool {
	switch t := token.(type) {
	case xml.EndElement:
		name, closes := bytes.CutPrefix(x.raw, []byte("</"))
		return closes && string(elementName().Find(name)) != x.top().raw ||
			!closes && !bytes.HasSuffix(x.src[:x.at], []byte("/>"))
	case xml.StartElement:
		names := map[xml.Name]bool{}
		for _, a := range t.Attr {
			names[a.Name] = true
		}
		second := len(x.stack) == 1 && x.rooted
		x.rooted = true
		return second || oddBase().Match(x.raw) || len(names) < len(t.Attr) || !startTag().Match(x.raw)
	case xml.Directive:
		return x.rooted
	}
	return false
}

func (x *xmlReader) top() *element { return &x.stack[len(x.stack)-1] }

func (x *xmlReader) token(token xml.Token) {
	in := x.top()
	switch t := token.(type) {
	case xml.StartElement:
		in.mixed = true
		x.flush()
		x.start(t.Copy())
	case xml.EndElement:
		x.flush()
		if n := len(x.spots); n > 0 && x.spots[n-1].tag.end > 0 && in.tag != nil &&
			x.spots[n-1].tag.start == in.tag.at {
			x.spots[n-1].tag.end = x.at + len(x.raw)
		}
		x.stack = x.stack[:len(x.stack)-1]
	case xml.CharData:
		if in.text.Len() == 0 && in.markup.Len() == 0 {
			in.at.start = x.at
		}
		in.text.Write(t)
		in.at.end = x.at + len(x.raw)
	case xml.Comment:
		if x.style || !isHTMLLike(x.stack[min(1, len(x.stack)-1)].name.Space) || x.textKind(in, "") != kindNone ||
			!x.conditional(x.at, x.raw) {
			x.comments = append(x.comments, span{x.at, x.at + len(x.raw)})
		}
		if in.text.Len() > 0 {
			in.markup.Write(x.raw)
		}
	case xml.ProcInst:
		if m := instructed().FindSubmatchIndex(x.raw); t.Target == "xml-stylesheet" && m != nil && !x.rooted {
			raw := string(x.raw[m[2]:m[3]])
			s := spot{what: t.Target, start: x.at + m[2], text: strings.ReplaceAll(raw, "&amp;", "&"), outside: true,
				plain: plainSpelling([]byte(raw)) && !strings.ContainsAny(raw, "\t\r\n") &&
					x.raw[m[2]-1] == x.raw[m[3]] && plainInstruction().Match(x.raw)}
			x.add(s, raw, refsIn(kindURL, &s))
		}
		if in.text.Len() > 0 {
			in.markup.Write(x.raw)
		}
	}
}

var oddBase = pattern(`xml:base\s*=\s*["'][^"']*&[^a#]`)

var startTag = pattern(`^<[^\s/>]+(?:\s+[^\s=<>"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*/?>$`)

var plainInstruction = pattern(`^<\?\S+(?:\s+\w+=(?:"[^"]*"|'[^']*'))*\s*\?>$`)

var instructed = pattern(`(?s)^<\?xml-stylesheet(?:\s.*?)??\shref\s*=\s*["']([^"']*)["']`)

func (x *xmlReader) start(t xml.StartElement) {
	outer := x.top().scope
	if len(x.stack) == 1 {
		x.style = t.Name.Space == nsXSLT || slices.ContainsFunc(t.Attr, func(a xml.Attr) bool { // XSLT 1.0, 2.2 and 2.3
			return a.Name == xml.Name{Space: nsXSLT, Local: "version"}
		})
	}
	if x.isMade(t.Name) {
		x.stack = append(x.stack, element{name: t.Name, scope: outer})
		return
	}
	in := element{name: t.Name, tag: &token{name: t.Name.Local, at: x.at, raw: x.raw}, scope: outer}
	in.raw = string(elementName().Find(x.raw[1:]))
	values := valuesIn(x.raw, nil)
	if len(values) != len(t.Attr) {
		values = make([]span, len(t.Attr))
	}
	for i, a := range t.Attr {
		if raw := x.raw[values[i].start:values[i].end]; bytes.ContainsAny(raw, "\t\r\n") &&
			!bytes.Contains(raw, []byte("&#")) {
			t.Attr[i].Value = lineSpaces.Replace(a.Value)
		}
		in.tag.attrs = append(in.tag.attrs, html.Attribute{Key: a.Name.Local, Val: t.Attr[i].Value})
		if isXMLBase(a.Name) &&
			(x.Standard != "whatwg" || len(x.stack) == 1 && !isHTMLLike(t.Name.Space) ||
				len(x.stack) > 1 && !isHTMLLike(x.stack[1].name.Space)) {
			in.scope = &scope{outer: outer, decl: t.Attr[i].Value, unsure: x.Standard == "whatwg" &&
				(t.Name.Space == "" || !knownSpace().MatchString(t.Name.Space))}
		}
	}
	x.stack = append(x.stack, in)
	if x.skipped = 0; x.stack[1].name != (xml.Name{Space: nsXHTML, Local: "html"}) {
		x.skipped = 1
	}
	quoted := !slices.ContainsFunc(values, func(v span) bool {
		return v.start == 0 || x.raw[v.start-1] != x.raw[v.end]
	})
	for i, a := range t.Attr {
		if values[i].start > 0 {
			x.xmlAttribute(a, values[i], quoted, outer)
		}
	}
}

// xmlAttribute reads an attribute of the top element, whose value is at v. outer is the scope of an xml:base.
func (x *xmlReader) xmlAttribute(a xml.Attr, v span, quoted bool, outer *scope) {
	in, raw, key, kind := x.top(), string(x.raw[v.start:v.end]), a.Name.Local, kindNone
	tag, isHTML := in.name.Local, in.name.Space == nsXHTML
	s := spot{what: in.raw + "@" + nameBefore(x.raw[:v.start]), start: x.at + v.start, text: a.Value, scope: in.scope}
	s.plain = quoted && plainSpelling([]byte(raw))
	switch {
	case isXMLBase(a.Name):
		s.scope, s.declares = outer, true
		x.add(s, raw, refsIn(kindURL, &s))
	case !isHTMLLike(in.name.Space):
		s.loose = key != "href" || a.Name.Space != "" || !x.isAtom(in.name.Space)
		if kind = x.added(s.what); strings.Contains(xmlAttributes, " "+key+" ") {
			kind = kindURL
		} else if key == "srcset" {
			kind = kindSrcset
		}
		x.add(s, raw, refsIn(kind, &s))
		return
	case !isHTML && (tag == "meta" || tag == "param"):
	case a.Name.Space != "":
		kind = cmp.Or(x.kindOf(tag, "xlink:"+key, in.tag.get), x.added(s.what))
	default:
		kind = cmp.Or(x.kindOf(tag, key, in.tag.get), x.added(s.what))
	}
	if isHTML && a.Name.Space == "" && x.isNoLink(kind, tag, key) {
		x.comments = append(x.comments, span{s.start, s.start + len(raw)})
		return
	}
	if (!isHTML || tag == "image") && onlyHTML(key, kind) {
		kind = kindAny
	}
	if kind == kindBase && slices.ContainsFunc(x.stack, element.isTemplate) {
		x.skipped = 1
	}
	if kind != kindNone && (!isHTML || kind != kindCSS || key == "style") {
		x.attribute(in.tag, key, kind, s, raw)
	}
}

func (e element) isTemplate() bool { return e.name == xml.Name{Space: nsXHTML, Local: "template"} }

// isMade reports whether an element is one that a stylesheet makes.
func (x *xmlReader) isMade(name xml.Name) bool { return x.style && name.Space != nsXSLT }

// nameBefore returns the name of the attribute whose value follows the start of a tag.
func nameBefore(tag []byte) string {
	tag = bytes.TrimRight(tag, `"'=`+blanks)
	return string(tag[bytes.LastIndexAny(tag, blanks)+1:])
}

var elementName = pattern(`^[^\s/>]*`)

// lineSpaces makes spaces of the white space in an attribute (XML, 3.3.3), which encoding/xml does not.
var lineSpaces = strings.NewReplacer("\r\n", " ", "\t", " ", "\r", " ", "\n", " ")

func isXMLBase(n xml.Name) bool {
	return n.Local == "base" && (n.Space == "xml" || n.Space == "http://www.w3.org/XML/1998/namespace")
}

func isHTMLLike(space string) bool { return space == nsXHTML || space == nsSVG || space == nsMathML }

func (x *xmlReader) flush() {
	in := x.top()
	whole := !in.mixed && len(x.stack) > 2 && isFeed().MatchString(x.stack[1].name.Local) && known(x.stack[1]) &&
		known(*in) &&
		(!x.isAtom(in.name.Space) || strings.Contains(atomTexts, " "+in.name.Local+" "))
	raw := string(x.src[in.at.start:in.at.end])
	s := spot{what: in.raw, start: in.at.start, end: in.at.end, text: in.text.String(), scope: in.scope,
		content: &content{markup: in.markup.String()}}
	s.plain = whole && s.markup == "" && plainSpelling([]byte(raw))
	in.text.Reset()
	in.markup.Reset()
	in.at = span{}
	switch kind := x.textKind(in, s.text); {
	case s.text == "" || kind == kindNone:
	case kind == kindPage:
		x.mixed = x.mixed || in.mixed
		s.kind, s.what, s.in, s.plain, s.body = isNested, x.number(s.what), "text/html; charset=utf-8", whole &&
			s.markup == "" && !x.mixed &&
			(strings.Contains(raw, "<![") || !namedRef().MatchString(quotedRefs().ReplaceAllString(raw,
				""))), []byte(s.text)
		if in.tag.get("mode") == "base64" {
			s.body, _ = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s.text), ""))
		}
		x.spots = append(x.spots, s)
	default:
		s.loose = kind == kindURL &&
			(strings.TrimSpace(s.text) == "" || in.raw != "link" && in.raw != "comments" || x.stack[1].raw != "rss")
		x.add(s, raw, refsIn(kind, &s))
	}
}

// known reports whether the namespace of an element is one that readers may know.
func known(in element) bool {
	return knownSpace().MatchString(in.name.Space) && (in.name.Space != "" || !strings.Contains(in.raw, ":"))
}

var knownSpace = pattern(`^(?:|http://www\.w3\.org/(?:2005/Atom|1999/02/22-rdf-syntax-ns#)|` +
	`http://purl\.org/(?:atom/ns#|rss/1\.0/(?:modules/content/)?)|` +
	`http://wordpress\.org/export/1\.\d/(?:excerpt/)?|http://search\.yahoo\.com/mrss/|media)$`)

var namedRef = pattern(`&[A-Za-z]`) // which not every reader knows

var isFeed = pattern(`^(?i:rss|feed|RDF|channel)$`)

// textKind returns the grammar of the text of an element. Atom has text constructs (RFC 4287, 3.1 and 4.1.3; Atom 0.3
// has a mode).
func (x *xmlReader) textKind(in *element, text string) kindOfValue {
	name := " " + in.name.Local + " "
	switch {
	case len(x.stack) < 2, x.isMade(in.name):
	case isHTMLLike(in.name.Space):
		if in.name.Local == "style" {
			return kindCSS
		}
		if in.name.Local == "script" && x.isLinkedJSON(in.tag.get("type")) {
			return kindJSON
		}
	case x.isAtom(in.name.Space) && strings.Contains(atomTexts, name):
		mediaType, _, _ := strings.Cut(strings.ToLower(in.tag.get("type")), ";")
		mode := in.tag.get("mode")
		switch strings.TrimSpace(mediaType) {
		case "html", "text/html":
			return kindPage
		case "application/xhtml+xml":
			if mode == "escaped" || mode == "base64" {
				return kindPage
			}
		}
	case name == " text " && in.tag.get("type") != "html" && !x.isAtom(in.name.Space): // of Media RSS
	case strings.Contains(xmlPages, name) && strings.Contains(text, "<"):
		return kindPage
	case strings.Contains(xmlLinks, name), x.added(in.raw) != kindNone:
		return kindURL
	}
	return kindNone
}

// isAtom reports whether a namespace is that of Atom, which a feed without a namespace is taken for.
func (x *xmlReader) isAtom(space string) bool {
	return space == "http://www.w3.org/2005/Atom" || space == "http://purl.org/atom/ns#" || space == "atom" ||
		space == "" && x.stack[1].name.Local == "feed"
}
