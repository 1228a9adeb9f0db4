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

// Extractor has the settings for reading and rewriting documents. The zero Extractor is ready to use. Goroutines can
// share one that none changes, if its functions, such as Map, can be called at the same time.
type Extractor struct {
	// For reading and rewriting.

	Standard   resolve.Standard // the zero Standard is RFC 1808
	Override   string           // an absolute base URL that replaces all others
	OverrideBy string           // names Override in reports
	NoEvidence bool             // ignore Canonical, Document.Evidence, and URLs that browsers and archivers note
	Canonical  bool             // use LINK rel=canonical, after all other evidence
	Unarchive  bool             // replace links into the Wayback Machine by the original URLs
	Extended   bool             // also read places of scripts, crawlers and Outlook, such as img@data-src
	MaxDepth   int              // levels of nested documents; 0 means 64
	MaxRecord  int              // bytes of a record, and of its URLs together; 0 means 256 MiB
	MaxRatio   int              // decompressed bytes per compressed byte; 0 means 200
	Mbox       Mbox             // 0 detects the flavour of each message

	// Places selects links by Link.Place: "a@href", "img@*", "img" for all its attributes, "img@srcset" for the whole
	// list. A pattern that fits no place is an error. A base that is not selected applies, but is not rewritten.
	Places []string

	// AddPlaces adds places of HTML and XML, such as "model-viewer@src", or "acme:image_url" for the text of an
	// element.
	AddPlaces []string

	// Only reports whether documents of a media type are read, with all that is in them.
	Only func(mediaType string) bool

	DescribeLinks bool // make Link.Rel, Title and Text available, which takes time

	// For rewriting. Links and Bases ignore these fields.

	KeepFragments   bool     // keep references such as "#top"
	BaseURLs        BaseURLs // what becomes of BASE elements
	BreakSignatures bool     // also rewrite signed parts
	KeepDKIM        bool     // do not change messages with a DKIM signature or an ARC seal
	Decompress      bool     // write compressed documents decompressed

	// Keep reports whether the entity with an Entity.Path stays as it is, with all that is in it.
	Keep func(path string) bool

	// Map returns what Rewrite writes for a link or a declared base with an absolute URL, escaped for its place and all
	// encodings around it. If ok is false, the reference stays. It also stays in a signed part, or if the result cannot
	// be written there (CodeRewriteRefused): count with OnChange. If Map changes a base ("base@href"), it must also
	// change the relative links that need it.
	Map func(l *Link) (url string, ok bool)

	// For observing.

	OnProblem func(Problem) // receives every problem
	OnRecord  func()        // is called for each record of an archive or a mailbox, before its links

	// OnCanonical receives the LINK rel=canonical of a page, unless NoEvidence is set.
	OnCanonical func(e *Entity, url string)

	// For observing what Rewrite does. Links and Bases ignore these fields.

	OnLink   func(*Link)  // receives every link, before Map
	OnEdit   func(Edit)   // receives every edit, in the order of the bytes
	OnChange func(Change) // receives every reference that is changed, before the edit with it

	// OnLocal receives each other file that a link of e leads to with Document.Local. served means that browsers do
	// not load it from disk, like a module script.
	OnLocal func(e *Entity, file string, served bool)

	// Old searches what a move leaves behind. It is called for a text, and then its result for growing offsets: start
	// and end are those of the next old URL up to its host, or the length of the text.
	Old    func(text []byte) (next func(from int) (start, end int))
	OnLeft func(Left) // receives every URL that Old finds, except in links that Map changes; nil only if Old is

	// OnIntegrity receives digests such as "sha384-..." without padding: those of a style sheet before it was changed,
	// or those that a page requires (LINK integrity). If they are the same, browsers refuse the sheet.
	OnIntegrity func(e *Entity, digests []string, changed bool)
}

// Check returns an error if a setting is wrong: a number that is no constant of its type or below zero, an Override
// that cannot be a base (*URLError), or a pattern that fits no place (*PlaceError). Every method calls it.
func (x *Extractor) Check() error {
	if _, err := x.root("", ""); err != nil {
		return err
	}
	return cmp.Or(x.checkNumbers(), x.checkPlaces())
}

func (x *Extractor) checkNumbers() error {
	switch {
	case x.BaseURLs > BaseRemove:
		return fmt.Errorf("the Extractor has the BaseURLs %d; use BaseKeep, BaseEmpty or BaseRemove", x.BaseURLs)
	case x.Mbox.format() == nil:
		return fmt.Errorf("the Extractor has the Mbox %d; use 0, MboxO, MboxRD, MboxCL or MboxCL2", x.Mbox)
	case x.MaxDepth < 0 || x.MaxRecord < 0 || x.MaxRatio < 0:
		return errors.New("the Extractor has a limit below zero; 0 means the default")
	}
	return nil
}

// BaseURLs is what Rewrite does with a BASE element. Without BaseKeep, links in conditional comments are read, too:
// they need it.
type BaseURLs uint8

const (
	BaseKeep   BaseURLs = iota // make its href absolute
	BaseEmpty                  // make it href="", unless a relative link needs it
	BaseRemove                 // remove it, likewise
)

