// Package source maps a position in a decoded text back to the bytes of the document, and encodes edits in the charset
// of these bytes.
//
//	entity's bytes    ...... PGEgaHJlZj0ieC5odG1sIj4= ......      base64
//	                         \______________________/
//	                                    | Decode     ^
//	                                    v            | Span, Offset
//	Text              <a href="x.html">
//
// A Text can be part of another Text, as the value of a style attribute is part of a page. Span and Offset go through
// all outer texts to the bytes of the entity.
//
// A Charset reports whether a text can be written in the charset of an entity, and encodes it. Lines finds the line and
// the column of an offset.
package source
