package mail

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/sniff"
)

// Multipart reads the parts of a multipart outside of mail, like the body of an HTTP response. r reads the headers of
// the parts.
func Multipart(r header.Reader, mediaType string, params map[string]string, body codec.Span) {
	multi := reader{Reader: r}
	multi.multipart(mediaType, params, body, position{}, context{})
}

// multipart reads the parts of a multipart (RFC 2046 5.1). It returns the path of the part that represents it: the root
// of a multipart/related (RFC 2387 3.2), or the multipart itself.
func (r *reader) multipart(mediaType string, params map[string]string, body codec.Span, at position,
	in context) (root string) {
	boundary := boundaryIn(params)
	switch {
	case boundary == "":
		r.Marks.Fault(body.Start, mark.BoundaryMissing,
			"the "+mediaType+" has no boundary parameter; its parts are not read")
		return at.path
	case len(boundary) > longestBoundary:
		r.Marks.Fault(body.Start, mark.BoundaryMissing,
			"the boundary of the "+mediaType+" is longer than "+strconv.Itoa(longestBoundary)+
				" bytes; its parts are not read")
		return at.path
	}
	if limit := r.Marks.MaxDepth; at.depth >= limit {
		r.Marks.Avoidable(body.Start, mark.DepthLimit, mark.MaxDepth,
			"skipped: the multipart is nested more than "+strconv.Itoa(limit)+" levels deep")
		return at.path
	}
	parts, closed := r.splitParts(body, boundary)
	if len(parts) > 0 {
		r.guardParts(body, boundary)
	}
	start, end := ascii.TrimSpace(r.Src, body.Start, body.End)
	switch {
	case start == end:
		r.Marks.Warn(body.Start, mark.BoundaryMissing, "the multipart is empty")
	case len(parts) == 0:
		r.Marks.Fault(body.Start, mark.BoundaryMissing,
			"no line begins with the boundary "+mark.Quote([]byte(boundary))+
				"; the parts of the multipart are not read")
	case !closed:
		r.Marks.Fault(body.End, mark.BoundaryUnterminated,
			"the multipart has no closing boundary "+mark.Quote([]byte(boundary)))
	}
	inner := context{
		digest: mediaType == "multipart/digest",
		signed: in.signed || mediaType == "multipart/signed",
		ranges: in.ranges || mediaType == "multipart/byteranges",
		group:  in.group,
		sealed: in.sealed || mediaType == "multipart/encrypted",
	}
	if inner.sealed && !in.sealed { // RFC 1847 2.2
		r.Marks.Unread(mark.Encrypted, "", body.Start)
	}
	related := mediaType == "multipart/related"
	if related {
		inner.group = r.Marks.Parts.Group(in.group)
	}
	root = at.path
	rootID := string(header.ContentID([]byte(params["start"]), codec.Span{End: len(params["start"])}))
	places := at.places()
	for i, p := range parts {
		seen, id := r.part(p, position{places.Within + strconv.Itoa(i+1), at.depth + 1, places, i + 1}, in.scope, inner)
		if related && (i == 0 || rootID != "" && string(header.ContentID(r.Src, id)) == rootID) {
			root = seen
		}
	}
	return root
}

// longestBoundary limits a boundary to the length of a line (RFC 5322 2.1.1), because some exceed the 70 bytes of RFC
// 2046 5.1.1. Without a limit, each edit and each place that looks like a boundary would cost a comparison with the
// whole boundary.
const longestBoundary = 998

// boundaryIn returns the boundary without white space at its end, which no boundary has (RFC 2046 5.1.1).
func boundaryIn(params map[string]string) string { return strings.TrimRight(params["boundary"], " \t") }

