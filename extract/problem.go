package extract

// This file has what a run reports: problems with their codes and severities, errors for a Document, edits, changes, and counts.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
)

// Code names a kind of problem. Codes are stable: programs may compare them. The string of a code is the name of its
// constant, in lower case and with hyphens: CodeNoBase is "no-base". docs/problems.md describes each code. A program may
// have codes of its own.
type Code string

// The codes of problems.
const (
	CodeBaseNotAbsolute      Code = Code(mark.BaseNotAbsolute)      // a declared base that is not absolute; RFC 1808 3.1 requires an absolute base
	CodeBaseUnsuitable       Code = Code(mark.BaseUnsuitable)       // a base that relative URLs cannot be resolved against, where a link needs it
	CodeBaseMalformed        Code = Code(mark.BaseMalformed)        // a base that the standard cannot parse
	CodeBaseRepeated         Code = Code(mark.BaseRepeated)         // a second BASE element with an href, or a second base header of the same name
	CodeBaseNeeded           Code = Code(mark.BaseNeeded)           // a BASE element that is not emptied or removed, because links need it
	CodeNoBase               Code = Code(mark.NoBase)               // a relative reference without a base
	CodeLinkMalformed        Code = Code(mark.LinkMalformed)        // a reference that the standard cannot parse, or a srcset candidate that HTML drops
	CodeScriptMalformed      Code = Code(mark.ScriptMalformed)      // a script with an import map, speculation rules or JSON-LD that is not valid
	CodeLocalCopy            Code = Code(mark.LocalCopy)            // a reference to a file that was saved with the page, or to a part of its message that has no URL
	CodePlaceholder          Code = Code(mark.Placeholder)          // references that begin with a placeholder of a template, or have one in their authority
	CodeStandardDiffers      Code = Code(mark.StandardDiffers)      // a link that has another URL in browsers, by the URL Standard
	CodeTypeUnknown          Code = Code(mark.TypeUnknown)          // a document that is not read, because nothing determines its type
	CodeCharsetUnknown       Code = Code(mark.CharsetUnknown)       // a charset that the Encoding Standard does not list
	CodeUndecodable          Code = Code(mark.Undecodable)          // bytes that are invalid in their encoding, or whose encoding is unknown
	CodeDepthLimit           Code = Code(mark.DepthLimit)           // documents or other structures that are nested too deep
	CodeSizeLimit            Code = Code(mark.SizeLimit)            // a record longer than the limit, which is not read
	CodeLinkLimit            Code = Code(mark.LinkLimit)            // too many links in a record, or too long ones
	CodeRatioLimit           Code = Code(mark.RatioLimit)           // a compressed file that is not read to its end, because it is too long decompressed
	CodeRecordTruncated      Code = Code(mark.RecordTruncated)      // an archive, a record or a body that ends too early, has a wrong length, or is not of its type
	CodeHeaderMalformed      Code = Code(mark.HeaderMalformed)      // a header that is not read to its end, or an invalid header of an archive
	CodeBoundaryMissing      Code = Code(mark.BoundaryMissing)      // a multipart that declares no boundary, or does not contain its boundary
	CodeBoundaryUnterminated Code = Code(mark.BoundaryUnterminated) // a multipart without its closing boundary
	CodeNotRead              Code = Code(mark.NotRead)              // a document that is not read: it is encrypted, in another file, or in a format that absolink does not open
	CodeLinksNotRead         Code = Code(mark.LinksNotRead)         // a part of a document that may have links and is not read by default
	CodeContentMismatch      Code = Code(mark.ContentMismatch)      // content that is not of its declared type
	CodeEmptyLineMissing     Code = Code(mark.EmptyLineMissing)     // a message of an mbox without an empty line before its From_ line
	CodeSignatureWouldBreak  Code = Code(mark.SignatureWouldBreak)  // an edit inside a signed region, or of a message with a DKIM signature or an ARC seal, which is not made
	CodeDKIMBroken           Code = Code(mark.DKIMBroken)           // a change that breaks a DKIM signature or an ARC seal
	CodeDigestBroken         Code = Code(mark.DigestBroken)         // a change that breaks a digest of an unknown kind
	CodeLineTooLong          Code = Code(mark.LineTooLong)          // a change that makes a line of a message longer than mail servers pass on
	CodeRewriteRefused       Code = Code(mark.RewriteRefused)       // an edit that cannot be spelled at its position
)

