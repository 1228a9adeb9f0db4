// Pages, read by the tokenizer of x/net/html, and the values that have links: their grammars, and which of them are
// plain.

package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

type page struct {
	*reading
	*checker
	e             *entity
	l             *lexer
	svg           *scope // the declarations of xml:base in the open SVG or MathML
	skipped       int    // how many open elements are in aside
	meta, content string // the bases that META elements declare
}

func parsePage(k *checker, e *entity, src []byte) *reading {
	p := &page{reading: &reading{src: src}, checker: k, e: e,
		l: &lexer{src: src, z: html.NewTokenizer(bytes.NewReader(src))}}
	var last *token // the last start tag, if its text is next
	for {
		p.l.next()
		t := p.l.token
		switch t.kind {
		case html.ErrorToken:
			if p.l.z.Err() != io.EOF {
				p.failed = "x/net/html cannot read the page to its end"
			}
			p.end()
			return p.reading
		case html.StartTagToken, html.SelfClosingTagToken:
			p.tag(&t)
		case html.EndTagToken:
			p.skipped -= aside[t.name]
		case html.TextToken:
			if last != nil && (last.name != "noscript" || bytes.IndexByte(t.raw, '<') >= 0) {
				p.text(last, &t)
			}
		case html.CommentToken:
			if m := wordPressBlock().FindSubmatchIndex(t.raw); m != nil && json.Valid(t.raw[m[2]:m[3]]) {
				s := spot{what: "comment[wp]", start: t.at + m[2], text: string(t.raw[m[2]:m[3]]), plain: true,
					split: true}
				p.add(s, s.text, refsIn(kindJSON, &s))
			} else if !p.conditional(t.at, t.raw) && (plainComment().Match(t.raw) || conditional().Match(t.raw)) &&
				len(p.l.open) == 0 {
				p.comments = append(p.comments, span{t.at, t.at + len(t.raw)})
			}
		}
		if last = nil; t.kind == html.StartTagToken {
			last = &t
		}
	}
}

func (p *page) end() {
	if p.Standard != "whatwg" {
		for _, decl := range []string{p.content, p.meta} {
			if decl != "" {
				p.scope = &scope{outer: p.scope, decl: decl, unsure: p.bases > 0 || p.e.fragment}
			}
		}
	}
	for i := range p.spots {
		if s := &p.spots[i]; (s.tag.end > 0 || s.what == "html@manifest") && p.scope != nil {
			s.scope, s.outside = &scope{outer: p.scope, unsure: true}, true // a META may declare the base of the BASE
		}
	}
	if p.sole != nil && !p.e.fragment {
		p.sole.outer = p.scope
		p.sole.unsure = p.sole.unsure || p.bases > 1
		p.scope = p.sole
	}
}

// conditional adds the spot of a conditional comment that absolink reads, and reports whether it did.
func (p *page) conditional(at int, raw []byte) bool {
	m := conditional().FindSubmatchIndex(raw)
	if m == nil || !p.Extended && !p.e.mail && p.Base == "keep" && p.e.local == nil ||
		bytes.IndexByte(raw[m[2]:m[3]], '<') < 0 {
		return false
	}
	p.fragment(spot{what: "comment", start: at + m[2], plain: p.e.local == nil}, raw[m[2]:m[3]])
	return true
}

// conditional matches a conditional comment, with its content as the group.
var conditional = pattern(`(?s)^<!--\[if.*?\]>(.*)<!\[endif\].*--!?>$`)

var wordPressBlock = pattern(`(?s)^<!--\s*wp:[^{]*(\{.*\})`) // with its JSON as the group

var quotedRefs = pattern(`&(?:quot|amp|lt|gt|apos|#\d+);`)

var plainComment = pattern(`^<!--[^>-](?:-?[^-\[])*-->$`) // not a conditional one

