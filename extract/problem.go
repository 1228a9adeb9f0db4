package extract

// This file has the type Problem, and the codes and severities of problems.

import (
	"fmt"

	"absolink/extract/internal/mark"
)

// Code names a kind of problem. Codes are stable: programs may compare them. docs/problems.md describes each code.
type Code string

// The codes of problems.
const (
	BaseNotAbsolute     Code = "base-not-absolute"        // a declared base that is not absolute; RFC 1808 3.1 requires an absolute base
	BaseUnsuitable      Code = "base-unsuitable"          // a base that relative URLs cannot be resolved against
	BaseMalformed       Code = "base-malformed"           // a base that the standard cannot parse
	BaseRepeated        Code = "base-repeated"            // a second BASE element with an href, or a second base header of the same name
	BaseNeeded          Code = "base-needed"              // a BASE element that is not emptied or removed, because links need it
	NoBase              Code = "no-base"                  // a relative reference without a base
	LinkMalformed       Code = Code(mark.LinkMalformed)   // a reference that the standard cannot parse, or a srcset candidate that HTML drops
	ScriptMalformed     Code = Code(mark.ScriptMalformed) // an import map or a set of speculation rules that browsers ignore
	LocalCopy           Code = "local-copy"               // a reference to a file that was saved with the page
	StandardDiffers     Code = "standard-differs"         // a link that has another URL in browsers, by the URL Standard
	CharsetUnknown      Code = "charset-unknown"          // a charset that the Encoding Standard does not list
	Undecodable         Code = Code(mark.Undecodable)     // bytes that are invalid in their encoding, or whose encoding is unknown
	DepthLimit          Code = Code(mark.DepthLimit)      // documents or other structures that are nested too deep
	SizeLimit           Code = Code(mark.SizeLimit)       // a record longer than the limit, which is not read, or a link that makes a record grow by more than the limit
	RatioLimit          Code = Code(mark.RatioLimit)      // a compressed file that is not read to its end, because it is too long decompressed
	RecordTruncated     Code = Code(mark.RecordTruncated) // an archive or a record that does not have its declared length or type
	HeaderMalformed     Code = Code(mark.HeaderMalformed) // a header that is not read to its end, or an invalid header of an archive
	BoundaryMissing     Code = Code(mark.BoundaryMissing) // a multipart that declares no boundary, or does not contain its boundary
	BoundaryOpen        Code = Code(mark.BoundaryOpen)    // a multipart without its closing boundary
	SignatureWouldBreak Code = "signature-would-break"    // an edit inside a signed region, which is not made
	DKIMBroken          Code = Code(mark.DKIMBroken)      // a change that breaks a DKIM signature
	DigestBroken        Code = Code(mark.DigestBroken)    // a change that breaks a digest of an unknown kind
	RewriteRefused      Code = Code(mark.RewriteRefused)  // an edit that cannot be spelled at its position

	// Only the command reports these problems of files.
	URLIgnored Code = "url-ignored" // a URL for an archive whose documents have URLs of their own
	URLUnknown Code = "url-unknown" // a file outside the directories that are named after hosts
	HardLinks  Code = "hard-links"  // a rewritten file whose other hard links keep the old content

	VerifyFailed Code = "verify-failed" // a change that is not that of a link, or a wrong link, found by independent parsers
	VerifyUnable Code = "verify-unable" // a document or link that no independent parser or resolver can check
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

// MarshalText returns the name of the severity. It implements encoding.TextMarshaler, and its error is always nil.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Severity returns the usual severity of a problem with the code. A Problem has a lower severity than its code if
// everything was read nevertheless. The severity of an unknown code is Error.
func (c Code) Severity() Severity {
	switch c {
	case BaseNotAbsolute, BaseRepeated, LocalCopy, StandardDiffers, HardLinks:
		return Note
	case BaseUnsuitable, BaseMalformed, BaseNeeded, NoBase, LinkMalformed, ScriptMalformed, CharsetUnknown, BoundaryOpen,
		SignatureWouldBreak, DKIMBroken, DigestBroken, URLIgnored, URLUnknown, VerifyUnable:
		return Warning
	}
	return Error
}

// Problem is a fault in the content of a document, or a limit that the document exceeds. A Problem does not end the
// walk, and the bytes with the fault stay unchanged.
type Problem struct {
	Document string   `json:"document"` // Document.Name
	Entity   string   `json:"entity"`   // Entity.Path
	Offset   int      `json:"offset"`   // in bytes, from the start of the entity
	Severity Severity `json:"severity"`
	Code     Code     `json:"code"`
	Detail   string   `json:"detail"` // for people: the fault, and what to do, in English; it may change
}

// Error returns the problem in the form in which the command prints it: the document, the entity, the code, the detail
// and the offset. A program can use a Problem as an error.
func (p Problem) Error() string {
	name := p.Document
	if p.Entity != "" {
		name += " > " + p.Entity
	}
	return fmt.Sprintf("%s: %s: %s (offset %d)", name, p.Code, p.Detail, p.Offset)
}
