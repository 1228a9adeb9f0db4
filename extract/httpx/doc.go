// Package httpx rewrites the documents in HTTP responses with package extract. Use [Transport] in a client or a reverse
// proxy, or [ModifyResponse] in a proxy whose transport is not yours:
//
//	proxy := httputil.NewSingleHostReverseProxy(site)
//	proxy.Transport = httpx.Transport{Extractor: &extract.Extractor{Standard: resolve.WHATWG}}
//
// Browsers resolve links by the URL Standard, so a proxy in front of them should, too: a page with href="\\other" leads
// to another host in a browser, and to a file by the RFCs.
//
// To find links and rewrite nothing, pass the result of [FromResponse] to Extractor.Links.
//
// A body is rewritten if it is a document that package extract reads, such as a page, a style sheet or a feed, and if
// Extractor.Only wants it. Messages, archives and compressed files pass unchanged, because whoever downloads a file
// wants the original. So do images, videos and event streams, which pass as they come.
//
// Before you use it, know four things:
//
//   - A document is read to its end before the client gets it, because a base can come after the links. If a document
//     never ends, as a log in text/plain, exclude its type with Extractor.Only.
//   - Extractor.MaxRecord is 32 MiB if it is not set, because a proxy holds many responses at the same time. It limits
//     the body as it comes and decompressed.
//   - A document that cannot be rewritten passes unchanged, and Extractor.OnProblem receives the reason: it is too long
//     or damaged, a part of a document (206), or has Cache-Control: no-transform (RFC 9110 7.7).
//   - The links in the fields Location, Content-Location, Link and Refresh are rewritten in every response. If the body
//     changes, other fields change with it: see [ModifyResponse].
//
// examples/proxy is a complete program.
package httpx
