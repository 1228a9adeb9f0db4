package mark

import "strconv"

// Code names a kind of problem that formats find. Package extract describes the codes, and has more.
type Code string

const (
	LinkMalformed        Code = "link-malformed"
	ScriptMalformed      Code = "script-malformed"
	Placeholder          Code = "placeholder"
	Undecodable          Code = "undecodable"
	DepthLimit           Code = "depth-limit"
	SizeLimit            Code = "size-limit"
	LinkLimit            Code = "link-limit"
	RatioLimit           Code = "ratio-limit"
	RecordTruncated      Code = "record-truncated"
	HeaderMalformed      Code = "header-malformed"
	BoundaryMissing      Code = "boundary-missing"
	BoundaryUnterminated Code = "boundary-unterminated"
	NotRead              Code = "not-read"
	LinksNotRead         Code = "links-not-read"
	ContentMismatch      Code = "content-mismatch"
	EmptyLineMissing     Code = "empty-line-missing"
	DKIMBroken           Code = "dkim-broken"
	DigestBroken         Code = "digest-broken"
	LineTooLong          Code = "line-too-long"
	RewriteRefused       Code = "rewrite-refused"
)

// The settings that a Fault can name: the limits of Settings, and the type of the document. Each is the name of a field
// in package extract.
const (
	MaxDepth  = "MaxDepth"
	MaxRecord = "MaxRecord"
	MaxRatio  = "MaxRatio"
	Type      = "Type"
)

// Quote returns bytes of a document, cut after 200, as a quoted Go string for a message.
func Quote(b []byte) string {
	const limit = 200
	more := ""
	if len(b) > limit {
		b, more = b[:limit], "..."
	}
	return strconv.Quote(string(b)) + more
}
