// Package grammar marks the links in the small grammars that attributes, header fields and scripts hold.
//
//	Srcset            a.png 1x, b.png 2x                        HTML 4.8.4.3
//	Refresh           5; url=next.html                          HTML 4.2.5.3
//	URLList           a.html b.html                             HTML 2.3.7
//	CommaList         a.jar, b.jar                              HTML 4.01 13.4
//	LinkHeader        <a.css>; rel=stylesheet, <b>; rel=next    RFC 8288 3
//	ImportMap         {"imports": {"a": "./a.js"}}              HTML, "parse an import map string"
//	SpeculationRules  {"prefetch": [{"urls": ["next.html"]}]}   HTML 7.6.1.2
//
// Each grammar is a Format of its own. The text around it has one Inline mark for it. The engine decodes that
// region and calls the Format of the grammar.
package grammar
