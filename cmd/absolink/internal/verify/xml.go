package verify

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"io"
	"strings"
)

// Namespaces whose elements have the links of HTML.
const (
	nsXHTML  = "http://www.w3.org/1999/xhtml"
	nsSVG    = "http://www.w3.org/2000/svg"
	nsMathML = "http://www.w3.org/1998/Math/MathML"
)

// The names of attributes and elements that are links in other namespaces, and of elements that are HTML.
const (
	xmlAttributes = " href src url uri xmlUrl htmlUrl about resource datatype type info itemid base "
	xmlLinks      = " link id icon logo uri url comments docs guid new-feed-url comment commentRss commentRSS origLink origEnclosureLink " +
		"license ping about releaseNotesLink fullReleaseNotesLink ownerId loc thumbnail_loc content_loc player_loc gallery_loc location info image "
	xmlPages = " description encoded content summary title subtitle rights tagline info copyright text "

	atomTexts = " content summary title subtitle rights tagline info copyright "
)

// xmlCheck compares the tokens of two XML documents.
type xmlCheck struct {
	*checker
	entity
	stack []xmlElement
	a, b  xmlLexer
}

// xmlElement is an open element.
type xmlElement struct {
	name     xml.Name
	attrs    []xml.Attr
	bases    bases
	old, new strings.Builder // its text so far
	at       span            // where the text starts in both versions
	differs  bool            // the bytes of the text differ
}

// xmlLexer is the tokens of one version.
type xmlLexer struct {
	src   []byte
	d     *xml.Decoder
	at    int
	token xml.Token
	raw   []byte
	err   error
}

func newXMLLexer(src []byte) xmlLexer {
	d := xml.NewDecoder(bytes.NewReader(src))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return xmlLexer{src: src, d: d}
}

// next reads the next token.
func (l *xmlLexer) next() {
	l.at = int(l.d.InputOffset())
	l.token, l.err = l.d.Token()
	l.token = xml.CopyToken(l.token)
	l.raw = l.src[l.at:int(l.d.InputOffset())]
}

// xml compares two XML documents.
func (k *checker) xml(e entity) *Difference {
	if e.bases.old.url == "" && !e.bases.old.unsure {
		e.bases = bases{base{url: e.evidence}, base{url: e.evidence}}
	}
	e.setLegacy()
	old, err := k.xmlBase(&e, e.old, e.bases.old)
	if err != nil {
		return k.unable(e.path, "encoding/xml cannot read the document", err.Error())
	}
	new, err := k.xmlBase(&e, e.new, e.bases.new)
	if err != nil {
		return e.differ(0, 0, "encoding/xml cannot read the new version: %v", err)
	}
	if k.Base == "remove" {
		without, n := withoutXMLBase(e.old)
		if _, left := withoutXMLBase(e.new); n > 0 && left == 0 {
			e.old = without
		}
	}
	x := &xmlCheck{checker: k, entity: e, a: newXMLLexer(e.old), b: newXMLLexer(e.new)}
	x.stack = []xmlElement{{bases: bases{old, new}}}
	for {
		x.a.next()
		x.b.next()
		if x.a.err != nil || x.b.err != nil {
			if x.a.err != io.EOF || x.b.err != io.EOF {
				return e.differ(x.a.at, x.b.at, "the number of XML tokens changed")
			}
			return nil
		}
		if d := x.step(); d != nil {
			return d
		}
	}
}

// isXMLBaseTag reports whether the token is a tag of a BASE element in XHTML.
func (l *xmlLexer) isXMLBaseTag() bool {
	var name xml.Name
	switch t := l.token.(type) {
	case xml.StartElement:
		name = t.Name
	case xml.EndElement:
		name = t.Name
	}
	return name.Space == nsXHTML && name.Local == "base"
}

// withoutXMLBase returns a document without BASE elements, and their number.
func withoutXMLBase(src []byte) (without []byte, n int) {
	l := newXMLLexer(src)
	for l.next(); l.err == nil; l.next() {
		if l.isXMLBaseTag() {
			n++
			continue
		}
		without = append(without, l.raw...)
	}
	return without, n
}

// xmlBase reads a document to its end, and returns the base of its BASE element in XHTML, or else the outer base.
func (k *checker) xmlBase(e *entity, src []byte, outer base) (base, error) {
	l := newXMLLexer(src)
	found := base{}
	for l.next(); l.err == nil; l.next() {
		t, ok := l.token.(xml.StartElement)
		if !ok || t.Name.Space != nsXHTML || t.Name.Local != "base" || found.url != "" || found.unsure {
			continue
		}
		for _, a := range t.Attr {
			if a.Name.Space == "" && a.Name.Local == "href" {
				found = k.declaredIn(e, a.Value, outer)
			}
		}
	}
	if l.err != io.EOF {
		return base{}, l.err
	}
	if found.url != "" || found.unsure {
		return found, nil
	}
	return outer, nil
}