// How programs record the URL of a saved page. Where in the page they do does not matter, because a base that is only
// recorded is not plain.
var (
	recorded = pattern(`<!--\s*(?:saved from url=\(\d+\)|Page saved with SingleFile\s+url:|` +
		`Saved from|Mirrored from)\s*([^\s>]+)|` +
		`__wm\.wombat\("([^"]+)"|<html[^>]*\sdata-scrapbook-source="([^"]+)"|` +
		`<meta\s+name="savepage-url"\s+content="([^"]+)"|` +
		`<link\s+rel="bookmark"\s+href="https?://archive\.[a-z]+/\d+/([^"]+)"|wbinfo\.url = "([^"]+)"`)
	pywb      = pattern(`^\s*(?:window\.)?wbinfo`)
	pywbURL   = pattern(`wbinfo\.url =\s*(?:decodeURI\(\s*)?["']`)
	replayed  = pattern(`wbinfo\.prefix =\s*(?:decodeURI\(\s*)?["']([a-z]+:)(//[^/"']+)([^"']*?)/?["']`)
	bookmark  = pattern(`^(https?:)(//archive\.(?:today|is|ph|fo|li|vn|md))/[\d.-]+/.`)
	canonical = pattern(`<link\s[^>]*rel="?canonical[^>]*href="?([^"\s>]+)|` +
		`<link\s[^>]*href="?([^"\s>]+)[^>]*rel="?canonical`)
)

// recordedIn returns the URL that a page records, or "". HTTrack leaves out the scheme, which may be that of a URL
// known for the page.
func (k *checker) recordedIn(src []byte, known string) string {
	var found [][][]byte
	if !k.NoEvidence || k.Canonical {
		found = recorded().FindAllSubmatch(src, 8)
	}
	if k.Canonical {
		found = append(found, canonical().FindAllSubmatch(src, 8)...)
	}
	for _, m := range found {
		url := html.UnescapeString(strings.ReplaceAll(string(bytes.Join(m[1:], nil)), `\u0026`, "&"))
		if !strings.Contains(url, "://") && strings.Contains(url, ".") {
			if url = "http://" + url; strings.HasPrefix(known, "https:") {
				url = "https" + url[len("http"):]
			}
		}
		if k.isAbsolute(url) && k.usable(url) {
			return withoutPort(url)
		}
	}
	return ""
}

// aside are the elements in which not every browser reads a BASE element.
var aside = map[string]int{"template": 1, "select": 1}

func (p *page) tag(t *token) {
	p.skipped += aside[t.name]
	if t.name == "link" && slices.Contains(strings.Fields(strings.ToLower(t.get("rel"))), "bookmark") {
		if m := bookmark().FindStringSubmatch(t.get("href")); m != nil {
			p.replays(m[1:])
		}
	}
	root := len(p.l.open) <= 1 && (t.name == "svg" || t.name == "math")
	if root || len(p.l.open) == 0 {
		p.svg = nil
	}
	around := p.svg
	if decl := t.get("xml:base"); decl != "" && p.Standard != "whatwg" && (root || len(p.l.open) > 0) {
		// where the element ends is not followed
		p.svg = &scope{outer: p.svg, decl: decl, unsure: t.name != "svg" || len(p.l.open) > 1}
	}
	values := valuesIn(t.raw, t.attrs)
	if len(values) != len(t.attrs) {
		if t.name == "base" {
			p.bases++
		}
		return
	}
	for i, attr := range t.attrs {
		p.htmlAttribute(t, attr, values[i], around)
	}
}

