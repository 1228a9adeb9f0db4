package verify

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// page compares two versions of a page: their tokens byte by byte, and their trees.
type page struct {
	*checker
	entity
	outer    bases                // the bases around the page
	hasScope bool                 // an attribute xml:base may be in the page
	scopes   []scope              // the open elements of SVG and MathML
	changed  map[string]attribute // by the old and the new value: the changed attributes in the trees that the tokens have not approved
}

// scope is an open element of SVG or MathML, with the bases in it.
type scope struct {
	name  string
	bases bases
}

// page compares two HTML documents.
func (k *checker) page(e entity) *Difference {
	p := &page{checker: k, entity: e, outer: e.bases, changed: map[string]attribute{}}
	if why := p.decode(); why != "" {
		return k.unable(e.path, why)
	}
	parse := func(src []byte) (*html.Node, error) { return html.Parse(bytes.NewReader(src)) }
	before, after, d, ok := both(k, p.entity, "x/net/html", "page", parse)
	if !ok {
		return d
	}
	p.outer.old, p.outer.new = p.retrieval(before, p.outer.old), p.retrieval(after, p.outer.new)
	p.declared.old, p.declared.new = p.retrieval(before, p.declared.old), p.retrieval(after, p.declared.new)
	p.entity.bases = bases{p.baseOf(before, p.outer.old), p.baseOf(after, p.outer.new)}
	if without, cut := p.withoutBase(); cut {
		p.entity.old = without
		var err error
		if before, err = parse(without); err != nil {
			return k.unable(e.path, "x/net/html cannot read the page", err.Error())
		}
	}
	// The trees come first, because they are garbage when tokens compares the documents in the page: each collection of the garbage
	// of these documents would visit the trees.
	d = p.trees(before, after)
	return cmp.Or(p.tokens(), d, p.unapproved())
}

// withoutBase returns the old version without BASE elements, if the rewriting has removed them.
func (p *page) withoutBase() (without []byte, cut bool) {
	if p.Base != "remove" {
		return nil, false
	}
	count := func(src []byte) (n int) {
		l := newLexer(src)
		for l.next(); l.kind != html.ErrorToken; l.next() {
			if l.name == "base" && l.kind != html.EndTagToken && l.has("href") {
				n++
			} else {
				without = append(without, l.raw...)
			}
		}
		without = append(without, l.raw...)
		return n
	}
	left := count(p.entity.new)
	without = nil
	cut = count(p.entity.old) > 0 && left == 0
	return without, cut
}

// fragment compares two texts that are read as HTML, with the bases of the page around them.
func (k *checker) fragment(e entity) *Difference {
	p := &page{checker: k, entity: e, outer: e.bases}
	return p.tokens()
}

// decode decodes both versions if their charset has ASCII characters in other bytes. It returns a reason if it cannot.
func (p *page) decode() (why string) {
	kind := "text/html"
	if p.charset != "" {
		kind += "; charset=" + p.charset
	}
	head := p.entity.old[:min(len(p.entity.old), 1024)]
	enc, name, certain := charset.DetermineEncoding(head, kind)
	p.legacy = p.legacy || name != "utf-8" && (certain || !utf8.Valid(p.entity.old) || ascii(string(p.entity.old)) || isLabelled(head))
	if name != "utf-16le" && name != "utf-16be" && name != "iso-2022-jp" {
		return ""
	}
	var err, err2 error
	p.entity.old, err = enc.NewDecoder().Bytes(p.entity.old)
	p.entity.new, err2 = enc.NewDecoder().Bytes(p.entity.new)
	if err != nil || err2 != nil {
		return "the charset cannot be decoded"
	}
	p.legacy = false
	return ""
}

// isLabelled reports whether a META element labels a page with another charset than UTF-8. With a letter of UTF-8 as the only one
// that is not ASCII, a page without a label is in UTF-8.
func isLabelled(head []byte) bool {
	_, name, _ := charset.DetermineEncoding([]byte(likeness(string(head[:min(len(head), 1000)]))+"é."), "")
	return name != "utf-8"
}

// tokens compares the tokens of both versions.
func (p *page) tokens() *Difference {
	p.hasScope = p.Standard != "whatwg" && bytes.Contains(p.entity.old, []byte("xml:base"))
	a, b := newLexer(p.entity.old), newLexer(p.entity.new)
	inside := &lexer{} // the last start tag
	for {
		a.next()
		b.next()
		if d := p.token(inside, a, b); d != nil {
			return d
		}
		if a.kind == html.ErrorToken {
			return nil
		}
		if a.kind == html.EndTagToken {
			p.leave(a)
		}
		if a.kind != html.TextToken {
			inside = &lexer{name: a.name, attrs: a.attrs, kind: a.kind}
		}
	}
}

