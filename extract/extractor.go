package extract

// This file has the settings of an Extractor, and the types that its functions receive: Link, Edit and Change.

import (
	"bytes"
	"fmt"
	"math"
	"net/url"
	"slices"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/resolve"
)

// Extractor has the settings for reading and rewriting documents. The zero Extractor is ready to use: it resolves by RFC
// 1808 and has the default limits.
//
// Many goroutines may use an Extractor at the same time, if its functions can be called at the same time. An Extractor may
// be copied. It must not be changed while it is in use.
type Extractor struct {
	Standard        resolve.Standard
	Override        string    // a base URL that comes before every rung; "" for none
	Extended        bool      // also read the places that only scripts and crawlers read
	Described       bool      // find what Link.Rel, Link.Title and Link.Text return; it takes time
	Fragments       Fragments // how rewriting treats references that are only a fragment
	BaseURLs        BaseURLs  // how rewriting treats BASE elements
	BreakSignatures bool      // also change links in signed regions
	MaxDepth        int       // the most documents within one another; 0 or less means 64
	MaxRecord       int       // the most bytes of one record in memory; 0 or less means 256 MiB
	MaxRatio        int       // the most decompressed bytes for each compressed byte, above 16 MiB; 0 or less means 200
	Mbox            Mbox      // the flavour of mboxes; 0 detects it for each message
	Unpacked        bool      // rewriting does not compress documents again
	NoEvidence      bool      // ignore the original URL that browsers and archiving tools record
	Canonical       bool      // a LINK rel=canonical is evidence, too; it comes last
	Unarchive       bool      // replace a link into the Wayback Machine by its original URL

	// Places are patterns for the places of links, such as "a@href" or "img@*". A "*" stands for any characters, and case
	// is ignored. A pattern without a number fits every number of a list: "img@srcset" fits "img@srcset[2]". Links at
	// other places are not resolved, shown or rewritten. Without Places, all links are. Plain text has the places "text" and
	// "<URL:>", and a header field has its name, such as "Location". Link.Place returns the name for any link.
	Places []string

	// Only reports whether documents of a media type are wanted. Everything inside such a document is wanted, too. Other
	// documents are opened only for the wanted documents inside them: their links and bases are not visited, and they are
	// not changed. A nil Only wants all documents.
	Only func(mediaType string) bool

	// Map returns what Rewrite writes for a link, instead of l.URL. See Rewrite.
	Map func(l *Link) (url string, ok bool)

	// OnProblem receives every problem inside a document.
	OnProblem func(Problem)

	// OnLink receives every link while a document is rewritten, before Map. The links are those that Links shows for the
	// document before the rewriting, with one exception. A body part whose Content-Location has no base may get a base
	// from a reference that names the part.
	OnLink func(*Link)

	// OnEdit receives every edit of a rewriting. To get the edits without the output, rewrite to io.Discard.
	OnEdit func(Edit)

	// OnChange receives every reference that an edit changes, before OnEdit receives the edit. One edit of encoded or
	// compressed bytes may change many references. An edit that changes no reference, such as one of a length or a
	// digest, has none.
	OnChange func(Change)
}

// Fragments is the way in which rewriting treats a reference that is only a fragment.
type Fragments uint8

const (
	FragmentsAbsolute Fragments = iota // make it absolute like any other reference, as RFC 1808 does
	FragmentsKeep                      // leave it unchanged
)

// BaseURLs is the way in which rewriting treats a BASE element.
type BaseURLs uint8

const (
	BaseKeep   BaseURLs = iota // make its href absolute like a link
	BaseEmpty                  // write href=""
	BaseRemove                 // remove the element
)

// wants reports whether the links of a document are wanted, as Extractor.Only says. outer reports it for the document around
// it.
func (x *Extractor) wants(outer bool, format *mark.Format) bool {
	if outer || x.Only == nil {
		return true
	}
	return x.Only(format.Name)
}

// isPlace reports whether links at a place are chosen.
func (x *Extractor) isPlace(place *mark.Place, number int) bool {
	return len(x.Places) == 0 || slices.ContainsFunc(x.Places, func(p string) bool { return mark.Fits(p, place.Name, number) })
}

