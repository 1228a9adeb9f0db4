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

// Walker reads documents: it finds the base of each, by the ladder of RFC 1808 section 3, and with it every link.
// The zero Walker resolves as RFC 1808 says and has the default limits.
//
// A Walker keeps its buffers from document to document. So one Walker serves one goroutine at a time. It must not be
// called from its own visits, and must not be copied once it was used. After an error it reads the next document as if
// nothing had happened.
type Walker struct {
	Options
	Hooks

	pass
	budget
	sink
	scratch
}

// Options say how documents are read and rewritten. They may be copied.
type Options struct {
	Standard        resolve.Standard
	Override        string    // a base URL above every rung; "" for none
	Extended        bool      // read the places that only scripts and crawlers read, too
	Fragments       Fragments // what rewriting does with fragment-only references
	BaseURLs        BaseURLs  // what rewriting does with BASE elements
	BreakSignatures bool      // change links inside what a signature covers, too
	MaxDepth        int       // of documents within documents; 0 or less means 64
	MaxRecord       int       // bytes of one record in memory; 0 or less means 256 MiB
	MaxRatio        int       // decompressed bytes for each compressed one, above 16 MiB; 0 or less means 200
	Mbox            Mbox      // the flavour of mboxes; 0: each message tells it
	Unpacked        bool      // rewriting leaves compressed documents uncompressed
	NoEvidence      bool      // ignore what says where a document was saved from
	Canonical       bool      // a LINK rel=canonical is evidence, too, the last to be asked
	Unarchive       bool      // a link into the Wayback Machine is a link to the original
}

// Hooks are called while documents are read. Each may be nil.
type Hooks struct {
	// OnProblem gets every problem inside a document.
	OnProblem func(Problem)

	// OnEdit gets every edit of a rewriting: its offset in the document, which is in the decompressed bytes of a
	// compressed document, and the bytes there before and after. They are valid until OnEdit returns. For the edits
	// alone, rewrite to io.Discard.
	OnEdit func(offset int64, old, new []byte)

	// OnLink gets every link while a document is rewritten, as Links would show the links of the document before the
	// rewriting. But a body part with a Content-Location that had no base may have got one from a reference that
	// names it.
	OnLink func(*Link)
}

// pass is what one call of the Walker is to do, and what came of it so far.
type pass struct {
	visitLink   func(*Link) error
	visitEntity func(*Entity) error
	rewriting   bool
	naming      *siblings // set while references are only asked which parts they name, and no edits are made
	left        int       // links of the record that cannot be made absolute, so that BASE elements have to stay
	failed      error     // of a visit or of writing; it ends the walk
}

// budget is what is left of the limits of one record.
type budget struct {
	unpackable int64 // bytes that may still be decompressed
	grown      int   // bytes by which the edits that are not written yet make the record longer
}

// sink is what a rewriting writes to.
type sink struct {
	out    *recordWriter
	writer recordWriter    // what out points to, except while nothing is written
	member pack.Memberwise // of records that are compressed one by one
	edits  codec.Replacer  // makes the edits of links that are not written yet
}

// scratch is memory that the Walker uses again.
type scratch struct {
	levels []*level // by depth of recursion
	url    []byte   // of the link at hand
	text   []byte   // of its reference, if it is not in the bytes of the document
	buffer []byte   // of a document that is read whole
	reader *bufio.Reader
	link   Link
}

// Mbox is the flavour of an mbox: what keeps a line of a message that begins with "From " from being taken for the
// beginning of the next message.
type Mbox uint8

// The flavours of mboxes. 0 stands for the flavour that each message shows.
const (
	MboxO   Mbox = 1 + iota // "From " is written as ">From "
	MboxRD                  // and ">From " as ">>From "
	MboxCL                  // as MboxO, and a Content-Length tells where the message ends
	MboxCL2                 // a Content-Length alone tells it
)

// Fragments says what rewriting does with a reference that is only a fragment.
type Fragments uint8