// Severity is the effect of a problem on the result. The zero Severity means that it is not set.
type Severity uint8

const (
	SeverityNote    Severity = iota + 1 // normal in real documents, and handled by a rule
	SeverityWarning                     // everything was read, but the input is wrong or a link has no URL
	SeverityError                       // a part of the input was not read, or a link with a known base was not made absolute
)

var severityNames = [...]string{"", "note", "warning", "error"}

// String returns the name of the severity: "note", "warning" or "error".
func (s Severity) String() string { return severityNames[s] }

// MarshalText returns the name of the severity. It implements encoding.TextMarshaler, and its error is always nil.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Severity returns the usual severity of a problem with the code. A Problem has a lower severity than its code if
// everything was read nevertheless. The severity of an unknown code is SeverityError.
func (c Code) Severity() Severity {
	switch c {
	case CodeBaseNotAbsolute, CodeBaseRepeated, CodeLocalCopy, CodePlaceholder, CodeStandardDiffers, CodeNotRead, CodeLinksNotRead, CodeContentMismatch, CodeEmptyLineMissing:
		return SeverityNote
	case CodeBaseUnsuitable, CodeBaseMalformed, CodeBaseNeeded, CodeNoBase, CodeLinkMalformed, CodeScriptMalformed, CodeCharsetUnknown, CodeBoundaryUnterminated,
		CodeSignatureWouldBreak, CodeDKIMBroken, CodeDigestBroken, CodeLineTooLong:
		return SeverityWarning
	}
	return SeverityError
}

// The settings that a Problem names.
const (
	settingMaxDepth        = mark.MaxDepth
	settingMaxRecord       = mark.MaxRecord
	settingMaxRatio        = mark.MaxRatio
	settingType            = mark.Type         // the type or the charset of the document
	settingStandard        = "Standard"        // resolve.WHATWG resolves as browsers do
	settingBaseURLs        = "BaseURLs"        // BaseKeep always keeps BASE elements
	settingBreakSignatures = "BreakSignatures" // true rewrites signed parts
	settingKeepDKIM        = "KeepDKIM"        // true leaves messages with a DKIM signature unchanged

	// A document without a base needs its URL. The kind of the document determines the field.
	settingURL       = "URL"
	settingMemberURL = "MemberURL" // the document is a file in an archive
	settingOverride  = "Override"  // the document is in a web archive, which should have its URL
)

// limitOf returns the setting that allows a longer text, if a codec has returned compress.ErrTooLong, or "".
func limitOf(err error) string {
	switch {
	case errors.Is(err, compress.ErrOverMost):
		return settingMaxRecord
	case errors.Is(err, compress.ErrOverRatio):
		return settingMaxRatio
	}
	return "" // the archive has the wrong length
}

// urlOf returns the setting that is the URL of a document without a base, or of the documents in it.
func urlOf(f *mark.Format) string {
	switch {
	case f.Holds.HasURLs():
		return settingOverride
	case f.Holds.HasPaths():
		return settingMemberURL
	}
	return settingURL
}

// Problem is a fault in the content of a document, or a limit that the document exceeds. A Problem does not end the
// walk. Rewrite does not repair faults: it changes only links, declared bases, and the bytes that depend on them.
type Problem struct {
	Document string   `json:"document"`      // Document.Name
	Entity   string   `json:"entity"`        // Entity.Path
	Offset   int      `json:"entity_offset"` // in bytes, from the start of the entity
	Severity Severity `json:"severity"`
	Setting  string   `json:"setting,omitempty"` // the field of Extractor or Document that may help, such as "MaxDepth"; "" for most problems
	Code     Code     `json:"code"`

	// Detail is the fault in English. It is for people, and may change. It has no advice: see Setting.
	Detail string `json:"detail"`

	// Unread is what was not read, although it may have links and is normal, in the plural, such as "conditional comments". N is
	// their number. Only notes have them.
	Unread string `json:"-"`
	N      int    `json:"-"`
}

