// Package explain shows why an entity has its base URL. Each form has every rung of RFC 1808 section 3, each candidate for
// the base, its verdict, and the reason.
//
//	Entity ---> Explanation ---> Drawing   boxes, as section 3 draws them
//	                        ---> Lines     one line for each rung
//	                        ---> Objects   JSON, one object for each document
//	                        ---> the page of package report
//
// No form cuts a URL. A URL that is longer than a line of a Drawing has a line without a right border.
package explain

import "absolink/extract"

// A Form writes explanations. The entities of a document come one after the other.
type Form interface {
	// Append appends the explanation of one entity.
	Append(dst []byte, e *extract.Entity) []byte
	// End appends the end of a document.
	End(dst []byte) []byte
}
