package extract

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"sync"

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

// Mbox is the flavour of an mbox. Each flavour has its own way to distinguish a line of a message that begins with
// "From " from the beginning of the next message.
type Mbox uint8

// The flavours of mboxes. The value 0 means that the flavour is detected for each message.
const (
	MboxO   Mbox = 1 + iota // "From " is written as ">From "
	MboxRD                  // as MboxO, and ">From " is written as ">>From "
	MboxCL                  // as MboxO, and a Content-Length declares the length of the message
	MboxCL2                 // "From " is unchanged, and a Content-Length declares the length
)

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

// Links yields every link of the document, in the order of the bytes. The links of an embedded document come at the
// position of that document. A Link is valid until the body of the loop ends; Clone keeps it.
//
// An error comes last, with a nil Link: a read error, ctx.Err(), the error of a compressed document that cannot be opened,
// *UnknownTypeError or *URLError. Malformed input inside the document is a Problem, never an error. When ctx is done,
// reading ends within a record; but a Read of doc.Reader that blocks is not interrupted.
func (x *Extractor) Links(ctx context.Context, doc Document) iter.Seq2[*Link, error] {
	return func(yield func(*Link, error) bool) {
		w := x.walker(ctx)
		err := w.links(doc, func(l *Link) error { return goOn(yield(l, nil)) })
		w.release()
		if err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// Bases yields every entity of the document that is a document itself. An outer entity comes before the entities inside
// it. The Scope of the entity has the base in force, and all candidates with their verdicts. The Entity is valid until the
// body of the loop ends; its Scope may be kept. The errors are those of Links.
func (x *Extractor) Bases(ctx context.Context, doc Document) iter.Seq2[*Entity, error] {
	return func(yield func(*Entity, error) bool) {
		w := x.walker(ctx)
		err := w.bases(doc, func(e *Entity) error { return goOn(yield(e, nil)) })
		w.release()
		if err != nil && err != errStopped {
			yield(nil, err)
		}
	}
}

// Rewrite copies the document to dst. It makes every link absolute, and leaves every other byte unchanged.
//
// Map, if it is not nil, is called for each link that has an absolute URL, links that were absolute already and declared
// bases included. If it returns false, or the reference as it was, the bytes stay unchanged. Any other URL is spelled at
// the place of the link, through everything that the link is nested in. A URL that cannot be spelled there is refused, and
// reported as RewriteRefused. Map may be called twice for a link.
//
// If Map changes a base and leaves a link relative, the link leads to another URL than before. Its Place tells a base from
// a link: the place of a BASE element is "base@href".
//
// A damaged compressed document is copied unchanged. In a web archive that is compressed record by record in gzip, only
// the bytes after the damage are copied unchanged.
//
// Rewrite returns the errors of Links, and write errors. It also returns an error for damage that it finds after it has
// begun to write. This can happen in other documents of many records, and if the Reader cannot be read twice.
func (x *Extractor) Rewrite(ctx context.Context, dst io.Writer, doc Document) (Result, error) {
	w := x.walker(ctx)
	err := w.rewrite(dst, doc)
	result := w.result
	result.Refused = result.tried - result.Changed
	w.release()
	return result, err
}

// Records yields the records of the document, such as the messages of an mbox: what goroutines may work on at the same
// time. Each Record stays valid. Pass its Document to Links, Bases or Rewrite. Records longer than MaxRecord are only
// reported, as SizeLimit. The errors are those of Links.
func (x *Extractor) Records(ctx context.Context, doc Document) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		in, err := x.Open(ctx, doc, nil)
		if err != nil {
			yield(Record{}, err)
			return
		}
		for rec, err := range in.RecordsIn(func(n int) []byte { return make([]byte, max(n, 1<<16)) }) {
			if (err != nil || rec.Type != "") && !yield(rec, err) {
				return
			}
		}
	}
}

// Absolute returns an HTML page with every link absolute. url is the URL that the page was retrieved from. The page is
// UTF-8, unless it declares another charset. Absolute does not change html, and the result may share its memory.
func Absolute(html []byte, url string) ([]byte, error) {
	var x Extractor
	out := bytes.NewBuffer(make([]byte, 0, len(html)+len(html)/4))
	_, err := x.Rewrite(context.Background(), out, Document{Type: "text/html", URL: url, Bytes: html})
	return out.Bytes(), err
}

// errStopped ends a walk whose caller has left the loop.
var errStopped = errors.New("the loop was left")

// goOn returns the error that ends a walk, unless the caller goes on.
func goOn(more bool) error {
	if more {
		return nil
	}
	return errStopped
}

// idle are walkers whose buffers are ready for the next document.
var idle = sync.Pool{New: func() any { return &walker{} }}

// walker returns a walker with the settings of x. The caller releases it.
func (x *Extractor) walker(ctx context.Context) *walker {
	w := idle.Get().(*walker)
	w.Extractor, w.ctx = *x, ctx
	return w
}

// released is called with each walker that is released, if a test sets it.
var released func(*walker)

// release returns the walker to the pool, without what belongs to the caller.
func (w *walker) release() {
	if released != nil {
		released(w)
	}
	w.Extractor, w.ctx, w.pass, w.link = Extractor{}, nil, pass{}, Link{}
	idle.Put(w)
}
