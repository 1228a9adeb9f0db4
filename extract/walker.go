package extract

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"absolink/base"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/pack"
	"absolink/resolve"
)

// Walker reads documents. It finds the base of each document by the ladder of RFC 1808 section 3, and resolves every
// link. The zero Walker is ready to use: it resolves by RFC 1808 and has the default limits.
//
// A Walker reuses its buffers for the next document. So only one goroutine may use a Walker at a time. A visit function
// must not call the Walker that called it. A Walker must not be copied after its first use. After an error, the Walker
// can read the next document.
type Walker struct {
	Options
	Hooks

	pass
	budget
	sink
	scratch
}

// Options are the settings for reading and rewriting. They may be copied.
type Options struct {
	Standard        resolve.Standard
	Override        string    // a base URL that comes before every rung; "" for none
	Extended        bool      // also read the places that only scripts and crawlers read
	Described       bool      // Links have a Rel, a Title and a Text
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
	// other places are not resolved, shown or rewritten. Without Places, all links are.
	Places []string

	// Only reports whether documents of a media type are wanted. Everything inside such a document is wanted, too. Other
	// documents are opened only for the wanted documents inside them: their links and bases are not visited, and they are
	// not changed. A nil Only wants all documents. Several Walkers may call it at the same time.
	Only func(mediaType string) bool
}

// Hooks are functions that the Walker calls while it reads documents. Each may be nil.
type Hooks struct {
	// OnProblem receives every problem inside a document.
	OnProblem func(Problem)

	// OnEdit receives every edit of a rewriting: its offset in the document, and the bytes at the offset before and
	// after the edit. In a compressed document, the offset counts decompressed bytes. The slices are valid until OnEdit
	// returns. To get the edits without the output, rewrite to io.Discard.
	OnEdit func(offset int64, old, new []byte)

	// Choose returns false for a link that is neither shown nor rewritten. Its problems are reported, but for those of
	// the rewriting. For a BASE element, Choose receives the base as a link: if it returns false, the element stays
	// unchanged.
	Choose func(*Link) bool

	// OnLink receives every link while a document is rewritten. The links are those that Links shows for the document
	// before the rewriting, with one exception. A body part whose Content-Location has no base may get a base from a
	// reference that names the part.
	OnLink func(*Link)

	// OnWanted is called once or more for each document that Options.Only wants, if Options.Only is not nil.
	OnWanted func()

	// OnChange receives every reference that an edit changes, before OnEdit receives the edit. One edit of encoded or
	// compressed bytes may change many references. An edit that changes no reference, such as one of a length or a
	// digest, has none.
	OnChange func(Change)
}

// pass is the task of one call of the Walker, and the results so far.
type pass struct {
	visitLink   func(*Link) error
	visitEntity func(*Entity) error
	rewriting   bool
	naming      *siblings // set while references are only matched to body parts, and no edits are made
	left        int       // links of the record that cannot be made absolute; if there are any, BASE elements stay
	failed      error     // the error of a visit or of the output; it ends the walk
}

// budget is the rest of the limits of one record.
type budget struct {
	unpackable int64 // bytes that may still be decompressed
	grown      int   // bytes that the unwritten edits add to the record
}

// sink is the output of a rewriting.
type sink struct {
	out    *recordWriter
	writer recordWriter    // the target of out, except while nothing is written
	member pack.Memberwise // the writer of records that are compressed one by one
	edits  codec.Replacer  // makes the edits, and keeps them until they are written

	changes []change // the references that the unwritten edits change; none without OnChange
}

// scratch is memory that the Walker reuses.
type scratch struct {
	levels []*level // by depth of recursion
	url    []byte   // the URL of the current link
	text   []byte   // the reference of the current link, if it is not in the bytes of the document
	buffer []byte   // the bytes of a document that is read as a whole
	reader *bufio.Reader
	link   Link
}

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

// Document is one input.
//
// For a response that an HTTP client has fetched, set Type to its Content-Type, URL to the URL of the last request, and
// Reader to its body. Links and bases in the header are found only if the document is the whole response, as it came, of
// type message/http.
//
// URL comes before every URL that an archive records for the documents in it. So leave URL empty if HoldsFiles is true.
type Document struct {
	Name  string // the name in Links and Problems; its extension may decide the type
	Type  string // the media type, perhaps with a charset; if "", the Name and the bytes decide
	URL   string // the absolute URL that it was retrieved from, before redirects in it (RFC 1808 3.3); "" if unknown
	URLBy string // the source of URL, such as "--url"; "" is shown as "retrieval URL"

	// Evidence has further URLs that the document may have come from, such as those in the attributes of its file. The
	// best comes first. A URL that the document itself records is better.
	Evidence []Evidence

	// MemberURL returns the absolute URL that a file of an archive was retrieved from, and the source of that URL. name
	// is the name of the file in the archive. MemberURL returns "" if the URL is unknown. It may be nil. The URL of
	// the Document comes before it.
	MemberURL func(name string) (url, by string)

	// Bytes is the document. The Walker does not change it. If Bytes is nil, the Walker reads Reader instead, from its
	// current offset, and does not close it. A Reader that is an io.Seeker may be read twice for a rewriting.
	Bytes  []byte
	Reader io.Reader
}

// Evidence is a URL that a document came from, recorded outside the document, such as in an attribute of its file.
type Evidence struct {
	By  string // the source of the URL: "user.xdg.origin.url"
	URL string
}

// UnknownTypeError is the error for a document that no format can read.
type UnknownTypeError struct{ Type string }

