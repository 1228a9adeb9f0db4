package extract

// This file has the vocabulary of problems: their codes and severities.

import (
	"fmt"

	"absolink/extract/internal/mark"
)

// Code names a kind of problem. Codes are stable. docs/problems.md lists them.
type Code string

// The codes of problems.
const (
	BaseNotAbsolute     Code = "base-not-absolute"        // a declared base that is not absolute, as RFC 1808 3.1 requires
	BaseUnsuitable      Code = "base-unsuitable"          // a base that relative URLs cannot be resolved against
	BaseMalformed       Code = "base-malformed"           // a base that the standard cannot parse
	BaseRepeated        Code = "base-repeated"            // a second BASE element with an href, or base header of the same name
	BaseNeeded          Code = "base-needed"              // a BASE element that stays, because links need it
	NoBase              Code = "no-base"                  // a relative reference without a base
	LinkMalformed       Code = Code(mark.LinkMalformed)   // a reference that the standard cannot parse, or a srcset candidate that HTML drops
	ScriptMalformed     Code = Code(mark.ScriptMalformed) // an import map, or speculation rules, that browsers ignore
	LocalCopy           Code = "local-copy"               // a reference to a file that was saved with the page
	StandardDiffers     Code = "standard-differs"         // a link that has another URL under the URL Standard, in browsers
	CharsetUnknown      Code = "charset-unknown"          // a charset that the Encoding Standard does not list
	Undecodable         Code = Code(mark.Undecodable)     // bytes that are invalid in their encoding, or in an unknown one
	DepthLimit          Code = Code(mark.DepthLimit)      // documents or other structures that are nested too deep
	SizeLimit           Code = Code(mark.SizeLimit)       // a record longer than the limit, copied unread, or a link that makes a record grow by more
	RatioLimit          Code = Code(mark.RatioLimit)      // a compressed file that is too long decompressed, not read to its end
	RecordTruncated     Code = Code(mark.RecordTruncated) // an archive or record that does not have its declared length or type
	HeaderMalformed     Code = Code(mark.HeaderMalformed) // a header that is not read to its end, or a wrong header of an archive
	BoundaryMissing     Code = Code(mark.BoundaryMissing) // a multipart that names no boundary, or contains none
	BoundaryOpen        Code = Code(mark.BoundaryOpen)    // a multipart without its closing boundary
	SignatureWouldBreak Code = "signature-would-break"    // an edit inside a signed region
	DKIMBroken          Code = Code(mark.DKIMBroken)      // a change that breaks a DKIM signature
	DigestBroken        Code = Code(mark.DigestBroken)    // a change that breaks a digest of an unknown kind
	RewriteRefused      Code = Code(mark.RewriteRefused)  // an edit that cannot be spelled at its position

	// Only the command reports these, about the file of a document.
	URLIgnored Code = "url-ignored" // a URL for an archive, whose documents have URLs of their own
	URLUnknown Code = "url-unknown" // a file outside the folders of hosts
	HardLinks  Code = "hard-links"  // a rewritten file whose other names keep the old version
)

// Severity is the effect of a problem on the result. The zero Severity means that it is not set.
type Severity uint8

const (
	Note    Severity = iota + 1 // normal in real documents, and handled by a rule
	Warning                     // everything was read, but the input is wrong or a link has no URL
	Error                       // a part of the input was not read, or a link with a known base was not made absolute
)

var severityNames = [...]string{"", "note", "warning", "error"}

// String returns the name of the severity: "note", "warning" or "error".
func (s Severity) String() string { return severityNames[s] }

// MarshalText returns the name of the severity. It is encoding.TextMarshaler.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Severity returns the usual severity of problems with a code. The severity of a Problem is lower if everything was read
// nevertheless. A code that is not in the list above has the severity Error.
func (c Code) Severity() Severity {
	switch c {
	case BaseNotAbsolute, BaseRepeated, LocalCopy, StandardDiffers, HardLinks:
		return Note
	case BaseUnsuitable, BaseMalformed, BaseNeeded, NoBase, LinkMalformed, ScriptMalformed, CharsetUnknown, BoundaryOpen,
		SignatureWouldBreak, DKIMBroken, DigestBroken, URLIgnored, URLUnknown:
		return Warning
	}
	return Error
}

// Problem is something wrong inside a document. It is never an error: the walk continues, and the bytes stay unchanged.
type Problem struct {
	Document string   `json:"document"`
	Entity   string   `json:"entity"`
	Offset   int      `json:"offset"` // in the entity's bytes
	Severity Severity `json:"severity"`
	Code     Code     `json:"code"`
	Detail   string   `json:"detail"`
}

// Error returns the problem as the command prints it, with its document and offset. A Problem is an error for those who
// end a walk because of it.
func (p Problem) Error() string {
	name := p.Document
	if p.Entity != "" {
		name += " > " + p.Entity
	}
	return fmt.Sprintf("%s: %s: %s (offset %d)", name, p.Code, p.Detail, p.Offset)
}
