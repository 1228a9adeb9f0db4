// The tags of HTML and XML: their tokens, and the places of the values in them.

package verify

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// lexer is the tokens of one version.
type lexer struct {
	z     *html.Tokenizer
	at    int // the offset of the token
	kind  html.TokenType
	raw   []byte
	name  string
	attrs []html.Attribute
	open  []string // the open elements that separate HTML from SVG and MathML
}

func newLexer(src []byte) *lexer { return &lexer{z: html.NewTokenizer(bytes.NewReader(src))} }

// next reads the next token.
func (l *lexer) next() {
	l.at += len(l.raw)
	l.kind = l.z.Next()
	l.raw = l.z.Raw()
	l.name, l.attrs = "", nil
	if l.kind == html.StartTagToken || l.kind == html.SelfClosingTagToken || l.kind == html.EndTagToken {
		l.raw = bytes.Clone(l.raw) // TagName changes it to lower case
		name, more := l.z.TagName()
		l.name = string(name)
		for seen := map[string]bool{}; more; {
			var key, value []byte
			key, value, more = l.z.TagAttr()
			if name := string(key); !seen[name] { // the first one counts
				l.attrs = append(l.attrs, html.Attribute{Key: name, Val: string(value)})
				seen[name] = true
			}
		}
		l.follow()
	}
}

// The elements that end or begin HTML inside SVG and MathML (HTML Standard, 13.2.6.5).
const (
	htmlInside = " svg/foreignobject svg/desc svg/title math/mi math/mo math/mn math/ms math/mtext "
	htmlOnly   = " b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre " +
		"ruby s small span strong strike sub sup table tt u ul var "
)

// follow updates the open elements. In SVG and MathML, the text of no element is raw, also if its tag closes itself, and
// there are CDATA sections.
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

// top returns the innermost of the open elements, or "".
func (l *lexer) top() string {
	if n := len(l.open); n > 0 {
		return l.open[n-1]
	}
	return ""
}

// foreign reports whether the current element is in SVG or MathML, and its content is not HTML.
func (l *lexer) foreign() bool { return l.top() == "svg" || l.top() == "math" }

// opensForeign reports whether a start tag begins SVG or MathML, or HTML inside them.
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

// endsForeign reports whether a tag of HTML ends SVG and MathML.
func (l *lexer) endsForeign() bool {
	return strings.Contains(htmlOnly, " "+l.name+" ") || l.name == "font" && (l.has("color") || l.has("face") || l.has("size"))
}

// get returns the value of an attribute of a tag.
func (l *lexer) get(name string) string {
	for _, a := range l.attrs {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// has reports whether a tag has an attribute.
func (l *lexer) has(name string) bool {
	return slices.ContainsFunc(l.attrs, func(a html.Attribute) bool { return a.Key == name })
}

// htmlAttribute returns an attribute of XML as that of a tag.
func htmlAttribute(a xml.Attr) html.Attribute {
	return html.Attribute{Key: a.Name.Local, Val: a.Value}
}

// inAttribute returns the value of an attribute of XML with spaces for its line ends and tabs (XML, 3.3.3). encoding/xml keeps them
// in value. raw has the character references.
func inAttribute(raw []byte, value string) string {
	if !bytes.ContainsAny(raw, "\t\r\n") {
		return value
	}
	l := newXMLLexer([]byte(`<a b="` + attributeSpaces.Replace(string(raw)) + `"/>`))
	l.next()
	if t, ok := l.token.(xml.StartElement); ok && len(t.Attr) == 1 {
		return t.Attr[0].Value
	}
	return value
}

var attributeSpaces = strings.NewReplacer("\r\n", " ", "\t", " ", "\r", " ", "\n", " ", `"`, "&#34;")

// blanks is the white space of HTML.
const blanks = " \t\n\f\r"

// span is a part of a token.
type span struct{ start, end int }

// valuesIn returns the values of the attributes in a start tag, without their quotes (HTML Standard, 13.2.5.32 to 39).
func valuesIn(tag []byte) (values []span) {
	eachAttribute(tag, func(_, value span) { values = append(values, value) })
	return values
}

// firstValuesIn returns the values in a tag of HTML, where only the first attribute of each name counts.
func firstValuesIn(tag []byte) (values []span) {
	seen := map[string]bool{}
	eachAttribute(tag, func(name, value span) {
		if name := string(bytes.ToLower(tag[name.start:name.end])); !seen[name] {
			values, seen[name] = append(values, value), true
		}
	})
	return values
}

// eachAttribute calls visit for each attribute in a start tag.
func eachAttribute(tag []byte, visit func(name, value span)) {
	r := tagReader{tag, 1}
	r.until(blanks + "/>")
	for {
		r.skip(blanks + "/")
		if r.at >= len(tag) || tag[r.at] == '>' {
			return
		}
		name := span{start: r.at}
		r.at++ // the first character of a name may be "="
		name.end = r.until(blanks + "/>=")
		r.skip(blanks)
		if !r.in("=") {
			r.at = name.end
			visit(name, span{name.end, name.end})
			continue
		}
		r.at++
		r.skip(blanks)
		if !r.in(`"'`) {
			start := r.at
			visit(name, span{start, r.until(blanks + ">")})
			continue
		}
		quote := string(tag[r.at])
		r.at++
		start := r.at
		visit(name, span{start, r.until(quote)})
		r.at++
	}
}

// tagReader reads a tag.
type tagReader struct {
	tag []byte
	at  int
}

// in reports whether the next byte is in a set.
func (r *tagReader) in(set string) bool {
	return r.at < len(r.tag) && strings.IndexByte(set, r.tag[r.at]) >= 0
}

// skip skips the bytes in a set.
func (r *tagReader) skip(set string) {
	for r.in(set) {
		r.at++
	}
}

// until skips the bytes up to one in a set, and returns the offset.
func (r *tagReader) until(set string) int {
	for r.at < len(r.tag) && !r.in(set) {
		r.at++
	}
	return r.at
}

// outside returns a token without the bytes of the values. An empty value without quotes counts as a value in quotes,
// because its new value needs them: "<a href>" and "<a href=>" become "<a href="...">".
func outside(tag []byte, values []span) string {
	var out strings.Builder
	at := 0
	for _, v := range values {
		out.Write(tag[at:v.start])
		at = v.end
		switch {
		case v.start < v.end || strings.IndexByte("\"'", tag[v.start-1]) >= 0:
			out.WriteByte(0)
		case bytes.HasSuffix(bytes.TrimRight(tag[:v.start], blanks), []byte("=")):
			out.WriteString("\"\x00\"")
		default:
			out.WriteString("=\"\x00\"")
		}
	}
	out.Write(tag[at:])
	return out.String()
}
