package mail

import (
	"bytes"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// Position is a body part's place in its message, as IMAP numbers it: 1.2.
type Position struct {
	path  string
	depth int
}

func (p Position) part(i int) Position {
	path := strconv.Itoa(i)
	if p.path != "" {
		path = p.path + "." + path
	}
	return Position{path, p.depth + 1}
}

// body reads the body src[start:end] of the entity that the fields head: a multipart is
// taken apart here, anything else that can be read becomes a part. It gives the path of
// what the whole is seen as: of a multipart/related that is its root (RFC 2387 3.2).
func (m *MimeReader) body(fields []header.Field, start, end int, at Position, in MimeContext) (root string) {
	mediaType, params := m.ContentType(m.Value(fields, "content-type"))
	switch {
	case mediaType == "" && in.digest:
		mediaType = "message/rfc822"
	case mediaType == "":
		mediaType = "text/plain"
	}
	if strings.HasPrefix(mediaType, "multipart/") {
		return m.Multipart(mediaType, params, start, end, at, in)
	}
	if at.path == "" {
		at.path = "1"
	}
	format := m.F.FormatOf(mediaType)
	if format == nil || start >= end {
		return at.path
	}
	encoding := header.TransferEncoding(m.Value(fields, "content-transfer-encoding"))
	transfer := transferCodec(encoding, ascii.LastNewline(m.Src[:start]) == len("\n"))
	if transfer == nil {
		m.F.Fault(start, mark.Undecodable, "the transfer encoding "+mark.Quote([]byte(encoding))+" is not known; the body stays as it is")
		return at.path
	}
	if in.ranges {
		transfer = codec.Layers(transfer, OfARange)
	}
	p := mark.Part{Charset: params["charset"], Signed: in.signed, Group: in.group, Text: strings.HasPrefix(mediaType, "text/"), MD5: m.Field(fields, "content-md5")}
	p.SevenBit = transfer == codec.Identity && encoding != "8bit" && encoding != "binary" && ascii.PlainASCII(m.Src[start:end])
	m.F.Part(in.scope, &mark.Place{Name: "part[" + at.path + "]"}, start, end, transfer, format, p)
	return at.path
}

// Multipart reads the parts of a multipart (RFC 2046 5.1), and gives the path of its root.
func (m *MimeReader) Multipart(mediaType string, params map[string]string, start, end int, at Position, in MimeContext) (root string) {
	boundary := strings.TrimRight(params["boundary"], " \t") // it ends in no blank (RFC 2046 5.1.1)
	if boundary == "" {
		m.F.Fault(start, mark.BoundaryMissing, mediaType+" names no boundary; its body is left as it is")
		return at.path
	}
	if at.depth >= m.F.Limits.Depth {
		m.F.Fault(start, mark.DepthLimit, "more than "+strconv.Itoa(m.F.Limits.Depth)+" multiparts within one another; what is deeper is left as it is")
		return at.path
	}
	parts, closed := m.splitParts(start, end, boundary)
	switch {
	case len(parts) == 0:
		m.F.Fault(start, mark.BoundaryMissing, "no line begins with the boundary "+mark.Quote([]byte(boundary)))
	case !closed:
		m.F.Fault(end, mark.BoundaryOpen, "the multipart has no closing boundary "+mark.Quote([]byte(boundary)))
	}
	inner := MimeContext{digest: mediaType == "multipart/digest", signed: in.signed || mediaType == "multipart/signed",
		ranges: in.ranges || mediaType == "multipart/byteranges", group: in.group}
	related := mediaType == "multipart/related"
	if related {
		inner.group = len(m.F.Parts.Groups)
		m.F.Parts.Groups = append(m.F.Parts.Groups, in.group)
	}
	root = at.path
	rootID := string(header.ContentID([]byte(params["start"]), codec.Span{End: len(params["start"])}))
	for i, p := range parts {
		fields, body := m.ReadHeader(p)
		if inner.signed {
			m.F.Signed(p.Start, body) // the header is signed with its body (RFC 1847 2.1)
		}
		var location *mark.Mark
		inner.scope, location = m.Header(fields, in.scope)
		seen := m.body(fields, body, p.End, at.part(i+1), inner)
		id := m.Field(fields, "content-id")
		if id.Len() > 0 || location != nil {
			m.F.Parts.Siblings = append(m.F.Parts.Siblings, mark.Sibling{Path: seen, Group: inner.group, ID: id, Location: location, Based: inner.scope != in.scope})
			m.F.Notes.Late = true
		}
		if related && (i == 0 || rootID != "" && string(header.ContentID(m.Src, id)) == rootID) {
			root = seen
		}
	}
	return root
}

// typed is what a Content-Type field says. It is not written to.
type typed struct {
	mediaType string
	params    map[string]string
}

// typedFields are Content-Type fields that were read, by their values.
type typedFields map[string]typed

// mostTyped is how many of them are kept.
const mostTyped = 64

// ContentType is contentType for a field that is asked for more than once, and most of
// which are alike.
func (m *MimeReader) ContentType(value []byte) (mediaType string, params map[string]string) {
	seen := mark.ScratchOf[typedFields](m.F)
	if t, ok := (*seen)[string(value)]; ok {
		return t.mediaType, t.params
	}
	mediaType, params = header.ContentType(value)
	if *seen == nil || len(*seen) >= mostTyped {
		*seen = typedFields{}
	}
	if len(value) <= longestTyped {
		(*seen)[string(value)] = typed{mediaType, params}
	}
	return mediaType, params
}

// longestTyped is how long a field may be that is kept.
const longestTyped = 256

// ReadHeader reads the header of a part. What has no field before its first empty line is all body.
func (m *MimeReader) ReadHeader(part codec.Span) (fields []header.Field, body int) {
	fields, body = header.ReadHeader(m.Src[:part.End], part.Start)
	if len(fields) == 1 && !m.HTTP && header.IsJunk(m.Src, fields[0]) {
		return nil, part.Start
	}
	if len(fields) == header.MaxFields {
		m.F.Fault(part.Start, mark.HeaderMalformed, "more than "+strconv.Itoa(header.MaxFields)+" fields; the rest is left as it is")
	}
	return fields, body
}

// splitParts finds the parts of a multipart's body, between the lines that begin with
// the boundary; closed says whether the last of these closes it. The line end before a
// boundary belongs to the boundary.
//
// A closing boundary with an epilogue on its line closes only what no other boundary
// follows in: else it is that of a multipart within, as "b--c" is within "b".
//
// QUIRK: behind a part in binary it may stand anywhere in a line. WebKit and Chromium once wrote no
// line end before it there, and Blink's MHTMLParser still wants none.
func (m *MimeReader) splitParts(start, end int, boundary string) (parts []codec.Span, closed bool) {
	src := m.Src
	from, epilogue := -1, -1   // where the part at hand begins, and the line that may close it
	asked, binary := -1, false // where the part begins that was asked, and whether it is in binary
	for p := start; p < end; {
		kind, next := boundaryLine(src[:end], p, boundary)
		if kind != noBoundary && p > start && src[p-1] != '\n' {
			if asked != from {
				asked, binary = from, m.isBinary(codec.Span{Start: from, End: p})
			}
			if !binary || kind == epilogueBoundary {
				kind = noBoundary
			}
		}
		switch {
		case kind == noBoundary:
		case kind == epilogueBoundary:
			if from >= 0 && epilogue < 0 {
				epilogue = p
			}
		default:
			if from >= 0 {
				parts = append(parts, codec.Span{Start: from, End: max(from, WithoutNewline(src, p))})
			}
			if kind == closingBoundary {
				return parts, true
			}
			from, epilogue = next, -1
		}
		p = boundaryDashes(src[:end], p+1, boundary)
	}
	if epilogue >= 0 {
		end = max(from, WithoutNewline(src, epilogue))
	}
	if from >= 0 {
		parts = append(parts, codec.Span{Start: from, End: end})
	}
	return parts, epilogue >= 0
}

// boundaryDashes is the index of the next "--" from p on that begins a line, or stands before the
// boundary; or len(src). It looks for the dashes, of which base64 has none, and not for the many ends
// of lines before them.
func boundaryDashes(src []byte, p int, boundary string) int {
	for p = ascii.Next(src, p, '-'); p+1 < len(src); p = ascii.Next(src, p+1, '-') {
		if src[p+1] != '-' {
			continue
		}
		if src[p-1] == '\n' || len(boundary) <= longestBoundary && string(src[p+2:min(len(src), p+2+len(boundary))]) == boundary {
			return p
		}
	}
	return len(src)
}

// longestBoundary is how long a boundary may be (RFC 2046 5.1.1). Longer ones, which mail has, too, are
// looked for at the beginning of lines only.
const longestBoundary = 70

// isBinary says whether a part, as far as it is given, ends in a body in binary.
func (m *MimeReader) isBinary(part codec.Span) bool {
	fields, body := header.ReadHeader(m.Src[:part.End], part.Start)
	return body < part.End && header.TransferEncoding(m.Value(fields, "content-transfer-encoding")) == "binary"
}

type boundaryKind uint8

const (
	noBoundary boundaryKind = iota
	openingBoundary
	closingBoundary
	epilogueBoundary // closing, with something behind it on the line
)

// boundaryLine says whether the line at p is a boundary, and where the next line begins.
// Blanks may follow a boundary, and nothing else but the epilogue: one may be the beginning
// of another.
func boundaryLine(src []byte, p int, boundary string) (boundaryKind, int) {
	line := src[p:]
	if len(line) < 2+len(boundary) || line[0] != '-' || line[1] != '-' || string(line[2:2+len(boundary)]) != boundary {
		return noBoundary, p
	}
	kind := openingBoundary
	i := 2 + len(boundary)
	if bytes.HasPrefix(line[i:], []byte("--")) {
		kind, i = closingBoundary, i+2
	}
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
		i++
	}
	switch {
	case i == len(line):
		return kind, len(src)
	case line[i] == '\n':
		return kind, p + i + 1
	case kind == closingBoundary:
		return epilogueBoundary, p
	}
	return noBoundary, p
}

