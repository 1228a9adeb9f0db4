package extract

import (
	"cmp"
	"slices"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
)

// Entity is a document, or a document that is embedded in another document. The Entity and its Bytes are valid until the
// body of the loop ends. The caller may keep the Scope.
type Entity struct {
	Document string // the Name of the Document
	Path     string // within the document: "iframe@srcdoc[1]"; "" is the document itself
	Type     string // media type
	Bytes    []byte // offsets are positions in Bytes
	Scope    *base.Scope

	fragment bool // a part of the document around it, without a base of its own
	wanted   bool // Extractor.Only wants it, or a document around it
	srcdoc   bool // the document of an iframe's srcdoc

	spelled
	position
	origin
	member
	lines source.Lines
	index *anchor.Index // of its tags; nil unless Extractor.Described is set

	redirected bool // it is a response after redirects: its links do not all have the same page

	page     string // see PageURL
	pageDone bool   // page is set
}

// spelled is how the bytes of an entity spell its text.
type spelled struct {
	text     *source.Text
	whole    source.Text     // the target of text
	charset  codec.Codec     // how Bytes spell the text; nil if they are the text
	raw      bool            // Bytes are the original bytes, in a charset; else Bytes are decoded text
	spelling *source.Charset // the charset of edits: that of the nearest raw entity, itself or around it
	spells   source.Charset  // of a raw entity, the target of spelling
}

// position is the position of an entity in the document.
type position struct {
	outer      *Entity      // the entity around it; nil for a record
	region     *source.Text // the text of the entity, as a region of outer
	depth      int          // the number of documents around it
	start      int64        // of a record: its offset in the document or entity that its path names
	compressed bool         // of a record: the document is compressed, and offsets count decompressed bytes
}

// origin describes where an entity came from, if the entity is a file.
type origin struct {
	file       string         // its name: the Document's, or the name in an archive
	own        bool           // the entity is a file: a record, or a file in an archive
	attributes []Evidence     // of a record: the Evidence of the Document
	members    mark.MemberURL // of an archive: the URLs of its files; may be nil
	saved      *saved.Saved   // how the page was saved that the entity is, or is embedded in; nil for most
}

// member is the position of an entity among the parts of a message.
type member struct {
	header *base.Scope // the scope of its header, if it is a body part or the body of a response
	parts  *siblings   // of a message: its parts
	among  *siblings   // the parts that its links may name
	group  int         // the group of among that contains the entity
	sealed bool        // a signature covers the entity, and the entity stays unchanged
}

// inside returns the position of a record inside e. text is the bytes of the record. They begin at start.
func (e *Entity) inside(text []byte, start int) position {
	return position{outer: e, region: &source.Text{Parent: e.text, Bytes: text, Start: start, Src: text}, depth: e.depth, start: int64(start)}
}

// within returns the path of an entity inside e.
func (e *Entity) within(name string) string {
	if e.Path == "" {
		return name
	}
	return e.Path + "/" + name
}

// PageURL returns the URL of the page that the entity is in: of the nearest document, the entity itself or one around it,
// that has a URL of its own. This is the URL that the document was retrieved from (RFC 1808 3.3). For a body part of a
// message it is the Content-Location of the part (RFC 2557 4.2). PageURL returns "" if no document has a URL, as in most
// mail.
func (e *Entity) PageURL() string {
	if !e.pageDone {
		e.page, e.pageDone = e.pageURL(), true
	}
	return e.page
}

func (e *Entity) pageURL() string {
	for at := e; at.outer != nil; at = at.outer {
		if at.header != nil {
			if url := at.location(); url != "" {
				return url
			}
		}
	}
	return e.Scope.RetrievalURL()
}

// location returns the URL in the Content-Location of a body part, or "".
func (e *Entity) location() string {
	for _, c := range e.header.Own() {
		if c.By == header.ContentLocation.Name && c.Verdict != base.Rejected {
			return c.URL
		}
	}
	return ""
}

// srcdocURL is the URL of the document in the srcdoc of an iframe (HTML 4.8.5).
const srcdocURL = "about:srcdoc"

// ownURL returns the URL of the document that the entity is, or is a part of. It returns "" if the URL is unknown. For
// example, the HTML in an entry of a feed is a part of the feed.
func (e *Entity) ownURL(scope *base.Scope) string {
	for !e.raw && !e.srcdoc {
		e = e.outer
	}
	if e.srcdoc {
		return srcdocURL
	}
	if e.header != nil {
		if url := e.location(); url != "" { // RFC 2557 4.2
			return url
		}
	}
	return scope.RetrievalURL()
}

