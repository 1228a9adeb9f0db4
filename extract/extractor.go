// Package extract finds the base URLs and the links of documents, resolves the links, and rewrites documents with
// absolute links.
//
//	var x extract.Extractor
//	page := extract.Document{Name: "page.html", URL: "http://site.example/docs/", Reader: file}
//	for link, err := range x.Links(ctx, page) {
//		if err != nil {
//			return err
//		}
//		fmt.Printf("%s %s\n", link.Place(), link.URL)
//	}
//
// An Extractor has the settings, and these methods:
//
//   - [Extractor.Links] yields every link of a document.
//   - [Extractor.Bases] yields every entity of a document, with its base URL and all candidates for the base.
//   - [Extractor.Rewrite] copies a document. It makes the links absolute, or writes the URLs that a function returns.
//   - [Extractor.Records] yields the records of an archive or a mailbox, so that goroutines can read them in parallel.
//   - [Extractor.Open] opens an archive or a mailbox, so that goroutines can rewrite its records in parallel.
//
// The function [Absolute] rewrites one HTML page in memory.
//
// An entity is a document, or a document inside another document. For example, a message, an HTML page in the message,
// and a srcdoc in the page are three entities. A base governs the links of its own entity, and of entities inside it
// that have no base (RFC 1808 section 3).
//
// How a document is read:
//
//	reader -> Record -> Entity{bytes, type} -> find the links, the bases and the embedded documents
//	                        ^                                  |
//	                        |              make the Scope from all bases that were found
//	                        |                                  |
//	                        |              resolve each link: yield a Link, or edit its bytes
//	                        |                                  |
//	                        `-- decode base64, &amp; ... <-- each embedded document
//	                                     (Rewrite encodes the edits of the embedded document again)
//
// A Link has a Scope. Links are resolved when the whole entity has been read, so a base also governs the links before
// it. Rewriting is the same walk. It changes only the bytes that spell a link, and the bytes of the encodings and
// compressions around the link.
//
// Malformed input is a Problem, and the walk continues. It is an error only in two cases:
//
//   - A compressed document cannot be opened, because its first bytes are damaged.
//   - Rewrite finds damage in a compressed document when it cannot copy the document unchanged any more: see
//     [Extractor.Rewrite].
//
// All other errors have another cause: the document could not be read or written, its format is unknown, or a URL from
// the caller cannot be a base.
package extract

// This file has the settings of an Extractor.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"absolink/base"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/xml"
	"absolink/resolve"
)