// token compares one token of each version. inside is the start tag before them.
func (p *page) token(inside, a, b *lexer) *Difference {
	switch {
	case a.kind == html.ErrorToken && a.z.Err() != io.EOF:
		return p.unable(p.path, "x/net/html cannot read the page")
	case a.kind == html.StartTagToken || a.kind == html.SelfClosingTagToken:
		return p.tag(a, b, p.enter(a, b))
	case a.kind == html.TextToken && b.kind == html.TextToken && (!bytes.Equal(a.raw, b.raw) || p.moved() && inside.hasLinks()):
		return p.text(inside, a, b)
	case a.kind == b.kind && bytes.Equal(a.raw, b.raw):
		return nil
	}
	return p.differText(string(a.raw), string(b.raw), a.at, b.at, "the "+a.kind.String()+" token changed")
}

// moved reports whether the base in force is another one in the new version. Then also the links that did not change are checked.
func (p *page) moved() bool {
	in := p.current()
	return in.old != in.new
}

// hasLinks reports whether the text of an element has links.
func (l *lexer) hasLinks() bool {
	return l.kind == html.StartTagToken && (l.name == "style" || l.name == "noscript" || l.name == "script" && l.isRules())
}

// isRules reports whether a script element is an import map or has speculation rules.
func (l *lexer) isRules() bool {
	kind := strings.ToLower(strings.TrimSpace(l.get("type")))
	return kind == "importmap" || kind == "speculationrules"
}

// current returns the bases in force: those of xml:base in SVG and MathML, or else those of the page.
func (p *page) current() bases {
	if n := len(p.scopes); n > 0 {
		return p.scopes[n-1].bases
	}
	return p.entity.bases
}

// enter returns the bases in the element of a start tag. In SVG and MathML it opens the element.
func (p *page) enter(a, b *lexer) bases {
	in := p.current()
	if len(a.open) == 0 {
		p.scopes = nil
		return p.entity.bases
	}
	if p.Standard != "whatwg" {
		in = bases{p.under(a.get("xml:base"), in.old), p.under(b.get("xml:base"), in.new)}
	}
	if a.kind == html.StartTagToken {
		p.scopes = append(p.scopes, scope{a.name, in})
	}
	return in
}

// around returns the bases around the element of a start tag that was entered.
func (p *page) around(a *lexer) bases {
	n := len(p.scopes)
	if a.kind == html.StartTagToken {
		n--
	}
	if n > 0 {
		return p.scopes[n-1].bases
	}
	return p.entity.bases
}

// leave closes the innermost open element of the name of an end tag.
func (p *page) leave(a *lexer) {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if p.scopes[i].name == a.name {
			p.scopes = p.scopes[:i]
			return
		}
	}
}

// tag compares two start tags. in are the bases in the element.
func (p *page) tag(a, b *lexer, in bases) *Difference {
	moved := in.old != in.new
	if bytes.Equal(a.raw, b.raw) && !moved {
		return nil
	}
	if a.name == "base" && p.emptied(a, b) {
		return nil
	}
	old, new := firstValuesIn(a.raw), firstValuesIn(b.raw)
	if len(old) != len(a.attrs) || a.kind != b.kind || a.name != b.name || len(a.attrs) != len(b.attrs) || len(new) != len(old) {
		if bytes.Equal(a.raw, b.raw) {
			return nil
		}
		return p.differText(string(a.raw), string(b.raw), a.at, b.at, "the tag "+a.name+" changed")
	}
	if x, y := outside(a.raw, old), outside(b.raw, new); x != y {
		return p.differText(string(a.raw), string(b.raw), a.at, b.at, "the tag "+a.name+" changed outside its attribute values")
	}
	for i, attr := range a.attrs {
		x, y := a.raw[old[i].start:old[i].end], b.raw[new[i].start:new[i].end]
		v := value{entity: &p.entity, what: a.name + "@" + attr.Key, old: attr.Val, new: b.attrs[i].Val, bases: in,
			atOld: a.at + old[i].start, atNew: b.at + new[i].start}
		switch same := bytes.Equal(x, y); {
		case same && !moved:
			continue
		case v.old == v.new && !same:
			return p.differText(string(x), string(y), v.atOld, v.atNew, "another spelling of "+v.what)
		}
		if attr.Key == "xml:base" {
			v.bases = p.around(a)
		}
		n := len(a.open)
		v.scoped = n > 0 && a.open[n-1] != "svg" && a.open[n-1] != "math" && p.hasScope
		if d := p.attribute(a, attr.Key, v); d != nil {
			return d
		}
		if v.old != v.new {
			p.approve(v.old, v.new)
		}
	}
	return nil
}