// original returns url. With Unarchive, it returns the original of a URL in the Wayback Machine.
func (x *Extractor) original(url string) string {
	if x.Unarchive {
		if original := saved.Unarchived([]byte(url)); original != nil {
			return string(saved.WithoutPort(original))
		}
	}
	return url
}

// problem calls OnProblem, if it is not nil. A problem without a severity gets the usual one of its code.
func (x *Extractor) problem(p Problem) {
	if p.Severity == 0 {
		p.Severity = p.Code.Severity()
	}
	if x.OnProblem != nil {
		x.OnProblem(p)
	}
}

// The defaults of the other limits.
const (
	defaultRecord = 256 << 20
	defaultRatio  = 200

	longestRatio = 1 << 30 // the product with a length in memory does not overflow
)

func (x *Extractor) maxDepth() int {
	if x.MaxDepth <= 0 {
		return defaultDepth
	}
	return x.MaxDepth
}

func (x *Extractor) maxRecord() int {
	if x.MaxRecord <= 0 {
		return defaultRecord
	}
	return min(x.MaxRecord, math.MaxInt/2) // so that the sum with a length in memory does not overflow
}

func (x *Extractor) maxRatio() int {
	if x.MaxRatio <= 0 {
		return defaultRatio
	}
	return min(x.MaxRatio, longestRatio)
}

// Link is one reference and its position. The Link and its slices are valid until the body of the
// loop ends, or the function that received it returns. The caller must not write to the slices. The Scope may be kept.
type Link struct {
	Entity  *Entity
	Offset  int    // of Raw in Entity.Bytes
	Raw     []byte // as spelled in the entity
	Ref     []byte // the reference: Raw, decoded
	URL     []byte // absolute; empty if Status is StatusUnresolved
	Status  Status
	Problem Code // why there is no URL; else ""
	Scope   *base.Scope
	Part    string // the entity in the same message that the reference names; "" if none

	place  *mark.Place
	number int   // its number in a list, from 1; 0 outside lists
	kept   *kept // of a clone
	at     int   // its offset in Entity.text, or that of the list; set if Entity.index is
}

// Status is the result of resolving a reference.
type Status uint8

const (
	StatusAbsolute   Status = 1 + iota // the reference is absolute already
	StatusResolved                     // the reference was resolved to an absolute URL
	StatusUnresolved                   // the reference has no base, or the standard cannot parse it
)

// String returns the name that the command prints.
func (s Status) String() string { return [...]string{"", "absolute", "resolved", "unresolved"}[s] }

// Place returns the name of the place of the link: "a@href", "img@srcset[2]".
func (l *Link) Place() string {
	if l.number == 0 {
		return l.place.Name
	}
	return mark.Numbered(l.place.Name, l.number)
}

// Rel returns the value of the attribute rel of the element that has the link, decoded. It returns nothing if there is no
// such element or attribute. Rel, Title and Text need Extractor.Described. They are for pages: HTML, XHTML and other XML.
func (l *Link) Rel() []byte { return l.element().Rel }

// Title returns the value of the attribute title, as Rel does.
func (l *Link) Title() []byte { return l.element().Title }

// Text returns the text of the anchor that has the link, or the alternative text of an img, area or input. White space is
// collapsed, and the text ends after 256 characters. The text of an anchor ends at its end tag, at the next anchor, or at
// the end of the entity. An anchor without text has the alternative texts of the pictures in it. The title, desc and text
// elements of an SVG are text.
func (l *Link) Text() []byte { return l.element().Text }

func (l *Link) element() *anchor.Element {
	if l.kept != nil {
		return &l.kept.element
	}
	if l.Entity.index == nil {
		return &anchor.Element{}
	}
	return l.Entity.index.At(l.Entity.text.Bytes, l.at)
}

// Parse returns the absolute URL for package net/url. It returns an error for a link without a URL, and the error of
// url.Parse: some URLs of links are none for that package.
func (l *Link) Parse() (*url.URL, error) {
	if l.Status == StatusUnresolved {
		return nil, fmt.Errorf("%q has no absolute URL: %s", l.Ref, l.Problem)
	}
	return url.Parse(string(l.URL))
}