// part reads one body part of a multipart, whose scope is outer. It returns the path that body returns, and the span of
// the Content-ID.
func (r *reader) part(p codec.Span, at position, outer int32, in context) (seen string, id codec.Span) {
	fields, body := r.ReadPart(p)
	if in.signed {
		r.Marks.Signed(p.Start, body) // the signature covers the header as well (RFC 1847 2.1)
	}
	scope, location := r.MarkPart(fields, outer)
	in.scope = scope
	seen = r.body(fields, codec.Span{Start: body, End: p.End}, at, in)
	// some programs count the newline before the boundary
	if length := r.Field(fields, "content-length"); length.Len() > 0 {
		all := codec.Span{Start: body, End: p.End + ascii.NewlineLen(r.Src[p.End:])}
		r.Marks.MendsInside(at.depth, mark.Counter([]codec.Span{length}, all, mark.CountBytes))
	}
	id = r.Field(fields, "content-id")
	if id.Len() > 0 || location != nil {
		r.Marks.Sibling(mark.Sibling{Path: seen, Group: in.group, ID: id, Location: location, Based: scope != outer})
	}
	return seen, id
}

// splitParts returns the parts in the body of a multipart, and whether a closing boundary ends it. The newline before a
// boundary belongs to the boundary (RFC 2046 5.1.1).
//
// A closing boundary with more text on its line closes the multipart only if no other boundary follows. If one does,
// the line is the boundary of an inner multipart: with the boundaries "b" and "b--c", the line "--b--c" begins an inner
// part. The same is true of a line with white space before the last two dashes, which ends a multipart whose boundary
// is declared with that white space.
//
// QUIRK: after a binary part, the boundary may be anywhere in a line, because old versions of WebKit and Chromium wrote
// no newline before it. The MHTMLParser of Blink still accepts such files.
func (r *reader) splitParts(body codec.Span, boundary string) (parts []codec.Span, closed bool) {
	src, start, end := r.Src, body.Start, body.End
	if strings.IndexByte(boundary, '\n') >= 0 {
		return nil, false // only RFC 2231 can spell such a boundary, and no line can have it
	}
	delimiter := []byte("--" + boundary)
	parts = make([]codec.Span, 0, bytes.Count(src[start:end], delimiter))
	from, epilogue := -1, -1 // the start of this part, and the line that may close the multipart
	last := binaryPart{from: -1}
	for p := start; ; p++ {
		n := bytes.Index(src[p:end], delimiter)
		if n < 0 {
			break
		}
		p += n
		kind, next := boundaryLine(src[:end], p+len(delimiter))
		if kind != noBoundary && p > start && src[p-1] != '\n' && (kind == epilogueBoundary || !last.of(r, from, p)) {
			kind = noBoundary
		}
		switch kind {
		case noBoundary:
		case epilogueBoundary:
			if from >= 0 && epilogue < 0 {
				epilogue = p
			}
		default:
			if from >= 0 {
				parts = append(parts, codec.Span{Start: from, End: max(from, withoutNewline(src, p))})
			}
			if kind == closingBoundary {
				return parts, true
			}
			from, epilogue = next, -1
		}
	}
	if epilogue >= 0 {
		end = max(from, withoutNewline(src, epilogue))
	}
	if from >= 0 {
		parts = append(parts, codec.Span{Start: from, End: end})
	}
	return parts, epilogue >= 0
}

type binaryPart struct {
	from   int
	binary bool
}

func (b *binaryPart) of(r *reader, from, p int) bool {
	if b.from != from {
		b.from, b.binary = from, r.isBinary(codec.Span{Start: from, End: p})
	}
	return b.binary
}

// guardParts refuses edits that would make a boundary in the body of a multipart.
func (r *reader) guardParts(body codec.Span, boundary string) {
	delimiter := []byte("--" + boundary)
	// The last delimiter before the offset seen, and the start of the part after it.
	at, seen, part, last := body.Start, body.Start, ascii.LineEnd(r.Src, body.Start), binaryPart{from: -1}
	r.Marks.Guard(body, func(e codec.Edit) (why string) {
		before := r.Src[max(body.Start, e.Start-len(delimiter)):e.Start]
		if bytes.IndexByte(before, '-') < 0 && bytes.IndexByte(e.New, '-') < 0 {
			return ""
		}
		text := slices.Concat(before, e.New, r.Src[e.End:min(body.End, e.End+len(delimiter))])
		for i, n := 0, 0; ; i += n + 1 {
			if n = bytes.Index(text[i:], delimiter); n < 0 {
				return ""
			}
			if rest := text[i+n+len(delimiter):]; len(rest) > 0 && rest[0] != '-' && !ascii.IsWhite(rest[0]) {
				continue
			}
			startsLine := i+n > 0 && text[i+n-1] == '\n' || i+n == 0 && e.Start-len(before) == body.Start
			if at > e.Start { // the removal of an element comes after the edits inside it
				at, seen = body.Start, body.Start
			}
			if n := bytes.LastIndex(r.Src[seen:max(seen, e.Start)], delimiter); n >= 0 {
				at = seen + n
				part = ascii.LineEnd(r.Src, at)
			}
			seen = max(seen, e.Start-len(delimiter)+1)
			if startsLine || last.of(r, part, body.End) {
				return " would make a boundary of the multipart"
			}
		}
	})
}

