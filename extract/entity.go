package extract

import (
	"slices"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/related"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// Entity is a document, or a document inside it, such as the page in a message.
type Entity struct {
	Document string      // Document.Name
	Path     string      // in the document, such as "part[2]/iframe@srcdoc[1]", or ""
	Type     string      // Format.Name
	Bytes    []byte      // the content
	Scope    *base.Scope // has the base, and all candidates

	feed     bool   // it is a feed or in one
	fragment bool   // it is a part of the document around it, without a base of its own
	wanted   bool   // Extractor.Only wants it, or a document around it
	srcdoc   bool   // it is the document in the srcdoc of an iframe
	policy   string // see mark.Part.Policy
	clean    bool   // the text around it has no URL for Extractor.Old in its region
	sniffed  bool   // its format was detected by its name and first bytes

	// How it is read.
	format     *mark.Format
	std        resolve.Standard
	outerScope *base.Scope
	placeName  string // in the entity around it

	// How Bytes spell the text.
	text    source.Text
	charset codec.Codec // nil if Bytes are the text
	raw     bool        // Bytes are the original bytes, in a charset; else they are decoded text
	// the charset to write edits in: that of the entity, or of the nearest raw entity around it
	spelling    *source.Charset
	ownSpelling source.Charset // of a raw entity: spelling points to it
	guards      *mark.Guards   // of a raw entity

	// Where it is in the document.
	parent     *Entity      // the entity around it; nil for a record
	regionText *source.Text // its text, as a region of parent
	depth      int          // how many documents are around it
	encoded    int          // how many of these and itself are in a transfer encoding like quoted-printable
	packed     int          // how many are compressed
	decoded    int64        // how long their decoded texts are together
	start      int64        // of a record: its offset in the document or entity that Path names
	compressed bool         // of a record: the document is compressed, and offsets are in decompressed bytes

	// Where it came from, if it is a file.
	file     string         // Document.Name, or the name in an archive
	isFile   bool           // it is a record, or a file in an archive
	evidence []Evidence     // of a record: the Evidence of the Document
	members  mark.MemberURL // of an archive: the URLs of its files; may be nil
	saved    *saved.Saved   // how the page around it was saved; nil for most entities
	disk     *disk          // where it is among files; nil if its links lead to none
	local    *local         // the files that its links may lead to; nil if no link becomes local
	// of an archive: LocalFiles of its files; nil until a file in it needs them
	files func(target string) (file string)

	// Its place among the parts of a message.
	headerScope *base.Scope    // the scope of its header, if it is a body part or the body of a response
	parts       *related.Parts // of a message: its parts
	siblings    *related.Parts // the parts that its links may name
	group       int            // the group of siblings that it is in
	kept        bool           // Extractor.KeepDKIM or Keep keeps it unchanged

	lines source.Lines
	index *anchor.Index // of its tags; nil unless Extractor.DescribeLinks is set

	baseNeeded bool // a reference in it, or in an entity inside it, stays relative and needs its base
	redirected bool // it is a response after redirects, so its links do not all have the same page

	page     string         // see PageURL
	pageDone bool           // page is set
	envelope *mail.Envelope // see Message; nil if it is not read
}

// Evidence is a URL that a document may have come from, noted outside it.
type Evidence struct {
	By  string // where it is noted, such as "user.xdg.origin.url"
	URL string
}

// needBase notes that a reference of e stays relative. It needs the base of e, and those of the entities around e up to
// the first that declares an absolute base.
func (e *Entity) needBase() {
	for ; e != nil && !e.baseNeeded; e = e.parent {
		e.baseNeeded = true
		if e.Scope != nil &&
			slices.ContainsFunc(e.Scope.Own(), func(c base.Candidate) bool {
				return c.Verdict == base.VerdictUsed && !c.Relative
			}) {
			return
		}
	}
}

// joinPath returns the Path of an entity inside e that is called name there.
func (e *Entity) joinPath(name string) string {
	if e.Path == "" {
		return name
	}
	return e.Path + "/" + name
}

// PageURL returns the URL of the page that the entity belongs to, or "": its retrieval URL (RFC 1808 3.3), or the
// Content-Location of its body part (RFC 2557 4.2).
func (e *Entity) PageURL() string {
	if !e.pageDone {
		e.page, e.pageDone = e.pageURL(), true
	}
	return e.page
}

func (e *Entity) pageURL() string {
	for at := e; at.parent != nil; at = at.parent {
		if at.headerScope != nil {
			if url := at.location(); url != "" {
				return url
			}
		}
	}
	return e.Scope.RetrievalURL()
}

// Message returns the Message-ID without brackets, the Date as written, and the decoded Subject of the innermost
// message around the entity, or "".
func (e *Entity) Message() (id, date, subject string) {
	m := e.message()
	return m.ID, m.Date, m.Subject
}

func (e *Entity) message() *mail.Envelope {
	for e.envelope == nil && e.parent != nil && e.Type != mail.Message.Name {
		e = e.parent
	}
	if e.envelope == nil {
		e.envelope = new(mail.Envelope)
		if e.Type == mail.Message.Name {
			e.envelope = mail.EnvelopeOf(e.text.Bytes)
		}
	}
	return e.envelope
}

// location returns the URL in the Content-Location of a body part, or "".
func (e *Entity) location() string {
	for _, c := range e.headerScope.Own() {
		if c.By == header.ContentLocation.Name && c.Verdict != base.VerdictRejected {
			return c.URL
		}
	}
	return ""
}

// membersOf returns the MemberURL function for the files inside the file name of e. To MemberURL, an archive inside an
// archive is a folder, and a file that is compressed on its own has the name of the file in it.
func (e *Entity) membersOf(name string) mark.MemberURL {
	if f := byType(e.Type); e.members == nil || f == nil || !f.Holds.HasPaths() {
		return e.members
	}
	return func(inner string) (url, by string) { return e.members(name + "/" + inner) }
}

// asArchive makes e, a self-extracting page, an archive, and returns the scope around the files in it. The archive
// records their URLs, so the URL of e is tried last: it is where a browser shows the files without one. If urls is not
// set, there is no room for it.
func (e *Entity) asArchive(std resolve.Standard, outer *base.Scope, urls bool) *base.Scope {
	e.fragment, e.members, e.saved, e.disk = true, nil, nil, nil // the files of e are not files of a site
	if !urls {
		return base.Root(std)
	}
	var known []base.Declaration
	url := outer.RetrievalURL()
	for _, c := range outer.Candidates() {
		switch {
		case c.Layer == base.LayerOverride:
			known = append(known, c.Declaration)
		case c.Layer == base.LayerRetrieval && c.Verdict != base.VerdictRejected && c.URL == url:
			known = append(known, base.Declaration{Layer: base.LayerRetrieval, By: c.By, Value: url, Offset: -1,
				Last: true})
			url = "" // the same URL may be recorded twice
		}
	}
	return base.Root(std, known...)
}
