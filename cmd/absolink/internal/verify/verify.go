// Package verify proves with other parsers that a rewriting changed only links, that each new link is right, and that
// no link was overlooked. It uses none of the parsers and resolvers with which absolink reads and writes documents.
//
//	OLD, NEW ---> entity, by its type ---> page, xml, css, mail, http: the spots of a text ---> compare
//	                                  '--> archives: the members, each an entity                   |
//	absolink's links in OLD, by the path of their entity ------------------------------------------'
//
// A parser returns the spots of a text: the values that have links, the documents inside it, and the fields that depend
// on other bytes. Everything between two spots must be the same in both versions.
//
// A place is plain if no two parsers could read it differently. At a plain place absolink must agree with the other
// parser, or the document fails. Where the two differ at any other place, nobody can say who is right: the value is
// listed in Result.Unable, and the rest of the document is still compared.
package verify

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// Config has the settings of the rewriting, which determine what is right.
type Config struct {
	Standard  string // "rfc1808", "rfc3986" or "whatwg"
	Override  string // the base URL that replaces all others; "" for none
	Rules     Rules  // of --map; nil for none
	AllLocal  bool   // all links are selected, so one that stays relative must lead to a file
	Relative  bool   // links may be relative references with the right meaning
	Base      string // "keep", "empty" or "remove": what happens to BASE elements
	Extended  bool   // links in the places of --extended may change
	Unarchive bool   // links into the Wayback Machine become links to the original
	Mbox      string // "mboxo", "mboxrd", "mboxcl" or "mboxcl2": how a "From " line is quoted; "" to detect it
	MaxRatio  int    // decompressed bytes per byte of the document, checked above 16 MiB; 0 means 200

	Added *regexp.Regexp // the places of --add-place: see NewPlaces; nil for none

	KeepFragments bool // links that are only a fragment must not change
	NoEvidence    bool // ignore the URL that a saved page records
	Canonical     bool // the URL of LINK rel=canonical is the last evidence
}

// NewPlaces returns Config.Added for patterns of places, in which "*" stands for any characters, or nil for none.
func NewPlaces(patterns []string) *regexp.Regexp {
	if len(patterns) == 0 {
		return nil
	}
	all := regexp.QuoteMeta(strings.Join(patterns, "\n"))
	return regexp.MustCompile(`(?i)^(?:` + strings.NewReplacer(`\*`, `.*`, "\n", "|").Replace(all) + `)$`)
}

// added returns the grammar of a value at a place of --add-place, or kindNone.
func (k *checker) added(place string) kindOfValue {
	switch {
	case k.Added == nil || !k.Added.MatchString(place):
		return kindNone
	case strings.HasSuffix(strings.ToLower(place), "srcset"):
		return kindSrcset
	}
	return kindAny
}

// Document is a document in both versions.
type Document struct {
	Type      string                         // the media type
	URL       string                         // the retrieval URL; "" if unknown
	Evidence  string                         // used if neither URL nor the page tells the URL; "" for none
	Guessed   bool                           // the URLs of MemberURL are only evidence
	MemberURL func(name string) (url string) // the retrieval URL of a file in an archive; may be nil
	TypeOf    func(name string, head []byte) (mediaType string)
	Path      string // of the document, in the notation of Local
	// the file at a path, or with a URL, or ""; nil if links to files do not become local
	Local func(target string) (file string)
	// absolink's links in Old, by the path of their entity; Check sorts them
	Links     map[string][]Link
	Malformed map[string]bool // the paths of archives of which absolink says that they are malformed
	Kept      map[string]bool // the paths of records that were left as they are, and must be
	Old, New  []byte

	// What tells the URL of a file, as in extract.Document; nil if links to files have no other URL.
	FileURL     func(path string) (url, host string, exists bool)
	RecordedURL func(path string) (url string)
}

// Link is a link of the old version as absolink reads it.
type Link struct {
	Start, End int    // the bytes that spell the reference, in the entity
	Ref        string // the reference, decoded
	Base       string // the base in force; "" for none
	Place      string // like "a@href"
	Unresolved bool   // it has no URL
}

// Result is the result for one document, which passed if Failed is nil and Unable is empty.
type Result struct {
	Links  int           // changed links that are right
	Unable []Reason      // why links and embedded documents could not be checked, each kind once
	Failed *Difference   // the first difference that is wrong, or nil
	Wrong  []*Difference // the first of each record of a mailbox or an archive, if all are in records; else only Failed
	All    int           // how many records there are
	Unit   string        // what they are, such as "messages"
}

// Reason is a kind of links and embedded documents that could not be checked.
type Reason struct {
	Kind    string
	Places  int    // how many there are
	Example string // the first one: its path, or what the other parser says about it; or ""
}

