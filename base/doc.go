// Package base decides which base URL applies to an entity, and why. An entity is
// a document, or a document inside another document, such as a page in a message.
// The package reads no documents: a caller passes the declarations of base URLs
// that it found, and gets a [Scope].
//
//	url := base.Declaration{Rung: base.RungRetrieval, By: "--url", Value: "http://h/p/", Offset: -1}
//	element := base.Declaration{Rung: base.RungEmbedded, By: "BASE element", Value: "/docs/", Offset: 12}
//	page := base.Root(resolve.RFC3986, url).Enclose(resolve.RFC3986, "", element)
//	fmt.Println(page.Base(), page.Rung(), page.By()) // http://h/docs/ embedded BASE element
//
// # The ladder
//
// RFC 1808, section 3, has the rules. It describes four layers around the content
// of an entity. A [Rung] is one layer. The innermost layer with a usable base URL
// wins:
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
// A [RungOverride] is not part of the RFC. It is a base URL of the user that wins
// over all layers.
//
// A relative base URL is resolved against the base URL of the next layer. A
// declaration that cannot be a base is rejected, and the next layer decides.
// [Scope.Candidates] returns all declarations, each with its [Verdict].
//
// # Scopes
//
// A Scope has the base URL of one entity or of one element. Three functions return
// a Scope:
//
//   - [Root] returns the outermost scope. It has the URLs that are known before a
//     document is read.
//   - [Scope.Enclose] returns the scope of an entity: first of the document, and
//     then of each entity inside an entity that has a scope.
//   - [Scope.Within] returns the scope of one element.
//
// An entity without declarations uses the base URL of the scope around it (section
// 3.2):
//
//	Root                        --url http://h/7
//	`- Enclose "", header       a message:   Content-Base: http://h/docs/
//	   `- Enclose "part"        a page in it: the base is http://h/docs/
//	      `- Within codebase    an OBJECT element: codebase is relative to that base
//
// Call Enclose after the whole entity has been read, with all its declarations.
// A BASE element also governs the links before it. A Scope never changes.
//
// # The order of the candidates
//
// The candidates of a scope are the declarations of the scope and of all scopes
// around it. They are tried in this order:
//
//  1. Override, the innermost scope first
//  2. Embedded and then Encapsulating of the innermost scope, then of the next
//     scope, and so on
//  3. redirects, the innermost scope first
//  4. other Retrieval, the outermost scope first: a retrieval URL of the user is
//     better evidence than a URL that a document records
//  5. Retrieval with Last, the outermost scope first
//  6. Default
//
// If one scope has several declarations of the same kind, they are tried in the
// order in which they were passed.
package base