func (r *reader) isBinary(part codec.Span) bool {
	fields, body := header.Read(r.Src[:part.End], part.Start)
	return body < part.End && header.TransferEncoding(r.Value(fields, "content-transfer-encoding")) == "binary"
}

type boundaryKind uint8

const (
	noBoundary boundaryKind = iota
	openingBoundary
	closingBoundary
	epilogueBoundary // closing, with more text on its line
)

// boundaryLine returns the kind of the boundary whose delimiter ends at p, and the start of the next line. Only white
// space and the epilogue may follow a delimiter on its line, because another boundary may begin with the same
// characters.
func boundaryLine(src []byte, p int) (kind boundaryKind, next int) {
	dashes := bytes.HasPrefix(src[p:], []byte("--"))
	if kind = openingBoundary; dashes {
		kind, p = closingBoundary, p+len("--")
	}
	end := skipPadding(src, p)
	switch {
	case end == len(src):
		return kind, end
	case src[end] == '\n':
		return kind, end + 1
	case dashes:
		return epilogueBoundary, p
	case bytes.HasPrefix(src[end:], []byte("--")):
		if end = skipPadding(src, end+len("--")); end == len(src) || src[end] == '\n' {
			return epilogueBoundary, p
		}
	}
	return noBoundary, p
}

func skipPadding(line []byte, i int) int {
	return len(line) - len(bytes.TrimLeft(line[i:], " \t\r"))
}

func withoutNewline(src []byte, p int) int { return p - ascii.LastNewline(src[:p]) }

// reader reads the body parts of one message. A message in a body part gets its own reader.
type reader struct {
	header.Reader
	unencoded bool         // see isQuoted
	lineless  []codec.Span // the encoded or binary bodies, whose lines are not checked, in the order of the bytes
	inner     *mark.Format // see innerMessage
}

// innerMessage returns Message for a body part, without the check of line lengths, which is up to the message around
// it.
func (r *reader) innerMessage(f *mark.Format) *mark.Format {
	if r.inner == nil {
		inner := *f
		inner.Mark = func(src []byte, m *mark.Marks) { extractMessage(src, m, false) }
		r.inner = &inner
	}
	return r.inner
}

// position is the place of a body part in its message.
type position struct {
	path   string // numbered as in IMAP: "1.2"
	depth  int    // the number of multiparts around it
	place  *mark.Place
	number int // in place
}

// bodyPlace is the place of a body that is not nested in two multiparts.
var bodyPlace = &mark.Place{Name: "part"}

// places returns the place of the parts of a multipart at p.
func (p position) places() *mark.Place {
	if p.path == "" {
		return bodyPlace
	}
	return &mark.Place{Name: bodyPlace.Name, Within: p.path + "."}
}

func (p position) name() string { return "part[" + p.path + "]" }

// context is what a body part inherits from the multiparts around it.
type context struct {
	scope  int32 // of the bases in their headers
	digest bool  // a part without a type is a message (RFC 2046 5.1.5)
	signed bool  // a signature covers the part
	ranges bool  // the part is a range of a document
	sealed bool  // the part is in a multipart/encrypted
	group  int   // of mark.Parts
}

