package mail

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// Multipart reads the parts of a multipart outside of mail, such as the body of an HTTP response. r reads the headers of
// the parts.
func Multipart(r header.Reader, mediaType string, params map[string]string, body codec.Span) {
	multi := reader{Reader: r}
	multi.multipart(mediaType, params, body, position{}, context{})
}

// multipart reads the parts of a multipart (RFC 2046 5.1). It returns the path of the part that represents the multipart:
// the root of a multipart/related (RFC 2387 3.2), or the multipart itself.
func (r *reader) multipart(mediaType string, params map[string]string, body codec.Span, at position, in context) (root string) {
	boundary := strings.TrimRight(params["boundary"], " \t") // a boundary does not end with white space (RFC 2046 5.1.1)
	if boundary == "" {
		r.Marks.Fault(body.Start, mark.BoundaryMissing, "the "+mediaType+" has no boundary parameter; its parts are not read")
		return at.path
	}
	if limit := r.Marks.Limits.Depth; at.depth >= limit {
		r.Marks.Avoidable(body.Start, mark.DepthLimit, mark.MaxDepth, "skipped: the multipart is nested more than "+strconv.Itoa(limit)+" levels deep")
		return at.path
	}
	parts, closed := r.splitParts(body, boundary)
	r.guardParts(body, boundary)
	start, end := ascii.TrimSpace(r.Src, body.Start, body.End)
	switch {
	case start == end:
		r.Marks.Warn(body.Start, mark.BoundaryMissing, "the multipart is empty")
	case len(parts) == 0:
		r.Marks.Fault(body.Start, mark.BoundaryMissing, "no line begins with the boundary "+mark.Quote([]byte(boundary))+"; the parts of the multipart are not read")
	case !closed:
		r.Marks.Fault(body.End, mark.BoundaryUnterminated, "the multipart has no closing boundary "+mark.Quote([]byte(boundary)))
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
		seen, id := r.part(p, at.part(i+1, places), in.scope, inner)
		if related && (i == 0 || rootID != "" && string(header.ContentID(r.Src, id)) == rootID) {
			root = seen
		}
	}
	return root
}

// part reads one body part of a multipart. outer is the scope of the multipart. part returns the path that body returns,
// and the span of the Content-ID.
func (r *reader) part(p codec.Span, at position, outer int32, in context) (seen string, id codec.Span) {
	fields, body := r.ReadPart(p)
	if in.signed {
		r.Marks.Signed(p.Start, body) // the signature covers the header, too (RFC 1847 2.1)
	}
	scope, location := r.MarkPart(fields, outer)
	in.scope = scope
	seen = r.body(fields, codec.Span{Start: body, End: p.End}, at, in)
	id = r.Field(fields, "content-id")
	if id.Len() > 0 || location != nil {
		r.Marks.Sibling(mark.Sibling{Path: seen, Group: in.group, ID: id, Location: location, Based: scope != outer})
	}
	return seen, id
}

// splitParts returns the parts in the body of a multipart. The lines that begin with the boundary separate them. closed
// reports whether there is a closing boundary. The newline before a boundary belongs to the boundary (RFC 2046 5.1.1).
//
// A closing boundary with more text on its line closes the multipart only if no other boundary follows. Otherwise it is the
// boundary of an inner multipart: with the boundaries "b" and "b--c", the line "--b--c" begins an inner part. The same is true of
// a line with white space before the last two dashes, which ends a multipart whose boundary is declared with that white space.
//
// QUIRK: after a binary part, the boundary may be anywhere in a line. Old versions of WebKit and Chromium wrote no newline
// before it, and the MHTMLParser of Blink still accepts such files.
func (r *reader) splitParts(body codec.Span, boundary string) (parts []codec.Span, closed bool) {
	src, start, end := r.Src, body.Start, body.End
	if strings.IndexByte(boundary, '\n') >= 0 {
		end = start // no line has it; RFC 2231 can spell it
	}
	from, epilogue := -1, -1 // the start of this part, and the line that may close it
	last := binaryPart{from: -1}
	for p := start; p < end; p = boundaryDashes(src[:end], p+1, boundary) {
		kind, next := boundaryLine(src[:end], p, boundary)
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

// binaryPart has the start of the part that was last checked, and whether this part is binary.
type binaryPart struct {
	from   int
	binary bool
}

// of reports whether the part that begins at from is binary. p is in the part.
func (b *binaryPart) of(r *reader, from, p int) bool {
	if b.from != from {
		b.from, b.binary = from, r.isBinary(codec.Span{Start: from, End: p})
	}
	return b.binary
}

// guardParts refuses an edit that would make a boundary of a multipart. body is the body of the multipart.
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
			if at > e.Start { // an edit that removes the element of the last edits
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

// boundaryDashes returns the index of the first "--" at or after p that may be a boundary, or len(src). It begins a line or is
// before the boundary. boundaryDashes searches for dashes and not for newlines, because base64 has many newlines and no
// dashes. If the boundary has an underscore, it searches for that, because HTML has many dashes.
func boundaryDashes(src []byte, p int, boundary string) int {
	short, under := len(boundary) <= longestBoundary, -1
	if short { // a long boundary would be searched again for each line
		under = strings.IndexByte(boundary, '_')
	}
	if under >= 0 {
		under += len("--")
		for at := ascii.Next(src, p+under, '_'); at < len(src); at = ascii.Next(src, at+1, '_') {
			if dashes := src[at-under:]; dashes[0] == '-' && dashes[1] == '-' && string(dashes[2:min(len(dashes), 2+len(boundary))]) == boundary {
				return at - under
			}
		}
		return len(src)
	}
	for p = ascii.Next(src, p, '-'); p+1 < len(src); p = ascii.Next(src, p+1, '-') {
		if src[p+1] != '-' {
			continue
		}
		if src[p-1] == '\n' || short && string(src[p+2:min(len(src), p+2+len(boundary))]) == boundary {
			return p
		}
	}
	return len(src)
}

// longestBoundary is the longest boundary that RFC 2046 5.1.1 allows, in bytes. Some messages have a longer boundary. It is
// found only at the start of a line.
const longestBoundary = 70

// isBinary reports whether a part has a body in the Content-Transfer-Encoding "binary".
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

// boundaryLine returns the kind of the boundary at p, and the start of the next line. Only white space and the epilogue may
// follow a boundary on its line, because another boundary may begin with the same characters.
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
	i = skipPadding(line, i)
	switch {
	case i == len(line):
		return kind, len(src)
	case line[i] == '\n':
		return kind, p + i + 1
	case kind == closingBoundary:
		return epilogueBoundary, p
	}
	if bytes.HasPrefix(line[i:], []byte("--")) {
		if i = skipPadding(line, i+2); i == len(line) || line[i] == '\n' {
			return epilogueBoundary, p
		}
	}
	return noBoundary, p
}

// skipPadding returns the index after the white space at i in a line.
func skipPadding(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
		i++
	}
	return i
}

// withoutNewline returns the end of the line before p without its newline.
func withoutNewline(src []byte, p int) int { return p - ascii.LastNewline(src[:p]) }
