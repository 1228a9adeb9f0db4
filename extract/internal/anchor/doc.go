// Package anchor finds the description of a link in a page: the attributes rel and title of the element that has the
// link, and the text of an anchor or of a picture.
//
//	<a href="x" rel="next" title="T">An <b>anchor</b>  text</a>
//	                 ----         -  -- ---------------------     the text is "An anchor text"
//
//	<a href="y"><img src="i.png" alt="A picture"></a>
//	                                  ---------                   the text of both links is "A picture"
//
// A page can have many links, and few callers need their descriptions, so the scanner of a page fills an Index only on
// request. It calls HTML, or StartTag, EndTag and Text, in the order of the tags. Later the engine calls At in the
// order of the links, and only then are attributes read.
package anchor