// Difference is a change that a rewriting must not make, or a link that absolink has not read.
type Difference struct {
	Entity   string // the path of the embedded document; "" for the document itself
	Record   string // the path of the record; "" if anything outside of records is wrong
	Old, New int    // the offsets of the difference in the entity
	What     string

	sure bool // it is wrong however the entity is read
}

// Error returns the difference with its place in both files.
func (d *Difference) Error() string {
	in := strings.TrimSuffix(" in "+d.Entity, " in ")
	return fmt.Sprintf("%s (offset %d in the old version, %d in the new version%s)", d.What, d.Old, d.New, in)
}

// entity is a document, or an embedded document, in both versions.
type entity struct {
	path     string // "" for the document itself
	kind     string // the media type, in lower case, without parameters
	charset  string // the charset parameter, or ""
	old, new []byte
	links    []Link // absolink's links in the old version
	bases    bases  // of the entity around it, or the retrieval URL
	evidence string
	folder   string // of an archive inside others: its path in them, with a slash
	plain    bool   // its place and its encoding are plain
	legacy   bool   // the charset is not UTF-8, or not certain
	damaged  bool   // the charset does not fit
	fragment bool   // it is a part of a page in which no BASE element applies
	file     bool   // it is a file, which may record its URL
	mail     bool   // it is in a message
	member   bool   // it is a file in an archive, or in such a file
	local    *local // nil if its links do not become local
	level    int

	url     string // the retrieval URL of the document, or of the file in an archive
	disk    string // the path of the file, if links of it may lead to files whose URL is known
	toFiles bool   // HTTrack or SingleFile saved the page
	hashes  bool   // HTTrack did
}

type bases struct{ old, new base }

type base struct {
	url      string // "" for none
	unsure   bool   // it is not declared plainly, so another reader may find another base
	declared bool   // it is not the URL of the page
}

type checker struct {
	*Config
	doc     *Document
	result  Result
	left    int64    // how many bytes may still be decompressed
	wayback bool     // the page was saved from the Wayback Machine
	replay  []string // or from another archive: the scheme, the host, and the path before the time in its links
}

// Check compares both versions of a document.
func (c *Config) Check(d Document) (r Result) {
	k := &checker{Config: c, doc: &d}
	k.left = 2 * max(16<<20, int64(cmp.Or(c.MaxRatio, 200))*int64(max(len(d.Old), len(d.New))))
	defer func() {
		if fault := recover(); fault != nil {
			r = Result{Failed: &Difference{What: fmt.Sprintf("the proof broke off (%v); please report it, with the "+
				"document", fault)}}
		}
	}()
	b := base{url: d.URL}
	e := entity{old: d.Old, new: d.New, bases: bases{b, b}, evidence: d.Evidence, plain: true, file: true,
		url: d.URL}
	if c.Relative {
		e.bases.new.url = c.moved(d.URL)
	}
	if e.setType(d.Type); d.Local != nil && !isContainer().MatchString(e.kind) {
		e.local = &local{path: path.Clean(d.Path), list: d.Local}
	}
	if !isContainer().MatchString(e.kind) {
		e.disk = path.Clean(d.Path)
	}
	if d := k.check(e); d != nil {
		k.result.Wrong = append(k.result.Wrong, d)[:1]
		k.result.Wrong[0].Record = ""
	}
	if len(k.result.Wrong) > 0 {
		k.result.Failed = k.result.Wrong[0]
	}
	return k.result
}

var errTooLong = errors.New("it is too long when it is decompressed")

// inflate reads decompressed bytes, up to the limit of the document. With an error, it returns what it has read so far.
// It returns err if that is not nil, so that the results of a constructor can be passed.
func (k *checker) inflate(in io.Reader, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err = text.ReadFrom(io.LimitReader(in, k.left+1))
	if k.left -= int64(text.Len()); k.left < 0 && err == nil {
		err = errTooLong
	}
	k.left = max(k.left, 0)
	return text.Bytes(), err
}

func (e *entity) setType(mediaType string) {
	kind, params := contentType(mediaType, "")
	e.kind, e.charset = kind, strings.ToLower(params["charset"])
}

var labelled = pattern(`^(?:@charset "|<\?xml\s[^>]*?\sencoding\s*=\s*["'])([^"']*)["']`)

var inMeta = pattern(`(?i)<meta\s[^>]*charset`) // which a browser prefers to an XML declaration

var wide = pattern(`^(?s:(<\x00[^\x00]\x00)|\x00<\x00[^\x00])`)

