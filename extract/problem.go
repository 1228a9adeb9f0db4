package extract

// This file has what a caller is told: problems with their codes and severities, errors for a Document, edits, changes,
// and counts.

import (
	"context"
	"errors"
	"fmt"

	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/mark"
)

// Code names a kind of problem, such as "no-base". docs/problems.md explains each. You can add your own.
type Code string

const (
	CodeBaseNotAbsolute      Code = "base-not-absolute"
	CodeBaseUnsuitable       Code = "base-unsuitable"
	CodeBaseMalformed        Code = "base-malformed"
	CodeBaseRepeated         Code = "base-repeated"
	CodeBaseNeeded           Code = "base-needed"
	CodeNoBase               Code = "no-base"
	CodeLinkMalformed        Code = "link-malformed"
	CodeScriptMalformed      Code = "script-malformed"
	CodeLocalCopy            Code = "local-copy"
	CodePlaceholder          Code = "placeholder"
	CodeStandardDiffers      Code = "standard-differs"
	CodeTypeUnknown          Code = "type-unknown"
	CodeCharsetUnknown       Code = "charset-unknown"
	CodeUndecodable          Code = "undecodable"
	CodeDepthLimit           Code = "depth-limit"
	CodeSizeLimit            Code = "size-limit"
	CodeLinkLimit            Code = "link-limit"
	CodeRatioLimit           Code = "ratio-limit"
	CodeRecordTruncated      Code = "record-truncated"
	CodeHeaderMalformed      Code = "header-malformed"
	CodeBoundaryMissing      Code = "boundary-missing"
	CodeBoundaryUnterminated Code = "boundary-unterminated"
	CodeNotRead              Code = "not-read"
	CodeLinksNotRead         Code = "links-not-read"
	CodeContentMismatch      Code = "content-mismatch"
	CodeEmptyLineMissing     Code = "empty-line-missing"
	CodeSignatureWouldBreak  Code = "signature-would-break"
	CodeDKIMBroken           Code = "dkim-broken"
	CodeDigestBroken         Code = "digest-broken"
	CodeLineTooLong          Code = "line-too-long"
	CodeRewriteRefused       Code = "rewrite-refused"
)

// Severity is what a problem means for the result.
type Severity uint8

const (
	SeverityNote    Severity = iota + 1 // usual, and harmless
	SeverityWarning                     // the input is wrong, or a link has no URL
	SeverityError                       // something was not read, or not made absolute
)

// String returns "note", "warning", "error" or "".
func (s Severity) String() string {
	if s > SeverityError {
		return ""
	}
	return [...]string{"", "note", "warning", "error"}[s]
}