// Extractor has the settings for reading and rewriting documents. The zero Extractor is ready to use: it resolves by
// RFC 1808 and has the default limits.
//
// Several goroutines may use an Extractor at the same time. Each goroutine calls the function fields, such as OnProblem
// and Map. So these functions must be safe for calls from several goroutines at the same time. An Extractor may be
// copied. Its fields must not be changed while it is in use.
type Extractor struct {
	// Standard resolves the references. The zero Standard is RFC 1808.
	Standard resolve.Standard

	Override        string   // an absolute base URL that takes precedence over all other bases; "" for none
	OverrideBy      string   // the source of Override, such as "--override-base"; "" means "override URL"
	Extended        bool     // also read the places that only scripts, crawlers and Outlook read, such as img@data-src
	Described       bool     // make Link.Rel, Link.Title and Link.Text available; this takes time
	KeepFragments   bool     // Rewrite keeps a reference that is only a fragment, such as "#top"; else it becomes absolute (RFC 1808 4)
	BaseURLs        BaseURLs // how Rewrite treats BASE elements
	BreakSignatures bool     // also rewrite links in signed regions
	KeepDKIM        bool     // leave messages with a signature of DKIM or seals of ARC unchanged
	MaxDepth        int      // the limit for nested documents, in levels; 0 or less means 64
	MaxRecord       int      // the limit for one record in memory, and for its absolute URLs, in bytes; 0 or less means 256 MiB, and 32 MiB in package httpx
	MaxRatio        int      // the limit for decompressed bytes per compressed byte, checked above 16 MiB of decompressed bytes; 0 or less means 200
	Mbox            Mbox     // the flavour of mboxes; 0 detects the flavour of each message
	Unpacked        bool     // Rewrite writes compressed documents decompressed
	NoEvidence      bool     // ignore the original URL that browsers and archiving tools record, Document.Evidence, and Canonical
	Canonical       bool     // also use a LINK rel=canonical as evidence, after all other evidence
	Unarchive       bool     // replace a link into the Wayback Machine by its original URL

	// MaxRecord also limits the bytes of all absolute URLs of a record together, because a long base and many short
	// links would make the output grow with the square of the size of the record. The limit is MaxRecord or 64 times the
	// length of the record, whichever is larger. A relative link after the limit is not resolved: its Status is
	// StatusUnresolved, and its Problem is CodeSizeLimit. An embedded document after the limit that declares a base has a
	// Scope without a base. All of these are one Problem, which comes at the end of the record.
	//
	// And it limits the number of links and embedded documents of a record: one for each 64 bytes of MaxRecord. Links stops
	// after them, and Rewrite copies the record. A reference longer than 1 MiB is not resolved, unless it is a data: or
	// javascript: URL.

	// Places are patterns for the places of links, such as "a@href" or "img@*". A "*" matches any characters. Matching
	// ignores case. A pattern without a number matches every number of a list: "img@srcset" matches "img@srcset[2]". The
	// name of an element, such as "img", matches all its attributes. A pattern that matches nothing, such as "img@hreff", is
	// an error of all methods that read a document, before they read: see CheckPlace.
	// Links at other places are not resolved, yielded or rewritten. If Places is empty, all links are. Link.Place
	// returns the place of a link. In plain text the places are "text" and "<URL:>". The place of a header field is its
	// name, such as "Location".
	//
	// Places does not choose bases: every declared base is used. But Rewrite makes a declared base absolute only if
	// Places matches its place, such as "base@href". BaseURLs applies to all BASE elements, independently of Places.
	Places []string

	// AddPlaces are patterns for more places of HTML and XML, in the notation of Places: "model-viewer@src", or for an element of
	// XML with a prefix, whose text is a URL, "acme:image_url". The value of an attribute whose name ends in "srcset" is a list of
	// image candidates, any other is a URL. A place that is read already stays what it is. A pattern that cannot be a place is an
	// error, as in Places: see CheckAddedPlace.
	AddPlaces []string

	// Only reports whether documents of a media type are wanted. mediaType is the Name of a Format, such as "text/html".
	// All documents inside a wanted document are wanted, too. The links and bases of other documents are neither visited
	// nor changed. These documents are read only if they may contain wanted documents. If Only is nil, all documents are
	// wanted.
	Only func(mediaType string) bool

	// Map returns the URL that Rewrite writes for a link or a declared base, instead of l.URL. If ok is false, the
	// reference stays unchanged. See Rewrite. The Link is valid until Map returns. Rewrite does not call Map for:
	//
	//   - a reference without an absolute URL, and a base that is rejected
	//   - a reference that is only a fragment, with KeepFragments; in CSS and in xml-stylesheet, with every setting
	//   - a BASE element that is emptied or removed because of BaseURLs or Document.Local
	//   - a link that leads to a file already; the result for another link to a file only chooses the link (see Document.Local)
	//   - the URL that an archive records for a document
	//
	// Rewrite may call Map for a link that it does not change: in a signed part, in a message that KeepDKIM keeps, and an
	// absolute URL by which feed readers know an entry again (id of Atom, guid of RSS, rdf:about of RSS 1.0). OnChange
	// receives the references that change.
	Map func(l *Link) (url string, ok bool)

	// OnProblem receives every problem inside a document. If OnProblem is nil, problems are ignored.
	OnProblem func(Problem)

	// OnLink receives every link while a document is rewritten, before Map. These are the links that Links yields for
	// the document, except those in a compressed part that exceeds MaxRecord or MaxRatio: Links reads it up to the limit, but
	// Rewrite cannot compress it again without its end, and leaves it as it is. The Link is valid until OnLink returns.
	OnLink func(*Link)

	// OnRecord is called for each record of an archive or a mailbox that Records yields, before the links of the record. It is
	// not called for a document of another type.
	OnRecord func()

	// OnEdit receives every edit of a rewriting, in the order of the bytes. To get the edits without the output,
	// rewrite to io.Discard.
	OnEdit func(Edit)

	// OnChange receives every reference that an edit changes, before OnEdit receives the edit. One edit of encoded or
	// compressed bytes may change many references. An edit of a length or a digest changes no reference. A URL from Map
	// that cannot be written, for example because the charset lacks a character, has no Change.
	OnChange func(Change)
}