// wants reports whether a document is wanted by Extractor.Only. outer tells whether the document around it is.
func (x *Extractor) wants(outer bool, format *mark.Format) bool {
	if outer || x.Only == nil {
		return true
	}
	return x.Only(format.Name)
}

// wantsFeed reports whether Extractor.Only wants a feed of any kind that feedOf detects.
func (x *Extractor) wantsFeed() bool {
	return x.wants(false, xml.RSS) || x.wants(false, xml.Atom) || x.wants(false, xml.RDF)
}

// needsBase reports whether the URL of a reference may depend on a base that is not known. By the URL Standard, http:x
// does.
func (x *Extractor) needsBase(ref []byte) bool {
	some, _ := x.Standard.Base("http://h/")
	return !some.IsAbsolute(ref)
}

// isPlace reports whether Extractor.Places selects a link.
func (x *Extractor) isPlace(place *mark.Place, number int) bool {
	return len(x.Places) == 0 ||
		slices.ContainsFunc(x.Places, func(p string) bool { return mark.Fits(p, place.Name, number) })
}

// original returns url, or with Unarchive the original of a URL in the Wayback Machine. archived reports whether the
// links of a page with that URL lead into the archive.
func (x *Extractor) original(url string) (_ string, archived bool) {
	if x.Unarchive {
		if original := saved.Unarchived([]byte(url)); original != nil {
			return string(saved.WithoutPort(original)), saved.IsCopy([]byte(url))
		}
	}
	return url, false
}

// report calls OnProblem, unless it is nil. A problem without a severity gets the usual one of its code.
func (x *Extractor) report(p Problem) {
	if p.Severity == 0 {
		p.Severity = p.Code.Severity()
	}
	if x.OnProblem != nil {
		x.OnProblem(p)
	}
}

const (
	defaultDepth  = 64
	defaultRecord = 256 << 20
	defaultRatio  = 200

	longestRatio = 1 << 30 // the product with a length in memory must not overflow
)

func (x *Extractor) maxDepth() int { return cmp.Or(x.MaxDepth, defaultDepth) }

// maxRecord is so small that the sum with a length in memory cannot overflow.
func (x *Extractor) maxRecord() int { return min(cmp.Or(x.MaxRecord, defaultRecord), math.MaxInt/2) }

func (x *Extractor) maxRatio() int { return min(cmp.Or(x.MaxRatio, defaultRatio), longestRatio) }

// Mbox is how an mbox writes a line of a message that begins with "From ".
type Mbox uint8

const (
	MboxO   Mbox = 1 + iota // as ">From "
	MboxRD                  // like MboxO, and ">From " as ">>From "
	MboxCL                  // like MboxO, with a Content-Length
	MboxCL2                 // unchanged, with a Content-Length
)

// format returns the format of an mbox of the flavour, or nil for a number that is no flavour.
func (m Mbox) format() *mark.Format {
	all := [...]*mark.Format{0: mail.Mbox, MboxO: mail.MboxO, MboxRD: mail.MboxRD, MboxCL: mail.MboxCL,
		MboxCL2: mail.MboxCL2}
	if int(m) < len(all) {
		return all[m]
	}
	return nil
}

// root returns the outermost scope, with the URLs that the caller has set. url and by are Document.URL and URLBy.
func (x *Extractor) root(url, by string) (*base.Scope, error) {
	var known []base.Declaration
	declare := func(layer base.Layer, by, url string) {
		if url, archived := x.original(url); url != "" {
			known = append(known, base.Declaration{Layer: layer, By: by, Value: url, Offset: -1, Archived: archived})
		}
	}
	declare(base.LayerOverride, cmp.Or(x.OverrideBy, "override URL"), x.Override)
	declare(base.LayerRetrieval, cmp.Or(by, "retrieval URL"), url)
	root := base.Root(x.Standard, known...)
	if len(known) == 1 && root.Layer() == known[0].Layer {
		return root, nil // the URL is a valid base
	}
	for _, k := range known {
		if err := x.refusal(k.Value); err != nil {
			return nil, &URLError{k.By, k.Value, err}
		}
	}
	return root, nil
}

// refusal returns the reason why a URL from the caller cannot be a base, or nil.
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

// PlaceError is the error for a pattern that fits no place.
type PlaceError struct {
	Pattern string
	Names   []string // places and elements to suggest; "*" is for any characters
}

func (e *PlaceError) Error() string { return fmt.Sprintf("%q is not the name of a place", e.Pattern) }

// CheckAddedPlace returns a *PlaceError if pattern cannot be one of Extractor.AddPlaces.
func CheckAddedPlace(pattern string) error {
	element, attribute, hasAttribute := strings.Cut(pattern, "@")
	prefix, local, _ := strings.Cut(element, ":")
	if strings.ContainsAny(pattern, "[] \t\r\n") || hasAttribute && (element == "" || attribute == "") ||
		!hasAttribute && (prefix == "" || local == "") {
		return &PlaceError{Pattern: pattern}
	}
	return nil
}

// checkPlaces returns the error for the first wrong pattern in AddPlaces and Places.
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

// CheckPlace returns a *PlaceError if pattern cannot be one of Extractor.Places. added are Extractor.AddPlaces.
func CheckPlace(pattern string, added ...string) error {
	// XML can have any element, so only the attribute of a pattern can be wrong
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
