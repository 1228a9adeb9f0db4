// Package grammar marks the links in small grammars. Attributes, header fields and scripts contain them.
//
//	Srcset            a.png 1x, b.png 2x                        HTML 4.8.4.3
//	Refresh           5; url=next.html                          HTML 4.2.5.3
//	URLList           a.html b.html                             HTML 2.3.7
//	CommaList         a.jar, b.jar                              HTML 4.01 13.4
//	LinkHeader        <a.css>; rel=stylesheet, <b>; rel=next    RFC 8288 3
//	ImportMap         {"imports": {"a": "./a.js"}}              HTML, "parse an import map string"
//	SpeculationRules  {"prefetch": [{"urls": ["next.html"]}]}   HTML 7.6.1.2
//
// Each grammar is a Format of its own. For example, package html makes one Inline mark for a srcset attribute. The
// engine decodes the value of the attribute, and calls Srcset.Extract with it.
package grammar
