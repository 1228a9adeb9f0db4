// Package verify proves with other parsers that a rewriting changed only links, and that each new link is right. It uses
// none of the parsers and resolvers with which absolink reads and writes documents.
//
//	OLD ---.                                                     .---> Result
//	       |---> Document ---> by the media type of the entity ---|      Links, Unable, Why, Failed
//	NEW ---'                        |                            '
//	                                |
//	        page      x/net/html: tokens (bytes) and trees; the base is found in the trees
//	        xml       encoding/xml: tokens
//	        css       tdewolff/parse: tokens
//	        mail      go-message, go-mbox: headers, structure, decoded bodies ---> parts, each an entity
//	        http      net/http, compress/gzip ---> the body, an entity
//	        warc      lengths and digests, computed again ---> blocks, each an entity
//	        pack      compress/gzip, archive/zip, archive/tar ---> members, each an entity
//	                                |
//	        link      each changed value of OLD, resolved against the base in OLD, mapped by the rules of --map,
//	                  must be the value in NEW
//	                  rfc1808, rfc3986: package literal, the steps of the RFCs     whatwg: nlnwa/whatwg-url
//
// Three results are possible. A difference that is not a right link fails the document. A document that no independent
// parser reads, and a link whose base it does not find, count as unable. They are never counted as proved. Everything else is proved.
//
// A document that fails is judged a second time, by absolink's reading of the old version: the bytes, the reference and
// the base of each link. If it is right by that reading, the readings differ, and the document counts as unable.
package verify
