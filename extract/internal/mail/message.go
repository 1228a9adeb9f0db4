package mail

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/charsets"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// Message is the format of RFC 822 messages and of their MIME parts (RFC 2045 to 2049, RFC 2110, RFC 2557). A base in a
// message's header applies to the links in the header and in the body parts.
var Message = &mark.Format{
	Name: messageType,
	Types: []string{"message/global", "message/news",
		"multipart/related",                              // the type of MHTML files, which begin with their own header
		"text/rfc822-headers", "message/global-headers"}, // a header without a body: RFC 6522 4, RFC 6533
	Exts:   []string{".eml", ".mht", ".mhtml", ".mime"},
	Places: header.PlaceNames,
	Mark:   func(src []byte, m *mark.Marks) { extractMessage(src, m, true) },
}

const messageType = "message/rfc822"

// SniffMessage reports whether a document begins like a message, with a field whose name is rare in other texts.
func SniffMessage(head []byte) bool {
	fields, _ := header.Read(head, HeaderStart(head, charsets.BOMLen(head)))
	for _, f := range fields {
		if f.Name.Len() > 0 { // a From_ line has no name
			return BeginsWith(head[f.Name.Start:f.Name.End])
		}
	}
	return false
}

// messageFields has the lower-case names of fields that are rare outside messages and may come first: those of RFC 5322
// and RFC 1036, those that mail servers add, and the Base of RFC 1808 3.1.
var messageFields = ascii.Words("received return-path delivered-to envelope-to received-spf authentication-results " +
	"dkim-signature domainkey-signature date from sender reply-to to cc bcc message-id in-reply-to references " +
	"subject mime-version path newsgroups archived-at errors-to mailing-list base snapshot-content-location")

// messagePrefixes extends messageFields by every name with one of these prefixes.
var messagePrefixes = []string{"content-", "list-", "resent-", "arc-", "x-", "thread-"}

// BeginsWith reports whether messages begin with a field of this name, in any case.
func BeginsWith(field []byte) bool {
	name := ascii.Lower(string(field))
	return messageFields()[name] ||
		slices.ContainsFunc(messagePrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// HeaderStart returns the index of the first header field of a message at src[p:]. Some programs write empty lines,
// other white space or a byte order mark before it, even after the From_ line; HeaderStart skips these if a header
// follows, and returns p if none does.
//
// A header follows if the next line is a field, and at least one field of the header is one that messages begin with.
// So the text of a message with an empty header is not taken for a header.
func HeaderStart(src []byte, p int) int {
	start := header.SkipVoid(src, p)
	skipped := start > p
	if kind, _ := fromLineAt(src, start); kind != notFromLine {
		line := ascii.LineEnd(src, start)
		start = header.SkipVoid(src, line)
		skipped = skipped || start > line
	}
	if name, _ := header.FieldName(src, start); !skipped || name.Len() == 0 {
		return p
	}
	fields, _ := header.Read(src, start)
	if slices.ContainsFunc(fields, func(f header.Field) bool { return BeginsWith(src[f.Name.Start:f.Name.End]) }) {
		return start
	}
	return p
}

// extractMessage marks the links of a message. outermost reports whether no other message is around it; if one is, it
// checks the lengths of the lines of both.
func extractMessage(src []byte, m *mark.Marks, outermost bool) {
	r := reader{Reader: header.Reader{Src: src, Marks: m}}
	m.Parts.Group(-1)
	if r.InUTF16(func(text []byte) bool { return isFromLine(text) || SniffMessage(text) }) {
		return
	}
	if inCR(src, m) {
		return
	}
	if bytes.HasPrefix(src, []byte("#! rnews")) {
		m.Fault(0, mark.HeaderMalformed, "this is a batch of news articles (rnews), which is not read; divide it "+
			"into messages")
		return
	}
	start := HeaderStart(src, 0)
	fields, body := r.ReadPart(codec.Span{Start: start, End: len(src)})
	r.Skipped(0, start, fields)
	r.MarkOwn(fields)
	signature, what := r.Field(fields, "dkim-signature"), "DKIM signature is"
	if seal := r.Field(fields, "arc-seal"); signature.Len() == 0 {
		signature, what = seal, "ARC seal is"
	} else if seal.Len() > 0 {
		what = "DKIM signature and its ARC seal are"
	}
	if signature.Len() > 0 {
		m.Breaks(codec.Span{End: len(src)}, signature.Start, mark.DKIMBroken,
			"the message was changed, so its "+what+" probably no longer valid; an archive does not need it")
	}
	r.body(fields, codec.Span{Start: body, End: len(src)}, position{}, context{})
	reportNext(src, body, m)
	r.Counts(fields, "content-length", codec.Span{Start: body, End: len(src)}, mark.CountBytes)
	r.Counts(fields, "lines", codec.Span{Start: body, End: len(src)}, mark.CountLines)
	if outermost {
		m.Checks(func(src []byte, edits []codec.Edit,
			fault func(mark.Fault)) {
			tooLong(src, edits, r.lineless, fault)
		})
	}
}

// longestLine is the largest length of a line of a message, without the line end (RFC 5322 2.1.1).
const longestLine = 998

// tooLong calls fault for each line that edits make longer than longestLine, except for the lines in lineless.
func tooLong(src []byte, edits []codec.Edit, lineless []codec.Span, fault func(mark.Fault)) {
	for len(edits) > 0 {
		first := edits[0].Start
		for len(lineless) > 0 && lineless[0].End < first {
			lineless = lineless[1:]
		}
		if len(lineless) > 0 && lineless[0].Start <= first {
			edits = edits[1:]
			continue
		}
		start, end, n := bytes.LastIndexByte(src[:first], '\n')+1, 0, 0
		var was, is lineMeter
		for at := start; n == 0 || n < len(edits) && edits[n].Start < end; n++ {
			e := &edits[n]
			if e.End >= end {
				end = ascii.LineEnd(src, e.End)
			}
			is.add(src[at:e.Start])
			is.add(e.New)
			at = e.End
			if n+1 == len(edits) || edits[n+1].Start >= end {
				is.add(src[at:end])
			}
		}
		if was.add(src[start:end]); was.longest <= longestLine && is.longest > longestLine {
			fault(mark.Fault{Offset: first, Code: mark.LineTooLong,
				Detail: fmt.Sprintf("the line has %d bytes now, and mail servers "+
					"break or cut lines of more than %d; before you send the message, fold the header field or encode "+
					"the part in quoted-printable", is.longest, longestLine)})
		}
		edits = edits[n:]
	}
}

// lineMeter measures lines without their line ends.
type lineMeter struct{ n, longest int }

func (m *lineMeter) add(text []byte) {
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			m.n += len(text)
			m.longest = max(m.longest, m.n)
			return
		}
		m.longest = max(m.longest, m.n+len(bytes.TrimSuffix(text[:i], []byte("\r"))))
		m.n, text = 0, text[i+1:]
	}
}

