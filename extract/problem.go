package extract

// This file has what a run reports: problems with their codes and severities, edits, changes, and counts.

import (
	"fmt"
	"strconv"

	"absolink/extract/internal/mark"
)

// Code names a kind of problem. Codes are stable: programs may compare them. docs/problems.md describes each code.
type Code string

// The codes of problems.
const (
	BaseNotAbsolute     Code = "base-not-absolute"     // a declared base that is not absolute; RFC 1808 3.1 requires an absolute base
	BaseUnsuitable      Code = "base-unsuitable"       // a base that relative URLs cannot be resolved against, where a link needs it
	BaseMalformed       Code = "base-malformed"        // a base that the standard cannot parse
	BaseRepeated        Code = "base-repeated"         // a second BASE element with an href, or a second base header of the same name
	BaseNeeded          Code = "base-needed"           // a BASE element that is not emptied or removed, because links need it
	NoBase              Code = "no-base"               // a relative reference without a base
	LinkMalformed       Code = "link-malformed"        // a reference that the standard cannot parse, or a srcset candidate that HTML drops
	ScriptMalformed     Code = "script-malformed"      // an import map or a set of speculation rules that browsers ignore
	LocalCopy           Code = "local-copy"            // a reference to a file that was saved with the page
	StandardDiffers     Code = "standard-differs"      // a link that has another URL in browsers, by the URL Standard
	CharsetUnknown      Code = "charset-unknown"       // a charset that the Encoding Standard does not list
	Undecodable         Code = "undecodable"           // bytes that are invalid in their encoding, or whose encoding is unknown
	DepthLimit          Code = "depth-limit"           // documents or other structures that are nested too deep
	SizeLimit           Code = "size-limit"            // a record longer than the limit, which is not read, or links that are not resolved, because the URLs of the record are together too long
	RatioLimit          Code = "ratio-limit"           // a compressed file that is not read to its end, because it is too long decompressed
	RecordTruncated     Code = "record-truncated"      // an archive, a record or a body that ends too early, has a wrong length, or is not of its type
	HeaderMalformed     Code = "header-malformed"      // a header that is not read to its end, or an invalid header of an archive
	BoundaryMissing     Code = "boundary-missing"      // a multipart that declares no boundary, or does not contain its boundary
	BoundaryOpen        Code = "boundary-unterminated" // a multipart without its closing boundary
	NotRead             Code = "not-read"              // a document that is not read: its content is not of its type, or is in another file, encrypted, or in an unknown encoding
	EmptyLineMissing    Code = "empty-line-missing"    // a message of an mbox without an empty line before its From_ line
	SignatureWouldBreak Code = "signature-would-break" // an edit inside a signed region, which is not made
	DKIMBroken          Code = "dkim-broken"           // a change that breaks a DKIM signature
	DigestBroken        Code = "digest-broken"         // a change that breaks a digest of an unknown kind
	RewriteRefused      Code = "rewrite-refused"       // an edit that cannot be spelled at its position

	// Only the command reports these problems of files.
	URLIgnored Code = "url-ignored" // a URL in --url-map for an archive; it is not the URL of the documents in the archive
	URLUnknown Code = "url-unknown" // a file without a URL from --mirror, because its directory does not have the name of a host
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
	case BaseNotAbsolute, BaseRepeated, LocalCopy, StandardDiffers, NotRead, EmptyLineMissing, HardLinks:
		return Note
	case BaseUnsuitable, BaseMalformed, BaseNeeded, NoBase, LinkMalformed, ScriptMalformed, CharsetUnknown, BoundaryOpen,
		SignatureWouldBreak, DKIMBroken, DigestBroken, URLIgnored, URLUnknown, VerifyUnable:
		return Warning
	}
	return Error
}

// Problem is a fault in the content of a document, or a limit that the document exceeds. A Problem does not end the
// walk. Rewrite does not repair faults: it changes only links, declared bases, and the bytes that depend on them.
type Problem struct {
	Document string   `json:"document"` // Document.Name
	Entity   string   `json:"entity"`   // Entity.Path
	Offset   int      `json:"offset"`   // in bytes, from the start of the entity
	Severity Severity `json:"severity"`
	Code     Code     `json:"code"`

	// Detail is the fault, and what to do, in English. It is for people, and may change. It names flags of the command,
	// such as --max-record. The fields of Extractor have the same names, such as MaxRecord.
	Detail string `json:"detail"`
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

// Edit is one change of the bytes of a document. Old and New are valid until OnEdit returns. The function must not
// write to them.
type Edit struct {
	Offset   int64  // the offset of Old in the document; if the document is compressed, it counts decompressed bytes
	Old, New []byte // the bytes before and after the edit
}

// Change is one reference before and after a rewriting. Both are decoded.
type Change struct {
	Ref    string // the old reference
	NewRef string // the new reference; "" for a BASE element that was emptied or removed
	URL    string // the absolute URL that Ref means; "" only for a BASE element that was not a base
}

// Result counts the links and the declared bases of a document that Rewrite has copied.
type Result struct {
	Links      int // all links and declared bases
	Changed    int // links that were changed
	Unresolved int // links that stay unchanged because they have no absolute URL: see NoBase and LinkMalformed
	Refused    int // links that could not be changed: see RewriteRefused, SignatureWouldBreak and SizeLimit

	tried int // links that Rewrite tried to change
}

// Unchanged returns the number of links that Rewrite did not have to change. For example, they were absolute already,
// or Map or the settings excluded them.
func (r Result) Unchanged() int { return r.Links - r.Changed - r.Unresolved - r.Refused }

// unread has the documents of one record that are not read, by their kinds.
type unread []unreadKind

type unreadKind struct {
	*mark.Unread
	n     int
	first Problem // the place of the first of them
}

// add counts n documents of a kind. first is the place of the first of them.
func (u *unread) add(kind *mark.Unread, n int, first Problem) {
	for i := range *u {
		if known := &(*u)[i]; known.Unread == kind {
			known.n += n
			return
		}
	}
	*u = append(*u, unreadKind{kind, n, first})
}

// report reports each kind as one note.
func (u unread) report(report func(Problem)) {
	for _, kind := range u {
		p := kind.first
		p.Severity, p.Code = Note, NotRead
		p.Detail = kind.What + ": " + strconv.Itoa(kind.n) + "; " + kind.Why
		report(p)
	}
}
