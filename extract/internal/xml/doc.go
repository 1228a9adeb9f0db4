// Package xml marks the links and the bases of XML documents: feeds, sitemaps, XHTML, SVG, RDF, XSLT and any other.
//
//	<?xml-stylesheet href="x.css"?>                       markup.go     a link outside of all elements
//	<feed xmlns="http://www.w3.org/2005/Atom"             namespaces.go what the names mean
//	      xml:base="/blog/">                              scanner.go    the base of an element (XML Base 4)
//	  <link href="1.html"/>                               elements.go   an attribute that is a link
//	  <logo>logo.png</logo>                               texts.go      a text that is a link
//	  <content type="html">&lt;img src=2.png&gt;</content>              or a document
//	  <div xmlns="http://www.w3.org/1999/xhtml">          page.go       elements of pages, by the tables of package html
//	</feed>
//
// A document is read in one pass over the bytes, well-formed or not. The scanner keeps the open elements, with their
// namespaces (Namespaces in XML 1.0) and their bases. It builds no tree. It does not read the document type
// declaration. A value with an entity that is not one of XML's is not known, so it is left unchanged and reported.
//
// places.go has the tables, by namespace.
package xml
