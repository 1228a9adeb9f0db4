// Package base decides which base URL applies to an entity, and why. It reads
// no documents: a caller passes declarations, and gets a Scope.
//
//	url := base.Declaration{Rung: base.Retrieval, By: "--url", Value: "http://h/p/"}
//	element := base.Declaration{Rung: base.Embedded, By: "BASE element", Value: "/docs/"}
//	scope := base.Root(resolve.RFC3986, url).Enclose(resolve.RFC3986, "", element)
//	fmt.Println(scope.Base()) // http://h/docs/
//
// The rule is the ladder of RFC 1808, section 3. The innermost layer that
// declares a usable base URL wins:
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
// An Override, such as the flag --override-base, wins before all layers.
//
// A relative base URL is resolved against the base URL of the next layer. A
// declaration that cannot be a base is rejected, and the next layer decides.
// Scope.Candidates returns all declarations in this order, each with a Verdict.
//
// A caller makes a Scope when it has read the whole entity, so that all its
// declarations are known. The Scope never changes after that. An entity that
// declares nothing uses the base of the Scope around it (section 3.2).
package base
