package html

import (
	"slices"
	"strings"
)

// The tables of places. They list the attributes that contain links, their elements, and the way to read their values.
//
// The sources are the attribute indexes of HTML, HTML 4.01 and HTML 3.2, and the attributes that browsers once read
// (lowsrc, dynsrc, layer, bgsound).

// value is the way to read the value of an attribute.
type value uint8

const (
	noLink      value = iota
	asURL             // one URL
	asOwnURL          // one URL; under the URL Standard, an empty value is the document's own URL
	asEarlyURL        // one URL that a browser resolves before it can see a BASE element (HTML 5.0, 4.2.3)
	asName            // one URL; a fragment-only value names something in the document
	asList            // URLs between white space
	asCommaList       // URLs between commas
	asSrcset          // image candidates
	asStyle           // CSS declarations
	asDocument        // an HTML document
	asKeyword         // its meaning depends on other attributes, see keywordLink
)

// places are the attributes of HTML. "*" means all elements.
var places = []struct {
	attr     string
	as       value
	elements string
}{
	{"href", asURL, "a area link"},
	{"ping", asList, "a area"},
	{"imagesrcset", asSrcset, "link"},
	{"src", asURL, "img source video audio track embed bgsound script iframe frame input layer ilayer"},
	{"srcset", asSrcset, "img source"},
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
	{"srcdoc", asDocument, "iframe"},
	{"itemid", asURL, "*"},
	{"style", asStyle, "*"},

	// These attributes depend on other attributes of the element, or determine the meaning of other attributes.
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

// extendedPlaces are attributes that only scripts read. They are marked with mark.Settings.Extended. For the meta element
// see metaProperties.
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

// foreignPlaces are the attributes of SVG and MathML. Every element there may have a link (SVG 2, XLink 1.1, MathML 3).
// In SVG the presentation attributes may contain a url().
var foreignPlaces = []struct {
	attr string
	as   value
	svg  bool // not in MathML
}{
	{"href", asURL, false}, {"xlink:href", asURL, false},
	{"itemid", asURL, false}, {"style", asStyle, false},
	{"fill", asStyle, true}, {"stroke", asStyle, true}, {"filter", asStyle, true},
	{"mask", asStyle, true}, {"clip-path", asStyle, true}, {"cursor", asStyle, true},
	{"marker", asStyle, true}, {"marker-start", asStyle, true},
	{"marker-mid", asStyle, true}, {"marker-end", asStyle, true},
	{"xml:base", asKeyword, false},
}

// The elements whose content is not read as tags (HTML 13.2.6.4).
var rawElements = [...]string{
	rawText:   "title textarea xmp iframe noembed noframes",
	rawScript: "script", rawStyle: "style", rawNoscript: "noscript", rawPlaintext: "plaintext",
}

// The elements that need more than the tables.
var roles = [...]string{
	roleBase: "base", roleObject: "object applet", roleForeign: "svg math", roleTemplate: "template",
}

// pictureElements are elements of SVG and MathML that often have links.
const pictureElements = "animate animatemotion animatetransform circle clippath cursor defs ellipse feimage filter font-face-uri " +
	"foreignobject g glyph line lineargradient maction marker mask math mfrac mglyph mi mn mo mpath mrow ms mtext path pattern polygon " +
	"polyline radialgradient rect semantics set stop svg switch symbol text textpath tref tspan use view"

// placeNames is the Places of Format.
func placeNames() []string {
	names := []string{basePlace.Name, metaPlace.Name, paramPlace.Name, importMapPlace.Name, speculationPlace.Name}
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
	for _, name := range slices.Sorted(slices.Values(elements.names[:])) {
		if name != "" {
			names = append(names, name)
		}
	}
	return append(names, strings.Fields(pictureElements)...)
}
