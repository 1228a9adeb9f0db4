package html

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
)

// tagReader reads the tags of HTML one by one, without marking links. Few documents need such a second reading. It finds
// the encoding after a late meta element, and the elements that are open before a frameset or an svg.
type tagReader struct {
	src  []byte
	p    int    // the offset after the tag, and after its raw text
	name []byte // of the tag, with the case of the source
	end  bool   // it is an end tag
	text bool   // a character other than white space and NUL is before the tag
	nul  bool   // a NUL is before the tag
	tag  []byte // the whole tag

	foreign int // the number of open svg and math elements
}

// next reads the next tag, and reports whether there is one. It skips raw text: after the start tag of a script, the
// next tag is its end tag.
func (t *tagReader) next() bool {
	src := t.src
	t.text, t.nul = false, false
	s := scanner{src: src}
	for {
		start := t.p
		p := ascii.Next(src, t.p, '<')
		t.text = t.text || hasText(src[start:p])
		t.nul = t.nul || bytes.IndexByte(src[start:p], 0) >= 0
		if p+1 >= len(src) {
			t.text = t.text || p < len(src)
			t.p = len(src)
			return false
		}
		switch c := src[p+1]; {
		case class[c]&letter != 0:
			return t.read(p, p+1)
		case c == '/' && p+2 < len(src) && class[src[p+2]]&letter != 0:
			return t.read(p, p+2)
		case c == '/' || c == '?':
			t.p = ascii.After(src, p+2, '>')
		case c == '!':
			t.p = s.markup(p)
		default:
			t.text, t.p = true, p+1
		}
	}
}

// read reads the tag at start whose name begins at p.
func (t *tagReader) read(start, p int) bool {
	s := scanner{src: t.src}
	name := p
	for p < len(t.src) && class[t.src[p]]&endsName == 0 {
		p++
	}
	t.name, t.end = t.src[name:p], name == start+2
	if p = s.attributes(p, attrSet{}); p < 0 {
		t.p = len(t.src)
		return false
	}
	t.tag = t.src[start:p]
	switch foreign := ascii.FoldEqual(t.name, "svg") || ascii.FoldEqual(t.name, "math"); {
	case foreign && t.end:
		t.foreign = max(t.foreign-1, 0)
	case foreign && !s.selfClosing:
		t.foreign++
	}
	if empty := t.foreign > 0 && s.selfClosing; !t.end && !empty { // in foreign content the "/" counts (13.2.6.5)
		switch e := lookupElement(t.src, name, name+len(t.name)); e.raw {
		case notRaw:
		case rawPlaintext:
			p = len(t.src)
		case rawScript:
			p = scriptEnd(t.src, p)
		default:
			p = rawEnd(t.src, p, e.name)
		}
	}
	t.p = p
	return true
}

// hasText reports whether src has a character other than white space and NUL.
func hasText(src []byte) bool {
	if bytes.IndexByte(src, '&') >= 0 { // "&#32;" is white space, too
		src, _ = codec.CharData.Decode(bytes.ReplaceAll(src, []byte{0}, nil))
	}
	for _, c := range src {
		if !ascii.IsSpace(c) && c != 0 {
			return true
		}
	}
	return false
}

// framesetCounts reports whether a frameset tag after src counts. A browser ignores the tag if the body before it has
// content (HTML 13.2.6.4.7, the frameset-ok flag). If the tag counts, it replaces the body, and body is the offset at
// which that body begins.
func framesetCounts(src []byte) (body int, counts bool) {
	templates := 0
	body = len(src)
	t := tagReader{src: src}
	for t.next() {
		if templates == 0 && t.text {
			return 0, false
		}
		var buf [32]byte
		name := string(ascii.Fold(buf[:0], t.name))
		switch {
		case name == "template" && !t.end:
			templates++
		case name == "template" && templates > 0:
			templates--
		case templates > 0:
		case name == "br", !t.end && tagClass[name]&notFramesetOK != 0, !t.end && name == "input" && !hiddenInput(t.tag):
			return 0, false
		case !t.end && tagClass[name]&inHead == 0, t.end && (name == "body" || name == "html"), t.nul:
			body = min(body, t.p-len(t.tag))
		}
	}
	return body, !t.text
}

// hiddenInput reports whether an input tag has the type hidden.
func hiddenInput(tag []byte) bool {
	s := scanner{src: tag}
	s.attributes(len("<input"), allAttrs)
	return s.keyword(attrType, "hidden")
}

// openElements is the stack of open HTML elements (13.2.4.2), as far as the tags alone determine it. This is exact
// enough to find the element that an end tag closes.
type openElements struct {
	tags []openTag
	read int // the offset up to which the source is read

	// The offsets after read at which an outermost svg or math begins and ends, in turn.
	foreign []int
}

// openTag is an open element. It has the class of the name, because an end tag checks the class of many open elements.
type openTag struct {
	name  string // in lower case
	class tagKind
}

