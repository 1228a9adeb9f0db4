// Package tree follows the tree builder of HTML (HTML 13.2.6) without building a tree. It keeps the stack of open elements,
// the list of active formatting elements and the insertion mode. They decide whether a tag is an element of HTML, SVG or
// MathML, and which elements an end tag closes.
//
//	<table><td><svg></tr><base href=x>
//
//	html body table tbody tr td svg      the stack after <svg>: tbody and tr are implied
//	html body table tbody                the stack after </tr>: the base is an element of HTML
//
// Few pages need a Tree. The scanner of package html knows the foreign elements that are open, a Stack. It uses a Tree where
// the elements around them count, too. Then a second scanner reads the page up to this place, and passes all tags and texts
// to the Tree.
//
//	foreign.go      SVG and MathML (13.2.6.5)              element.go     the stack, and the classes of elements
//	tree.go         the tags and texts of a page           names.go       the rules for each name
//	head.go         the modes up to the head, templates    format.go      active formatting elements (13.2.4.3)
//	body.go         the mode "in body" (13.2.6.4.7)        doctype.go     quirks mode
//	table.go        the modes of a table                   order.go       the first BASE element of the tree
package tree
