// Package verify proves with other parsers that a rewriting changed only links, and that each new link is right. It uses
// none of the parsers and resolvers with which absolink reads and writes documents.
//
//	OLD ---.                                                     .---> Result
//	       |---> Document ---> by the media type of the entity ---|      Links, Unable, Why, Failed
//	NEW ---'                        |                            '
//	                                |
//	        page      x/net/html: tokens (bytes) and trees; the base is found in the trees
//	        xml       encoding/xml: tokens
//	        css       tdewolff/parse: tokens
//	        mail      go-message, go-mbox: headers, structure, decoded bodies ---> parts, each an entity
//	        http      net/http, compress/gzip ---> the body, an entity
//	        warc      lengths and digests, computed again ---> blocks, each an entity
//	        pack      compress/gzip, archive/zip, archive/tar ---> members, each an entity
//	                                |
//	        link      each changed value of OLD, resolved against the base in OLD, mapped by the rules of --map,
//	                  must be the value in NEW
//	                  rfc1808, rfc3986: package literal, the steps of the RFCs     whatwg: nlnwa/whatwg-url
//
// Three results are possible. A difference that is not a right link fails the document. A document that no independent
// parser reads, and a link whose base it does not find, count as unable. They are never counted as proved. Everything else is proved.
//
// A document that fails is judged a second time, by absolink's reading of the old version: the bytes, the reference and
// the base of each link. If it is right by that reading, the readings differ, and the document counts as unable.
package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html/charset"
)

// Config has the settings of the rewriting. They determine which result is right.
type Config struct {
	Standard  string // "rfc1808", "rfc3986" or "whatwg"
	Override  string // the base URL that replaces all other bases; "" for none
	Rules     []Rule // the rules of --map
	Relative  bool   // links may be relative references with the right meaning
	Base      string // "keep", "empty" or "remove": the change of BASE elements
	Extended  bool   // links in the places of --extended may change
	Unarchive bool   // links into the Wayback Machine become links to the original

	KeepFragments bool // links that are only a fragment do not change

	MaxRatio int // the limit for decompressed bytes per byte of the document, checked above 16 MiB; 0 means 200

	NoEvidence bool // ignore the URL that a saved page records
	Canonical  bool // the URL of link rel=canonical is the last evidence
}

// Document is a document in both versions.
type Document struct {
	Type      string                         // the media type
	URL       string                         // the retrieval URL; "" if unknown
	Evidence  string                         // the URL of the page, if neither URL nor the page has one; "" for none
	MemberURL func(name string) (url string) // the retrieval URL of a file in an archive; may be nil
	TypeOf    func(name string, head []byte) (mediaType string)

	// Links returns the links of the old version of the document, or of an embedded document, as absolink reads it. url is
	// the base around it. Check calls Links only for a document that fails. Links may be nil.
	Links func(mediaType, url string, text []byte) []Link

	Old, New []byte
}

// Result is the result for one document. A document passed if Failed is nil and Unable is empty.
type Result struct {
	Links  int         // changed links that are right
	Unable []Reason    // why links and embedded documents could not be checked: each kind once
	Failed *Difference // the first difference that is not a right link; nil if there is none
}

// Reason is a kind of links and embedded documents that could not be checked.
type Reason struct {
	Kind    string
	Places  int    // their number
	Example string // the first of them, or "": its path, or what the other parser says about it
}

// Difference is a change that a rewriting must not make.
type Difference struct {
	Entity   string // the path of the embedded document; "" for the document itself
	Old, New int    // the offsets of the difference in the entity
	What     string
}

// Error returns the difference with its place in both files.
func (d *Difference) Error() string {
	in := ""
	if d.Entity != "" {
		in = " in " + d.Entity
	}
	return fmt.Sprintf("%s (offset %d in the old version, %d in the new version%s)", d.What, d.Old, d.New, in)
}