// emptied reports whether the href of a BASE element is empty now, as --base empty writes it, and nothing else changed.
func (p *page) emptied(a, b *lexer) bool {
	if p.Base != "empty" || b.get("href") != "" || len(a.attrs) != len(b.attrs) {
		return false
	}
	for i, attr := range a.attrs {
		if attr != b.attrs[i] && attr.Key != "href" || attr.Key != b.attrs[i].Key {
			return false
		}
	}
	p.approve(a.get("href"), "")
	return true
}

// approve records a change that the tokens have shown to be right.
func (p *page) approve(old, new string) { delete(p.changed, old+"\x00"+new) }

// attribute compares the values of an attribute, by its kind.
func (p *page) attribute(tag *lexer, key string, v value) *Difference {
	get := tag.get
	switch kindOf(tag.name, key, get, p.Extended) {
	case kindURL:
		p.baseFor(tag.name, key, get, &v)
		return p.link(v)
	case kindBase:
		return p.base(key, v)
	case kindList:
		p.baseFor(tag.name, key, get, &v)
		return p.list(v, " \t\n\f\r")
	case kindCommas:
		p.baseFor(tag.name, key, get, &v)
		return p.list(v, ", \t\n\f\r")
	case kindSrcset:
		return p.srcset(v)
	case kindRefresh:
		return p.refresh(v)
	case kindHeader:
		return p.bracketed(v)
	case kindCSS:
		return p.css(v)
	case kindPage:
		e := p.inner(v.what, "text/html; charset=utf-8", []byte(v.old), []byte(v.new), v.bases)
		e.legacy = p.legacy
		return p.checker.check(e)
	}
	if v.old == v.new {
		return nil
	}
	return p.differText(v.old, v.new, v.atOld, v.atNew, v.what+" changed, and it is not a link")
}

// base compares the values of a declared base. It is resolved against the base that would be in force without --override-base,
// or else against that base.
func (p *page) base(key string, v value) *Difference {
	compare := p.link
	if key == "content" {
		compare = p.bracketed
	}
	v.bases = p.declared
	d := compare(v)
	if d == nil || p.Override == "" {
		return d
	}
	v.bases = p.outer
	if d = compare(v); d != nil && p.path != "" {
		return p.unable(p.path, "--override-base hides the base of the embedded document")
	}
	return d
}

// baseFor sets the bases of attributes that do not use the base of the page.
func (p *page) baseFor(tag, key string, get func(string) string, v *value) {
	whatwg := p.Standard == "whatwg"
	switch {
	case tag == "html" && key == "manifest":
		v.bases = p.outer
	case whatwg && strings.HasSuffix(key, "action") && v.old == "":
		v.bases, v.whole = p.declared, true
	case !whatwg && (tag == "object" || tag == "applet") && slices.Contains([]string{"classid", "data", "archive", "code", "object"}, key):
		v.bases.old, v.bases.new = p.under(get("codebase"), v.bases.old), p.under(get("codebase"), v.bases.new)
	}
}

// text compares two text tokens. inside is the start tag before them.
func (p *page) text(inside, a, b *lexer) *Difference {
	v := value{entity: &p.entity, what: inside.name, old: string(a.raw), new: string(b.raw), bases: p.current(), atOld: a.at, atNew: b.at}
	if inside.kind == html.StartTagToken {
		switch inside.name {
		case "style":
			if a.foreign() && !bytes.HasPrefix(a.raw, []byte("<![CDATA[")) {
				v.old, v.new = html.UnescapeString(v.old), html.UnescapeString(v.new)
			}
			return p.css(v)
		case "noscript":
			e := p.inner("noscript", "text/html", a.raw, b.raw, p.entity.bases)
			e.legacy = p.legacy
			return p.fragment(e)
		case "script":
			if inside.isRules() {
				return p.json(v)
			}
		}
	}
	return p.differText(v.old, v.new, a.at, b.at, "text changed")
}