// top returns the innermost open element.
func (x *xmlCheck) top() *xmlElement { return &x.stack[len(x.stack)-1] }

// step compares one token of each version.
func (x *xmlCheck) step() *Difference {
	same := bytes.Equal(x.a.raw, x.b.raw)
	switch t := x.a.token.(type) {
	case xml.StartElement:
		if d := x.text(); d != nil {
			return d
		}
		u, ok := x.b.token.(xml.StartElement)
		if !ok {
			return x.changed()
		}
		return x.start(t, u, same)
	case xml.EndElement:
		if _, ok := x.b.token.(xml.EndElement); !ok || !same {
			return x.changed()
		}
		d := x.text()
		x.stack = x.stack[:len(x.stack)-1]
		return d
	case xml.CharData:
		u, ok := x.b.token.(xml.CharData)
		if !ok {
			return x.changed()
		}
		in := x.top()
		if in.old.Len() == 0 {
			in.at = span{x.a.at, x.b.at}
		}
		in.old.Write(t)
		in.new.Write(u)
		in.differs = in.differs || !same
		return nil
	case xml.ProcInst:
		if same {
			return nil
		}
		return x.instruction(t)
	}
	if !same {
		return x.changed()
	}
	return nil
}

// changed returns the difference between the current tokens.
func (x *xmlCheck) changed() *Difference {
	return x.differText(string(x.a.raw), string(x.b.raw), x.a.at, x.b.at, "an XML token changed")
}

var instructed = pattern(`(?s)^(.*\shref\s*=\s*["'])([^"']*)(["'].*)$`)

// instruction compares the instructions xml-stylesheet.
func (x *xmlCheck) instruction(t xml.ProcInst) *Difference {
	a, b := instructed().FindStringSubmatch(string(x.a.raw)), instructed().FindStringSubmatch(string(x.b.raw))
	if t.Target != "xml-stylesheet" || a == nil || b == nil || a[1] != b[1] || a[3] != b[3] {
		return x.changed()
	}
	old, new := strings.ReplaceAll(a[2], "&amp;", "&"), strings.ReplaceAll(b[2], "&amp;", "&")
	return x.link(value{entity: &x.entity, what: t.Target, old: old, new: new, bases: x.entity.bases, atOld: x.a.at, atNew: x.b.at})
}

// start compares two start tags, and opens the element.
func (x *xmlCheck) start(t, u xml.StartElement, same bool) *Difference {
	outer := x.top().bases
	inner := bases{x.xmlScope(t, outer.old), x.xmlScope(u, outer.new)}
	x.stack = append(x.stack, xmlElement{name: t.Name, attrs: t.Attr, bases: inner})
	if same && inner.old == inner.new {
		return nil
	}
	old, new := valuesIn(x.a.raw), valuesIn(x.b.raw)
	if t.Name != u.Name || len(t.Attr) != len(u.Attr) || len(old) != len(t.Attr) || len(new) != len(old) || outside(x.a.raw, old) != outside(x.b.raw, new) {
		return x.changed()
	}
	tag := &lexer{name: t.Name.Local}
	for _, a := range t.Attr {
		tag.attrs = append(tag.attrs, htmlAttribute(a))
	}
	for i, attr := range t.Attr {
		raw, changed := x.a.raw[old[i].start:old[i].end], x.b.raw[new[i].start:new[i].end]
		v := value{entity: &x.entity, what: t.Name.Local + "@" + attr.Name.Local, old: inAttribute(raw, attr.Value), new: inAttribute(changed, u.Attr[i].Value), bases: inner,
			atOld: x.a.at + old[i].start, atNew: x.b.at + new[i].start}
		if v.old == v.new && !bytes.Equal(raw, changed) {
			return v.differText(string(raw), string(changed), v.atOld, v.atNew, "another spelling of "+v.what)
		}
		if isXMLBase(attr.Name) {
			v.bases = outer
		}
		if d := x.attribute(tag, attr.Name, v); d != nil {
			return d
		}
	}
	return nil
}

func isXMLBase(n xml.Name) bool {
	return n.Local == "base" && (n.Space == "xml" || n.Space == "http://www.w3.org/XML/1998/namespace")
}

