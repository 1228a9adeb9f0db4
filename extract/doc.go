// Package extract reads documents. It finds their base URLs and their links, resolves the links, and rewrites the
// documents in place.
//
//	reader -> Record -> Entity{bytes, type} -> the format marks links, bases and nested documents
//	                        ^                                      |
//	                        |            all declarations known: the Scope closes
//	                        |                                      |
//	                        |         links -- base --> visit(link), or an edit of its bytes
//	                        |                                      |
//	                        `---- decode --- nested documents -----'
//	                                (their edits are lifted back through each codec)
//
// A Walker is the way in. Links visits every link. Bases visits every document, with its base and all candidates for it.
// Rewrite copies a document with its links absolute. Open reads a document record by record, for several goroutines.
//
// A Link has a Scope, and is resolved when the whole entity has been read. So a base governs the links before it, too
// (RFC 1808 section 3). Rewriting is the same walk. It changes only the bytes that spell a link, through every layer
// that the link is nested in.
//
// Malformed input is never an error: it is a Problem, and the walk continues. An error means that the document could not
// be read or written.
package extract
