package mark

import (
	"absolink/extract/internal/codec"
)

// What declares a base, by the names that the ladder shows.
const (
	BaseElement = "BASE element"
	XMLBase     = "xml:base"
)

// Why a declaration is listed and yet no base.
const (
	RepeatedBase   = "only the first BASE element with an href counts"
	RepeatedHeader = "only the first of its name counts"
)

// ListedRefused is how many declarations that are refused from the start are listed. A
// page may have any number of them, and every scope judges all that are listed.
const ListedRefused = 20

// Declaration is what the walk needs to make a base.Declaration of a region's text.
type Declaration struct {
	By        string
	Refuse    string     // not empty: listed, but no base, for this reason
	After     uint8      // asked after those of its rung that have less
	Retrieval bool       // it says where the entity was retrieved from
	Header    bool       // it is a header: parts see it under its own name
	Listed    bool       // it is a link, too: a Content-Location
	Wrapped   bool       // the text is in the grammar of a base header, see fieldURL
	Always    bool       // it counts under the URL Standard, too: no browser shows what it stands in
	Element   codec.Span // what can be taken out with it; empty if there is no such thing
	Filled    bool       // something stands in the element: its value is emptied instead

	Before *Mark // the href that a browser has put this one in the place of, when it saved the page; or nil
}

// RetrievedFrom is the declaration of what a container says that something in it was retrieved from
// (RFC 1808 3.3), under the name that this has there.
func RetrievedFrom(by string) Declaration {
	return Declaration{By: by, Retrieval: true, Header: true}
}

// Part is what a body part's header says of its body.
type Part struct {
	Name    string // of a part without a format: its extension may tell it, else its bytes
	Charset string // "" if it says none
	Signed  bool   // a signature covers it
	Group   int    // of siblings

	SevenBit bool       // its transfer encoding is 7bit
	Text     bool       // it is text: its canonical form has CRLF line ends
	MD5      codec.Span // of the value of its Content-MD5, empty if it has none

	Beside func(path string) bool // of a saved page in an archive, see saved
}
