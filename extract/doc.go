// Package extract reads documents: it finds their bases and links, resolves the links,
// and rewrites them in place.
//
//	reader -> Record -> Entity{bytes, type} -> Format.Extract -> Finder
//	                        ^                                      |
//	                        |            all declarations known: the Scope closes
//	                        |                                      |
//	                        |        Links --- base --> visit(link), or an edit of its bytes
//	                        |                                      |
//	                        `---- Decode --- Nested documents -----'
//	                                (their edits come back through Lift)
//
// A Format marks regions of a text and nothing else: no extractor decodes, resolves or
// recurses. A link holds its scope, never a URL, and is resolved when the whole entity
// has been read; so a base governs the links before it, too. Rewriting is the same walk
// giving edits of the innermost bytes, lifted through every layer they are nested in.
//
// A Walker is the way in: Links visits every link, Bases every document with its base
// and all that was considered for it, Rewrite copies a document with its links absolute.
// Open gives a document record by record, for several goroutines.
package extract
