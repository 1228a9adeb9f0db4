package mark

import (
	"absolink/extract/internal/codec"
)

// Names of declarations, as the ladder shows them.
const (
	BaseElement = "BASE element"
	XMLBase     = "xml:base"
	Location    = "Location" // of a redirect
	NextRequest = "request"  // for a URL that is not known
)

// Reasons why a declaration is listed and is no base.
const (
	RepeatedBase   = "only the first BASE element with an href counts"
	RepeatedHeader = "only the first of its name counts"
)

// ListedRefused is the number of refused declarations that are listed. A page may have any number of them, and
// every scope judges all that are listed.
const ListedRefused = 20

// Declaration describes how a region declares a base. The engine makes a base.Declaration from it.
type Declaration struct {
	By        string     // the name that the ladder shows
	Refuse    string     // if not "", the declaration is listed, but it is no base, for this reason
	After     uint8      // the ladder tries it after the declarations of its rung with a smaller number
	Retrieval bool       // it is the URL that the entity was retrieved from (RFC 1808 3.3)
	Header    bool       // it is a header field: body parts see it under its own name
	Listed    bool       // it is a link as well: a Content-Location
	Wrapped   bool       // the text is in the grammar of a base header, see header.FieldURL
	Always    bool       // it counts under the URL Standard, too, since no browser shows the document
	Element   codec.Span // the element that can be removed with it; empty if there is none
	Filled    bool       // the element has content, so its value is emptied instead

	Before *Mark // the href that a browser replaced by this one when it saved the page; nil for most
}

// RetrievedFrom returns the declaration of a retrieval URL (RFC 1808 3.3), which a container records for a document in
// it. by is the name of that field in the container.
func RetrievedFrom(by string) Declaration {
	return Declaration{By: by, Retrieval: true, Header: true}
}