// reportNext reports a separator in the body that would start another message in an mbox. It does so only for a message
// that begins with a separator itself.
func reportNext(src []byte, body int, m *mark.Marks) {
	first := header.SkipVoid(src, 0)
	sep, ok := separatorOf(src[first:])
	kind, line := fromLineAt(src, first)
	if !ok && kind == notFromLine {
		return
	}
	start := messageStart{sep: sep, first: kind, inBody: true, body: body}
	i, _, _ := start.next(src, line-1, true)
	if i < 0 || sep == closingLine && len(ascii.Trimmed(src[ascii.LineEnd(src, i):])) == 0 {
		return
	}
	m.Avoidable(i, mark.ContentMismatch, mark.Type,
		"a "+sep.name()+" starts another message here, as in an mbox; it is read as text of this message")
}

// inCR reports whether the lines of a message end in CR, as on old Macs, and adds that to the problems. Such a message
// has no LF before the empty line that ends the header, and its first lines are fields. One field does not prove that,
// because a line may have a stray CR.
func inCR(src []byte, m *mark.Marks) bool {
	head, _, lf := bytes.Cut(src, []byte("\n"))
	cr := bytes.IndexByte(bytes.TrimRight(head, "\r"), '\r')
	if cr < 0 || lf && !bytes.Contains(head, []byte("\r\r")) {
		return false
	}
	first, _ := beginsField(head, 0, true)
	second, _ := beginsField(head, cr+1, true)
	if !second && (!first || lf) {
		return false
	}
	m.Fault(0, mark.HeaderMalformed, "the lines end in CR alone, so the header and the body are not read; convert "+
		"them to LF")
	return true
}

// Envelope has the fields by which people refer to a message (RFC 5322 3.6). A missing field is "".
type Envelope struct {
	ID      string // the Message-ID, without its brackets
	Date    string // the Date, without folds
	Subject string // the Subject, without folds, with its encoded words decoded (RFC 2047)
}

// EnvelopeOf returns the fields of the message src. If a field is repeated, the first is returned.
func EnvelopeOf(src []byte) *Envelope {
	fields, _ := header.Read(src, HeaderStart(src, 0))
	r := header.Reader{Src: src}
	unfold := func(value []byte) string {
		text, _ := spell.HeaderLines.Decode(value)
		return string(ascii.Trimmed(text))
	}
	subject, _ := spell.HeaderWords.Decode(inUTF8(r.Value(fields, "subject"), r.Value(fields, "content-type")))
	return &Envelope{
		ID:      unfold(header.ContentID(src, r.Field(fields, "message-id"))),
		Date:    unfold(r.Value(fields, "date")),
		Subject: string(ascii.Trimmed(subject)),
	}
}

// inUTF8 returns a value as UTF-8. Characters outside ASCII should be UTF-8 (RFC 6532 3.2) or in encoded words, but
// some programs write them in the charset of the body, and some in windows-1252.
func inUTF8(value, contentType []byte) []byte {
	if utf8.Valid(value) {
		return value
	}
	_, params := header.ContentType(contentType)
	for _, label := range []string{charsets.MailLabel(header.Charset(params)), "windows-1252"} {
		c, name, ok := charsets.Of(label)
		if !ok || name == "UTF-8" || strings.HasPrefix(name, "UTF-16") {
			continue
		}
		if text, err := c.Decode(value); err == nil {
			return text
		}
	}
	return value
}