func (e *UnknownTypeError) Error() string {
	if e.Type == "" {
		return "neither its name nor its first bytes tell a type that can be read"
	}
	return fmt.Sprintf("the type %q cannot be read", e.Type)
}

// Links calls visit for every link of the document, in the order of the bytes. The links of an embedded document come at
// the position of that document.
//
// An error of visit ends the walk, and Links returns it. Links also returns read errors, the error of a compressed
// document that cannot be opened, *UnknownTypeError and *URLError. Malformed input inside the document is a Problem,
// never an error.
func (w *Walker) Links(d Document, visit func(*Link) error) error {
	w.visitLink, w.visitEntity, w.rewriting = visit, nil, false
	return w.run(d)
}

// Bases calls visit for every entity of the document that is a document itself. An outer entity comes before the
// entities inside it. The Scope of the entity has the base in force, and all candidates with their verdicts. The errors
// are those of Links.
func (w *Walker) Bases(d Document, visit func(*Entity) error) error {
	w.visitLink, w.visitEntity, w.rewriting = nil, visit, false
	return w.run(d)
}

// Rewrite copies the document to dst. It makes every link absolute, and leaves every other byte unchanged.
//
// A damaged compressed document is copied unchanged. In a web archive that is compressed record by record in gzip, only
// the bytes after the damage are copied unchanged.
//
// Rewrite returns the errors of Links, and write errors. It also returns an error for damage that it finds after it has
// begun to write. This can happen in other documents of many records, and if the Reader cannot be read twice.
func (w *Walker) Rewrite(dst io.Writer, d Document) error {
	w.visitLink, w.visitEntity, w.rewriting = nil, nil, true
	in, err := w.begin(d)
	if err != nil {
		return err
	}
	if again := w.twice(in); again != nil {
		raw, err := w.unchanged(d, again)
		if _, e := again.Seek(0, io.SeekStart); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
		if raw != nil {
			_, err = io.Copy(dst, raw)
			return err
		}
		in.giveBack()
		if in, err = w.begin(d); err != nil {
			return err
		}
	}
	if err := in.unpack(dst); err != nil {
		return err
	}
	return w.through(in, dst)
}

// URLError is the error for a URL from the caller that cannot be a base. What is the source of the URL:
// "--override-base" for Walker.Override, or the URLBy of the Document. Err is the reason. It may be
// resolve.ErrMalformed.
type URLError struct {
	What, URL string
	Err       error
}

func (e *URLError) Error() string { return fmt.Sprintf("%s %q: %v", e.What, e.URL, e.Err) }

func (e *URLError) Unwrap() error { return e.Err }

// LinksOf is Links for one record of a Stream.
func (w *Walker) LinksOf(rec Record, visit func(*Link) error) error {
	w.visitLink, w.visitEntity, w.rewriting = visit, nil, false
	return w.walk(rec, nil)
}

// BasesOf is Bases for one record of a Stream.
func (w *Walker) BasesOf(rec Record, visit func(*Entity) error) error {
	w.visitLink, w.visitEntity, w.rewriting = nil, visit, false
	return w.walk(rec, nil)
}

// RewriteRecord is Rewrite for one record of a Stream. The caller passes the output in dst to Put. If each record of the
// document is compressed on its own, the output is compressed already.
func (w *Walker) RewriteRecord(dst io.Writer, rec Record) error {
	w.visitLink, w.visitEntity, w.rewriting = nil, nil, true
	return w.walk(rec, dst)
}

// run walks every record of a document that is only read.
func (w *Walker) run(d Document) error {
	in, err := w.Open(d, nil)
	if err != nil {
		return err
	}
	return w.through(in, nil)
}

// through walks every record of a document that has been opened.
func (w *Walker) through(in *Stream, dst io.Writer) error {
	for rec, err := range in.Records() {
		if err == nil {
			err = w.walk(rec, in.to(rec))
		}
		if err == nil && dst != nil {
			err = in.done(rec)
		}
		if err != nil {
			return err
		}
	}
	return in.Close()
}

// walk walks one record. dst is nil if the record is not rewritten.
func (w *Walker) walk(rec Record, dst io.Writer) error {
	w.failed = nil
	w.writes(rec, dst)
	w.record(rec)
	w.out.end()
	return w.failed
}

// root returns the outermost scope: that of the URLs which are known before a byte is read.
func (w *Walker) root(d Document) (*base.Scope, error) {
	known := make([]base.Declaration, 0, 2)
	if w.Override != "" {
		known = append(known, base.Declaration{Rung: base.Override, By: "--override-base", Value: w.original(w.Override), Offset: -1})
	}
	if d.URL != "" {
		by := d.URLBy
		if by == "" {
			by = "retrieval URL"
		}
		known = append(known, base.Declaration{Rung: base.Retrieval, By: by, Value: w.original(d.URL), Offset: -1})
	}
	root := base.Root(w.Standard, known...)
	if len(known) == 1 && root.Rung() == known[0].Rung {
		return root, nil // the URL is a valid base
	}
	for _, k := range known {
		if err := w.refusal(k.Value); err != nil {
			return nil, &URLError{k.By, k.Value, err}
		}
	}
	return root, nil
}

// refusal returns the reason why a URL from the caller cannot be a base, or nil if it can.
func (w *Walker) refusal(url string) error {
	b, err := w.Standard.Base(url)
	if err != nil {
		if none, e := w.Standard.Base(""); e == nil && !none.IsAbsolute([]byte(url)) {
			return errors.New("not absolute; give it with its scheme, as in http://host/path")
		}
		return err
	}
	if why := b.Unsuitable(); why != "" {
		return errors.New(why)
	}
	return nil
}
