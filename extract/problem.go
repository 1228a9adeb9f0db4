package extract

import (
	"absolink/extract/internal/mark"
	"absolink/extract/internal/source"
)

// Code names a kind of problem. Codes are stable. The README lists them.
type Code string

// The codes of problems.
const (
	BaseNotAbsolute     Code = "base-not-absolute"        // RFC 1808 3.1 wants a declared base absolute
	BaseUnsuitable      Code = "base-unsuitable"          // a base that cannot carry relative URLs
	BaseMalformed       Code = "base-malformed"           // a base that the standard cannot parse
	BaseRepeated        Code = "base-repeated"            // a second BASE element with an href, or base header of the same name
	BaseNeeded          Code = "base-needed"              // a BASE element that was to go, kept for links that need it
	NoBase              Code = "no-base"                  // a relative reference with nothing to resolve it
	LinkMalformed       Code = Code(mark.LinkMalformed)   // a reference that the standard cannot parse, or a srcset candidate that HTML drops
	LocalCopy           Code = "local-copy"               // a reference to what was saved beside the page
	CharsetUnknown      Code = "charset-unknown"          // a charset that the Encoding Standard does not know
	Undecodable         Code = Code(mark.Undecodable)     // bytes that their own spelling does not allow, or in one that cannot be read
	DepthLimit          Code = Code(mark.DepthLimit)      // documents, or what else nests, within one another beyond the limit
	SizeLimit           Code = Code(mark.SizeLimit)       // a record beyond the limit, passed through unread, or a link that would make it grow by more
	RatioLimit          Code = Code(mark.RatioLimit)      // a packed file that grows too much, not read to its end
	RecordTruncated     Code = Code(mark.RecordTruncated) // an archive or record that is not as long as it says, or not what it is said to be
	HeaderMalformed     Code = Code(mark.HeaderMalformed) // a header that is not read to its end, or one of an archive that is wrong
	BoundaryMissing     Code = Code(mark.BoundaryMissing) // a multipart that names no boundary, or has none
	BoundaryOpen        Code = Code(mark.BoundaryOpen)    // a multipart without its closing boundary
	SignatureWouldBreak Code = "signature-would-break"    // an edit inside what a signature covers
	DKIMBroken          Code = Code(mark.DKIMBroken)      // a change that a DKIM signature does not survive
	DigestBroken        Code = Code(mark.DigestBroken)    // a change that a digest of an unknown kind does not survive
	RewriteRefused      Code = Code(mark.RewriteRefused)  // an edit that cannot be spelled where it should stand
)

// Problem is something wrong inside a document. It is never an error: the walk continues, and the bytes stay.
type Problem struct {
	Document string `json:"document"`
	Entity   string `json:"entity"`
	Offset   int    `json:"offset"` // in the entity's bytes
	Code     Code   `json:"code"`
	Detail   string `json:"detail"`
}

// report notes a problem at an offset of a frame's text; a nil frame means the entity's bytes.
func (w *Walker) report(e *Entity, fr *source.Text, offset int, code Code, detail string) {
	switch code {
	case NoBase, LinkMalformed, RewriteRefused, DepthLimit, SizeLimit:
		w.left++
	}
	w.tell(e, fr, offset, code, detail)
}

// tell is report for what leaves no link as it is.
func (w *Walker) tell(e *Entity, fr *source.Text, offset int, code Code, detail string) {
	if w.OnProblem != nil {
		at := fr.Offset(offset)
		w.problem(Problem{Document: e.Document, Entity: e.Path, Offset: int(e.start) + at, Code: code, Detail: detail})
	}
}

func (w *Walker) problem(p Problem) {
	if w.OnProblem != nil {
		w.OnProblem(p)
	}
}
