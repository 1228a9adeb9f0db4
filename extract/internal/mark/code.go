package mark

import (
	"strconv"
)

// Code names a kind of problem. Codes are stable: package extract documents them.
type Code string

// The codes of problems that formats report. Package extract has constants with the same strings.
const (
	LinkMalformed    Code = "link-malformed"
	Undecodable      Code = "undecodable"
	DepthLimit       Code = "depth-limit"
	SizeLimit        Code = "size-limit"
	RatioLimit       Code = "ratio-limit"
	RecordTruncated  Code = "record-truncated"
	HeaderMalformed  Code = "header-malformed"
	BoundaryMissing  Code = "boundary-missing"
	BoundaryOpen     Code = "boundary-unterminated"
	DKIMBroken       Code = "dkim-broken"
	DigestBroken     Code = "digest-broken"
	RewriteRefused   Code = "rewrite-refused"
	ScriptMalformed  Code = "script-malformed"
	EmptyLineMissing Code = "empty-line-missing"
	NotRead          Code = "not-read"
)

// Quote returns bytes of a document as a quoted Go string, for use in a message. It truncates b to 200 bytes.
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
	return `"` + string(b) + `"` + more // as strconv.Quote, but faster: each link without a base is quoted
}