// htmlAttribute reads an attribute, whose value is at v in its tag. around is the scope of an xml:base.
func (p *page) htmlAttribute(t *token, attr html.Attribute, v span, around *scope) {
	kind := p.kindOf(t.name, attr.Key, t.get)
	if p.l.foreign() && onlyHTML(attr.Key, kind) {
		if kind == kindBase {
			p.bases++
		}
		kind = kindAny
	}
	if len(p.l.open) == 0 && p.isNoLink(kind, t.name, attr.Key) {
		p.comments = append(p.comments, span{t.at + v.start, t.at + v.end})
		return
	}
	styles := kind == kindCSS && attr.Key != "style" || attr.Key == "xml:base" // in SVG
	if kind == kindNone || t.name == "base" && attr.Key != "href" ||
		styles && len(p.l.open) == 0 && t.name != "svg" && t.name != "math" {
		return
	}
	s := spot{what: t.name + "@" + attr.Key, start: t.at + v.start, text: attr.Val, scope: p.svg}
	raw := t.raw[v.start:v.end]
	quoted := v.end < len(t.raw) && v.start > 0 && t.raw[v.start-1] == t.raw[v.end] &&
		strings.IndexByte("\"'", t.raw[v.end]) >= 0
	s.bare, s.plain = !quoted, quoted && plainSpelling(raw)
	switch {
	case attr.Key == "xml:base":
		s.scope, s.declares = around, true
	case kind == kindMeta && strings.EqualFold(t.get("http-equiv"), "base"):
		p.meta = cmp.Or(p.meta, unbracketed(attr.Val))
	case kind == kindMeta:
		p.content = cmp.Or(p.content, unbracketed(attr.Val))
	}
	p.attribute(t, attr.Key, kind, s, string(raw))
}

// isNoLink reports whether an attribute of an element of HTML has a name that is a link only in other elements.
func (p *page) isNoLink(kind kindOfValue, tag, key string) bool {
	return (kind == kindNone || kind == kindAny && key == "href" && p.added(tag+"@"+key) == kindNone) &&
		places[key].elements != "" && !strings.ContainsAny(tag, ":-") && tag != "svg" && tag != "math"
}

func (p *page) attribute(t *token, key string, kind kindOfValue, s spot, raw string) {
	whatwg := p.Standard == "whatwg"
	switch s.loose = kind == kindAny || strings.HasPrefix(key, "data-"); {
	case kind == kindPage:
		s.kind, s.what, s.end, s.plain, s.content = isNested, p.number(s.what), s.start+
			len(raw), !strings.Contains(quotedRefs().ReplaceAllString(raw, ""),
			"&"), &content{in: "text/html; charset=utf-8", body: []byte(s.text)}
		p.spots = append(p.spots, s)
		return
	case whatwg && kind == kindURL && s.text == "" &&
		(strings.Contains(" src poster data background ", " "+key+" ") || t.name == "link" && key == "href"):
		return // browsers ignore it
	case kind == kindBase && p.e.fragment:
		return // neither a base nor a link
	case kind == kindBase:
		p.bases++
		s.plain = s.plain && p.skipped == 0 && p.bases == 1 && s.text != "." // as saved pages have it
		s.declares, s.outside, s.content = true, true, &content{tag: span{t.at, t.at + len(t.raw)}}
		if p.sole == nil {
			p.sole = &scope{decl: s.text, unsure: p.skipped > 0 || len(p.l.open) > 0 || s.text == "." ||
				!s.plain && !plainURL(s.text) || p.e.legacy && !ascii(s.text)}
		}
	case t.name == "html" && key == "manifest" && s.text == "":
		return // nothing, or the page
	case t.name == "html" && key == "manifest":
		s.outside = true
	case whatwg && strings.HasSuffix(key, "action") && s.text == "":
		s.own, s.loose, s.outside, s.scope = true, true, true, nil
		if p.e.path != "" {
			s.scope = &scope{unsure: true} // the URL of the page, which may not be the base around it
		}
	case !whatwg && (t.name == "object" || t.name == "applet") &&
		strings.Contains(" classid data archive code object ", " "+key+" "):
		s.scope = &scope{outer: s.scope, decl: t.get("codebase")}
	}
	p.add(s, raw, refsIn(kind, &s))
}