// body splits a multipart into its parts, and marks any other body of a known type as a document. It returns the path
// of the part that represents the entity, which is the root of a multipart/related (RFC 2387 3.2).
func (r *reader) body(fields []header.Field, body codec.Span, at position, in context) (root string) {
	mediaType, params := r.contentType(fields)
	switch {
	case mediaType == "" && in.digest:
		mediaType = messageType
	case mediaType == "":
		mediaType = "text/plain"
	}
	if strings.HasPrefix(mediaType, "multipart/") {
		return r.multipart(mediaType, params, body, at, in)
	}
	if at.path == "" {
		at.path, at.place, at.number = "1", bodyPlace, 1
	}
	start, end := ascii.TrimSpace(r.Src, body.Start, max(body.Start, body.End))
	// Apple Mail keeps the content in another file
	if start >= end && r.Field(fields, "x-apple-content-length").Len() > 0 {
		r.Marks.Unread(mark.Elsewhere, at.name(), 0)
	}
	if body.Len() <= 0 {
		return at.path
	}
	format, name := r.Marks.FormatWith(mediaType, params), ""
	if format == nil && !in.sealed {
		format, name = r.unknown(mediaType, params, fields, body, at)
	}
	if format == nil && name == "" {
		r.markUnread(mediaType, fields, body, at)
		return at.path
	}
	encoding := r.transferEncoding(fields, r.Src[body.Start:body.End])
	transfer := transferCodec(encoding, r.lf(body))
	if transfer == nil {
		r.Marks.Fault(body.Start, mark.Undecodable,
			"the Content-Transfer-Encoding "+mark.Quote([]byte(encoding))+" is unknown; the body is not read")
		return at.path
	}
	if transfer == codec.Identity &&
		(r.unencoded || strings.Contains(mediaType, "html") && isQuoted(r.Src[body.Start:body.End])) {
		r.unencoded = r.Marks.Parts.Snapshot // Chromium encodes all texts, so a program dropped the field of each
		r.Marks.Unread(mark.Unencoded, at.name(), 0)
		return at.path
	}
	if in.ranges {
		transfer = codec.Nested(transfer, Range)
	}
	p := mark.Part{Name: name, Charset: charsets.MailLabel(header.Charset(params)), Signed: in.signed,
		Group: int32(in.group), Text: strings.HasPrefix(mediaType, "text/"), MD5: r.Digest(fields, "content-md5", body)}
	p.Encoded = transfer != codec.Identity
	if p.Encoded || encoding == "binary" || format != nil && format.Split != nil {
		r.lineless = append(r.lineless, body)
	}
	if format != nil && format.Name == messageType {
		format = r.innerMessage(format)
	}
	p.SevenBit = !p.Encoded && encoding != "8bit" && encoding != "binary" &&
		ascii.PlainASCII(r.Src[body.Start:body.End])
	if format == Octets {
		// only its first bytes matter; an encoding makes them longer
		body.End = min(body.End, body.Start+4*mark.SniffLen)
	}
	r.Marks.NumberedPart(in.scope, at.place, at.number, body.Start, body.End, transfer, format, p)
	return at.path
}

// isQuoted reports whether a page, whose header does not say so, is in quoted-printable.
func isQuoted(page []byte) bool {
	if !bytes.Contains(page, []byte(`=3D"`)) {
		return false
	}
	_, err := spell.QuotedPrintable.Decode(page)
	return err == nil
}

// lf reports whether the line before a body ends in LF.
func (r *reader) lf(body codec.Span) bool { return ascii.LastNewline(r.Src[:body.Start]) == len("\n") }

// Range is the codec of the body of a response with a Content-Range, and of a part of multipart/byteranges (RFC 9110
// 14.6). Such a body is a fragment of a document and is never rewritten.
var Range = codec.ReadOnly("the body is only a range of a document (RFC 9110 14.4)")

// transferCodec returns the codec of a Content-Transfer-Encoding (RFC 2045 6), or nil if it is unknown. lf reports
// whether the lines of the header end in LF.
func transferCodec(encoding string, lf bool) codec.Codec {
	switch encoding {
	case "", "7bit", "8bit", "binary":
		return codec.Identity
	case "quoted-printable":
		if lf {
			return spell.QuotedPrintableLF
		}
		return spell.QuotedPrintable
	case "base64":
		if lf {
			return spell.Base64LF
		}
		return spell.Base64
	}
	return nil
}

