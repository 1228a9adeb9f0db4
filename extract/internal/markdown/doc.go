// Package markdown finds the links of a Markdown document (text/markdown, RFC 7763) by their byte spans. It reads
// CommonMark 0.31.2 with the tables and autolinks of GFM 0.29, footnote definitions, and front matter.
//
//	---                                 front matter: no links
//	title: a
//	---
//	> See [a](b.html "title") and       link: the span is b.html; the "> " of the next line is no part of the text
//	> ![c](<d e.png>).                  image: the span is d e.png, without the brackets
//
//	[x]: /y  'title'                    definition: the span is /y; a link [x] has no URL of its own
//	<http://h/> www.h.example a@h.example
//	                                    autolink: the inside of the brackets, or the whole text
//	| [a](b\|c) |                       a table cell: \| is a pipe
//	| --------- |
//	<p><a href="f">                     embedded HTML: a region that is read as HTML
//	`[a](b)`                            code: no links
//
// The document is read twice. The first pass divides it into blocks and collects the definitions. The second pass
// reads the text of each block from left to right, for whether [b] is a link decides whether [a [b] c](d) is one.
// Emphasis never makes or breaks a link, so the package does not read it.
//
// The package decodes nothing. Each span comes with the codec that says how it spells its URL.
package markdown