// entity is a document, or an embedded document, in both versions.
type entity struct {
	path     string // "" for the document itself
	kind     string // the media type, in lower case, without parameters
	untyped  string // the media type of a body part that declares none
	charset  string // the charset parameter, or ""
	old, new []byte
	bases    bases // of the entity around it, or the retrieval URL
	declared bases // the same, without the base that replaces all others
	evidence string
	legacy   bool // the charset is not UTF-8
	level    int
}

// bases are the base URLs in force in both versions.
type bases struct{ old, new base }

// base is a base URL. The URL is "" if there is no base. If unsure is set, the other parser does not know it.
type base struct {
	url    string
	unsure bool
}

// checker compares one document.
type checker struct {
	*Config
	doc    *Document
	result Result
	left   int64 // the bytes that may still be decompressed

	wayback bool // the page was saved from the Wayback Machine
}

// maxLevel is the limit for nested entities.
const maxLevel = 32

// Check compares both versions of a document.
func (c *Config) Check(d Document) (r Result) {
	if bytes.Equal(d.Old, d.New) {
		return r
	}
	k := &checker{Config: c, doc: &d}
	k.left = 2 * max(leastLimit, int64(cmp.Or(c.MaxRatio, usualRatio))*int64(max(len(d.Old), len(d.New))))
	defer func() {
		if fault := recover(); fault != nil { // in a parser of another module
			k.unable("", "another parser failed", fmt.Sprint(fault))
			r = k.result
		}
	}()
	b := base{url: d.URL}
	e := entity{old: d.Old, new: d.New, bases: bases{b, b}, evidence: d.Evidence}
	if c.Relative {
		e.bases.new.url = c.mapped(d.URL) // the new page is read at its new URL
	}
	e.setType(d.Type)
	if err := k.check(e); err != nil {
		k.result.Failed = err
	}
	return k.result
}

// The limits of decompression.
const (
	leastLimit = 16 << 20
	usualRatio = 200
)

// errTooLong is the error for a document that is too long when it is decompressed.
var errTooLong = errors.New("it is too long when it is decompressed")

// inflate reads decompressed bytes, up to the limit of the document.
func (k *checker) inflate(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, k.left+1))
	if k.left -= int64(len(text)); k.left < 0 && err == nil {
		err = errTooLong
	}
	k.left = max(k.left, 0)
	return text, err
}

// setType sets the media type and the charset of an entity. A text without a slash is no media type.
func (e *entity) setType(mediaType string) {
	kind, params, err := mime.ParseMediaType(mediaType)
	if err != nil {
		kind, _, _ = strings.Cut(strings.TrimSpace(mediaType), ";")
		kind, _, _ = strings.Cut(kind, " ")
	}
	if !strings.Contains(kind, "/") {
		kind = ""
	}
	e.kind, e.charset = strings.ToLower(kind), strings.ToLower(params["charset"])
}

var labelled = pattern(`^(?:@charset |<\?xml\s[^>]*?\sencoding\s*=\s*)["']([^"']*)`)

// setLegacy sets that the charset of a text is not UTF-8, by its media type, or else by its own label. It returns a reason if a
// parser of bytes cannot read the text.
func (e *entity) setLegacy() (why string) {
	names := []string{e.charset}
	if m := labelled().FindSubmatch(e.old); m != nil {
		names = append(names, string(m[1]))
	}
	for _, label := range names {
		switch _, name := charset.Lookup(label); name {
		case "":
			continue
		case "utf-16le", "utf-16be", "iso-2022-jp":
			return "a text in " + name + " is not decoded"
		case "utf-8":
		default:
			e.legacy = true
		}
		break
	}
	return ""
}

// detect sets the media type of an entity whose header has none, or one that means "unknown".
func (k *checker) detect(e *entity) {
	switch e.kind {
	case "", "*/*", "unknown/unknown", "application/unknown":
		if k.doc.TypeOf != nil {
			e.setType(k.doc.TypeOf("", e.old[:min(len(e.old), 1024)]))
		}
	}
}

