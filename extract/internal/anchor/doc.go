// Package anchor finds what a page says of a link beside its URL: the attributes rel and title of the element that has
// the link, and the text of an anchor or of a picture.
//
//	<a href="x" rel="next" title="T">An <b>anchor</b>  text</a>
//	                 ----         -  -- ---------------------     the text is "An anchor text"
//
// The text of an anchor is known at its end, and its links come first. So the scanner of a page records the texts in an
// Index, if they are asked for. It calls HTML or the methods of its parts for every tag. When the engine comes to a
// link, it looks up the tag and the text. An attribute is read only then.
package anchor