// child returns the entity of a nested region of e. fr has the text of the region.
func (w *walker) child(e *Entity, at *mark.Mark, format *mark.Format, fr *source.Text, scope *base.Scope, ordinal int) *Entity {
	child := &Entity{Document: e.Document, Type: format.Name, Bytes: fr.Bytes, fragment: format.Fragment, srcdoc: at.Place.Srcdoc,
		spelled:  spelled{whole: source.Text{Bytes: fr.Bytes}, spelling: e.spelling},
		position: position{outer: e, region: fr, depth: e.depth + 1},
		origin:   origin{saved: e.saved},
		member:   member{among: e.among, group: e.group, sealed: e.sealed}}
	child.text, child.wanted = &child.whole, w.wants(e.wanted, format)
	p := at.Part
	if p == nil {
		child.Path = e.within(mark.Numbered(at.Place.Name, ordinal))
		return child
	}
	child.Path, child.header = e.within(at.Place.Name), scope
	if child.own = e.own && e.fragment && p.Name != ""; child.own {
		child.file, child.members = p.Name, e.membersOf(p.Name)
	}
	if p.Beside != nil {
		child.saved = &saved.Saved{File: child.file, Depth: -1, Beside: p.Beside}
	}
	child.among, child.group = e.parts, p.Group
	child.sealed = child.sealed || p.Signed && !w.BreakSignatures
	return child
}

// evidence returns the declarations of where a file came from, the best first:
//
//  1. the URLs in the content, in the order of the bytes: the program that saved the file last wrote its URL first
//  2. the attributes of the file
//  3. with Canonical, the LINK rel=canonical of the page
func (w *walker) evidence(e *Entity, m *mark.Marks) []base.Declaration {
	if !m.File {
		return nil
	}
	// Comments before the content are marked first, even if they stand after the html tag.
	slices.SortStableFunc(m.Notes.Evidence, func(a, b mark.Evidence) int { return cmp.Compare(a.Start, b.Start) })
	var declared, last []base.Declaration
	for i := range m.Notes.Evidence {
		at := &m.Notes.Evidence[i]
		if at.Saver == saved.Canonical && !w.Canonical {
			continue
		}
		text, _ := at.Codec.Decode(e.text.Bytes[at.Start:at.End])
		if at.Saver.Read != nil {
			text = at.Saver.Read(text)
		}
		d := w.evident(at.Saver.By, string(text))
		d.Offset = e.text.Offset(at.Start)
		switch {
		case has(declared, d):
			// HTTrack writes its comment twice: before the content and after it.
		case at.Saver == saved.Canonical:
			if _, own := saved.InArchiveToday([]byte(d.Value)); own && d.Refuse == "" {
				d.Refuse = "the archive's own"
			}
			d.Last = true
			last = append(last, d)
		default:
			declared = append(declared, d)
			e.saved = e.saved.By(at.Saver, d, e.file)
		}
	}
	for _, known := range e.attributes {
		d := w.evident(known.By, known.URL)
		switch {
		case d.Refuse != "":
		case isArchive(e.Type, ""):
			d.Refuse = "says where the archive is from, not the files in it"
		case saved.OfArchive(d.Value, e.Document):
			d.Refuse = "names an archive that the file was in"
		}
		d.Last = true // the URL that a container records for a document in the file is better
		declared = append(declared, d)
	}
	return append(declared, last...)
}

// redirects returns the declarations of the redirects before a response, the last one first.
func (w *walker) redirects(e *Entity, m *mark.Marks) []base.Declaration {
	declared := make([]base.Declaration, 0, len(m.Notes.Redirects))
	for _, at := range slices.Backward(m.Notes.Redirects) {
		url, _ := at.Codec.Decode(e.text.Bytes[at.Start:at.End])
		by := mark.Location
		if at.IsNextRequest() {
			by = mark.NextRequest
		}
		d := w.evident(by, string(url))
		switch scheme, _ := ascii.CutScheme(d.Value); ascii.Lower(scheme) {
		case "", "http", "https":
			d.Refuse = "" // it may be relative
		}
		d.Refuse = cmp.Or(at.Refuse, d.Refuse)
		d.Redirect, d.Offset = true, e.text.Offset(at.Start)
		declared = append(declared, d)
	}
	return declared
}

// evident returns the declaration of one piece of evidence.
func (w *walker) evident(by, url string) base.Declaration {
	url = w.original(url)
	return base.Declaration{Rung: base.Retrieval, By: by, Value: url, Offset: -1, Refuse: saved.Unfit(url)}
}

// has reports whether the list has a declaration of the same URL by the same source.
func has(declared []base.Declaration, d base.Declaration) bool {
	return slices.ContainsFunc(declared, func(other base.Declaration) bool { return other.By == d.By && other.Value == d.Value })
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
