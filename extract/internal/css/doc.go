// Package css marks the URLs of a style sheet, a style element or a style attribute.
//
//	@import "a.css";                           a string after @import (css-cascade-5 2)
//	a { background: url(b.png)                 url(), without quotes (css-syntax-3 4.3.6)
//	                url("c.png") src("d.png")  or with a string (css-values-4 4.5)
//	                image-set("e.png" 1x) }    strings in image-set() (css-images-4)
//	/* url(f.png) */ b { content: "url(g)" }   comments and other strings have none
//
// css.go searches the tokens for these places. token.go has the tokens of css-syntax-3 section 4, as far as URLs
// need them.
package css