// refsIn returns the references in a value, and adjusts how sure its reading is.
func refsIn(kind kindOfValue, s *spot) []ref {
	switch kind {
	case kindNone:
		return nil
	case kindList:
		return matches(words(), s.text)
	case kindArchive:
		s.plain = s.plain && !strings.ContainsAny(s.text, blanks)
		return matches(commaWords(), s.text)
	case kindSrcset:
		s.loose = s.loose || !plainSrcset().MatchString(s.text) // a candidate with wrong descriptors is not a link
		return matches(candidate(), s.text)
	case kindRefresh:
		s.plain = s.plain && plainRefresh().MatchString(s.text)
		return refreshedIn(s.text)
	case kindHeader:
		s.loose = s.loose || !strings.Contains(s.text, "<")
		return bracketed(s.text)
	case kindMeta:
		s.declares, s.outside = true, true
		return bracketed(s.text)
	case kindCSS:
		refs, _ := cssRefs(s.text, 0)
		// an attribute has no rules
		s.plain = s.plain && !(strings.Contains(s.what, "@") && strings.Contains(s.text, "@"))
		return refs
	case kindJSON:
		s.loose = true
		return jsonStrings(s.text)
	}
	left := strings.TrimLeft(s.text, blanks)
	start := len(s.text) - len(left)
	return []ref{refOf(s.text, start, start+len(strings.TrimRight(left, blanks)))}
}

func (p *page) text(inside, t *token) {
	s := spot{what: inside.name, start: t.at, text: string(t.raw), plain: true, split: true, scope: p.svg}
	switch inside.name {
	case "style":
		if kind := inside.get("type"); p.l.top() == "math" || kind != "" && !strings.EqualFold(kind, "text/css") {
			s.plain, s.loose = false, true // MathML has no style sheets
		}
		if p.l.foreign() && !bytes.HasPrefix(t.raw, []byte("<![CDATA[")) {
			s.text = html.UnescapeString(s.text)
			s.plain, s.split = s.text == string(t.raw), false
		}
		refs, comments := cssRefs(s.text, t.at)
		if p.add(s, string(t.raw), refs); s.plain {
			p.comments = append(p.comments, comments...)
		}
	case "noscript":
		p.fragment(s, t.raw)
	case "textarea", "title", "xmp", "noembed", "noframes", "plaintext":
		if len(p.l.open) == 0 {
			p.comments = append(p.comments, span{t.at, t.at + len(t.raw)})
		}
	case "script":
		p.wayback = p.wayback || p.e.file && strings.Contains(s.text, "__wm.wombat(") && (!p.NoEvidence || p.Canonical)
		if m := replayed().FindStringSubmatch(s.text); m != nil && pywb().MatchString(s.text) &&
			pywbURL().MatchString(s.text) {
			p.replays(m[1:])
		}
		if p.isLinkedJSON(inside.get("type")) {
			p.add(s, s.text, refsIn(kindJSON, &s))
		}
	}
}

// replays notes the archive of which the page tells that it came from there: its scheme, its host, and perhaps a path.
func (p *page) replays(archive []string) {
	if p.e.file && (!p.NoEvidence || p.Canonical) {
		p.replay = append(archive, "")
		p.replay[2] += "/"
	}
}

// fragment adds a spot that is a part of a page, in which nothing declares a base.
func (p *page) fragment(s spot, body []byte) {
	s.kind, s.end, s.what, s.own = isNested, s.start+len(body), p.number(s.what), true
	s.content = &content{in: "text/html; charset=utf-8", body: body}
	p.spots = append(p.spots, s)
}

// isLinkedJSON reports whether a script of a type is JSON with URLs that absolink may change.
func (k *checker) isLinkedJSON(kind string) bool {
	return isRules().MatchString(kind) || k.Extended && isLinked().MatchString(kind)
}

var (
	isRules  = pattern(`(?i)^\s*(?:importmap|speculationrules)\s*$`)
	isLinked = pattern(`(?i)^\s*application/ld\+json\s*$`)
)

type token struct {
	kind  html.TokenType
	at    int
	raw   []byte
	name  string
	attrs []html.Attribute
}

type lexer struct {
	token
	src  []byte
	z    *html.Tokenizer
	open []string // the open elements that separate HTML from SVG and MathML
}

