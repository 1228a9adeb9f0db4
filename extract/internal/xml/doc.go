// Package xml marks the links and the bases of XML documents: feeds, sitemaps, XHTML, SVG, RDF, XSLT and other XML.
//
//	<?xml-stylesheet href="x.css"?>                       scanner.go a link outside of all elements
//	<feed xmlns="http://www.w3.org/2005/Atom"             scanner.go the namespaces of names
//	      xml:base="/blog/">                              scanner.go the base of an element (XML Base 4)
//	  <link href="1.html"/>                               links.go   an attribute that is a link
//	  <logo>logo.png</logo>                               links.go   a text that is a link
//	  <content type="html">&lt;img src=2.png&gt;</content>           a text that is a document
//	  <div xmlns="http://www.w3.org/1999/xhtml">          links.go   elements of pages, by the tables of package html
//	</feed>
//
// A document is read in one pass over the bytes, even if it is not well-formed. No tree is built; a stack of the open
// elements holds their namespaces (Namespaces in XML 1.0) and their bases (XML Base).
//
// The scanner skips the document type declaration, so it does not know which entities the document declares. A value
// with an entity other than the five of XML cannot be read, and is reported and left unchanged.
//
// places.go has the tables of links, by namespace.
package xml
