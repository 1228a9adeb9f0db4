package html

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync/atomic"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// The tables of places: which attributes of which elements contain links, and how their values are read. The sources
// are the attribute indexes of HTML, HTML 4.01 and HTML 3.2, the attributes that browsers once read (lowsrc, dynsrc,
// layer, bgsound), and the elements of AMP.

// value is how the value of an attribute is read.
type value uint8

const (
	noLink      value = iota
	asURL             // one URL
	asOwnURL          // one URL; under the URL Standard, an empty value is the document's own URL
	asEarlyURL        // one URL that a browser resolves before it can see a BASE element (HTML 5.0, 4.2.3)
	asName            // one URL; a fragment-only value names something in the document
	asList            // URLs separated by white space
	asCommaList       // URLs separated by commas
	asSrcset          // image candidates
	asStyle           // CSS declarations
	asDocument        // an HTML document
	asKeyword         // its meaning depends on other attributes: see keywordLink
)

// places lists the attributes of HTML. "*" stands for all elements.
var places = []struct {
	attr     string
	as       value
	elements string
}{
	{"href", asURL, "a area link"},
	{"ping", asList, "a area"},
	{"imagesrcset", asSrcset, "link"},
	{"src", asURL, "img source video audio track embed bgsound script iframe frame input layer ilayer amp-img " +
		"amp-video amp-anim amp-iframe amp-list"},
	{"srcset", asSrcset, "img source amp-img amp-anim"},
	{"longdesc", asURL, "img iframe frame"},
	{"lowsrc", asURL, "img"},
	{"dynsrc", asURL, "img"},
	{"usemap", asName, "img input object"},
	{"poster", asURL, "video amp-video"},
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
	{"srcdoc", asDocument, "iframe"},
	{"itemid", asURL, "*"},
	{"style", asStyle, "*"},

	// The meaning of these depends on other attributes of the element, or decides the meaning of others.
	{"href", asKeyword, "base"},
	{"http-equiv", asKeyword, "meta"},
	{"content", asKeyword, "meta"},
	{"name", asKeyword, "meta"},
	{"property", asKeyword, "meta"},
	{"itemprop", asKeyword, "meta"},
	{"value", asKeyword, "param"},
	{"valuetype", asKeyword, "param"},
	{"type", asKeyword, "style script"},
	{"rel", asKeyword, "link"},
	{"data-scrapbook-source", asKeyword, "html"},
}

// extendedPlaces are attributes that only scripts read, which mark.Settings.Extended turns on. metaProperties has those
// of the meta element.
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

// foreignPlaces are the attributes of SVG and MathML, where every element may have a link (SVG 2, XLink 1.1, MathML 3).
// The presentation attributes of SVG may contain a url().
var foreignPlaces = []struct {
	attr string
	as   value
	in   string
}{
	{"href", asURL, "SVG, MathML"}, {"xlink:href", asURL, "SVG, MathML"},
	{"itemid", asURL, "SVG, MathML"}, {"style", asStyle, "SVG, MathML"},
	{"fill", asStyle, "SVG"}, {"stroke", asStyle, "SVG"}, {"filter", asStyle, "SVG"},
	{"mask", asStyle, "SVG"}, {"clip-path", asStyle, "SVG"}, {"cursor", asStyle, "SVG"},
	{"marker", asStyle, "SVG"}, {"marker-start", asStyle, "SVG"},
	{"marker-mid", asStyle, "SVG"}, {"marker-end", asStyle, "SVG"},
	{"altimg", asURL, "MathML"}, {"xml:base", asKeyword, "SVG, MathML"},
}

// officePlaces are the attributes of VML and of Microsoft Office, on elements with the prefix "v:" or "o:". Outlook
// reads them; mark.Settings.Office turns them on.
var officePlaces = []string{"src", "href", "o:href"}

// rawElements lists the elements whose content is not read as tags (HTML 13.2.6.4).
var rawElements = [...]string{
	rawText:   "title textarea xmp iframe noembed noframes",
	rawScript: "script", rawStyle: "style", rawNoscript: "noscript", rawPlaintext: "plaintext",
}

// roles lists the elements that need more than the tables.
var roles = [...]string{
	roleBase: "base", roleObject: "object applet", roleForeign: "svg math", roleTemplate: "template", roleNav: "nav",
}

