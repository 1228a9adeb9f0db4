// Package explain shows why an entity has its base URL: the layers of RFC 1808 section 3, the candidates of each, the
// verdict on each candidate, and the reason.
//
//	Entity ---> Explanation ---> Drawing   boxes, as section 3 draws them
//	                        ---> Lines     one line for each layer
//	                        ---> Objects   JSON, one object for each document
//	                        ---> the page of package report
//
// No form cuts a URL. In a Drawing, a line with a URL that is too long has no right border.
package explain

import "absolink/extract"

// A Form writes explanations, one document after another.
type Form interface {
	// Append appends the explanation of one entity.
	Append(dst []byte, e *extract.Entity) []byte
	// End appends the end of a document.
	End(dst []byte) []byte
}
