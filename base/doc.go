// Package base decides which base URL applies to an entity, and why. An entity is
// a document, or a document inside another document, such as a page in a message.
// The package reads no documents: a caller passes the declarations of base URLs
// that it found, and gets a [Scope].
//
//	url := base.Declaration{Rung: base.Retrieval, By: "--url", Value: "http://h/p/"}
//	element := base.Declaration{Rung: base.Embedded, By: "BASE element", Value: "/docs/"}
//	page := base.Root(resolve.RFC3986, url).Enclose(resolve.RFC3986, "", element)
//	fmt.Println(page.Base(), page.Rung(), page.By()) // http://h/docs/ embedded BASE element
//
// # The ladder
//
// The rules are those of RFC 1808, section 3. It has four layers around the
// content of an entity, and a [Rung] is one layer. The innermost layer with a
// usable base URL wins:
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
// An [Override] is not part of the RFC. It is a base URL of the user that wins
// over all layers.
//
// A relative base URL is resolved against the base URL of the next layer. A
// declaration that cannot be a base is rejected, and the next layer decides.
// [Scope.Candidates] returns all declarations, each with its [Verdict].
//
// # Scopes
//
// A Scope has the base URL of one entity. [Root] returns the outermost scope,
// which has the URLs that are known before a document is read. [Scope.Enclose]
// returns the scope of an entity inside the entity of another scope, and
// [Scope.Within] the scope of one element. An entity without declarations uses
// the base URL of the scope around it (section 3.2):
//
//	Root                        --url http://h/7
//	`- Enclose "", header       a message:   Content-Base: http://h/docs/
//	   `- Enclose "part"        a page in it: the base is http://h/docs/
//	      `- Within codebase    an OBJECT element: codebase is relative to that base
//
// Call Enclose after the whole entity has been read, with all its declarations.
// A BASE element also governs the links before it. A Scope never changes.
package base
