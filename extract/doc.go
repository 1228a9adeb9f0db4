// Package extract reads documents. It finds their base URLs and their links, resolves the links, and rewrites the
// documents in place.
//
//	var x extract.Extractor
//	page := extract.Document{Name: "page.html", URL: "http://site.example/docs/", Reader: file}
//	for link, err := range x.Links(ctx, page) {
//		if err != nil {
//			return err
//		}
//		fmt.Printf("%s %s\n", link.Place(), link.URL)
//	}
//
// An Extractor has the settings. Links yields every link, and Bases every document with its base and all candidates for
// it. Rewrite copies a document with its links absolute, or as a function maps them. Records divides an archive or a
// mailbox for several goroutines. Absolute does all of it for one page in memory.
//
// How a document is read:
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
// A Link has a Scope, and is resolved when the whole entity has been read. So a base governs the links before it, too
// (RFC 1808 section 3). Rewriting is the same walk. It changes only the bytes that spell a link, through every layer
// that the link is nested in.
//
// Malformed input is never an error: it is a Problem, and the walk continues. An error means that the document could not
// be read or written.
package extract
