package extract

import (
	"slices"
	"sort"
	"strings"

	"absolink/extract/internal/codec"
)

// Message is an RFC 822 message, with the MIME tree below it (RFC 2045 to 2049, 2110,
// 2557). Its header's bases are the bases of the links in the header, and of what it
// encloses.
var Message = &Format{
	Name: "message/rfc822",
	Types: []string{"message/global", "message/news",
		"multipart/related",                              // what MHTML files are called, though their header is in them
		"text/rfc822-headers", "message/global-headers"}, // headers alone: RFC 6522 4, RFC 6533
	Exts:    []string{".eml", ".mht", ".mhtml", ".mime"},
	Extract: extractMessage,
}

// sniffMessage wants a first line that is a field of a name that messages begin with.
func sniffMessage(head []byte) bool {
	head = head[codec.MarkLen(head):]
	fields, _ := readHeader(head, 0)
	for _, f := range fields {
		if f.name.Len() > 0 { // else it is a From_ line
			return beginsMessage(head[f.name.Start:f.name.End])
		}
	}
	return false
}

// messageFields are names, in lower case, of fields that are in messages and in few other
// texts: those of RFC 5322 and 1036, what transport puts before them, and the base of RFC
// 1808 3.1. Any field may come first.
var messageFields = words("received return-path delivered-to envelope-to received-spf authentication-results dkim-signature domainkey-signature " +
	"date from sender reply-to to cc bcc message-id in-reply-to references subject mime-version " +
	"path newsgroups archived-at errors-to mailing-list base snapshot-content-location")

// messagePrefixes begin the names of whole families of them.
var messagePrefixes = []string{"content-", "list-", "resent-", "arc-", "x-", "thread-"}

