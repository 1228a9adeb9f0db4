package html

import (
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

// Where links stand in HTML: for an attribute, the elements that carry it and how its
// value is to be read. This is the table of places; html.go only walks it.
//
// The sources are the attribute indexes of HTML, HTML 4.01 and 3.2, and what browsers
// once knew (lowsrc, dynsrc, layer, bgsound).
var places = []struct {
	attr     string
	as       value
	elements string
}{
	{"href", asURL, "a area link"},
	{"ping", asList, "a area"},
	{"imagesrcset", asSrcset, "link"},
	{"src", asURL, "img source video audio track embed bgsound script iframe frame input layer ilayer image"},
	{"srcset", asSrcset, "img source image"},
	{"longdesc", asURL, "img iframe frame"},
	{"lowsrc", asURL, "img"},
	{"dynsrc", asURL, "img"},
	{"usemap", asName, "img input object"},
	{"poster", asURL, "video"},
	{"action", asOwnURL, "form isindex"},
	{"formaction", asOwnURL, "button input"},
	{"codebase", asURL, "object applet"},
	{"classid", asURL, "object"},
	{"data", asURL, "object"},
	{"code", asURL, "applet"},
	{"object", asURL, "applet"},
	{"archive", asList, "object"},
	{"archive", asCommaList, "applet"},
	{"cite", asURL, "blockquote q ins del"},
	{"background", asURL, "body table thead tbody tfoot tr td th layer"},
	{"profile", asURL, "head"},
	{"manifest", asEarlyURL, "html"},
	{"icon", asURL, "menuitem command"},
	{"srcdoc", AsDocument, "iframe"},
	{"itemid", asURL, "*"},
	{"style", AsStyle, "*"},

	// No links by themselves: read for what they say of the others.
	{"href", AsKeyword, "base"},
	{"http-equiv", AsKeyword, "meta"},
	{"content", AsKeyword, "meta"},
	{"name", AsKeyword, "meta"},
	{"property", AsKeyword, "meta"},
	{"itemprop", AsKeyword, "meta"},
	{"value", AsKeyword, "param"},
	{"valuetype", AsKeyword, "param"},
	{"type", AsKeyword, "style"},
	{"rel", AsKeyword, "link"},
	{"data-scrapbook-source", AsKeyword, "html"},
	{"color", AsKeyword, "font"},
	{"face", AsKeyword, "font"},
	{"size", AsKeyword, "font"},
	{"encoding", AsKeyword, "annotation-xml"},
}

// What only scripts read: with Extended. (meta's properties are in html_special.go.)
var extendedPlaces = []struct {
	attr string
	as   value
}{
	{"data-src", asURL}, {"data-srcset", asSrcset}, {"data-original", asURL},
	{"data-original-src", asURL}, {"data-lazy", asURL}, {"data-lazy-src", asURL},
	{"data-lazy-srcset", asSrcset}, {"data-bg", asURL}, {"data-background", asURL},
	{"data-bgset", asSrcset}, {"data-poster", asURL},
	{"data-image", asURL}, {"data-href", asURL}, {"data-url", asURL},
}

// In SVG and MathML every element may have a link (SVG 2, XLink 1.1, MathML 3), and in
// SVG the presentation attributes that hold a url().
var foreignPlaces = []struct {
	attr string
	as   value
	svg  bool // not in MathML
}{
	{"href", asURL, false}, {"xlink:href", asURL, false},
	{"itemid", asURL, false}, {"style", AsStyle, false},
	{"fill", AsStyle, true}, {"stroke", AsStyle, true}, {"filter", AsStyle, true},
	{"mask", AsStyle, true}, {"clip-path", AsStyle, true}, {"cursor", AsStyle, true},
	{"marker", AsStyle, true}, {"marker-start", AsStyle, true},
	{"marker-mid", AsStyle, true}, {"marker-end", AsStyle, true},
	{"xml:base", AsKeyword, false},
}

// value says how an attribute's value is read.
type value uint8

const (
	NoLink      value = iota
	asURL             // one URL
	asOwnURL          // one URL; empty, it is the document's own under the URL Standard
	asEarlyURL        // one URL that no BASE element holds for (HTML 5.0, 4.2.3)
	asName            // one URL that, when only a fragment, names something in the document
	asList            // URLs set apart by white space
	asCommaList       // URLs set apart by commas
	asSrcset          // image candidates
	AsStyle           // CSS declarations
	AsDocument        // an HTML document
	AsKeyword         // none by itself, see keywordLink
)

// Quoting is how an attribute's value is written.
type Quoting uint8

const (
	doubleQuoted Quoting = iota
	singleQuoted
	unquoted
	bare      // a name and no "=": the value is empty
	empty     // "=" and then ">": the value is empty
	XMLDouble // the quotes of XML, where other references count
	XMLSingle
)

// The codecs of a value by its quoting: as a text, and as a URL is read.
var (
	TextCodecs = [...]codec.Codec{codec.AttrDouble, codec.AttrSingle, codec.AttrUnquoted, codec.AttrBare, codec.AttrEmpty, codec.XMLDouble, codec.XMLSingle}
	URLCodecs  = [...]codec.Codec{codec.URLDouble, codec.URLSingle, codec.URLUnquoted, codec.URLBare, codec.URLEmpty, codec.XMLURLDouble, codec.XMLURLSingle}
)

// Element is what the scanner knows of an element name.
type Element struct {
	Name  string
	raw   rawKind
	Role  role
	Links [attrCount]value
	place [attrCount]*mark.Place
	Attrs attrSet // those that have a row
}

// attrSet is a set of attributes, by their numbers, and by the first letters of their
// names, which rule out most names before they are looked up.
type attrSet struct {
	IDs     uint64
	letters uint32
}

var allAttrs = attrSet{^uint64(0), ^uint32(0)}

func (s *attrSet) add(name string) {
	s.IDs |= 1 << attributeID(name)
	s.letters |= 1 << (name[0] & 31)
}

func (s attrSet) union(o attrSet) attrSet {
	return attrSet{s.IDs | o.IDs, s.letters | o.letters}
}

// role marks the elements that need more than the table.
type role uint8

const (
	plain       role = iota
	RoleBase         // declares the base of the document: base
	RoleObject       // has a codebase: object, applet
	roleForeign      // svg, math
	roleTemplate
	roleFrameset
)

// rawKind is how the tokenizer reads what follows a start tag (HTML 13.2.6.4).
type rawKind uint8

const (
	notRaw    rawKind = iota
	rawText           // RAWTEXT or RCDATA: up to the end tag
	rawScript         // script data
	rawStyle          // RAWTEXT that is CSS
	rawNoscript
	rawPlaintext // to the end of the file
)

// Attributes are numbered so that a tag's are a set of bits.
const attrCount = 64

// The names, and what is in the slots of each; filled by init and then fixed.
var (
	elements       nameTable
	elementAt      [nameSlots]*Element // anyElement in the slots that are empty
	attributes     nameTable
	attributeAt    [nameSlots]int8 // the numbers; -1 in the slots that are empty
	attributeIDs   = map[string]uint8{}
	AttributeNames [attrCount]string
	attributeCount uint8

	AnyElement = &Element{} // of an HTML name with no row of its own
	AnySVG     = &Element{}
	AnyMathML  = &Element{}

	Extended   attrSet
	extendedAs [attrCount]value // extendedPlaces by attribute number
)

// The numbers of the attributes that the code asks for by name.
var (
	AttrHref      = attributeID("href")
	attrType      = attributeID("type")
	attrHTTPEquiv = attributeID("http-equiv")
	attrContent   = attributeID("content")
	attrName      = attributeID("name")
	attrProperty  = attributeID("property")
	attrItemprop  = attributeID("itemprop")
	attrValue     = attributeID("value")
	attrValuetype = attributeID("valuetype")
	AttrCodebase  = attributeID("codebase")
	attrFont      = attributeID("color") // or face, or size: see attributeID
	attrEncoding  = attributeID("encoding")
	AttrXMLBase   = attributeID(mark.XMLBase)
	AttrXLinkHref = attributeID("xlink:href")
	attrItemid    = attributeID("itemid")
	attrRel       = attributeID("rel")
	attrScrapBook = attributeID("data-scrapbook-source")
)

func init() {
	rows := map[string]*Element{}
	row := func(name string) *Element {
		if rows[name] == nil {
			rows[name] = &Element{Name: name}
		}
		return rows[name]
	}
	for _, p := range places {
		for _, name := range strings.Fields(p.elements) {
			if name != "*" {
				row(name).add(p.attr, p.as)
			}
		}
	}
	for names, raw := range map[string]rawKind{
		"title textarea xmp iframe noembed noframes": rawText,
		"script": rawScript, "style": rawStyle, "noscript": rawNoscript, "plaintext": rawPlaintext,
	} {
		for _, name := range strings.Fields(names) {
			row(name).raw = raw
		}
	}
	for names, r := range map[string]role{
		"base": RoleBase, "object applet": RoleObject, "svg math": roleForeign,
		"template": roleTemplate, "frameset": roleFrameset,
	} {
		for _, name := range strings.Fields(names) {
			row(name).Role = r
		}
	}
	// Common elements without links of their own: their rows spare the making of a
	// name for style and itemid.
	for _, name := range strings.Fields("abbr address article aside b big br caption center code col colgroup dd details dfn dialog div dl dt em " +
		"fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i kbd label legend li main map mark nav nobr ol optgroup option " +
		"output p picture pre progress s samp section select small span strike strong sub summary sup time tt u ul var wbr") {
		row(name)
	}
	for _, p := range places {
		if p.elements == "*" {
			AnyElement.add(p.attr, p.as)
			for _, e := range rows {
				e.add(p.attr, p.as)
			}
		}
	}
	for _, p := range foreignPlaces {
		AnySVG.add(p.attr, p.as)
		if !p.svg {
			AnyMathML.add(p.attr, p.as)
		}
	}
	for _, x := range extendedPlaces {
		Extended.add(x.attr)
		extendedAs[attributeID(x.attr)] = x.as
	}
	for h := range nameSlots {
		elementAt[h], attributeAt[h] = AnyElement, -1
	}
	for name, e := range rows {
		elementAt[elements.add(name)] = e
	}
	for name, id := range attributeIDs {
		attributeAt[attributes.add(name)] = int8(id)
	}
}

func (e *Element) add(attr string, as value) {
	id := attributeID(attr)
	e.Links[id] = as
	e.Attrs.add(attr)
	e.place[id] = newPlace(e.Name, attr, as)
}

func newPlace(element, attr string, as value) *mark.Place {
	inert := attr == "src" || attr == "poster" || attr == "data" || attr == "background" || element == "link" && attr == "href"
	return &mark.Place{Name: element + "@" + attr, Names: as == asName, Own: as == asOwnURL, Inert: inert, Srcdoc: as == AsDocument}
}

func attributeID(name string) uint8 {
	id, ok := attributeIDs[name]
	if ok {
		return id
	}
	if name == "face" || name == "size" { // that a font has one of the three is all that counts
		attributeIDs[name] = attributeID("color")
		return attributeIDs[name]
	}
	if id = attributeCount; id >= attrCount {
		panic("extract: more attributes than bits")
	}
	attributeCount++
	attributeIDs[name], AttributeNames[id] = id, name
	return id
}

// LookupElement finds the row of the element name src[start:end], in any case.
func LookupElement(src []byte, start, end int) *Element {
	return elementAt[elements.find(src, start, end)]
}

// LookupAttribute finds the number of the attribute name src[start:end], in any case, or -1.
func LookupAttribute(src []byte, start, end int) int {
	return int(attributeAt[attributes.find(src, start, end)])
}

// placeKey is an element and an attribute that no table has together.
type placeKey struct {
	element string
	attr    uint8
	svg     bool
}

// placeOf makes the place of an attribute on an element that has no row of its own.
func (s *Scanner) placeOf(e *Element, name []byte, attr uint8, as value) *mark.Place {
	var buf [32]byte
	folded := ascii.Fold(buf[:0], name)
	if p := s.places[placeKey{string(folded), attr, e == AnySVG}]; p != nil {
		return p
	}
	key := placeKey{string(folded), attr, e == AnySVG}
	p := newPlace(key.element, AttributeNames[attr], as)
	if key.svg && key.element != "a" && as == asURL {
		p.Names = true // SVG 2 16.1.3: a fragment alone always means this document
	}
	if s.places == nil || len(s.places) > 10000 {
		s.places = map[placeKey]*mark.Place{}
	}
	s.places[key] = p
	return p
}
