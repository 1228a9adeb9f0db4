package extract

import "absolink/extract/internal/codec"

// What declares a base, by the names that the ladder shows.
const (
	baseElement = "BASE element"
	xmlBase     = "xml:base"
)

// Why a declaration is listed and yet no base.
const (
	repeatedBase   = "only the first BASE element with an href counts"
	repeatedHeader = "only the first of its name counts"
)

// listedRefused is how many declarations that are refused from the start are listed. A
// page may have any number of them, and every scope judges all that are listed.
const listedRefused = 20

// declaration is what the walk needs to make a base.Declaration of a region's text.
type declaration struct {
	by        string
	refuse    string     // not empty: listed, but no base, for this reason
	after     uint8      // asked after those of its rung that have less
	retrieval bool       // it says where the entity was retrieved from
	header    bool       // it is a header: parts see it under its own name
	listed    bool       // it is a link, too: a Content-Location
	wrapped   bool       // the text is in the grammar of a base header, see fieldURL
	always    bool       // it counts under the URL Standard, too: no browser shows what it stands in
	element   codec.Span // what can be taken out with it; empty if there is no such thing
	filled    bool       // something stands in the element: its value is emptied instead

	before *finding // the href that a browser has put this one in the place of, when it saved the page; or nil
}

// retrievedFrom is the declaration of what a container says that something in it was retrieved from
// (RFC 1808 3.3), under the name that this has there.
func retrievedFrom(by string) declaration {
	return declaration{by: by, retrieval: true, header: true}
}

// part is what a body part's header says of its body.
type part struct {
	name    string // of a part without a format: its extension may tell it, else its bytes
	charset string // "" if it says none
	signed  bool   // a signature covers it
	group   int    // of siblings

	sevenBit bool       // its transfer encoding is 7bit
	text     bool       // it is text: its canonical form has CRLF line ends
	md5      codec.Span // of the value of its Content-MD5, empty if it has none

	beside func(path string) bool // of a saved page in an archive, see saved
}