// BaseURLs is the way in which Rewrite treats a BASE element. Where it is emptied or removed, links in conditional comments are read,
// too: they need the element.
type BaseURLs uint8

const (
	BaseKeep   BaseURLs = iota // keep the element, and make its href absolute like a link
	BaseEmpty                  // write href="", unless links that stay relative need the base
	BaseRemove                 // remove the element, unless links that stay relative need the base
)

// wants reports whether a document is wanted: see Extractor.Only. outer reports whether the document around it is
// wanted.
func (x *Extractor) wants(outer bool, format *mark.Format) bool {
	if outer || x.Only == nil {
		return true
	}
	return x.Only(format.Name)
}

// wantsFeed reports whether Extractor.Only wants a feed that feedOf detects.
func (x *Extractor) wantsFeed() bool {
	return x.wants(false, xml.RSS) || x.wants(false, xml.Atom) || x.wants(false, xml.RDF)
}

// needsBase reports whether the URL of a reference may depend on a base that is not known. Under WHATWG, http:x is such
// a reference.
func (x *Extractor) needsBase(ref []byte) bool {
	some, _ := x.Standard.Base("http://h/")
	return !some.IsAbsolute(ref)
}

// isPlace reports whether links at a place are chosen.
func (x *Extractor) isPlace(place *mark.Place, number int) bool {
	return len(x.Places) == 0 || slices.ContainsFunc(x.Places, func(p string) bool { return mark.Fits(p, place.Name, number) })
}

