// Package extract finds the base URLs and the links of documents, resolves the links, and rewrites documents with
// absolute links.
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
// An Extractor has the settings, and these methods:
//
//   - [Extractor.Links] yields every link of a document.
//   - [Extractor.Bases] yields every entity of a document, with its base URL and all candidates for the base.
//   - [Extractor.Rewrite] copies a document. It makes the links absolute, or writes the URLs that a function returns.
//   - [Extractor.Records] yields the records of an archive or a mailbox, so that goroutines can read them in parallel.
//   - [Extractor.Open] opens an archive or a mailbox, so that goroutines can rewrite its records in parallel.
//
// The function [Absolute] rewrites one HTML page in memory.
//
// An entity is a document, or a document inside another document. For example, a message, an HTML page in the message,
// and a srcdoc in the page are three entities. A base governs the links of its own entity, and of entities inside it
// that have no base (RFC 1808 section 3).
//
// How a document is read:
//
//	reader -> Record -> Entity{bytes, type} -> find the links, the bases and the embedded documents
//	                        ^                                  |
//	                        |              make the Scope from all bases that were found
//	                        |                                  |
//	                        |              resolve each link: yield a Link, or edit its bytes
//	                        |                                  |
//	                        `-- decode base64, &amp; ... <-- each embedded document
//	                                     (Rewrite encodes the edits of the embedded document again)
//
// A Link has a Scope. Links are resolved when the whole entity has been read, so a base also governs the links before
// it. Rewriting is the same walk. It changes only the bytes that spell a link, and the bytes of the encodings and
// compressions around the link.
//
// Malformed input is a Problem, and the walk continues. It is an error only in two cases:
//
//   - A compressed document cannot be opened, because its first bytes are damaged.
//   - Rewrite finds damage in a compressed document when it cannot copy the document unchanged any more: see
//     [Extractor.Rewrite].
//
// All other errors have another cause: the document could not be read or written, its format is unknown, or a URL from
// the caller cannot be a base.
package extract