func (l *lexer) next() {
	at := l.at + len(l.raw)
	l.token = token{kind: l.z.Next(), at: at}
	l.raw = l.src[at : at+len(l.z.Raw())]
	if l.kind == html.StartTagToken || l.kind == html.SelfClosingTagToken || l.kind == html.EndTagToken {
		t := l.z.Token()
		l.name, l.attrs = t.Data, t.Attr
		l.follow()
	}
}

// The elements that end or begin HTML inside SVG and MathML (HTML Standard, 13.2.6.5).
const (
	htmlInside = " svg/foreignobject svg/desc svg/title math/mi math/mo math/mn math/ms math/mtext "
	htmlOnly   = " b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
		"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var "
)

// follow updates the open elements, which tell the tokenizer how to go on: in SVG and MathML no text is raw, and there
// are CDATA sections.
func (l *lexer) follow() {
	switch {
	case l.kind == html.EndTagToken && l.name == l.top():
		l.open = l.open[:len(l.open)-1]
	case l.kind == html.EndTagToken && (l.name == "p" || l.name == "br"), l.kind != html.EndTagToken && l.endsForeign():
		for l.foreign() {
			l.open = l.open[:len(l.open)-1]
		}
	}
	switch foreign := l.foreign(); {
	case l.kind == html.StartTagToken && l.opensForeign():
		l.open = append(l.open, l.name)
		fallthrough
	case foreign:
		l.z.NextIsNotRawText()
	case l.kind == html.SelfClosingTagToken && l.name != "svg" && l.name != "math":
		l.kind = html.StartTagToken // the slash has no meaning in HTML
	}
	l.z.AllowCDATA(l.foreign())
}

func (l *lexer) top() string {
	if n := len(l.open); n > 0 {
		return l.open[n-1]
	}
	return ""
}

// foreign reports whether the content of the current element is SVG or MathML.
func (l *lexer) foreign() bool { return l.top() == "svg" || l.top() == "math" }

func (l *lexer) opensForeign() bool {
	switch l.name {
	case "svg", "math":
		return true
	case "annotation-xml":
		kind := strings.ToLower(l.get("encoding"))
		return l.top() == "math" && (kind == "text/html" || kind == "application/xhtml+xml")
	}
	return strings.Contains(htmlInside, " "+l.top()+"/"+l.name+" ")
}

func (l *lexer) endsForeign() bool {
	return strings.Contains(htmlOnly, " "+l.name+" ") ||
		l.name == "font" && l.get("color")+l.get("face")+l.get("size") != ""
}

