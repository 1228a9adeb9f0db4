// Package extract finds the links in documents, makes them absolute, and rewrites the documents: web pages, style
// sheets, feeds, mail and web archives, compressed or not. See [Formats].
//
//	var x extract.Extractor
//	page := extract.Document{Name: "page.html", URL: "http://site.example/docs/", Reader: file}
//	for link, err := range x.Links(ctx, page) {
//		if err != nil {
//			return err
//		}
//		fmt.Printf("%s %s\n", link.Place(), link.URL) // a@href http://site.example/docs/faq
//	}
//
// [Extractor.Rewrite] copies a document with absolute links, or with links of your own, and leaves every other byte
// alone. [Extractor.Bases] tells which base URL applies, and why. [Absolute] rewrites one page in memory.
// [Extractor.Records] and [Extractor.Open] share a mailbox or an archive among goroutines. Package httpx is for
// responses of net/http.
//
// A document can contain others: a message holds a page, and the page an iframe with a srcdoc. Each is an [Entity] that
// can declare a base URL, even after the links that need it, and else has that of the entity around it (RFC 1808,
// section 3).
//
// A fault in a document is not an error, but a [Problem] for Extractor.OnProblem, and reading goes on. An error means
// that something could not be read or written, or that a setting is wrong.
//
// One record is in memory at a time: a page, a message, a file of an archive. Write to no slice that you get. Until
// when values are valid, and what to keep instead:
//
//	Link     the next turn of the loop, or the return of Map or OnLink    Link.Clone
//	Entity   as its Link, or the next turn of the loop over Bases         Scope, and its strings
//	Edit     the return of OnEdit                                         copies of Old and New
//	Left     the return of OnLeft                                         a copy of Text
//	Record   Record.Release, which need not be called
//	Change   stays valid, as do a Problem and a Scope
package extract
