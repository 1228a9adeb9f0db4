// Package css marks the URLs of a style sheet, a style element or a style attribute.
//
//	@import "a.css";                           a string after @import (css-cascade-5 2)
//	a { background: url(b.png)                 url() without quotes (css-syntax-3 4.3.6)
//	                url("c.png") src("d.png")  url() and src() with a string (css-values-4 4.5)
//	                image-set("e.png" 1x) }    a string in image-set() (css-images-4)
//	/* url(f.png) */ b { content: "url(g)" }   no links: comments and other strings
//
// css.go finds these places in the tokens, and token.go reads the tokens (css-syntax-3 4).
package css
