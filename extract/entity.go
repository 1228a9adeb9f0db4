package extract

// This file has the type Entity. An entity also has a position in the document, an origin, and, in a message, the body
// parts that its links can name: see siblings.

import (
	"bytes"
	"slices"

	"absolink/base"
	"absolink/extract/internal/anchor"
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
	"absolink/extract/internal/source"
	"absolink/resolve"
)

// Entity is a document, or a document that is embedded in another document. The Entity and its Bytes are valid until
// the body of the loop ends, or until the function that received a Link of the entity returns. The caller must not
// write to Bytes. The caller may keep the Scope.
type Entity struct {
	Document string      // the Name of the Document
	Path     string      // the path of the entity in the document, such as "part[2]/iframe@srcdoc[1]"; "" for the document
	Type     string      // the media type
	Bytes    []byte      // the content; Link.Offset is an offset in Bytes
	Scope    *base.Scope // the base in force, and all candidates for the base

	fragment bool // the entity is a part of the document around it, without a base of its own
	wanted   bool // Extractor.Only wants the entity, or a document around it
	srcdoc   bool // the entity is the document of an iframe's srcdoc
	sniffed  bool // the name and the first bytes determine its format

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

// spelled describes how the bytes of an entity spell its text.
type spelled struct {
	text     *source.Text
	whole    source.Text     // the target of text
	charset  codec.Codec     // how Bytes spell the text; nil if they are the text
	raw      bool            // Bytes are the original bytes, in a charset; else Bytes are decoded text
	spelling *source.Charset // the charset of edits: the charset of the entity, or of the nearest raw entity around it
	spells   source.Charset  // of a raw entity, the target of spelling
	guards   *mark.Guards    // of a raw entity
}

// position is the position of an entity in the document.
type position struct {
	outer      *Entity      // the entity around it; nil for a record
	region     *source.Text // the text of the entity, as a region of outer
	depth      int          // the number of documents around it
	start      int64        // of a record: its offset in the document or entity that Path names
	compressed bool         // of a record: the document is compressed, and offsets count decompressed bytes
}

// origin describes where an entity came from, if the entity is a file.
type origin struct {
	file       string         // the name of the file: Document.Name, or the name in an archive
	own        bool           // the entity is a file: a record, or a file in an archive
	attributes []Evidence     // of a record: the Evidence of the Document
	members    mark.MemberURL // of an archive: the URLs of its files; may be nil
	saved      *saved.Saved   // how the page that contains the entity was saved; nil for most entities
}

// Evidence is a URL that a document was retrieved from, and that is recorded outside the document. For example, some
// programs record the URL in an extended attribute of the file.
type Evidence struct {
	By  string // the source of the URL, such as the attribute "user.xdg.origin.url"
	URL string
}

// member is the position of an entity among the parts of a message.
type member struct {
	header *base.Scope // the scope of its header, if it is a body part or the body of a response
	parts  *siblings   // of a message: its parts
	among  *siblings   // the parts that its links may name
	group  int         // the group of among that contains the entity
	sealed bool        // a signature covers the entity, and the entity stays unchanged
	kept   bool        // sealed because of Extractor.KeepDKIM
}

// inside returns the position of a record inside e. text has the bytes of the record, which begin at the offset start.
func (e *Entity) inside(text []byte, start int) position {
	return position{outer: e, region: &source.Text{Parent: e.text, Bytes: text, Start: start, Src: text}, depth: e.depth, start: int64(start)}
}

// within returns the path of an entity inside e. name is its name there.
func (e *Entity) within(name string) string {
	if e.Path == "" {
		return name
	}
	return e.Path + "/" + name
}

// PageURL returns the URL of the page that contains the entity. The page is the entity itself, or the nearest document
// around it that has a URL of its own. The URL of a document is the URL that it was retrieved from (RFC 1808 3.3). The
// URL of a body part of a message is its Content-Location (RFC 2557 4.2). PageURL returns "" if no document has a URL,
// as in most mail.
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
		if c.By == header.ContentLocation.Name && c.Verdict != base.VerdictRejected {
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

// membersOf returns the MemberURL function for the files inside a file of e. name is the name of the outer file. An
// archive inside an archive is a folder of the outer archive. A file that is compressed on its own contains one file of
// the same name.
func (e *Entity) membersOf(name string) mark.MemberURL {
	if f := byType[e.Type]; e.members == nil || f == nil || !f.Holds.HasPaths() {
		return e.members
	}
	return func(inner string) (url, by string) { return e.members(name + "/" + inner) }
}

// asArchive makes e, a self-extracting page, an archive. It returns the scope around the archive, which has the URLs of its
// pages. So the URL of e is tried last: a browser shows the files without a URL at this URL. urls is false if there is no
// room for the URL.
func (e *Entity) asArchive(std resolve.Standard, outer *base.Scope, urls bool) *base.Scope {
	e.fragment, e.members, e.saved = true, nil, nil // the files of e are not files of a site
	if !urls {
		return base.Root(std)
	}
	var known []base.Declaration
	url := outer.RetrievalURL()
	for _, c := range outer.Candidates() {
		switch {
		case c.Rung == base.RungOverride:
			known = append(known, c.Declaration)
		case c.Rung == base.RungRetrieval && c.Verdict != base.VerdictRejected && c.URL == url:
			known = append(known, base.Declaration{Rung: base.RungRetrieval, By: c.By, Value: url, Offset: -1, Last: true})
			url = "" // the same URL may be recorded twice
		}
	}
	return base.Root(std, known...)
}

// thisMessage is the base of references in a message that has no base (RFC 2557 5).
const thisMessage = "thismessage:/"

// siblings has the body parts of one message that references can name, by their Content-IDs and URLs.
type siblings struct {
	byID    map[string]string
	groups  []map[string]*located // the parts of each multipart/related, by URL
	outer   []int                 // for each group, the group around it; -1 for none
	message *resolve.Base         // thisMessage, if the URL of a part begins with it
	claimed []*located            // the parts that have a URL from a reference
	claims  map[int]*located      // the same parts, by the number of that URL
	numbers map[string]int        // of the URLs of claimed parts and of bases
	bases   map[*resolve.Base]int // the numbers of the URLs of bases
	at      int                   // the start of the part whose references are matched now
	again   bool                  // a reference has claimed its own part or an earlier part, so another round is needed

	within map[string]*enclosing // by path, the parts that were inside other parts; nil unless Chromium has written the message
	room   int                   // the number of bytes that are left for the bases of these parts

	std    resolve.Standard
	rebase func(field *mark.Mark, url string) // closes the scope of a Content-Location again, with a new URL

	made  int           // the number of bytes of all URLs that find has read and made
	scope *base.Scope   // the last argument of messageBase
	base  *resolve.Base // the last result of messageBase
}

// located is a part with a Content-Location.
type located struct {
	path   string
	name   string // the URL by which references find it
	at     *mark.Mark
	whole  bool   // the Content-Location is absolute, or has a base
	signed bool   // a signature covers the Content-Location, and it stays unchanged
	url    string // the URL of the reference with a base that has claimed the part; "" for none
	number int    // of url

	base *resolve.Base // name as a base; nil until it is needed
}

// enclosing is the position of a part in the page that was saved. It is the position of the first reference to the
// part.
type enclosing struct {
	by   string // the place of the reference
	base string // the base in force there; "" if it is not known, or is the retrieval URL of the page
}

// messageBase returns the base inside the message for a scope that has no base. It resolves the relative bases of the
// scope against thisMessage, from the outermost base to the innermost (RFC 2557 5).
func (s *siblings) messageBase(scope *base.Scope) *resolve.Base {
	if scope == s.scope {
		return s.base
	}
	s.scope, s.base = scope, s.message
	for _, c := range slices.Backward(scope.Candidates()) {
		if s.made += len(c.Value); c.Reason != base.ReasonNoBase {
			continue
		}
		url, err := s.base.AppendResolve(nil, []byte(c.Value))
		if s.made += len(url); err == nil {
			if b, err := s.std.Base(string(url)); err == nil {
				s.base = b
			}
		}
	}
	return s.base
}

// find returns the path of the part that a reference in a group names, or "" if the reference names no part. url is the
// resolved reference, or nil if the scope has no base. find searches the group, and then the groups around the group.
// It never searches the groups inside the group.
//
// named is the part if the reference names it by a URL in the message, because its Content-Location or the reference has no
// base. If only the reference has one, it may claim the part: the URL of the first reference becomes the URL of the part. A
// reference with another URL would not name the part any more when both are absolute. A reference without a base gets the URL
// of a claimed part, so that it still names the part.
func (s *siblings) find(group int, scope *base.Scope, ref, url []byte) (path string, named *located) {
	if isContentID(ref) {
		if path = s.byID[string(ascii.PercentDecoded(ref[4:]))]; path != "" { // RFC 2392 2
			return path, nil
		}
		// Chromium writes style sheets with a Content-Location that is a cid: URL.
	}
	for g := group; url != nil && g >= 0; g = s.outer[g] {
		if at := s.groups[g][string(withoutFragment(url))]; at != nil {
			return at.path, nil
		}
	}
	if s.message == nil {
		return "", nil
	}
	inMessage := s.message
	if url == nil {
		inMessage = s.messageBase(scope)
	} else if part := s.claimOf(scope.Base()); part != nil {
		if part.base == nil {
			part.base, _ = s.std.Base(part.name)
		}
		inMessage = part.base
	}
	name, err := inMessage.AppendResolve(nil, ref)
	s.made += len(name)
	if err != nil || !bytes.HasPrefix(name, []byte(thisMessage)) {
		return "", nil
	}
	for g := group; g >= 0; g = s.outer[g] {
		if at := s.groups[g][string(withoutFragment(name))]; at != nil && !(at.whole && url != nil) {
			return at.path, at
		}
	}
	return "", nil
}

// given returns the URL of a claimed part, or "".
func (s *siblings) given(part *located) string {
	if part.url != "" && s.claims[part.number] == part {
		return part.url
	}
	return ""
}

// isContentID reports whether a reference is a cid: URL.
func isContentID(ref []byte) bool {
	return len(ref) > len("cid:") && ascii.FoldEqual(ref[:len("cid:")], "cid:")
}

// claim sets the URL of a part to the URL of a reference. The URL is then the base of the content of the part, as it
// will be when the rewritten message is read.
func (s *siblings) claim(part *located, url string) {
	part.url = url
	s.claimed = append(s.claimed, part)
	s.again = s.again || part.at.Start < s.at
	if part.signed {
		return
	}
	if s.claims == nil {
		s.claims, s.numbers, s.bases = map[int]*located{}, map[string]int{}, map[*resolve.Base]int{}
	}
	part.number = s.numberOf(url)
	s.claims[part.number] = part
	s.rebase(part.at, url)
}

// claimOf returns the part that was claimed by the URL of a base, or nil. It looks up the URL only once for each base,
// because the URL may be long, and many references may have the base.
func (s *siblings) claimOf(b *resolve.Base) *located {
	if len(s.claims) == 0 {
		return nil
	}
	n, ok := s.bases[b]
	if !ok {
		n = s.numberOf(b.String())
		s.bases[b] = n
	}
	return s.claims[n]
}

// numberOf returns the number of a URL.
func (s *siblings) numberOf(url string) int {
	n, ok := s.numbers[url]
	if !ok {
		n = len(s.numbers)
		s.numbers[url] = n
	}
	return n
}

// encloses records the position of a reference that names a part, in a page that Chromium saved. Style elements and
// srcdoc documents have no URL. Chromium saves them as parts without a URL, or with a cid: URL. Their base was the base
// of the page around them. Chromium writes a page before the parts that were in the page.
func (s *siblings) encloses(group int, scope *base.Scope, place *mark.Place, ref []byte) {
	if s == nil || len(s.within) == 0 || !isContentID(ref) {
		return
	}
	path, _ := s.find(group, scope, ref, ref)
	if in := s.within[path]; in != nil && in.by == "" {
		in.by = place.Name
		if scope.Rung() == base.RungEmbedded || scope.Rung() == base.RungEncapsulating {
			in.base = scope.Base().String()
		}
	}
}

// scopeOf returns the scope of a part. If the part was inside another part, its base is the base in force there. ok is
// false if there is no room for that base.
func (s *siblings) scopeOf(path string, scope *base.Scope) (_ *base.Scope, ok bool) {
	in := s.within[path]
	if in == nil || in.base == "" {
		return scope, true
	}
	if s.room -= len(in.base); s.room < 0 {
		return nil, false
	}
	return scope.Within(base.Declaration{Rung: base.RungEmbedded, By: in.by, Value: in.base, Offset: -1, Header: true}), true
}

// withoutFragment returns a URL without its fragment.
func withoutFragment(url []byte) []byte {
	url, _, _ = bytes.Cut(url, []byte("#"))
	return url
}
