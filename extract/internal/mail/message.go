package mail

import (
	"slices"
	"sort"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// Message is an RFC 822 message, with the MIME tree below it (RFC 2045 to 2049, 2110,
// 2557). Its header's bases are the bases of the links in the header, and of what it
// encloses.
var Message = &mark.Format{
	Name: "message/rfc822",
	Types: []string{"message/global", "message/news",
		"multipart/related",                              // what MHTML files are called, though their header is in them
		"text/rfc822-headers", "message/global-headers"}, // headers alone: RFC 6522 4, RFC 6533
	Exts:    []string{".eml", ".mht", ".mhtml", ".mime"},
	Extract: extractMessage,
}

// SniffMessage wants a first line that is a field of a name that messages begin with.
func SniffMessage(head []byte) bool {
	head = head[codec.BOMLen(head):]
	fields, _ := header.ReadHeader(head, 0)
	for _, f := range fields {
		if f.Name.Len() > 0 { // else it is a From_ line
			return BeginsMessage(head[f.Name.Start:f.Name.End])
		}
	}
	return false
}

// messageFields are names, in lower case, of fields that are in messages and in few other
// texts: those of RFC 5322 and 1036, what transport puts before them, and the base of RFC
// 1808 3.1. Any field may come first.
var messageFields = ascii.Words("received return-path delivered-to envelope-to received-spf authentication-results dkim-signature domainkey-signature " +
	"date from sender reply-to to cc bcc message-id in-reply-to references subject mime-version " +
	"path newsgroups archived-at errors-to mailing-list base snapshot-content-location")

// messagePrefixes begin the names of whole families of them.
var messagePrefixes = []string{"content-", "list-", "resent-", "arc-", "x-", "thread-"}

// BeginsMessage says whether messages begin with a field of this name, in any case.
func BeginsMessage(field []byte) bool {
	name := ascii.Lower(string(field))
	return messageFields[name] || slices.ContainsFunc(messagePrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

func extractMessage(src []byte, f *mark.Marks) {
	m := &MimeReader{Src: src, F: f}
	f.Parts.Groups = append(f.Parts.Groups, -1)
	fields, body := m.ReadHeader(codec.Span{End: len(src)})
	m.Header(fields, -1)
	if dkim := m.Field(fields, "dkim-signature"); dkim.Len() > 0 {
		f.Breaks(codec.Span{End: len(src)}, dkim.Start, mark.DKIMBroken, "the message is changed, so its DKIM signature does not verify any more")
	}
	m.body(fields, body, len(src), Position{}, MimeContext{})
	f.Counts(m.Field(fields, "content-length"), codec.Span{Start: body, End: len(src)}, mark.CountBytes)
	f.Counts(m.Field(fields, "lines"), codec.Span{Start: body, End: len(src)}, mark.CountLines)
}

// MimeReader reads the header and the body parts of one message. Messages within it are
// entities of their own.
type MimeReader struct {
	Src  []byte
	F    *mark.Marks
	HTTP bool // the header is that of a response
}

// MimeContext is what the multiparts around a body part say of it.
type MimeContext struct {
	scope  int32
	digest bool // a part is a message unless it says otherwise (RFC 2046 5.1.5)
	signed bool // a signature covers it
	ranges bool // the parts are ranges of a document
	group  int  // of siblings
}

// Header marks the bases and links of a header in the order of the bytes. Those of the
// message itself (outer -1) are declared for the whole entity; those of a part for its
// own scope, which it opens inside outer and gives, with its Content-Location.
func (m *MimeReader) Header(fields []header.Field, outer int32) (scope int32, location *mark.Mark) {
	h := headerReader{MimeReader: m, fields: fields, ofMessage: outer < 0, scope: max(outer, 0)}
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
	*MimeReader
	fields    []header.Field
	ofMessage bool       // not of a part
	scope     int32      // of the links in it
	location  *mark.Mark // its Content-Location; nil without one
	marks     []headerMark

	// declared are the base headers by their URLs: with the declaration where the field is a
	// link as well, which is so in a part, else with nil.
	declared map[codec.Span]*mark.Declaration
}

// headerMark is a URL in a header, and what hands it to the Finder when its turn comes.
type headerMark struct {
	at int
	do func()
}

func (h *headerReader) mark(at int, do func()) { h.marks = append(h.marks, headerMark{at, do}) }

// bases takes the fields that declare a base.
func (h *headerReader) bases() {
	bases := header.BaseHeaders(h.Src, h.fields)
	if len(bases) > 0 {
		h.declared = make(map[codec.Span]*mark.Declaration, len(bases))
	}
	for i := len(bases) - 1; i >= 0; i-- { // the last to be asked is the outermost
		b, name := bases[i], bases[i].Place.Name
		h.declared[b.URL] = nil
		d := mark.Declaration{By: name, After: uint8(min(i, 255)), Header: true}
		if b.Repeated {
			d.Refuse = mark.RepeatedHeader
		}
		if h.HTTP && name == header.ContentLocation.Name {
			d.Refuse = notInHTTP
		}
		switch {
		case h.ofMessage:
			d.Listed = name != "Base" && b.URL.Len() > 0
			h.mark(b.URL.Start, func() { h.F.Base(b.Place, b.URL.Start, b.URL.End, b.Codec, d) })
		case !b.Repeated || i < mark.ListedRefused:
			h.ofPart(b, d)
		}
	}
}

// ofPart opens the scope of a body part whose header declares a base.
func (h *headerReader) ofPart(b header.BaseHeader, d mark.Declaration) {
	h.scope = h.F.Scope(h.scope, b.Place, b.URL.Start, b.URL.End, b.Codec, d)
	own := h.F.Scopes()[h.scope-1]
	own.Scope = h.scope
	switch {
	case b.Repeated:
	case b.Place.Name == "Base": // it is no link
		h.mark(b.URL.Start, func() { h.F.Add(own) })
	default:
		h.declared[b.URL] = own.Base
	}
}

// links takes the fields that hold links.
func (h *headerReader) links() {
	header.Links(h.Src, h.fields, h.HTTP, func(place *mark.Place, span codec.Span, c codec.Codec, format *mark.Format) {
		d, ok := h.declared[span]
		if ok && h.ofMessage {
			return // listed as a base
		}
		link := mark.Mark{Start: span.Start, End: span.End, Codec: c, Place: place, Scope: h.scope, Base: d}
		if format != nil {
			link.Format, link.Kind = format, mark.IsInline
		}
		if place == header.ContentLocation && h.location == nil {
			h.location = &link
		}
		h.mark(span.Start, func() { h.F.Add(link) })
	})
}

// snapshot takes what a message says that it was retrieved from.
func (h *headerReader) snapshot() {
	field := h.Field(h.fields, "snapshot-content-location")
	if !h.ofMessage || field.Len() == 0 {
		return
	}
	h.F.Parts.Snapshot = true
	url, c := header.FieldURL(h.Src, field)
	h.mark(url.Start, func() {
		h.F.Base(snapshotPlace, url.Start, url.End, c, mark.RetrievedFrom(snapshotPlace.Name))
	})
}

// external takes where the body of a message/external-body is, if its access-type is URL (RFC 2017).
func (h *headerReader) external() {
	field := h.Field(h.fields, "content-type")
	if field.Len() == 0 {
		return
	}
	if mediaType, params := h.ContentType(h.Src[field.Start:field.End]); mediaType != "message/external-body" || params["url"] == "" {
		return
	}
	if url, c, ok := header.ParameterURL(h.Src, field, "url"); ok {
		h.mark(url.Start, func() { h.F.LinkIn(h.scope, externalPlace, url.Start, url.End, c) })
	}
}

var (
	externalPlace = &mark.Place{Name: "Content-Type"}

	// snapshotPlace is where Chromium says what page an MHTML file is a snapshot of.
	snapshotPlace = &mark.Place{Name: "Snapshot-Content-Location"}
)