// check compares both versions of an entity.
func (k *checker) check(e entity) *Difference {
	if e.level++; e.level > maxLevel {
		return k.unable(e.path, "documents are nested too deep")
	}
	if e.declared = e.bases; k.Override != "" {
		e.bases = bases{base{url: k.Override}, base{url: k.Override}}
	}
	if bytes.Equal(e.old, e.new) && e.bases.old == e.bases.new {
		return nil
	}
	if d, done := k.unpack(e); done {
		return d
	}
	inside := e.path != "" // the type is that of a header, and not of --type
	switch kind := e.kind; {
	case kind == "text/html" && inside && bytes.IndexAny(bytes.TrimSpace(e.old), "{[") == 0 && json.Valid(e.old):
		if bytes.Equal(e.old, e.new) {
			return nil
		}
		return e.differText(string(e.old), string(e.new), 0, 0, "JSON of the type text/html changed")
	case kind == "text/html" && inside && k.isFeed(e.old):
		return k.xml(e)
	case kind == "text/html" && isArchive(e.old):
		if bytes.Equal(e.old, e.new) {
			return nil
		}
		return e.differ(0, 0, "a page that is also a zip archive changed")
	case kind == "text/html":
		return k.disagree(e, k.page(e))
	case kind == "text/css":
		return k.disagree(e, k.styleSheet(e))
	case kind == "message/x-emlx" || kind == "application/x-emlx":
		return k.emlx(e)
	case strings.HasPrefix(kind, "message/") && kind != "message/http" || kind == "multipart/related" || kind == "text/rfc822-headers":
		return k.message(e)
	case kind == "application/mbox":
		return k.mbox(e)
	case kind == "message/http" || kind == "application/http":
		return k.response(e)
	case kind == "text/plain":
		return k.disagree(e, k.text(e))
	case kind == "application/warc":
		return k.warc(e)
	case strings.HasSuffix(kind, "/zip") || strings.Contains(kind, "x-zip"):
		return k.zip(e)
	case strings.HasSuffix(kind, "tar"):
		return k.tar(e)
	case strings.HasSuffix(kind, "xml") && kind != "application/enex+xml" || kind == "text/xsl" || kind == "text/x-opml":
		return k.disagree(e, k.xml(e))
	}
	return k.other(e)
}

// other compares both versions of an entity whose type has no parser here.
func (k *checker) other(e entity) *Difference {
	jsonFeed := (e.kind == "application/json" || e.kind == "text/json") && bytes.Contains(e.old, []byte("jsonfeed.org"))
	if !unread[e.kind] && !jsonFeed {
		if bytes.Equal(e.old, e.new) {
			return nil // only the base around it changed
		}
		return e.differText(string(e.old), string(e.new), 0, 0, "a document of the type "+cmp.Or(e.kind, "(unknown)")+" changed, and has no links")
	}
	return k.unable(e.path, "there is no independent parser for "+e.kind)
}

// unread are the media types whose links absolink rewrites, and that this package has no parser for.
var unread = map[string]bool{
	"text/markdown": true, "text/x-markdown": true, "application/x-internet-archive": true, "application/har+json": true, "application/feed+json": true, "application/x-webarchive": true,
	"application/enex+xml": true, "application/enex": true, "application/x-maff": true, "application/wacz": true, "application/x-wacz": true,
}

// isFeed reports whether a document that is sent as text/html is a feed. Absolink determines the type, as of a file.
func (k *checker) isFeed(src []byte) bool {
	return k.doc.TypeOf != nil && strings.HasSuffix(k.doc.TypeOf("feed.html", src[:min(len(src), 1024)]), "+xml")
}

// comparable reports whether the name of a media type is one that check knows.
func comparable(kind string) bool {
	return unread[kind] || strings.HasPrefix(kind, "message/") || strings.HasSuffix(kind, "xml") || strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "multipart/")
}