// beginsMessage says whether messages begin with a field of this name, in any case.
func beginsMessage(field []byte) bool {
	name := lower(string(field))
	return messageFields[name] || slices.ContainsFunc(messagePrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

func extractMessage(src []byte, f *Finder) {
	m := &mimeReader{src: src, f: f}
	f.groups = append(f.groups, -1)
	fields, body := m.readHeader(codec.Span{End: len(src)})
	m.header(fields, -1)
	if dkim := m.field(fields, "dkim-signature"); dkim.Len() > 0 {
		f.Breaks(codec.Span{End: len(src)}, dkim.Start, DKIMBroken, "the message is changed, so its DKIM signature does not verify any more")
	}
	m.body(fields, body, len(src), position{}, mimeContext{})
	f.Counts(m.field(fields, "content-length"), codec.Span{Start: body, End: len(src)}, countBytes)
	f.Counts(m.field(fields, "lines"), codec.Span{Start: body, End: len(src)}, countLines)
}

// mimeReader reads the header and the body parts of one message. Messages within it are
// entities of their own.
type mimeReader struct {
	src  []byte
	f    *Finder
	http bool // the header is that of a response
}

// mimeContext is what the multiparts around a body part say of it.
type mimeContext struct {
	scope  int32
	digest bool // a part is a message unless it says otherwise (RFC 2046 5.1.5)
	signed bool // a signature covers it
	ranges bool // the parts are ranges of a document
	group  int  // of siblings
}

// header marks the bases and links of a header in the order of the bytes. Those of the
// message itself (outer -1) are declared for the whole entity; those of a part for its
// own scope, which it opens inside outer and gives, with its Content-Location.
func (m *mimeReader) header(fields []headerField, outer int32) (scope int32, location *finding) {
	h := headerReader{mimeReader: m, fields: fields, ofMessage: outer < 0, scope: max(outer, 0)}
	h.bases()
	h.links()
	h.snapshot()
	h.external()
	sort.SliceStable(h.marks, func(i, j int) bool { return h.marks[i].at < h.marks[j].at })
	for _, mark := range h.marks {
		mark.do()
	}
	return h.scope, h.location
}

// headerReader is one call of header.
type headerReader struct {
	*mimeReader
	fields    []headerField
	ofMessage bool     // not of a part
	scope     int32    // of the links in it
	location  *finding // its Content-Location; nil without one
	marks     []headerMark

	// declared are the base headers by their URLs: with the declaration where the field is a
	// link as well, which is so in a part, else with nil.
	declared map[codec.Span]*declaration
}

// headerMark is a URL in a header, and what hands it to the Finder when its turn comes.
type headerMark struct {
	at int
	do func()
}

func (h *headerReader) mark(at int, do func()) { h.marks = append(h.marks, headerMark{at, do}) }

// bases takes the fields that declare a base.
func (h *headerReader) bases() {
	bases := baseHeaders(h.src, h.fields)
	if len(bases) > 0 {
		h.declared = make(map[codec.Span]*declaration, len(bases))
	}
	for i := len(bases) - 1; i >= 0; i-- { // the last to be asked is the outermost
		b, name := bases[i], bases[i].place.Name
		h.declared[b.url] = nil
		d := declaration{by: name, after: uint8(min(i, 255)), header: true}
		if b.repeated {
			d.refuse = repeatedHeader
		}
		if h.http && name == contentLocation.Name {
			d.refuse = notInHTTP
		}
		switch {
		case h.ofMessage:
			d.listed = name != "Base" && b.url.Len() > 0
			h.mark(b.url.Start, func() { h.f.Base(b.place, b.url.Start, b.url.End, b.codec, d) })
		case !b.repeated || i < listedRefused:
			h.ofPart(b, d)
		}
	}
}

// ofPart opens the scope of a body part whose header declares a base.
func (h *headerReader) ofPart(b baseHeader, d declaration) {
	h.scope = h.f.Scope(h.scope, b.place, b.url.Start, b.url.End, b.codec, d)
	own := h.f.scopes[h.scope-1]
	own.scope = h.scope
	switch {
	case b.repeated:
	case b.place.Name == "Base": // it is no link
		h.mark(b.url.Start, func() { h.f.add(own) })
	default:
		h.declared[b.url] = own.base
	}
}

// links takes the fields that hold links.
func (h *headerReader) links() {
	headerLinks(h.src, h.fields, h.http, func(place *Place, span codec.Span, c codec.Codec, format *Format) {
		d, ok := h.declared[span]
		if ok && h.ofMessage {
			return // listed as a base
		}
		link := finding{start: span.Start, end: span.End, codec: c, place: place, scope: h.scope, base: d}
		if format != nil {
			link.format, link.kind = format, isInline
		}
		if place == contentLocation && h.location == nil {
			h.location = &link
		}
		h.mark(span.Start, func() { h.f.add(link) })
	})
}

// snapshot takes what a message says that it was retrieved from.
func (h *headerReader) snapshot() {
	field := h.field(h.fields, "snapshot-content-location")
	if !h.ofMessage || field.Len() == 0 {
		return
	}
	h.f.snapshot = true
	url, c := fieldURL(h.src, field)
	h.mark(url.Start, func() {
		h.f.Base(snapshotPlace, url.Start, url.End, c, retrievedFrom(snapshotPlace.Name))
	})
}

// external takes where the body of a message/external-body is, if its access-type is URL (RFC 2017).
func (h *headerReader) external() {
	field := h.field(h.fields, "content-type")
	if field.Len() == 0 {
		return
	}
	if mediaType, params := h.contentType(h.src[field.Start:field.End]); mediaType != "message/external-body" || params["url"] == "" {
		return
	}
	if url, c, ok := parameterURL(h.src, field, "url"); ok {
		h.mark(url.Start, func() { h.f.LinkIn(h.scope, externalPlace, url.Start, url.End, c) })
	}
}

var (
	externalPlace = &Place{Name: "Content-Type"}

	// snapshotPlace is where Chromium says what page an MHTML file is a snapshot of.
	snapshotPlace = &Place{Name: "Snapshot-Content-Location"}
)