// pictureElements are the elements of SVG and MathML that often have links.
const pictureElements = "animate animatemotion animatetransform circle clippath cursor defs ellipse feimage filter " +
	"font-face-uri foreignobject g glyph line lineargradient maction marker mask math mfrac mglyph mi mn mo mpath " +
	"mrow ms mtext path pattern polygon polyline radialgradient rect semantics set stop svg switch symbol text " +
	"textpath tref tspan use view"

// placeNames returns the names that Format.Places lists.
func placeNames() []string {
	names := []string{basePlace.Name, metaPlace.Name, paramPlace.Name, importMapPlace.Name, speculationPlace.Name,
		jsonLDPlace.Name, blockPlace.Name}
	for _, p := range places {
		if p.as != asKeyword {
			for _, element := range strings.Fields(p.elements) {
				names = append(names, element+"@"+p.attr)
			}
		}
	}
	for _, p := range foreignPlaces {
		names = append(names, "*@"+p.attr)
	}
	for _, p := range extendedPlaces {
		names = append(names, "*@"+p.attr)
	}
	for _, attr := range officePlaces {
		names = append(names, "v:*@"+attr, "o:*@"+attr)
	}
	for _, name := range slices.Sorted(slices.Values(elements.names[:])) {
		if name != "" {
			names = append(names, name)
		}
	}
	names = append(names, mark.APIPlaces...)
	return append(names, strings.Fields(pictureElements)...)
}

// The same tables, arranged for the scanner: a row for each element, and a number for each attribute.

// element is the row of an element.
type element struct {
	name  string
	raw   rawKind
	role  role
	attrs attrSet                // the attributes that the row has
	links [attrCount]value       // by attribute number
	place [attrCount]*mark.Place // by attribute number; nil if the row has no name
}

// simple reports whether a tag of this element changes nothing in how the markup after it is read.
func (e *element) simple() bool { return e.raw == notRaw && e.role == plain }

// role says what an element does besides having links.
type role uint8

const (
	plain       role = iota
	roleBase         // base: declares the base of the document
	roleObject       // object, applet: may have a codebase attribute
	roleForeign      // svg, math
	roleTemplate
	roleNav
)

// rawKind is how the tokenizer reads an element's content (HTML 13.2.6.4).
type rawKind uint8

const (
	notRaw    rawKind = iota
	rawText           // RAWTEXT or RCDATA: up to the end tag
	rawScript         // script data
	rawStyle          // RAWTEXT that is CSS
	rawNoscript
	rawPlaintext // up to the end of the file
)

type attrSet uint64

const allAttrs = ^attrSet(0)

// attrCount limits the attributes of all tables, so that an attrSet fits into 64 bits.
const attrCount = 64

// attributeNames has the attributes of all tables by their numbers.
var attributeNames = numberAttributes()

func numberAttributes() (names [attrCount]string) {
	next := 0
	number := func(name string) {
		if slot, isNew := attributes.add(name); isNew {
			if next == attrCount {
				panic("html: the tables have more than 64 attributes; widen attrSet for " + name)
			}
			attributeAt[slot], names[next] = uint8(next+1), name
			next++
		}
	}
	for _, p := range places {
		number(p.attr)
	}
	for _, p := range foreignPlaces {
		number(p.attr)
	}
	for _, p := range extendedPlaces {
		number(p.attr)
	}
	for _, attr := range officePlaces {
		number(attr)
	}
	return names
}

// attributeID returns the number of an attribute, and panics if no table has it.
func attributeID(name string) uint8 {
	id := lookupAttribute([]byte(name), 0, len(name))
	if id < 0 || attributeNames[id] != name {
		panic("html: no table has the attribute " + name)
	}
	return uint8(id)
}

// The attributes that the code knows by name.
var (
	attrHref      = attributeID("href")
	attrType      = attributeID("type")
	attrSrc       = attributeID("src")
	attrHTTPEquiv = attributeID("http-equiv")
	attrContent   = attributeID("content")
	attrName      = attributeID("name")
	attrProperty  = attributeID("property")
	attrItemprop  = attributeID("itemprop")
	attrValue     = attributeID("value")
	attrValuetype = attributeID("valuetype")
	attrCodebase  = attributeID("codebase")
	attrXMLBase   = attributeID(mark.XMLBase)
	attrXLinkHref = attributeID("xlink:href")
	attrItemid    = attributeID("itemid")
	attrRel       = attributeID("rel")
	attrScrapBook = attributeID("data-scrapbook-source")
)

