// Package ascii has functions that the grammars of HTML, CSS, URLs and header fields share: letters and case, digits,
// white space, lines, and the search for a byte. It imports no other package of this module.
//
// A letter is an ASCII letter. Only ASCII letters have a case. There are three sets of white space, from three standards:
//
//	         SP  TAB  LF  CR  FF
//	IsBlank   x   x                  WSP (RFC 5234 B.1)
//	IsWhite   x   x   x   x          WSP and the line ends of folding (RFC 5322 3.2.2)
//	IsSpace   x   x   x   x   x      ASCII whitespace (Infra Standard; the HTML, CSS and URL Standards use it)
//
// A newline is LF or CRLF. A CR alone is not a newline.
//
// Functions that return an index return len(src), and not -1, if they find nothing: src[p:] is always valid.
package ascii