// MarshalText implements encoding.TextMarshaler.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Severity returns the usual severity of a problem with the code, or SeverityError for a code of your own.
func (c Code) Severity() Severity {
	switch c {
	case CodeBaseNotAbsolute, CodeBaseRepeated, CodeLocalCopy, CodePlaceholder, CodeStandardDiffers, CodeNotRead,
		CodeLinksNotRead, CodeContentMismatch, CodeEmptyLineMissing:
		return SeverityNote
	case CodeBaseUnsuitable, CodeBaseMalformed, CodeBaseNeeded, CodeNoBase, CodeLinkMalformed, CodeScriptMalformed,
		CodeCharsetUnknown, CodeBoundaryUnterminated,
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
	settingNoEvidence      = "NoEvidence"      // true makes them absolute
	settingKeepDKIM        = "KeepDKIM"        // true leaves messages with a DKIM signature unchanged

	// The setting for the URL of a document without a base depends on the document: see urlOf.
	settingURL       = "URL"
	settingMemberURL = "MemberURL" // the document is a file in an archive
	settingOverride  = "Override"  // the document is in a web archive, which should have its URL
)

// limitOf returns the setting that allows a longer text, for a codec error that wraps compress.ErrTooLong, or "".
func limitOf(err error) string {
	switch {
	case errors.Is(err, compress.ErrOverMost):
		return settingMaxRecord
	case errors.Is(err, compress.ErrOverRatio):
		return settingMaxRatio
	}
	return "" // longer than the archive says, which no setting allows
}

// urlOf returns the setting for the URL of a document without a base, or of the documents in it.
func urlOf(f *mark.Format) string {
	switch {
	case f.Holds.HasURLs():
		return settingOverride
	case f.Holds.HasPaths():
		return settingMemberURL
	}
	return settingURL
}

// Problem is a fault in a document, or a limit that it exceeds.
type Problem struct {
	Document string   `json:"document"`      // Document.Name
	Entity   string   `json:"entity"`        // Entity.Path
	Offset   int      `json:"entity_offset"` // in the entity, in bytes
	Severity Severity `json:"severity"`
	Setting  string   `json:"setting,omitempty"` // the field of Extractor or Document that may help
	Code     Code     `json:"code"`
	Detail   string   `json:"detail"` // for people; it may change

	Unread string `json:"-"` // what may have links and is not read, such as "conditional comments"
	N      int    `json:"-"` // how many Unread there are
}

func (p Problem) Error() string {
	name := p.Document
	if name != "" && p.Entity != "" {
		name += " > "
	}
	if name += p.Entity; name != "" {
		name += ": "
	}
	return fmt.Sprintf("%s%s: %s (offset %d)", name, p.Code, p.Detail, p.Offset)
}

// LimitError is the error of Rewrite for a compressed document that exceeds a limit.
type LimitError struct {
	Setting string // the field of Extractor with the limit
	Detail  string // the limit in words
}

func (e *LimitError) Error() string { return e.Detail }

// TypeError is the error for a Document.Type such as "html".
type TypeError struct {
	Type  string
	Meant string // what to write instead, or ""
}

func (e *TypeError) Error() string {
	if e.Meant == "" {
		return fmt.Sprintf("%q is not a media type, such as \"text/html\"", e.Type)
	}
	return fmt.Sprintf("%q is not a media type: write %q", e.Type, e.Meant)
}

// URLError is the error for an Override or a Document.URL that cannot be a base.
type URLError struct {
	What string // Extractor.OverrideBy or Document.URLBy
	URL  string
	Err  error // wraps resolve.ErrMalformed if the standard cannot parse the URL
}

func (e *URLError) Error() string { return fmt.Sprintf("%s %q: %v", e.What, e.URL, e.Err) }

func (e *URLError) Unwrap() error { return e.Err }

// interrupted returns nil until a context is done, and then an error that wraps ctx.Err() and context.Cause(ctx).
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

// interruption is the error of a context with a cause. It has the methods of net.Error, like context.DeadlineExceeded,
// because the error of http.Client asks only this error for them, and none that it wraps.
type interruption struct{ err, cause error }

func (i *interruption) Error() string   { return fmt.Sprintf("%v: %v", i.err, i.cause) }
func (i *interruption) Unwrap() []error { return []error{i.err, i.cause} }
func (i *interruption) Timeout() bool   { return i.err == context.DeadlineExceeded }
func (i *interruption) Temporary() bool { return i.Timeout() }

var errNoWriter = errors.New("the writer is nil")

// Edit is one change of the bytes of a document.
type Edit struct {
	Offset   int64 // of Old in the decompressed document
	Old, New []byte
}

// Change is one reference before and after a rewriting, decoded.
type Change struct {
	Entity string // Entity.Path
	Offset int    // Link.Offset
	Place  string // Link.Place

	Ref    string // before
	NewRef string // after; "" if a BASE element was emptied or removed
	URL    string // the absolute URL of Ref, or ""

	written bool
}

// Result counts the links and declared bases that Rewrite has found.
type Result struct {
	Links      int
	Changed    int // if 0, keep the original, which may have been compressed in another way
	Relative   int // of these, the links to other files of a book, or with Document.Local
	Unresolved int // without a URL
	Refused    int // see CodeRewriteRefused
}