// customLinks are the attributes that are often links on custom elements.
var customLinks = attrSet(1)<<attrHref | 1<<attrSrc | 1<<attributeID("srcset") | 1<<attributeID("poster")

// The rows of elements that the tables do not name.
var (
	anyElement = newElement("") // any other element of HTML
	anyCustom  = customElement()
	anySVG     = foreignElement("SVG")
	anyMathML  = foreignElement("MathML")
	anyOffice  = officeElement()
)

// extended is the set of extendedPlaces, and extendedAs how each is read.
var extended, extendedAs = extendedAttributes()

// The tables of names, and the values for their slots.
var (
	elements    nameTable
	elementAt   [nameSlots]atomic.Pointer[element] // nil until a page has the element: see makeRow
	attributes  nameTable
	attributeAt [nameSlots]uint8 // the number plus 1; 0 in an empty slot
)

// common are elements without links of which pages have many. With a row of their own, nobody looks for a hyphen in
// their names.
const common = "span div p code pre em strong ul ol li dl dt dd h1 h2 h3 section"

// complexNames lets scanner.next skip tags without a lookup: for each length of a name, it has the first letters of the
// elements that are not simple. A letter c is the bit c&31.
var complexNames = indexElements()

func indexElements() (complex [16]uint32) {
	elements.add("image")
	for name := range strings.FieldsSeq(common) {
		elements.add(name)
	}
	for _, p := range places {
		for name := range strings.FieldsSeq(strings.Trim(p.elements, "*")) {
			elements.add(name)
		}
	}
	for _, lists := range [][]string{rawElements[:], roles[:]} {
		for _, names := range lists {
			for name := range strings.FieldsSeq(names) {
				elements.add(name)
				complex[len(name)] |= 1 << (name[0] & 31)
			}
		}
	}
	return complex
}

func customElement() *element {
	e := newElement("")
	e.attrs |= customLinks
	return e
}

// lookupElement returns the row of the element name src[start:end], in any case.
func lookupElement(src []byte, start, end int) *element {
	slot := elements.find(src, start, end)
	if e := elementAt[slot].Load(); e != nil {
		return e
	}
	return makeRow(slot)
}

// makeRow fills a slot when a page first needs it, because few pages need all rows. It returns the row of another
// goroutine if that was first.
func makeRow(slot uint64) *element {
	e := anyElement
	switch name := elements.names[slot]; name {
	case "":
	case "image": // the parser reads an image as an img (13.2.6.4.7)
		e = lookupElement([]byte("img"), 0, len("img"))
	default:
		e = newElement(name)
	}
	if elementAt[slot].CompareAndSwap(nil, e) {
		return e
	}
	return elementAt[slot].Load() // places are compared by address, so all must share one row
}

// lookupAttribute returns the number of the attribute name src[start:end], in any case, or -1.
func lookupAttribute(src []byte, start, end int) int {
	return int(attributeAt[attributes.find(src, start, end)]) - 1
}

// newElement returns the row of an element of HTML; name is "" for those that the tables do not name.
func newElement(name string) *element {
	e := &element{name: name, raw: rawKind(listWith(rawElements[:], name)), role: role(listWith(roles[:], name))}
	for _, p := range places {
		if p.elements == "*" || hasWord(p.elements, name) {
			e.add(p.attr, p.as)
		}
	}
	return e
}

// listWith returns the index of the list with this word, or 0.
func listWith(lists []string, word string) int {
	return max(0, slices.IndexFunc(lists, func(list string) bool { return hasWord(list, word) }))
}

