// Package base decides which base URL is in force for an entity, and why.
// It knows no bytes and no documents: declarations go in, a closed Scope comes out.
//
// The rule is the ladder of RFC 1808 section 3, innermost first:
//
//	.----------------------------------------------------------.
//	|  .----------------------------------------------------.  |
//	|  |  .----------------------------------------------.  |  |
//	|  |  |  .----------------------------------------.  |  |  |
//	|  |  |  |   (3.1) Embedded       <base href>     |  |  |  |
//	|  |  |  `----------------------------------------'  |  |  |
//	|  |  |   (3.2) Encapsulating       Base: <URL:...>  |  |  |
//	|  |  `----------------------------------------------'  |  |
//	|  |   (3.3) Retrieval                      --url       |  |
//	|  `----------------------------------------------------'  |
//	|   (3.4) Default                        ""                |
//	`----------------------------------------------------------'
//
// A user's --override-base stands above all of it.
//
// A Scope is closed when the extraction of its entity has ended and never changes
// after that; an entity that declares nothing asks the Scope around it, which is
// all that section 3.2 needs.
package base