// ContentMD5 returns the edit that updates a Content-MD5 (RFC 1864), or none if the digest was wrong before. The digest
// is that of the body without its transfer encoding, with CRLF line ends in text. Text in base64 may have other line
// ends, so both are tried.
func ContentMD5(src []byte, p *mark.Part, body []byte, edits []codec.Edit) []codec.Edit {
	digest := func(body []byte, lines bool) string {
		if lines {
			body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
			body = bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n"))
		}
		sum := md5.Sum(body)
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	start, end := ascii.TrimSpace(src, p.MD5.Start, p.MD5.End)
	after := codec.Apply(nil, body, edits)
	for _, whole := range []bool{true, false} {
		if !whole { // without the empty line that an mbox adds to a message
			body, after = body[:len(body)-ascii.LastNewline(body)], after[:len(after)-ascii.LastNewline(after)]
		}
		for _, lines := range []bool{p.Text, false} {
			if string(src[start:end]) == digest(body, lines) {
				return []codec.Edit{{Span: codec.Span{Start: start, End: end}, New: []byte(digest(after, lines))}}
			}
		}
	}
	return nil
}

// A header may declare the type or the encoding of the body several times. The first valid declaration applies.

// contentType returns the media type and the parameters of a body: those of the first valid Content-Type.
func (r *reader) contentType(fields []header.Field) (mediaType string, params map[string]string) {
	mediaType, params = r.ContentType(fields)
	repeated := r.Repeated(fields, "content-type")
	for i := 1; i < len(repeated) && mediaType == ""; i++ {
		mediaType, params = header.ContentType(r.Src[repeated[i].Start:repeated[i].End])
	}
	r.warnRepeated("Content-Type", repeated, header.Described(mediaType, params))
	return mediaType, params
}

// transferEncoding returns the Content-Transfer-Encoding of a body: the first that is known, or else the first. Of 8bit
// and base64, it is the one that the body is in.
func (r *reader) transferEncoding(fields []header.Field, body []byte) string {
	declared := header.TransferEncoding(r.Value(fields, "content-transfer-encoding"))
	repeated := r.Repeated(fields, "content-transfer-encoding")
	var known []string
	for _, value := range repeated {
		if encoding := header.TransferEncoding(r.Src[value.Start:value.End]); encoding != "" &&
			transferCodec(encoding, false) != nil {
			known = append(known, encoding)
		}
	}
	switch both := slices.Contains(known, "8bit") && slices.Contains(known, "base64"); {
	case both && isBase64(body):
		declared = "base64"
	case both:
		declared = "8bit"
	case len(known) > 0:
		declared = known[0]
	}
	r.warnRepeated("Content-Transfer-Encoding", repeated, declared)
	return declared
}

// isBase64 reports whether a body begins with a line of base64, which is longer than a word, or the only one.
func isBase64(body []byte) bool {
	const word = 40
	body = ascii.Trimmed(body)
	line := ascii.Trimmed(body[:ascii.LineEnd(body, 0)])
	_, err := base64.StdEncoding.Decode(make([]byte, len(line)), line)
	return err == nil && (len(line) > word || len(line) == len(body))
}

// warnRepeated reports a field that a header has several times, and the value that applies.
func (r *reader) warnRepeated(name string, repeated []codec.Span, applies string) {
	if repeated == nil {
		return
	}
	values := make([][]byte, len(repeated))
	for i, value := range repeated {
		values[i] = r.Src[value.Start:value.End]
	}
	r.WarnRepeated(repeated[1].Start, name, values, applies)
}

// What follows decides about bodies whose media type has no format. If the type is vague, the file's name determines
// the format, as in mail programs.

// Octets is the format of a body that is not read, but that the engine reports if it begins like a page.
var Octets = &mark.Format{Name: "application/octet-stream", Is: func([]byte) bool { return false }}

// Unread is the format of a text in a transfer encoding that is not read. A rewriting searches it for old URLs.
var Unread = &mark.Format{Name: "text/*"}

func (r *reader) markUnread(mediaType string, fields []header.Field, body codec.Span, at position) {
	c := transferCodec(header.TransferEncoding(r.Value(fields, "content-transfer-encoding")), r.lf(body))
	if r.Marks.Rewriting && c != nil && c != codec.Identity && strings.HasPrefix(mediaType, "text/") {
		r.Marks.NumberedPart(0, at.place, at.number, body.Start, body.End, c, Unread, mark.Part{})
	}
}

// vagueTypes are the media types that mean "unknown", or only that the content should be saved as a file.
var vagueTypes = ascii.Words(Octets.Name +
	" application/octetstream application/octet application/x-octet-stream binary/octet-stream application/binary " +
	"application/x-binary application/download application/x-download application/force-download " +
	"application/x-force-download application/x-forcedownload application/save application/save-as application/file " +
	"application/data application/unknown application/x-unknown unknown/unknown */* application/*")

// noContent are the S/MIME types that carry only certificates or a receipt (RFC 8551 3.2.2, RFC 2634 2).
var noContent = ascii.Words("certs-only signed-receipt")

// unreadType returns the kind of a document that is not read although it may have links, or contain documents that do.
func unreadType(mediaType string) *mark.Unread {
	switch mediaType {
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		return mark.SMIME
	case "application/pgp": // older than RFC 2015
		return mark.Encrypted
	case "application/ms-tnef", "application/vnd.ms-tnef", "application/vnd.ms-outlook":
		return mark.Outlook
	case "message/partial":
		return mark.Partial
	case "application/x-uuencode", "application/x-uue", "text/x-uuencode":
		return mark.UUEncoded
	case "application/mac-binhex40", "application/mac-binhex", "application/binhex", "application/x-binhex",
		"application/x-binhex40", "application/macbinary", "application/x-macbinary":
		return mark.Macintosh
	case "application/ics", "message/delivery-status", "message/global-delivery-status", "message/feedback-report":
		return mark.OtherText
	case "text/javascript", "text/ecmascript", "text/x-javascript": // the links of a script are up to what it does
		return nil
	}
	if strings.HasPrefix(mediaType, "text/") {
		return mark.OtherText
	}
	return nil
}

// unknown returns the format of a body whose media type has none, or the name by which to find one. If there is
// neither, the body is not read, and unknown counts it if it is a document.
func (r *reader) unknown(mediaType string, params map[string]string, fields []header.Field, body codec.Span,
	at position) (_ *mark.Format, name string) {
	name = r.FileName(fields, params)
	vague, named := vagueTypes()[mediaType] ||
		strings.HasPrefix(mediaType, "application/x-unknown-"), r.Marks.IsNamed(name)
	if vague && named {
		return nil, name
	}
	kind := unreadType(mediaType)
	switch {
	case strings.HasPrefix(mediaType, "message/") && kind == mark.OtherText &&
		!bytes.Contains(r.Src[body.Start:body.End], []byte("://")):
		return nil, "" // a report without a URL in Diagnostic-Code or Reported-URI
	case kind == mark.SMIME && noContent()[ascii.Lower(params["smime-type"])]:
		return nil, ""
	// an applefile has the name of the file that its attributes belong to
	case kind == nil && named && mediaType != "application/applefile":
		kind = mark.Misnamed
	case !vague:
		name = ""
	}
	head := r.head(fields, body)
	if kind == nil {
		kind = sniff.Container(name, head)
	}
	switch {
	case kind != nil:
		r.Marks.Unread(kind, at.name(), 0)
	case bytes.HasPrefix(head[ascii.SkipSpace(head, 0):], []byte("<")):
		return Octets, ""
	}
	return nil, ""
}

// head returns the decoded first bytes of a body.
func (r *reader) head(fields []header.Field, body codec.Span) []byte {
	const length = 96
	transfer := transferCodec(header.TransferEncoding(r.Value(fields, "content-transfer-encoding")), r.lf(body))
	if transfer == nil {
		return nil
	}
	// the input is cut off, so an error is expected
	head, _ := transfer.Decode(r.Src[body.Start:min(body.End, body.Start+length)])
	return head
}