// original returns url. With Unarchive, it returns the original of a URL in the Wayback Machine, and whether a page with this URL
// has the links of the archive.
func (x *Extractor) original(url string) (_ string, archived bool) {
	if x.Unarchive {
		if original := saved.Unarchived([]byte(url)); original != nil {
			return string(saved.WithoutPort(original)), saved.IsCopy([]byte(url))
		}
	}
	return url, false
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

// The defaults of the limits.
const (
	defaultDepth  = 64
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

// Mbox is the flavour of an mbox. In an mbox, a line that begins with "From " starts a message. The flavours differ in
// how they write a line of a message that begins with "From ".
type Mbox uint8

// The flavours of mboxes. With the zero Mbox, the flavour of each message is detected.
const (
	MboxO   Mbox = 1 + iota // "From " is written as ">From "
	MboxRD                  // like MboxO, and ">From " is written as ">>From "
	MboxCL                  // like MboxO, and Content-Length has the length of the message
	MboxCL2                 // "From " is unchanged, and Content-Length has the length of the message
)

// format returns the format of mboxes of the flavour, or nil if the flavour is unknown.
func (m Mbox) format() *mark.Format {
	switch m {
	case 0:
		return mail.Mbox
	case MboxO:
		return mail.MboxO
	case MboxRD:
		return mail.MboxRD
	case MboxCL:
		return mail.MboxCL
	case MboxCL2:
		return mail.MboxCL2
	}
	return nil
}

// root returns the outermost scope, with the URLs that the caller has set. url and by are Document.URL and URLBy.
func (x *Extractor) root(url, by string) (*base.Scope, error) {
	var known []base.Declaration
	declare := func(rung base.Rung, by, url string) {
		if url, archived := x.original(url); url != "" {
			known = append(known, base.Declaration{Rung: rung, By: by, Value: url, Offset: -1, Archived: archived})
		}
	}
	declare(base.RungOverride, cmp.Or(x.OverrideBy, "override URL"), x.Override)
	declare(base.RungRetrieval, cmp.Or(by, "retrieval URL"), url)
	root := base.Root(x.Standard, known...)
	if len(known) == 1 && root.Rung() == known[0].Rung {
		return root, nil // the URL is a valid base
	}
	for _, k := range known {
		if err := x.refusal(k.Value); err != nil {
			return nil, &URLError{k.By, k.Value, err}
		}
	}
	return root, nil
}

// refusal returns the reason why a URL from the caller cannot be a base, or nil if it can be a base.
func (x *Extractor) refusal(url string) error {
	b, err := x.Standard.Base(url)
	if err != nil {
		if none, e := x.Standard.Base(""); e == nil && !none.IsAbsolute([]byte(url)) {
			return errors.New("not absolute; write it with its scheme, as in http://host/path")
		}
		return err
	}
	if why := b.Unsuitable(); why != "" {
		return errors.New(why)
	}
	return nil
}

// PlaceError is the error for a pattern that no place fits.
type PlaceError struct {
	Pattern string

	// Names are names of places and of elements, to find the one that was probably meant. A name may have "*" for any characters.
	Names []string
}

// Error returns the pattern.
func (e *PlaceError) Error() string { return fmt.Sprintf("%q is not the name of a place", e.Pattern) }

// CheckAddedPlace returns a *PlaceError if a pattern cannot be one of Extractor.AddPlaces: it has neither an element and an
// attribute, nor an element with a prefix, or it has a number.
func CheckAddedPlace(pattern string) error {
	element, attribute, hasAttribute := strings.Cut(pattern, "@")
	prefix, local, _ := strings.Cut(element, ":")
	if strings.ContainsAny(pattern, "[] \t\r\n") || hasAttribute && (element == "" || attribute == "") || !hasAttribute && (prefix == "" || local == "") {
		return &PlaceError{Pattern: pattern}
	}
	return nil
}

// checkPlaces returns the error of the first wrong pattern of Places and AddPlaces.
func (x *Extractor) checkPlaces() error {
	for _, pattern := range x.AddPlaces {
		if err := CheckAddedPlace(pattern); err != nil {
			return err
		}
	}
	for _, pattern := range x.Places {
		if err := CheckPlace(pattern, x.AddPlaces...); err != nil {
			return err
		}
	}
	return nil
}

// CheckPlace returns a *PlaceError if no link can have a place that fits a pattern of Extractor.Places. A pattern with "@" may be
// for any element of XML. A pattern without "@" must be the name of a place, or of an element that is common in HTML, SVG, MathML or
// feeds, or a name with a prefix. added are those of Extractor.AddPlaces.
func CheckPlace(pattern string, added ...string) error {
	element, _, attribute := strings.Cut(pattern, "@")
	if !attribute && strings.Contains(pattern, ":") {
		return nil // the name of an element of XML
	}
	if slices.ContainsFunc(added, func(form string) bool { return mark.MayFit(pattern, form) }) {
		return nil
	}
	e := &PlaceError{Pattern: pattern}
	for _, f := range formats {
		if f.Places == nil {
			continue
		}
		for _, form := range f.Places() {
			if mark.MayFit(pattern, form) {
				return nil
			}
			if of, open := strings.CutPrefix(form, "*"); !open {
				e.Names = append(e.Names, form)
			} else if attribute {
				e.Names = append(e.Names, element+of)
			}
		}
	}
	return e
}
