// Package html marks the links and the base of an HTML page, by the rules that browsers follow (HTML 13).
//
//	<!-- saved from url=(0014)http://h/p.html -->         saved.go    evidence of the original URL
//	<html><base href="/v2/">                              links.go    the base
//	<a href="x.html" title="y">                           elements.go a@href is a link
//	<meta http-equiv="refresh" content="5; url=x">        links.go    values that depend on other attributes
//	<script>"<a href=x>"</script>                         scanner.go  text that is not read as tags
//	<svg><a xlink:href="x"><p>                            foreign.go  SVG and MathML, and the tags that end them
//
// A page is read in one pass over the bytes, by the tokenizer of HTML 13.2.5. No tree is built: of the tree builder
// (13.2.6) the scanner follows only the rules without which ordinary pages are misread, those for raw text, templates,
// and the open elements of SVG and MathML. docs/standards.md lists the pages that need a tree.
//
//	bytes ---> scanner.go ---> links.go ---> Marks
//	           tags            elements.go: a row of the table for each element, which tells how each attribute is read
//
// In XML documents, package xml reads the tags of XHTML, SVG and MathML, and Page marks their links by the same tables.
// charset.go finds the encoding of a page (13.2.3).
package html