// take updates the stack at the next tag. name is in lower case.
func (o *openElements) take(name []byte, end bool) {
	class := tagClass[string(name)]
	end = end || string(name) == "select" && o.find(name) >= 0 // a select tag closes an open select
	switch {
	case string(name) == "svg" || string(name) == "math":
		// openOutside skips the tags inside these elements.
	case end && string(name) == "form":
		// The end tag closes the form, but not the elements inside it (13.2.6.4.7).
		for i := len(o.tags) - 1; i >= 0; i-- {
			if o.tags[i].name == "form" {
				o.tags = append(o.tags[:i], o.tags[i+1:]...)
				return
			}
		}
	case end:
		if i := o.find(name); i >= 0 {
			o.tags = o.tags[:i]
		}
	case class&tableStart != 0 && o.find([]byte("table")) < 0:
	case class&tableStart == 0 && class&ignored != 0:
	case class&void == 0 && len(o.tags) < maxOpen:
		if n := len(o.tags) - 1; n >= 0 && class&closesP != 0 && o.tags[n].name == "p" {
			o.tags = o.tags[:n]
		}
		if class&closesSame != 0 {
			if i := o.find(name); i >= 0 {
				o.tags = o.tags[:i]
			}
		}
		if class&tableStart != 0 {
			o.clearTable(tableDepth[string(name)])
		}
		o.tags = append(o.tags, openTag{string(name), class})
	}
}

// clearTable closes the open elements up to the table, or up to a part of the table with a smaller depth. It follows
// "clear the stack back to a table context" (13.2.6.4.9 to 15).
func (o *openElements) clearTable(depth int) {
	for n := len(o.tags) - 1; ; n-- {
		if d, ok := tableDepth[o.tags[n].name]; ok && d < depth {
			o.tags = o.tags[:n+1]
			return
		}
	}
}

// tableDepth is the depth of each part of a table.
var tableDepth = map[string]int{"table": 0, "caption": 1, "colgroup": 1, "tbody": 1, "thead": 1, "tfoot": 1, "tr": 2, "td": 3, "th": 3}

// find returns the index of the element that an end tag closes, or -1. The end tag also closes all elements inside that
// element.
func (o *openElements) find(name []byte) int {
	if string(name) == "form" {
		return -1
	}
	class, stop := tagClass[string(name)], endTagStop(name)
	for i := len(o.tags) - 1; i >= 0; i-- {
		t := o.tags[i]
		if t.name == string(name) || class&t.class&heading != 0 {
			return i
		}
		if t.class&stop != 0 {
			return -1
		}
	}
	return -1
}

// endTagStop returns the classes of open elements at which the search for the element of an end tag stops. For a block,
// the search stops at the bound of its scope. For other elements, it stops at any special element.
func endTagStop(name []byte) tagKind {
	switch class := tagClass[string(name)]; {
	case class&templateTag != 0:
		return 0
	case class&tablePart != 0:
		return boundTable
	case class&(special|formatting) != 0:
		return bound
	}
	return special
}

// tagClass has the rules of the tree builder for each tag. The key is the name in lower case.
var tagClass = classifyTags()

// tagKind is a set of rules for a tag.
type tagKind uint16

const (
	breakout      tagKind = 1 << iota // ends foreign content (13.2.6.5)
	void                              // has no content, so it is never open
	ignored                           // a body ignores its start tag (13.2.6.4.7)
	tableStart                        // its start tag closes a table cell
	tablePart                         // its end tag searches the table scope (13.2.4.2)
	templateTag                       // its end tag searches the whole stack
	notFramesetOK                     // sets the frameset-ok flag to "not ok"
	inHead                            // does not begin the body
	special                           // is in the special category (13.2.4.2)
	bound                             // ends a scope
	boundTable                        // ends the table scope
	formatting                        // is in the list of active formatting elements (13.2.4.3)
	closesP                           // closes an open p
	closesSame                        // closes an open element with the same name
	heading                           // its end tag closes an open heading of any level
)

func classifyTags() map[string]tagKind {
	class := map[string]tagKind{}
	for names, kind := range map[string]tagKind{
		"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
			"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var": breakout,
		"area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr": void,
		"caption col colgroup frame head tbody td tfoot th thead tr html body frameset":                            ignored,
		"caption col colgroup tbody td tfoot th thead tr":                                                          tableStart,
		"table tbody thead tfoot tr td th caption":                                                                 tablePart,
		"template": templateTag,
		"body pre listing li dd dt button applet marquee object table area br embed img image keygen wbr hr " +
			"textarea xmp iframe select plaintext": notFramesetOK,
		"html head base basefont bgsound link meta title noframes script style template noscript": inHead,
		"address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup " +
			"dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header " +
			"hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object " +
			"ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot " +
			"th thead title tr track ul wbr xmp": special,
		"table template":    boundTable,
		"a button nobr":     closesSame,
		"h1 h2 h3 h4 h5 h6": heading,
		"a b big code em font i nobr s small strike strong tt u":         formatting,
		"applet caption html table td th marquee object template select": bound,
		"address article aside blockquote center details dialog dir div dl dd dt li fieldset figcaption figure footer header " +
			"hgroup main menu nav ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing form table hr xmp plaintext": closesP,
	} {
		for _, name := range strings.Fields(names) {
			class[name] |= kind
		}
	}
	return class
}
