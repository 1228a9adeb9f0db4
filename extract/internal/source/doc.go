// Package source is the way back from a text to the bytes that spell it, and the charset that edits of these bytes
// have to be spelled in.
//
//	entity's bytes    ...... PGEgaHJlZj0ieC5odG1sIj4= ......      base64
//	                         \______________________/
//	                                    | Decode     ^
//	                                    v            | Span, Offset
//	Text              <a href="x.html">
//
// A Text may stand in another Text, as the value of a style attribute stands in a page. Span and Offset follow the
// chain to the bytes of the entity.
package source
