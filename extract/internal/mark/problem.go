package mark

import (
	"strconv"
)

// Code names a kind of problem. Codes are stable; the README lists them.
type Code string

const (
	BaseNotAbsolute     Code = "base-not-absolute"     // RFC 1808 3.1 wants a declared base absolute
	BaseUnsuitable      Code = "base-unsuitable"       // a base that cannot carry relative URLs
	BaseMalformed       Code = "base-malformed"        // a base that the standard cannot parse
	BaseRepeated        Code = "base-repeated"         // a second BASE element with an href, or base header of the same name
	BaseNeeded          Code = "base-needed"           // a BASE element that was to go, kept for links that need it
	NoBase              Code = "no-base"               // a relative reference with nothing to resolve it
	LinkMalformed       Code = "link-malformed"        // a reference that the standard cannot parse, or a srcset candidate that HTML drops
	LocalCopy           Code = "local-copy"            // a reference to what was saved beside the page
	CharsetUnknown      Code = "charset-unknown"       // a charset that the Encoding Standard does not know
	Undecodable         Code = "undecodable"           // bytes that their own spelling does not allow, or in one that cannot be read
	DepthLimit          Code = "depth-limit"           // documents, or what else nests, within one another beyond the limit
	SizeLimit           Code = "size-limit"            // a record beyond the limit, passed through unread, or a link that would make it grow by more
	RatioLimit          Code = "ratio-limit"           // a packed file that grows too much, not read to its end
	RecordTruncated     Code = "record-truncated"      // an archive or record that is not as long as it says, or not what it is said to be
	HeaderMalformed     Code = "header-malformed"      // a header that is not read to its end, or one of an archive that is wrong
	BoundaryMissing     Code = "boundary-missing"      // a multipart that names no boundary, or has none
	BoundaryOpen        Code = "boundary-unterminated" // a multipart without its closing boundary
	SignatureWouldBreak Code = "signature-would-break" // an edit inside what a signature covers
	DKIMBroken          Code = "dkim-broken"           // a change that a DKIM signature does not survive
	DigestBroken        Code = "digest-broken"         // a change that a digest of an unknown kind does not survive
	RewriteRefused      Code = "rewrite-refused"       // an edit that cannot be spelled where it should stand
)

// Problem is something wrong inside a document. It is never an error: the walk goes
// on, and the bytes stay.
type Problem struct {
	Document string `json:"document"`
	Entity   string `json:"entity"`
	Offset   int    `json:"offset"` // in the entity's bytes
	Code     Code   `json:"code"`
	Detail   string `json:"detail"`
}

// Quote gives bytes of a document for a message: in quotes, and not without end.
func Quote(b []byte) string {
	const limit = 200
	more := ""
	if len(b) > limit {
		b, more = b[:limit], "..."
	}
	for _, c := range b {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.Quote(string(b)) + more
		}
	}
	return `"` + string(b) + `"` + more // what strconv gives, sooner: each link without a base is quoted
}
