// Package httpx reads and rewrites the documents in the responses of package net/http. [FromResponse] returns the document of
// a response, to find its links. [Transport] rewrites the responses in a client, and [ModifyResponse] in a reverse proxy:
//
//	proxy := httputil.NewSingleHostReverseProxy(site)
//	proxy.ModifyResponse = httpx.ModifyResponse(&extract.Extractor{})
//
// A response is rewritten if package extract can read the media type of its body, and Extractor.Only wants it. The whole
// body is read before the response is returned, because a base may come after the links. A body without a media type is
// read, too, because its first bytes may show its type. Responses with other bodies are returned at once, and each piece
// of the body passes as it comes:
//
//	image, video, text/event-stream    package extract cannot read the media type
//	zip, mail, MHTML, WARC, gzip file  not rewritten: a client that downloads files wants the original files
//	206, the answer to Range           not rewritten: the body is a part of a document; problem CodeNotRead
//	Cache-Control: no-transform        not rewritten, in a request or a response (RFC 9110 7.7); problem CodeNotRead
//	longer than Extractor.MaxRecord    not rewritten, and returned after MaxRecord bytes if it has no length; problem CodeSizeLimit
//	longer when it is decompressed     not rewritten, and returned after the limit is reached; problem CodeRatioLimit
//	101, and the answer to CONNECT     the header is not rewritten, either
//
// A body that is not rewritten reaches the client unchanged, byte for byte, with its header, except for the links in the
// header. To answer such a response with an error instead, look for the problems in Extractor.OnProblem.
//
// If Extractor.MaxRecord is not set, it is 32 MiB, and not 256 MiB as in package extract, because a proxy holds many
// responses at the same time. It also limits a decompressed body. A body with links needs up to 8 times its length while it is
// rewritten. A body that is too long is refused by its length, before it is searched for links.
//
// A document may never end, such as a log in text/plain, or a series of objects in application/json. It waits until it has
// MaxRecord bytes. Exclude such a media type with Extractor.Only.
//
// The links in the fields Location, Content-Location, Link and Refresh are rewritten in every response, except 101. If the
// bytes of a body do not change, all other fields stay unchanged. If the bytes change, the header and the trailers change:
//
//	Content-Length     the new length; removed if there are trailers, because HTTP/1.1 sends trailers only after chunks
//	Content-Encoding   unchanged: the body is compressed again (gzip, deflate, br, zstd, bzip2)
//	ETag               weak: the origin has other bytes with this ETag (RFC 9110 8.8.1)
//	Accept-Ranges      "none": the origin has ranges of other bytes
//	Content-MD5, Digest, Content-Digest, Repr-Digest
//	                   removed: the origin has not seen the new bytes, so it cannot vouch for them (RFC 9530)
//	Last-Modified, Content-Security-Policy, Want-Repr-Digest, Signature, all others
//	                   unchanged
//
// A response to HEAD changes in the same way, and has no Content-Length. A response 304 (Not Modified) changes in the same
// way, and has no Accept-Ranges. But if the request has the strong ETag in If-None-Match, the 304 stays unchanged, because
// the client has an unchanged body.
//
// Requests are never changed. A client that received a weak ETag sends it in conditions (RFC 9110 13.1). If-None-Match
// works. If-Range gets the whole document. If-Match fails, so a client cannot overwrite a page by its rewritten copy. But
// with a date in If-Range, or without If-Range, a client may get a range of the original bytes. To prevent this, delete the
// field Range from requests.
//
// A body in an unknown Content-Encoding, or with damaged compression, passes unchanged, with a problem CodeUndecodable. To
// prevent unknown encodings, delete the field Accept-Encoding from requests: then package net/http requests gzip, and
// decompresses the body.
//
// Two things cannot be known:
//
//   - If a page has an integrity attribute for a style sheet, browsers reject the rewritten style sheet. To keep the style
//     sheets of a site unchanged, exclude text/css with Extractor.Only. The attribute itself is never changed.
//   - The links of a response 103 (Early Hints) stay unchanged, because package net/http does not return this response.
package httpx