func (t *token) get(name string) string {
	for _, a := range t.attrs {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// valuesIn returns where the values of attributes are in a start tag (HTML Standard, 13.2.5.32 to 39). attrs are those
// that x/net/html reads, or nil for all. x/net/html does not tell offsets.
func valuesIn(tag []byte, attrs []html.Attribute) (values []span) {
	at := 1
	run := func(set string, in bool) int { // skips the bytes that are in a set, or that are not
		for at < len(tag) && strings.IndexByte(set, tag[at]) >= 0 == in {
			at++
		}
		return at
	}
	for run(blanks+"/>", false); ; {
		if run(blanks+"/", true); at >= len(tag) || tag[at] == '>' {
			return values
		}
		from := at
		at++ // the first character of a name may be "="
		end := run(blanks+"/>=", false)
		v := span{end, end}
		if run(blanks, true); at < len(tag) && tag[at] == '=' {
			at++
			stop := blanks + ">"
			if run(blanks, true); at < len(tag) && (tag[at] == '"' || tag[at] == '\'') {
				stop = string(tag[at])
				at++
			}
			v.start = at
			if v.end = run(stop, false); len(stop) == 1 {
				at++
			}
		} else {
			at = end
		}
		if n := len(values); attrs == nil || n < len(attrs) && strings.EqualFold(attrs[n].Key, string(tag[from:end])) {
			values = append(values, v)
		}
	}
}

// kindOfValue is the grammar of a value.
type kindOfValue uint8

const (
	kindNone kindOfValue = iota
	kindURL
	kindAny  // perhaps a URL
	kindBase // the href of a BASE element
	kindMeta // of a META element that declares a base
	kindList
	kindArchive // a list with white space or commas
	kindSrcset
	kindRefresh
	kindHeader
	kindCSS
	kindPage
	kindJSON // an import map or speculation rules, or JSON-LD with --extended
)

// places are the attributes that are links in some elements.
var places = map[string]struct {
	kind     kindOfValue
	elements string
}{
	"href": {kindURL, "a area link"}, "src": {kindURL,
		"img source video audio track embed bgsound script iframe frame input layer ilayer image amp-img amp-video " +
			"amp-anim amp-iframe amp-list"},
	"srcset": {kindSrcset, "img source image amp-img amp-anim"}, "imagesrcset": {kindSrcset, "link"},
	"srcdoc": {kindPage, "iframe"}, "ping": {kindList, "a area"},
	"action": {kindURL, "form isindex"}, "formaction": {kindURL, "button input"},
	"poster": {kindURL, "video amp-video"}, "cite": {kindURL, "blockquote q ins del"},
	"background": {kindURL, "body table thead tbody tfoot tr td th layer"},
	"longdesc":   {kindURL, "img image iframe frame"}, "manifest": {kindURL, "html"},
	"usemap": {kindURL, "img image input object"}, "lowsrc": {kindURL, "img image"}, "dynsrc": {kindURL, "img image"},
	"icon": {kindURL, "menuitem command"},
	"data": {kindURL, "object"}, "codebase": {kindURL, "object applet"}, "classid": {kindURL, "object"},
	"code": {kindURL, "applet"}, "object": {kindURL, "applet"},
	"profile": {kindURL, "head"}, "archive": {kindArchive, "object applet"},
}

// onlyHTML reports whether an attribute with a kind of value is a link in HTML, but not in an element of SVG or MathML
// with the same name.
func onlyHTML(key string, kind kindOfValue) bool {
	return kind == kindBase || kind != kindNone && key != "href" && places[key].elements != ""
}

// styled are attributes of SVG that are CSS.
const styled = " style fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end "

// kindOf returns the grammar of an attribute, or kindNone if it has no links.
func (k *checker) kindOf(tag, key string, get func(string) string) kindOfValue {
	where, ok := places[key]
	switch {
	case ok && strings.Contains(" "+where.elements+" ", " "+tag+" "):
		return where.kind
	case tag == "base" && key == "href":
		return kindBase
	case key == "xml:base":
		return kindURL
	case key == "href", key == "xlink:href", key == "o:href", key == "altimg", key == "src" &&
		isOffice().MatchString(tag), key == "itemid", tag == "param" && key == "value" &&
		strings.EqualFold(get("valuetype"), "ref"):
		return kindAny
	case strings.Contains(styled, " "+key+" "):
		return kindCSS
	case tag == "meta" && key == "content":
		switch strings.ToLower(get("http-equiv")) {
		case "refresh":
			return kindRefresh
		case "link":
			return kindHeader
		case "base", "content-base":
			return kindMeta
		}
		if k.Extended && get("property")+get("name")+get("itemprop") != "" {
			return kindAny
		}
	case k.Extended && strings.HasPrefix(key, "data-") && strings.HasSuffix(key, "srcset"):
		return kindSrcset
	case k.Extended && (strings.HasPrefix(key, "data-") || key == "spec-url" || key == "apidescriptionurl"):
		return kindAny
	}
	return k.added(tag + "@" + key)
}

var isOffice = pattern(`^[vo]:`) // the elements that only Outlook reads

// urlChars are the characters of URLs (RFC 3986, 2) without quotes, parentheses, brackets and separators of lists.
const urlChars = `[A-Za-z0-9\-._~:/?#@!$&*+;=%]`

var (
	plainSrcset  = pattern(`^` + plainItem + `(?:,\s+` + plainItem + `)*\s*$`)
	plainRefresh = pattern(`^\d+;\s*(?i:url)=` + urlChars + `+$`)
	otherRefs    = pattern(`&(?:[^a]|a[^m]|am[^p]|amp[^;])|&(?:a?m?p?)$`)
)

const plainItem = `\s*` + urlChars + `+(?:\s+(?:\d+(?:\.\d+)?x|0*[1-9]\d*w))?`

// plainURL reports whether every parser reads a text as the same reference.
func plainURL(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return false
		}
	}
	return len(s) < 4 || !strings.EqualFold(s[:4], "url:")
}