// label returns the label of an entity without a byte order mark, or "".
func (e *entity) label() string {
	declared := labelled().FindSubmatch(e.old)
	starts := wide().FindSubmatch(e.old) // XML 1.0, F.1
	switch {
	case e.charset != "":
		return e.charset
	case starts != nil && strings.HasSuffix(e.kind, "xml"):
		return "utf-16" + map[bool]string{true: "le", false: "be"}[starts[1] != nil]
	case declared == nil, e.kind == "text/html" && inMeta().Match(e.old[:min(len(e.old), 1024)]):
		return ""
	case bytes.HasPrefix(bytes.ToLower(declared[1]), []byte("utf-16")):
		return "utf-8" // the declaration can be read as ASCII
	}
	return string(declared[1])
}

// decode decodes both versions of an entity that is not in UTF-8, and moves the links of absolink to their offsets in
// the decoded text.
func (k *checker) decode(e *entity) *Difference {
	if !strings.HasPrefix(e.charset, "utf-16") && bytes.IndexFunc(e.old, isForeign) < 0 &&
		bytes.IndexFunc(e.new, isForeign) < 0 {
		return nil
	}
	if strings.HasSuffix(e.kind, "xml") && e.label() == "" && !bytes.HasPrefix(e.old, []byte("\xFE\xFF")) &&
		!bytes.HasPrefix(e.old, []byte("\xFF\xFE")) { // XML 1.0, 4.3.3
		e.legacy = !utf8.Valid(e.old)
		return nil
	}
	enc, name, certain := charset.DetermineEncoding(e.old[:min(len(e.old), 1024)], "text/html; charset="+e.label())
	if e.kind == "text/html" {
		_, with, _ := charset.DetermineEncoding([]byte(likeness(string(e.old[:min(len(e.old), 1000)]))+"é."), "")
		certain = certain || with != "utf-8" // in a page without a label, the added letter would have shown UTF-8
	}
	if utf8.Valid(e.old) && !certain {
		name = "utf-8"
	}
	if name != "iso-2022-jp" && bytes.IndexByte(e.old, 0x1B) >= 0 {
		e.damaged, e.plain = true, false // it may be in a charset that this reader has not found
		return nil
	}
	if name == "utf-8" {
		e.legacy = !utf8.Valid(e.old) || !certain || !utf8.ValidString(e.bases.old.url)
		if !e.legacy && !utf8.Valid(e.new) {
			return e.differ(0, 0, "the new version is not UTF-8")
		}
		return nil
	}
	if text, err := enc.NewDecoder().Bytes(e.old); name == "replacement" ||
		name == "iso-2022-jp" && (err != nil || bytes.Contains(text, []byte("\uFFFD")) || escapes().Match(e.old)) {
		e.damaged, e.plain = true, false // readers do not agree where it is ASCII again
		return nil
	}
	e.legacy, e.links = true, slices.Clone(e.links)
	var old []byte
	at := 0
	place := func(offset *int) {
		if *offset >= at && *offset <= len(e.old) {
			text, _ := enc.NewDecoder().Bytes(e.old[at:*offset])
			old = append(old, text...)
			at, *offset = *offset, len(old)
		}
	}
	for i := range e.links {
		place(&e.links[i].Start)
		place(&e.links[i].End)
	}
	end := len(e.old)
	place(&end)
	new, err := enc.NewDecoder().Bytes(e.new)
	if e.old, e.new = old, new; err != nil || bytes.Count(new, []byte("\uFFFD")) > bytes.Count(old, []byte("\uFFFD")) {
		return e.differ(0, 0, "the new version has bytes that are not %s", name)
	}
	return nil
}

var escapes = pattern(`\x1B..\x1B`) // without a character between them

func ascii(s string) bool { return strings.IndexFunc(s, isForeign) < 0 }

func isForeign(r rune) bool { return r >= 0x80 || r == 0x1B || r == 0 }