func hasWord(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

func (e *element) add(attr string, as value) {
	id := attributeID(attr)
	e.links[id] = as
	e.attrs |= 1 << id
	if e.name != "" {
		e.place[id] = newPlace(e.name, attr, as)
	}
}

func foreignElement(in string) *element {
	e := &element{}
	for _, p := range foreignPlaces {
		if strings.Contains(p.in, in) {
			e.add(p.attr, p.as)
		}
	}
	return e
}

func officeElement() *element {
	e := newElement("")
	for _, attr := range officePlaces {
		e.add(attr, asURL)
	}
	return e
}

// isOffice reports whether an element's name has a prefix of Microsoft Office.
func isOffice(name []byte) bool {
	return len(name) > 2 && name[1] == ':' && (name[0]|0x20 == 'v' || name[0]|0x20 == 'o')
}

func extendedAttributes() (set attrSet, as [attrCount]value) {
	for _, x := range extendedPlaces {
		id := attributeID(x.attr)
		set |= 1 << id
		as[id] = x.as
	}
	return set, as
}

// newPlace returns the place of an attribute; element is "" if the place is on any element.
func newPlace(element, attr string, as value) *mark.Place {
	inert := attr == "src" || attr == "poster" || attr == "data" || attr == "background" ||
		element == "link" && attr == "href"
	p := &mark.Place{Name: element + "@" + attr, Names: as == asName, Own: as == asOwnURL, Inert: inert}
	p.Srcdoc = as == asDocument
	other, served := *p, *p
	served.Served = true
	switch {
	case (element == "a" || element == "area") && (attr == "href" || attr == "xlink:href"):
		p.Hyperlink, p.Other = true, &other
	case element == "link" && attr == "href":
		other.Absolute, p.Other, other.Other = true, &other, &served
	case element == "script" && attr == "src":
		p.Other = &served
	}
	return p
}

type placeKey struct {
	element string
	attr    uint8
	svg     bool
}

// placeOf returns the place of an attribute on an element that has no row of its own.
func (s *scanner) placeOf(e *element, name []byte, attr uint8, as value) *mark.Place {
	var buf [32]byte
	folded := withoutNUL(ascii.Fold(buf[:0], name))
	if p := s.places[placeKey{string(folded), attr, e == anySVG}]; p != nil {
		return p
	}
	key := placeKey{string(folded), attr, e == anySVG}
	p := newPlace(key.element, attributeNames[attr], as)
	if key.svg && key.element != "a" && as == asURL {
		p.Names = true // a fragment-only reference is always to this document (SVG 2 16.1.3)
	}
	if s.places == nil || len(s.places) > 10000 {
		s.places = map[placeKey]*mark.Place{}
	}
	s.places[key] = p
	return p
}

// nameTable gives each name a slot, whatever its case. It is a hash table with open addressing by nameKey, which is
// only written while the package is initialized, so goroutines share it.
type nameTable struct {
	keys  [nameSlots]uint64 // 0 in an empty slot
	names [nameSlots]string
}

const (
	nameBits  = 9
	nameSlots = 1 << nameBits // several times the number of names, so that a search soon meets an empty slot
)

// add adds a name, which must be in lower case, and returns its slot.
func (t *nameTable) add(name string) (slot uint64, isNew bool) {
	h := t.find([]byte(name), 0, len(name))
	if t.keys[h] != 0 {
		return h, false
	}
	t.keys[h], t.names[h] = nameKey([]byte(name)), name
	return h, true
}

// find returns the slot of the name src[start:end], or an empty one if the table does not have the name.
func (t *nameTable) find(src []byte, start, end int) uint64 {
	if n := end - start; n < 8 && start <= len(src)-8 { // most names; the branch saves 1 % of the time of a page
		key := shortKey(binary.LittleEndian.Uint64(src[start:]), n)
		h := firstSlot(key)
		for t.keys[h] != 0 && t.keys[h] != key {
			h = (h + 1) % nameSlots
		}
		return h
	}
	name := src[start:end]
	key := nameKey(name)
	h := firstSlot(key)
	for t.keys[h] != 0 && (t.keys[h] != key || !ascii.FoldEqual(name, t.names[h])) {
		h = (h + 1) % nameSlots
	}
	return h
}

// nameKey returns a shorter name with its length, or the first eight bytes of a longer one, in lower case. Names of
// eight bytes or more may share a key, so the caller must compare them.
func nameKey(name []byte) uint64 {
	if len(name) >= 8 {
		return binary.LittleEndian.Uint64(name) | 0x2020202020202020
	}
	var buf [8]byte
	copy(buf[:], name)
	return shortKey(binary.LittleEndian.Uint64(buf[:]), len(name))
}

// shortKey returns the key of the name in the first n bytes of w, with n at most 7. Because names in the tables consist
// of letters, digits, "-" and ":", a name with the key of one of them is that name, in any case.
func shortKey(w uint64, n int) uint64 {
	w |= w & 0x4040404040404040 >> 1 // lower case; digits, "-" and ":" stay
	return w&(1<<(8*n&63)-1) | uint64(n)<<56
}

func firstSlot(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> (64 - nameBits) }
