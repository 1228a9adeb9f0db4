// Package grammar marks the links in values that have a small grammar of their own, in attributes, header fields and
// scripts.
//
//	Srcset            a.png 1x, b.png 2x                        HTML 4.8.4.3
//	Refresh           5; url=next.html                          HTML 4.2.5.3
//	URLList           a.html b.html                             HTML 2.3.7
//	CommaList         a.jar, b.jar                              HTML 4.01 13.4
//	LinkHeader        <a.css>; rel=stylesheet, <b>; rel=next    RFC 8288 3
//	ImportMap         {"imports": {"a": "./a.js"}}              HTML, "parse an import map string"
//	SpeculationRules  {"prefetch": [{"urls": ["next.html"]}]}   HTML 7.6.1.2
//	JSONLD            {"@id": "#shop", "image": ["a.png"]}      JSON-LD 1.1 7
//
// Each grammar is a mark.Format. For a srcset attribute, say, package html makes one Inline mark, and the engine
// decodes the attribute's value and calls Srcset.Mark with it.
package grammar
