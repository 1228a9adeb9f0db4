package html

import (
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/html/tree"
	"absolink/extract/internal/mark"
)

// The tables of places.go, arranged for the scanner: a row for each element, and a number for each attribute.

// element is the row of an element name.
type element struct {
	name  string
	raw   rawKind
	role  role
	attrs attrSet                // the attributes that have a value
	links [attrCount]value       // by the number of the attribute
	place [attrCount]*mark.Place // of the attributes that have a value
}

// simple reports whether the element has no raw text and no role. Then its tags are not needed for the tags after them.
func (e *element) simple() bool { return e.raw == notRaw && e.role == plain }

// role is the special meaning of an element, besides its links.
type role uint8

const (
	plain       role = iota
	roleBase         // base: declares the base of the document
	roleObject       // object, applet: may have a codebase attribute
	roleForeign      // svg, math
	roleTemplate
	roleFrameset
)

// rawKind is how the tokenizer reads the content of an element (HTML 13.2.6.4).
type rawKind uint8

const (
	notRaw    rawKind = iota
	rawText           // RAWTEXT or RCDATA: up to the end tag
	rawScript         // script data
	rawStyle          // RAWTEXT that is CSS
	rawNoscript
	rawPlaintext // up to the end of the file
)

// attrSet is a set of attributes, by their numbers.
type attrSet uint64

const allAttrs = ^attrSet(0)

func (s *attrSet) add(name string) { *s |= 1 << attributeID(name) }

// attrCount is the largest number of attributes in the tables. A set of attributes fits into 64 bits.
const attrCount = 64

// numbers has the numbers of the attributes of all tables.
var numbers = numberAttributes()

// numbering maps the names of attributes to numbers, and back.
type numbering struct {
	ids   map[string]uint8
	names [attrCount]string
}

func numberAttributes() *numbering {
	n := &numbering{ids: map[string]uint8{}}
	next := 0
	number := func(name string) {
		if _, ok := n.ids[name]; !ok {
			n.ids[name], n.names[next] = uint8(next), name
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
	return n
}

// attributeID returns the number of an attribute. It panics if the attribute is in no table.
func attributeID(name string) uint8 {
	id, ok := numbers.ids[name]
	if !ok {
		panic("html: no table has the attribute " + name)
	}
	return id
}

// The numbers of the attributes that the code uses by name.
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

// The rows of the elements that are in no table.
var (
	anyElement = htmlElement() // an element of HTML
	anySVG     = foreignElement(tree.SVG)
	anyMathML  = foreignElement(tree.MathML)
)

// extended has the attributes of extendedPlaces. extendedAs has the way to read the value of each attribute.
var extended, extendedAs = extendedAttributes()

// The tables of names, and the value for each slot of a table.
var (
	elements, elementAt     = indexElements(elementRows()) // the rows; anyElement for an empty slot
	attributes, attributeAt = indexAttributes()            // the numbers; -1 for an empty slot
)

// complexNames has the first letters of the elements that are not simple, by the lengths of their names. A letter c is the
// bit c&31.
var complexNames = func() (letters [16]uint32) {
	for _, e := range elementAt {
		if !e.simple() {
			letters[len(e.name)] |= 1 << (e.name[0] & 31)
		}
	}
	return letters
}()

// lookupElement returns the row of the element name src[start:end]. It ignores case.
func lookupElement(src []byte, start, end int) *element {
	return elementAt[elements.find(src, start, end)]
}

// lookupAttribute returns the number of the attribute name src[start:end], or -1. It ignores case.
func lookupAttribute(src []byte, start, end int) int {
	return int(attributeAt[attributes.find(src, start, end)])
}

func (e *element) add(attr string, as value) {
	id := attributeID(attr)
	e.links[id] = as
	e.attrs.add(attr)
	e.place[id] = newPlace(e.name, attr, as)
}

// addGlobal adds the attributes that all elements of HTML may have.
func (e *element) addGlobal() {
	for _, p := range places {
		if p.elements == "*" {
			e.add(p.attr, p.as)
		}
	}
}

// elementRows returns a row for each element that a table names.
func elementRows() map[string]*element {
	rows := make(map[string]*element, nameSlots/2)
	row := func(name string) *element {
		if rows[name] == nil {
			rows[name] = &element{name: name}
		}
		return rows[name]
	}
	for _, p := range places {
		for _, name := range strings.Fields(strings.Trim(p.elements, "*")) {
			row(name).add(p.attr, p.as)
		}
	}
	for raw, names := range rawElements {
		for _, name := range strings.Fields(names) {
			row(name).raw = rawKind(raw)
		}
	}
	for r, names := range roles {
		for _, name := range strings.Fields(names) {
			row(name).role = role(r)
		}
	}
	for _, e := range rows {
		e.addGlobal()
	}
	return rows
}

func htmlElement() *element {
	e := &element{}
	e.addGlobal()
	return e
}

func foreignElement(ns tree.Namespace) *element {
	e := &element{}
	for _, p := range foreignPlaces {
		if ns == tree.SVG || !p.svg {
			e.add(p.attr, p.as)
		}
	}
	return e
}

func extendedAttributes() (set attrSet, as [attrCount]value) {
	for _, x := range extendedPlaces {
		set.add(x.attr)
		as[attributeID(x.attr)] = x.as
	}
	return set, as
}

func indexElements(rows map[string]*element) (names nameTable, at [nameSlots]*element) {
	for h := range at {
		at[h] = anyElement
	}
	for name, e := range rows {
		at[names.add(name)] = e
	}
	at[names.add("image")] = rows["img"] // the parser reads an image as an img (13.2.6.4.7)
	return names, at
}

func indexAttributes() (names nameTable, at [nameSlots]int8) {
	for h := range at {
		at[h] = -1
	}
	for name, id := range numbers.ids {
		at[names.add(name)] = int8(id)
	}
	return names, at
}

// newPlace returns the place of an attribute of an element. If the place is for any element, element is "".
func newPlace(element, attr string, as value) *mark.Place {
	inert := attr == "src" || attr == "poster" || attr == "data" || attr == "background" || element == "link" && attr == "href"
	return &mark.Place{Name: element + "@" + attr, Names: as == asName, Own: as == asOwnURL, Inert: inert, Srcdoc: as == asDocument}
}

// placeKey is the key of a place that is not in a table.
type placeKey struct {
	element string
	attr    uint8
	svg     bool
}

// placeOf returns the place of an attribute on an element that has no row of its own.
func (s *scanner) placeOf(e *element, name []byte, attr uint8, as value) *mark.Place {
	var buf [32]byte
	folded := tree.WithoutNUL(ascii.Fold(buf[:0], name))
	if p := s.places[placeKey{string(folded), attr, e == anySVG}]; p != nil {
		return p
	}
	key := placeKey{string(folded), attr, e == anySVG}
	p := newPlace(key.element, numbers.names[attr], as)
	if key.svg && key.element != "a" && as == asURL {
		p.Names = true // a fragment-only reference is always to this document (SVG 2 16.1.3)
	}
	if s.places == nil || len(s.places) > 10000 {
		s.places = map[placeKey]*mark.Place{}
	}
	s.places[key] = p
	return p
}
