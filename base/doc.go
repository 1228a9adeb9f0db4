// Package base decides which base URL applies to a document, and why. It reads no documents: you pass the base URLs
// that are declared, and get a [Scope].
//
//	url := base.Declaration{Layer: base.LayerRetrieval, By: "--url", Value: "http://h/p/", Offset: -1}
//	element := base.Declaration{Layer: base.LayerEmbedded, By: "BASE element", Value: "/docs/", Offset: 12}
//	page := base.Root(resolve.RFC3986, url).Enclose(resolve.RFC3986, "", element)
//	fmt.Println(page.Base(), page.Layer(), page.By()) // http://h/docs/ embedded BASE element
//
// RFC 1808, section 3, has four layers around the content of a document. The innermost layer with a usable URL wins:
//
//	.---------------------------------------------.
//	|  .---------------------------------------.  |
//	|  |  .---------------------------------.  |  |
//	|  |  |  (3.1) Embedded  <base href>    |  |  |
//	|  |  `---------------------------------'  |  |
//	|  |  (3.2) Encapsulating  Base: <URL:...> |  |
//	|  `---------------------------------------'  |
//	|  (3.3) Retrieval  --url                     |
//	`---------------------------------------------'
//	(3.4) Default  ""
//
// A relative URL is resolved against that of the next layer. A URL that cannot be a base is rejected, and the next
// layer decides. A [LayerOverride], which the RFC does not have, wins over all layers. [Scope.Candidates] shows all
// declarations with their verdicts.
//
// An entity is a document, or a document inside another one. Scopes nest as entities do: [Root] has what you know
// before you read a document, [Scope.Enclose] makes the scope of an entity, and [Scope.Within] that of an element. An
// entity without a declaration has the base of the scope around it (3.2):
//
//	Root                        --url http://h/7
//	`- Enclose "", header       a message: Content-Base: http://h/docs/
//	   `- Enclose "part"        a page in it, whose base is http://h/docs/
//	      `- Within codebase    an OBJECT element, whose codebase is relative to that
package base