func (k *checker) check(e entity) *Difference {
	if e.level++; e.level > 32 {
		return k.unable(e.path, "documents are nested too deep")
	}
	if k.Override != "" {
		e.bases = bases{base{url: k.Override, declared: true}, base{url: k.Override, declared: true}}
	}
	e.links = k.doc.Links[e.path]
	if k.doc.Kept[e.path] && bytes.Equal(e.old, e.new) {
		return nil
	}
	kind, inside := e.kind, e.path != "" // inside, the type is from a header and not from --type, so it may be wrong
	if d, done := k.unpack(e); done {
		return d
	}
	switch {
	// absolink does not change them
	case kind == "text/html" && (isData(e.old, inside) && bytes.Equal(e.old, e.new) || isArchive(e.old)):
	case kind == "text/html" && inside &&
		strings.HasSuffix(k.doc.TypeOf("feed.html", e.old[:min(len(e.old), 1024)]), "+xml"):
		e.plain = false // its header says that it is a page
		return k.compare(e, parseXML)
	case strings.HasSuffix(kind, "/zip") || kind == "" && bytes.HasPrefix(e.old, []byte("PK\x03\x04")) ||
		kind == bookType || strings.Contains(kind, "x-zip"):
		return k.archive(e, "archive/zip", k.readZip)
	case strings.HasSuffix(kind, "tar"):
		return k.archive(e, "archive/tar", readTar)
	case bytes.Equal(e.old, e.new) && isUnread().MatchString(kind):
	case isUnread().MatchString(kind), strings.HasSuffix(kind, "webloc") && bytes.HasPrefix(e.old, []byte("bplist")),
		strings.HasSuffix(kind, "/json") && bytes.Contains(e.old, []byte("jsonfeed.org")):
		return k.unable(e.path, "there is no independent parser for "+kind)
	default:
		for _, f := range formats {
			if f.kinds().MatchString(kind) {
				return k.compare(e, f.parse)
			}
		}
	}
	if bytes.Equal(e.old, e.new) {
		return nil
	}
	return k.compare(e, parseNone)
}

var formats = []struct {
	kinds func() *regexp.Regexp
	parse parser
}{
	{pattern(`^text/html$`), parsePage},
	{pattern(`^text/css$`), parseCSS},
	{pattern(`^text/plain$`), parseText},
	{pattern(`/x-emlx$`), parseEmlx},
	{pattern(`/x-(?:mswinurl|webloc)$`), parseShortcut},
	{pattern(`^(?:message|application)/http$`), parseHTTP},
	{pattern(`^message/(?:rfc822|news|global(?:-headers)?)$|^multipart/related$|^text/rfc822-headers$`), parseMessage},
	{pattern(`^application/mbox$`), parseMbox},
	{pattern(`^application/warc$`), parseWARC},
	{pattern(`^(?:text|application)/xml$|\+xml$|^text/x(?:sl|-opml)$`), parseXML},
}

var (
	// isUnread matches the media types with lengths and documents that this package has no parser for.
	isUnread = pattern(`^application/` +
		`(?:x-internet-archive|(?:har|feed)\+json|x-webarchive|enex(?:\+xml)?|(?:x-)?wacz)$`)
	// isVague matches the media types that say nothing about the content, so that the name of a part decides.
	isVague = pattern(`^(?:\*|application|binary|unknown)/` +
		`(?:\*|octet(?:-?stream)?|(?:x-)?(?:octet-stream|binary|(?:force-?)?download|unknown)|` +
		`save(?:-as)?|file|data|x-unknown-.*)$`)
	isMail = pattern(`^message/(?:rfc822|global|news|x-emlx)|^multipart/|mbox$|x-emlx$`)
	// isContainer matches the media types of documents whose links never become local themselves.
	isContainer = pattern(`^(?:message|multipart)/|mbox|http$|warc$|zip$|tar$`)
	records     = map[string]string{"application/mbox": "message", "application/warc": "record"}
	isUnknown   = pattern(`^$|^\*/\*$|^unknown/unknown$|^application/unknown$`)
)

// unable counts something that cannot be checked. It returns nil, so that a comparison can return the call.
func (k *checker) unable(path, kind string, example ...string) *Difference {
	i := slices.IndexFunc(k.result.Unable, func(r Reason) bool { return r.Kind == kind })
	if i < 0 {
		if path != "" {
			example = append(example, "in "+path)
		}
		i, k.result.Unable = len(k.result.Unable), append(k.result.Unable,
			Reason{Kind: kind, Example: strings.Join(example, " ")})
	}
	k.result.Unable[i].Places++
	return nil
}

func (e *entity) differ(old, new int, format string, args ...any) *Difference {
	return &Difference{Entity: e.path, Old: old, New: new, What: fmt.Sprintf(format, args...)}
}

// differText returns the first difference between two texts that start at the offsets old and new.
func (e *entity) differText(a, b string, old, new int, what string) *Difference {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return e.differ(old+n, new+n, "%s: %s became %s", what, excerpt(a, n), excerpt(b, n))
}

func excerpt(s string, at int) string {
	return fmt.Sprintf("%q", s[at:min(len(s), at+40)])
}

func (e *entity) inner(name, mediaType string, old, new []byte, b bases) entity {
	in := *e
	in.old, in.new, in.bases, in.links, in.evidence = old, new, b, nil, ""
	in.legacy, in.damaged, in.fragment, in.mail = false, false, false, e.mail || isMail().MatchString(e.kind)
	in.path = strings.TrimPrefix(e.path+"/"+name, "/")
	in.setType(mediaType)
	return in
}

// pattern returns a function that compiles a regular expression when it is first used, because most runs verify
// nothing.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
