package mark

import (
	"absolink/extract/internal/codec"
)

// Names of declarations, as candidates have them.
const (
	BaseElement = "BASE element"
	XMLBase     = "xml:base"
	Location    = "Location" // of a redirect
	NextRequest = "request"  // for a URL that is not known
)

// Reasons why a declaration is listed but does not apply.
const (
	RepeatedBase   = "only the first BASE element with an href applies"
	RepeatedHeader = "only the first declaration with this name applies"
)

// ListedRefused limits how many refused declarations of an entity are listed. A page may have any number of them, and
// each scope judges all that are listed.
const ListedRefused = 20

// Declaration describes how a region declares a base. The engine makes a base.Declaration from it.
type Declaration struct {
	By        string // the name that candidates have
	Refuse    string // if not "", why the declaration is listed, but does not apply
	After     uint8  // the order within a layer: smaller numbers are tried first
	Retrieval bool   // it is the URL that the entity was retrieved from (RFC 1808 3.3)
	Header    bool   // it is a header field, which body parts see under its own name
	Listed    bool   // it is also a link, like a Content-Location
	Wrapped   bool   // the text is in the grammar of a base header: see header.FieldURL
	Always    bool   // it applies under the URL Standard, although no browser reads it here
	// the element to remove with the declaration, relative to the start and the end of the region: see Mark.Element
	Element codec.Span
	Filled  bool // the element is more than the declaration: it has content or a target, so only its href is emptied

	Before *Mark // the original href, if a browser replaced it when it saved the page; usually nil
}

// RetrievedFrom returns the declaration of the retrieval URL (RFC 1808 3.3) that a container records for a document. by
// is the name of the field in the container.
func RetrievedFrom(by string) Declaration {
	return Declaration{By: by, Retrieval: true, Header: true}
}
