package extract

import (
	"slices"
	"sort"
	"strings"

	"absolink/extract/codec"
)

// Message is an RFC 822 message, with the MIME tree below it (RFC 2045 to 2049, 2110,
// 2557). Its header's bases are the bases of the links in the header, and of what it
// encloses.
var Message = &Format{
	Name: "message/rfc822",
	Types: []string{"message/global", "message/news",
		"text/rfc822-headers", "message/global-headers"}, // headers alone: RFC 6522 4, RFC 6533
	Exts:  []string{".eml", ".mht", ".mhtml", ".mime"},
	Sniff: sniffMessage,
}

func init() {
	Message.Extract = extractMessage
	register(Message)
}

// sniffMessage wants a first line that is a field of a name that messages begin with.
func sniffMessage(head []byte) bool {
	head = head[markLen(head):]
	fields, _ := readHeader(nil, head, 0)
	for _, f := range fields {
		if f.name.Len() > 0 { // else it is a From_ line
			return beginsMessage(lower(string(head[f.name.Start:f.name.End])))
		}
	}
	return false
}

// messageFields are names, in lower case, of fields that are in messages and in few other
// texts: those of RFC 5322 and 1036, what transport puts before them, and the base of RFC
// 1808 3.1. Any field may come first.
var messageFields = map[string]bool{
	"received": true, "return-path": true, "delivered-to": true, "envelope-to": true, "received-spf": true, "authentication-results": true,
	"dkim-signature": true, "domainkey-signature": true,
	"date": true, "from": true, "sender": true, "reply-to": true, "to": true, "cc": true, "bcc": true,
	"message-id": true, "in-reply-to": true, "references": true, "subject": true, "mime-version": true,
	"path": true, "newsgroups": true, "archived-at": true, "errors-to": true, "mailing-list": true,
	"base": true, "snapshot-content-location": true,
}

// messagePrefixes begin the names of whole families of them.
var messagePrefixes = []string{"content-", "list-", "resent-", "arc-", "x-", "thread-"}

func beginsMessage(name string) bool {
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
	type mark struct {
		at int
		do func()
	}
	var marks []mark
	bases := baseHeaders(nil, m.src, fields)
	var declared map[codec.Span]*declaration // by their URLs; nil for one that is not asked
	if len(bases) > 0 {
		declared = make(map[codec.Span]*declaration, len(bases))
	}
	scope = max(outer, 0)
	for i := len(bases) - 1; i >= 0; i-- { // the last to be asked is the outermost
		b := bases[i]
		declared[b.url] = nil
		d := declaration{by: b.name, after: uint8(min(i, 255)), header: true}
		if b.repeated {
			d.refuse = repeatedHeader
		}
		if m.http && b.name == contentLocation.Name {
			d.refuse = notInHTTP
		}
		if outer < 0 {
			d.listed = b.name != "Base" && b.url.Len() > 0
			marks = append(marks, mark{b.url.Start, func() {
				m.f.Base(basePlaces[b.name], b.url.Start, b.url.End, b.codec, d)
			}})
		} else if !b.repeated || i < listedRefused {
			scope = m.f.scope(scope, basePlaces[b.name], b.url.Start, b.url.End, b.codec, d)
			own := m.f.scopes[scope-1]
			own.scope = scope
			switch {
			case b.repeated:
			case b.name == "Base": // it is no link
				marks = append(marks, mark{b.url.Start, func() { m.f.add(own) }})
			default:
				declared[b.url] = own.base
			}
		}
	}
	headerLinks(m.src, fields, m.http, func(place *Place, span codec.Span, c codec.Codec, format *Format) {
		d, ok := declared[span]
		if ok && outer < 0 {
			return // listed as a base
		}
		link := finding{start: span.Start, end: span.End, codec: c, place: place, scope: scope, base: d}
		if format != nil {
			link.format, link.kind = format, isInline
		}
		if place == contentLocation && location == nil {
			location = &link
		}
		marks = append(marks, mark{span.Start, func() { m.f.add(link) }})
	})
	if field := m.field(fields, "snapshot-content-location"); outer < 0 && field.Len() > 0 {
		url, c := fieldURL(m.src, field)
		marks = append(marks, mark{url.Start, func() {
			m.f.Base(snapshotPlace, url.Start, url.End, c, retrievedFrom(snapshotPlace.Name))
		}})
	}
	// RFC 2017: a message/external-body of access-type URL says where its body is.
	if field := m.field(fields, "content-type"); field.Len() > 0 {
		if mediaType, params := m.contentType(m.src[field.Start:field.End]); mediaType == "message/external-body" && params["url"] != "" {
			if url, c, ok := parameterURL(m.src, field, "url"); ok {
				marks = append(marks, mark{url.Start, func() { m.f.LinkIn(scope, externalPlace, url.Start, url.End, c) }})
			}
		}
	}
	sort.SliceStable(marks, func(i, j int) bool { return marks[i].at < marks[j].at })
	for _, mark := range marks {
		mark.do()
	}
	return scope, location
}

var (
	externalPlace   = &Place{Name: "Content-Type"}
	contentLocation = linkFields["content-location"].place

	// snapshotPlace is where Chromium says what page an MHTML file is a snapshot of.
	snapshotPlace = &Place{Name: "Snapshot-Content-Location"}
)

// basePlaces are the places of the headers that declare a base.
var basePlaces = map[string]*Place{"Base": {Name: "Base"}, "Content-Base": {Name: "Content-Base"}, "Content-Location": {Name: "Content-Location"}}