const (
	FragmentsAbsolute Fragments = iota // the rule of RFC 1808: it is a reference like others
	FragmentsKeep                      // it stays as it is
)

// BaseURLs says what rewriting does with a BASE element.
type BaseURLs uint8

const (
	BaseKeep   BaseURLs = iota // made absolute like a link
	BaseEmpty                  // href=""
	BaseRemove                 // the element is taken out
)

// Document is one input. Of what an HTTP client has fetched, Type is the Content-Type, URL
// that of the last request, and Reader the body; links and bases in the header are found if
// the whole response, as it came, is a document of type message/http. The URL goes before all
// that an archive tells of what is in it: leave it out where HoldsFiles is true.
type Document struct {
	Name  string // as it is called in Links and Problems; its extension may tell the type
	Type  string // the media type, perhaps with a charset; "" leaves it to Name and bytes
	URL   string // what it was retrieved from (RFC 1808 3.3), absolute; "" if unknown
	URLBy string // what says so, such as "--url"; "" is shown as "retrieval URL"

	// Evidence is what else says where it came from, such as the attributes of its file,
	// the best first. What the document itself says is better.
	Evidence []Evidence

	// MemberURL gives what a file of an archive was retrieved from, absolute, by its name in
	// the archive, and what says so; "" if unknown. It may be nil. A URL would go before it.
	MemberURL func(name string) (url, by string)

	// Bytes is the document, and only read. If it is nil, Reader is read instead, from where it
	// stands, and is not closed. One that is an io.Seeker may be read twice to rewrite it.
	Bytes  []byte
	Reader io.Reader
}

// Evidence says where a document came from without being in it: an attribute of its file.
type Evidence struct {
	By  string // what says so: "user.xdg.origin.url"
	URL string
}

// UnknownTypeError says that no format claims a document.
type UnknownTypeError struct{ Type string }

func (e *UnknownTypeError) Error() string {
	if e.Type == "" {
		return "neither its name nor its first bytes tell a type that can be read"
	}
	return fmt.Sprintf("the type %q cannot be read", e.Type)
}

// Links visits every link of the document, in the order of its bytes, those of nested
// documents where they stand. An error of visit ends the walk and is returned; other
// errors are those of reading, that of a packed document which cannot be opened, *UnknownTypeError
// and *URLError. What is wrong inside the document is a Problem, never an error.
func (w *Walker) Links(d Document, visit func(*Link) error) error {
	w.visitLink, w.visitEntity, w.rewriting = visit, nil, false
	return w.run(d)
}

// Bases visits every entity of the document that is a document itself, the outer before
// the inner, with its scope: the base in force, and all candidates with their verdicts.
// Errors are those of Links.
func (w *Walker) Bases(d Document, visit func(*Entity) error) error {
	w.visitLink, w.visitEntity, w.rewriting = nil, visit, false
	return w.run(d)
}

// Rewrite copies the document to dst with every link absolute and every other byte as
// it was. A packed one that is damaged is copied as it is; of a web archive packed record by
// record in gzip, what is behind the damage. Errors are those of Links, those of writing, and that
// of damage which comes to light only when something is written: in other documents of many
// records, and where the Reader cannot be read twice.
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

// URLError says that a URL given from outside cannot be a base. What is who gave it:
// "--override-base" for Walker.Override, or the Document's URLBy. Err says why; it may be
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

// RewriteRecord is Rewrite for one record of a Stream. What is written to dst is for Put: if each
// record of the document is packed on its own, it is packed already.
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

// walk walks one record; dst is nil if it is not rewritten.
func (w *Walker) walk(rec Record, dst io.Writer) error {
	w.failed = nil
	w.writes(rec, dst)
	w.record(rec)
	w.out.end()
	return w.failed
}

// root closes the scope of what is known before a byte is read.
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
		return root, nil // it was good
	}
	for _, k := range known {
		if err := w.refusal(k.Value); err != nil {
			return nil, &URLError{k.By, k.Value, err}
		}
	}
	return root, nil
}

// refusal says why a URL from outside cannot be a base, nil if it can.
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
