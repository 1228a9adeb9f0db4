package mark

import "strconv"

// Code names a kind of problem. Package extract describes the codes.
type Code string

const (
	BaseNotAbsolute      Code = "base-not-absolute"
	BaseUnsuitable       Code = "base-unsuitable"
	BaseMalformed        Code = "base-malformed"
	BaseRepeated         Code = "base-repeated"
	BaseNeeded           Code = "base-needed"
	NoBase               Code = "no-base"
	LinkMalformed        Code = "link-malformed"
	ScriptMalformed      Code = "script-malformed"
	LocalCopy            Code = "local-copy"
	Placeholder          Code = "placeholder"
	StandardDiffers      Code = "standard-differs"
	TypeUnknown          Code = "type-unknown"
	CharsetUnknown       Code = "charset-unknown"
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
	SignatureWouldBreak  Code = "signature-would-break"
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