// plainSpelling reports whether every parser reads a value in quotes as the same text, because it is ASCII without
// character references other than &amp;.
func plainSpelling(raw []byte) bool {
	for _, c := range raw {
		if c < ' ' && c != '\n' && c != '\t' || c > '~' || c == '<' || c == '>' || c == '{' || c == '}' || c == '\\' ||
			c == '`' {
			return false
		}
	}
	return !otherRefs().Match(raw)
}

func refOf(s string, start, end int) ref {
	return ref{start, end, s[start:end], plainURL(s[start:end])}
}

// The grammars of values. The last group that matches is the reference.
var (
	words      = pattern(`[^ \t\n\f\r]+`)
	commaWords = pattern(`[^, \t\n\f\r]+`)
	// HTML Standard, 4.8.4.2.2
	candidate = pattern(`[,\s]*([^,\s]\S*?)(?:,+(?:\s|$)|\s(?:[^,(]|\([^)]*(?:\)|$))*(?:,|$)|$)`)
	refreshed = pattern(`(?is)^\s*[\d.]+(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?` + // 4.2.5.3
		`(?:"\s*([^"]*?)\s*(?:"|\z)|'\s*([^']*?)\s*(?:'|\z)|(.*?)\s*\z)`)
	// a refresh without a URL
	unending   = pattern(`^\s*[\d.]*\s*[;,]?\s*$`)
	angles     = pattern(`(?s)<\s*(?:[Uu][Rr][Ll]:)?\s*([^<>]*?)\s*>`) // RFC 8288
	unangled   = pattern(`(?s)^[\s"]*(.*?)[\s"]*$`)
	jsonString = pattern(`(?s)"((?:[^"\\]|\\.)*)"`)
)

func matches(re *regexp.Regexp, s string) (refs []ref) {
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		n := len(m) - 2
		for m[n] < 0 {
			n -= 2
		}
		refs = append(refs, refOf(s, m[n], m[n+1]))
	}
	return refs
}

// refreshedIn returns the reference in the value of a refresh, which may be empty.
func refreshedIn(s string) []ref {
	if unending().MatchString(s) {
		return nil
	}
	return matches(refreshed(), s)
}

// bracketed returns the URLs in angle brackets, as in a field Link, or the whole value if it has none.
func bracketed(s string) []ref {
	refs := matches(angles(), s)
	for i, f := range refs {
		refs[i].plain = f.plain && s[f.start-1] == '<' && s[f.end] == '>'
	}
	if refs == nil {
		return matches(unangled(), s)
	}
	return refs
}

// unbracketed returns the URL of a base header, which may be "<URL:...>", "<...>", a quoted string, or the URL alone,
// with "URL:" or not.
func unbracketed(s string) string {
	url := strings.Join(strings.Fields(bracketed(s)[0].value), "")
	if len(url) >= 4 && strings.EqualFold(url[:4], "url:") {
		url = url[4:]
	}
	return url
}

func jsonStrings(s string) (refs []ref) {
	for _, f := range matches(jsonString(), s) {
		if json.Unmarshal([]byte(s[f.start-1:f.end+1]), &f.value) == nil {
			refs = append(refs, f)
		}
	}
	return refs
}

// isData reports whether a page is not HTML, but RTF or, in another document, JSON.
func isData(page []byte, inside bool) bool {
	start := strings.TrimLeft(string(page[:min(len(page), 1024)]), void)
	return strings.HasPrefix(start, `{\rtf`) || inside && strings.IndexAny(start, "{[") == 0 && json.Valid(page)
}
