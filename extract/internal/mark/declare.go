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

// Reasons why a declaration is listed but is not a base.
const (
	RepeatedBase   = "only the first BASE element with an href counts"
	RepeatedHeader = "only the first declaration with this name counts"
)

// ListedRefused is the largest number of refused declarations that are listed. A page may have any number of refused
// declarations, and each scope judges all listed declarations.
const ListedRefused = 20

// Declaration describes how a region declares a base. The engine makes a base.Declaration from it.
type Declaration struct {
	By        string     // the name that the ladder shows
	Refuse    string     // if not "", the declaration is listed, but it is no base, for this reason
	After     uint8      // the order within a rung: the ladder tries smaller numbers first
	Retrieval bool       // it is the URL that the entity was retrieved from (RFC 1808 3.3)
	Header    bool       // it is a header field: body parts see it under its own name
	Listed    bool       // it is also a link, such as a Content-Location
	Wrapped   bool       // the text is in the grammar of a base header, see header.FieldURL
	Always    bool       // it also counts under the URL Standard, because no browser shows the document
	Element   codec.Span // the element that is removed with the declaration, from the start and the end of the region: see Mark.Element
	Filled    bool       // the element has content, so its value is emptied, and the element stays

	Before *Mark // the original href, if a browser replaced it when it saved the page; usually nil
}

// RetrievedFrom returns the declaration of a retrieval URL (RFC 1808 3.3). A container records the retrieval URL for
// each of its documents. by is the name of the field in the container.
func RetrievedFrom(by string) Declaration {
	return Declaration{By: by, Retrieval: true, Header: true}
}

// like reports whether two declarations are equal.
func (d *Declaration) like(other *Declaration) bool { return *d == *other }