var wrapped = pattern(`(?s)<URL:\s*([^<>]*?)\s*>`)

var severalQuoted = pattern(`<URL:[^<>]*\n>`)

// text compares two plain texts. Only URLs in "<URL:...>" may differ (RFC 1738, appendix), and absolute URLs by the rules.
func (k *checker) text(e entity) *Difference {
	if why := e.setLegacy(); why != "" {
		return k.unable(e.path, why)
	}
	if severalQuoted().Match(e.old) {
		return k.unable(e.path, "a quoted URL over several lines is not compared")
	}
	v := value{entity: &e, what: "text", old: string(e.old), new: string(e.new), bases: e.bases, header: true}
	if len(k.Rules) > 0 || k.Unarchive {
		return k.unable(e.path, "bare URLs in plain text are not compared")
	}
	old, new := wrapped().FindAllStringSubmatchIndex(v.old, -1), wrapped().FindAllStringSubmatchIndex(v.new, -1)
	if len(old) != len(new) {
		return v.differText(v.old, v.new, 0, 0, "text has another number of links")
	}
	a, b := 0, 0 // the ends of the last URL
	for i, o := range old {
		n := new[i]
		if v.old[a:o[2]] != v.new[b:n[2]] {
			break
		}
		if d := k.link(v.with(v.old[o[2]:o[3]], v.new[n[2]:n[3]])); d != nil {
			return d
		}
		a, b = o[3], n[3]
	}
	if v.old[a:] != v.new[b:] {
		return v.differText(v.old[a:], v.new[b:], a, b, "text changed outside its links")
	}
	return nil
}

// unable counts something that cannot be checked. It always returns nil.
func (k *checker) unable(path, kind string, example ...string) *Difference {
	i := slices.IndexFunc(k.result.Unable, func(r Reason) bool { return r.Kind == kind })
	if i < 0 {
		if path != "" {
			example = append(example, "in "+path)
		}
		i, k.result.Unable = len(k.result.Unable), append(k.result.Unable, Reason{Kind: kind, Example: strings.Join(example, " ")})
	}
	k.result.Unable[i].Places++
	return nil
}

// differ returns a difference in the entity.
func (e *entity) differ(old, new int, format string, args ...any) *Difference {
	return &Difference{Entity: e.path, Old: old, New: new, What: fmt.Sprintf(format, args...)}
}

// differText returns a difference between two texts that start at the offsets old and new.
func (e *entity) differText(a, b string, old, new int, what string) *Difference {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return e.differ(old+n, new+n, "%s: %s became %s", what, excerpt(a, n), excerpt(b, n))
}

// excerpt returns some bytes of a text from an offset on, quoted.
func excerpt(s string, at int) string {
	const most = 40
	return fmt.Sprintf("%q", s[at:min(len(s), at+most)])
}

// both reads both versions of an entity with another parser. ok is false if it cannot read one of them. Then d is the result
// of the comparison. kind is the kind of the entity, for the message.
func both[T any](k *checker, e entity, parser, kind string, read func(src []byte) (T, error)) (old, new T, d *Difference, ok bool) {
	old, err := read(e.old)
	if err != nil {
		return old, new, k.unable(e.path, parser+" cannot read the "+kind, err.Error()), false
	}
	switch new, err = read(e.new); err {
	case nil:
		return old, new, nil, true
	case errTooLong:
		return old, new, k.unable(e.path, err.Error()), false
	}
	return old, new, e.differ(0, 0, "%s cannot read the new version: %v", parser, err), false
}

// inner returns an entity inside e.
func (e *entity) inner(name, mediaType string, old, new []byte, b bases) entity {
	in := entity{path: name, old: old, new: new, bases: b, level: e.level}
	if e.path != "" {
		in.path = e.path + "/" + name
	}
	in.setType(mediaType)
	return in
}

// pattern returns a function that returns the regular expression. It is compiled when it is used first: a run without
// verifying does not need it.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