// PageURL returns the URL of the page that the link is in, or "". See Entity.PageURL.
func (l *Link) PageURL() string {
	if l.Entity.redirected {
		return l.Scope.RetrievalURL()
	}
	return l.Entity.PageURL()
}

// Position returns the line and the column of the link in its entity. Both start at 1. The column counts bytes.
func (l *Link) Position() (line, column int) {
	if l.kept != nil {
		return l.kept.line, l.kept.column
	}
	return l.Entity.lines.At(l.Entity.Bytes, l.Offset)
}

// DocumentSpan returns the span of the bytes that spell the link in the whole document, through all codecs around the
// link. If the document is compressed as a whole, the span counts decompressed bytes.
//
// An edit of the link begins inside the span. In base64, the edit may continue to the end of the data. In
// quoted-printable, one edit may change several links.
func (l *Link) DocumentSpan() (start, end int64) {
	if l.kept != nil {
		return l.kept.start, l.kept.end
	}
	e, at := l.Entity, codec.Span{Start: l.Offset, End: l.Offset + len(l.Raw)}
	for ; e.outer != nil; e = e.outer {
		at = e.region.Span(at)
	}
	return e.start + int64(at.Start), e.start + int64(at.End)
}

// InPlace reports whether the document has the bytes of the link at DocumentSpan as its entity has them. InPlace is
// false if anything around the link is compressed or in base64.
func (l *Link) InPlace() bool {
	if l.kept != nil {
		return l.kept.inPlace
	}
	e := l.Entity
	for ; e.outer != nil; e = e.outer {
		for fr := e.region; fr != nil; fr = fr.Parent {
			if fr.Codec != nil && !codec.InPlace(fr.Codec) {
				return false
			}
		}
	}
	return !e.compressed
}

// Clone returns a copy of the link that stays valid. Its Entity has no Bytes.
func (l *Link) Clone() *Link {
	if l.kept != nil {
		return l
	}
	c, e := *l, l.Entity
	c.Raw, c.Ref, c.URL = bytes.Clone(l.Raw), bytes.Clone(l.Ref), bytes.Clone(l.URL)
	at := l.element()
	c.kept = &kept{inPlace: l.InPlace(), element: anchor.Element{Rel: bytes.Clone(at.Rel), Title: bytes.Clone(at.Title), Text: bytes.Clone(at.Text)}}
	c.kept.line, c.kept.column = l.Position()
	c.kept.start, c.kept.end = l.DocumentSpan()
	c.Entity = &Entity{Document: e.Document, Path: e.Path, Type: e.Type, Scope: e.Scope, page: e.PageURL(), pageDone: true}
	c.Entity.redirected = e.redirected
	return &c
}

// kept is what a clone of a link returns from its methods.
type kept struct {
	element      anchor.Element
	line, column int
	start, end   int64
	inPlace      bool
}

// Edit is one change of the bytes of a document.
type Edit struct {
	Offset   int64  // in the document; in a compressed document it counts decompressed bytes
	Old, New []byte // the bytes at the Offset before and after the edit; valid until OnEdit returns
}

// Change is one reference before and after a rewriting, decoded.
type Change struct {
	Ref    string // the reference before
	NewRef string // the reference after; "" for a BASE element that was emptied or removed
	URL    string // the absolute URL that Ref means; "" if a BASE element without one was emptied or removed
}

// Result counts what Rewrite has done with the links and the declared bases of a document.
type Result struct {
	Links      int // all of them
	Changed    int // another reference was written
	Unresolved int // left, because there is no absolute URL: see NoBase and LinkMalformed
	Refused    int // left, because they cannot be written: see RewriteRefused, SignatureWouldBreak and SizeLimit

	tried int // to change
}

// Unchanged returns the number of the other links. They were absolute already, or they were not to be changed.
func (r Result) Unchanged() int { return r.Links - r.Changed - r.Unresolved - r.Refused }
