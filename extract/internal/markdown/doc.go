// Package markdown marks the links of a Markdown document (text/markdown, RFC 7763). It reads CommonMark 0.31.2 with the
// tables and autolinks of GFM 0.29, footnote definitions, and front matter.
//
//	---                                 front matter: no links
//	title: a
//	---
//	> See [a](b.html "title") and       link: the span is b.html
//	> ![c](<d e.png>).                  image: the span is d e.png, without the brackets
//
//	[x]: /y  'title'                    definition: the span is /y; a link [x] has no URL of its own
//	<http://h/> www.h.example a@h.example
//	                                    autolink: the text in the brackets, or the whole autolink
//	| [a](b\|c) |                       a table cell: \| is a pipe
//	| --------- |
//	<p><a href="f">                     embedded HTML: a region that is read as HTML
//	`[a](b)`                            code: no links
//
// The document is read twice. The first pass divides it into blocks and collects the definitions. The second pass reads
// the links in the text of each block. It needs all definitions: if [b] is defined, [b] is a link, and then
// [a [b] c](d) is not a link. The package does not read emphasis, because emphasis does not change links.
//
// Scanner finds the links, and Format makes marks of them. Scanner does not decode URLs. It returns the span and the
// codec of each URL.
package markdown