// Error returns the problem in one line, as the command prints it without advice: the document, the entity, the code, the detail
// and the offset. A program can use a Problem as an error.
func (p Problem) Error() string {
	name := p.Document
	if p.Entity != "" {
		name += " > " + p.Entity
	}
	return fmt.Sprintf("%s: %s: %s (offset %d)", name, p.Code, p.Detail, p.Offset)
}

// LimitError is the error of Rewrite for a compressed document that is longer than a limit.
type LimitError struct {
	Setting string // the field of Extractor that allows more
	Detail  string // the limit, in English
}

// Error returns the limit.
func (e *LimitError) Error() string { return e.Detail }

// TypeError is the error for a Document.Type that is no media type, such as "html".
type TypeError struct {
	Type  string
	Meant string // the media type that was probably meant, such as "text/html", or ""
}

// Error returns the type, and the media type to write.
func (e *TypeError) Error() string {
	if e.Meant == "" {
		return fmt.Sprintf("%q is not a media type, such as \"text/html\"", e.Type)
	}
	return fmt.Sprintf("%q is not a media type: write %q", e.Type, e.Meant)
}

// URLError is the error for a URL from the caller that cannot be a base.
type URLError struct {
	What string // the source of the URL: Extractor.OverrideBy or Document.URLBy
	URL  string

	// Err is the reason. If the standard cannot parse the URL, Err wraps resolve.ErrMalformed. If the URL is relative,
	// or unsuitable as a base, such as mailto:a@b, Err is an error that has only a text.
	Err error
}

// Error returns the source of the URL, the URL, and the reason.
func (e *URLError) Error() string { return fmt.Sprintf("%s %q: %v", e.What, e.URL, e.Err) }

// Unwrap returns Err.
func (e *URLError) Unwrap() error { return e.Err }

// interrupted returns nil until a context is done. Then it returns an error that wraps ctx.Err() and context.Cause(ctx).
func interrupted(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != err {
		return &interruption{err, cause}
	}
	return err
}

// interruption is the error of a context with a cause. It has the methods of net.Error, as context.DeadlineExceeded has them: the
// error of http.Client asks this error alone, and none that it wraps.
type interruption struct{ err, cause error }

func (i *interruption) Error() string   { return fmt.Sprintf("%v: %v", i.err, i.cause) }
func (i *interruption) Unwrap() []error { return []error{i.err, i.cause} }
func (i *interruption) Timeout() bool   { return i.err == context.DeadlineExceeded }
func (i *interruption) Temporary() bool { return i.Timeout() }

// errNoWriter is the error for output without a writer.
var errNoWriter = errors.New("the writer is nil")

// Edit is one change of the bytes of a document. Old and New are valid until OnEdit returns. The function must not
// write to them.
type Edit struct {
	Offset   int64  // the offset of Old in the document; if the document is compressed, it counts decompressed bytes
	Old, New []byte // the bytes before and after the edit
}

// Change is one reference before and after a rewriting. Both are decoded. Entity, Offset and Place are those of the Link that
// Map received.
type Change struct {
	Entity string // Entity.Path
	Offset int    // Link.Offset
	Place  string // Link.Place

	Ref    string // the old reference
	NewRef string // the new reference; "" for a BASE element that was emptied or removed
	URL    string // the absolute URL that Ref means; "" only for a BASE element that was not a base
}

// Result counts the links and the declared bases of a document that Rewrite has copied.
type Result struct {
	Links      int // all links and declared bases
	Changed    int // links that were changed
	Unresolved int // links that stay unchanged because they have no absolute URL: see CodeNoBase, CodePlaceholder and CodeLinkMalformed
	Refused    int // links that could not be changed: see CodeRewriteRefused, CodeSignatureWouldBreak and CodeLinkLimit

	tried int // links that Rewrite tried to change
}

// reportUnread reports each kind of documents that are not read as one note.
func (w *walker) reportUnread() {
	for _, kind := range w.totals.unread {
		if w.call.failed != nil {
			return
		}
		p := Problem{Document: w.out.rec.of.d.Name, Entity: kind.Place, Offset: kind.Offset, Severity: SeverityNote, Code: Code(cmp.Or(kind.Code, mark.NotRead)),
			Detail: kind.What + ": " + strconv.Itoa(kind.N) + "; " + kind.Why}
		if kind.Summed {
			p.Unread, p.N = kind.What, kind.N
		}
		w.x.problem(p)
	}
}