// WithoutNewline is the end of the line before p without its line end.
func WithoutNewline(src []byte, p int) int { return p - ascii.LastNewline(src[:p]) }

// transferCodec is how a body is spelled by its Content-Transfer-Encoding; nil for one
// that is not known, whose body is left alone. lf says that the lines of the header end in LF.
func transferCodec(encoding string, lf bool) codec.Codec {
	switch encoding {
	case "", "7bit", "8bit", "binary":
		return codec.Identity
	case "quoted-printable":
		if lf {
			return codec.QuotedPrintableLF
		}
		return codec.QuotedPrintable
	case "base64":
		if lf {
			return codec.Base64LF
		}
		return codec.Base64
	}
	return nil
}

// Value is the first field of a name, which is lower case.
func (m *MimeReader) Value(fields []header.Field, name string) []byte {
	span := m.Field(fields, name)
	return m.Src[span.Start:span.End]
}

func (m *MimeReader) Field(fields []header.Field, name string) codec.Span {
	for _, f := range fields {
		if ascii.FoldEqual(m.Src[f.Name.Start:f.Name.End], name) {
			return f.Value
		}
	}
	return codec.Span{}
}

// notInHTTP is why a Content-Location of a response is no base.
const notInHTTP = "HTTP's Content-Location is no base: RFC 7231 took that back"

// OfARange is around what a Content-Range counts, in a part of multipart/byteranges, too (RFC 9110 14.6).
var OfARange = codec.ReadOnly("a range of a document (RFC 9110 14.4) stays as it is")