// xmlScope returns the base in an element: that of its xml:base, or else the outer base.
func (x *xmlCheck) xmlScope(t xml.StartElement, outer base) base {
	if x.Standard == "whatwg" && isHTMLLike(t.Name.Space) {
		return outer
	}
	for _, a := range t.Attr {
		if isXMLBase(a.Name) {
			return x.declaredIn(&x.entity, a.Value, outer)
		}
	}
	return outer
}

// isHTMLLike reports whether the elements of a namespace have the links of HTML.
func isHTMLLike(space string) bool { return space == nsXHTML || space == nsSVG || space == nsMathML }

// attribute compares the values of an attribute.
func (x *xmlCheck) attribute(tag *lexer, name xml.Name, v value) *Difference {
	if !isHTMLLike(x.top().name.Space) {
		if strings.Contains(xmlAttributes, " "+name.Local+" ") {
			return x.link(v)
		}
	} else if isXMLBase(name) {
		return x.link(v)
	} else {
		key := name.Local
		if name.Space != "" {
			key = "xlink:" + key
		}
		p := &page{checker: x.checker, entity: x.entity, outer: x.entity.bases}
		p.declared = x.entity.declared
		p.entity.bases = v.bases
		return p.attribute(tag, key, v)
	}
	if v.old == v.new {
		return nil
	}
	return v.differText(v.old, v.new, v.atOld, v.atNew, v.what+" changed, and it is not a link")
}

// text compares the text of the innermost element up to here.
func (x *xmlCheck) text() *Difference {
	in := x.top()
	v := value{entity: &x.entity, what: in.name.Local, old: in.old.String(), new: in.new.String(), bases: in.bases, atOld: in.at.start, atNew: in.at.end}
	differs := in.differs
	in.old.Reset()
	in.new.Reset()
	in.differs = false
	if !differs && (v.bases.old == v.bases.new || v.old == "") {
		return nil
	}
	if v.old == v.new && differs {
		return v.differ(v.atOld, v.atNew, "another spelling of the text of %s", v.what)
	}
	switch x.textKind(in, v.old) {
	case kindCSS:
		return x.css(v)
	case kindURL:
		return x.link(v)
	case kindJSON:
		return x.json(v)
	case kindPage:
		e := x.inner(v.what, "text/html; charset=utf-8", []byte(v.old), []byte(v.new), in.bases)
		e.legacy = x.legacy
		return x.checker.check(e)
	case kindBase64:
		old, err := unbase64(v.old)
		new, err2 := unbase64(v.new)
		if err == nil && err2 == nil {
			return x.checker.check(x.inner(v.what, "text/html; charset=utf-8", old, new, in.bases))
		}
	}
	if v.old == v.new {
		return nil
	}
	return v.differText(v.old, v.new, v.atOld, v.atNew, "text changed")
}

// textKind returns the grammar of the text of an element.
func (x *xmlCheck) textKind(in *xmlElement, text string) kind {
	name := " " + in.name.Local + " "
	switch {
	case isHTMLLike(in.name.Space):
		script := lexer{}
		for _, a := range in.attrs {
			script.attrs = append(script.attrs, htmlAttribute(a))
		}
		switch {
		case in.name.Local == "style":
			return kindCSS
		case in.name.Local == "script" && script.isRules():
			return kindJSON
		}
	case x.isAtom(in.name.Space) && strings.Contains(atomTexts, name):
		return in.construct()
	case strings.Contains(xmlPages, name) && strings.Contains(text, "<"):
		return kindPage
	case strings.Contains(xmlLinks, name):
		return kindURL
	}
	return kindNone
}

// isAtom reports whether a namespace is that of Atom. A feed without a namespace is Atom, too.
func (x *xmlCheck) isAtom(space string) bool {
	switch space {
	case "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#", "atom":
		return true
	}
	return space == "" && len(x.stack) > 1 && x.stack[1].name.Local == "feed"
}

// construct returns the grammar of a text construct of Atom (RFC 4287, 3.1 and 4.1.3), and of a Content construct of Atom
// 0.3, which also has a mode.
func (in *xmlElement) construct() kind {
	var mode, mediaType string
	for _, a := range in.attrs {
		switch a.Name {
		case xml.Name{Local: "mode"}:
			mode = a.Value
		case xml.Name{Local: "type"}:
			mediaType, _, _ = strings.Cut(a.Value, ";")
		}
	}
	switch strings.ToLower(strings.TrimSpace(mediaType)) {
	case "html", "text/html":
	case "application/xhtml+xml":
		if mode != "escaped" && mode != "base64" {
			return kindNone
		}
	default:
		return kindNone
	}
	if mode == "base64" {
		return kindBase64
	}
	return kindPage
}

// unbase64 decodes base64 with white space in it.
func unbase64(s string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
}
