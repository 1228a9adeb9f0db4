package mail

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// reader reads the body parts of one message. A message in a body part is a separate entity, with its own reader.
type reader struct {
	header.Reader
}

// position is the place of a body part in its message.
type position struct {
	path   string // numbered as in IMAP, such as "1.2"
	depth  int    // the number of multiparts around it
	place  *mark.Place
	number int // in place
}

// bodyPlace is the place of a body that is not in a multipart inside another multipart.
var bodyPlace = &mark.Place{Name: "part"}

// places returns the place of the parts of a multipart.
func (p position) places() *mark.Place {
	if p.path == "" {
		return bodyPlace
	}
	return &mark.Place{Name: bodyPlace.Name, Within: p.path + "."}
}

// part returns the position of part i of the multipart, at the place that places has returned.
func (p position) part(i int, in *mark.Place) position {
	return position{in.Within + strconv.Itoa(i), p.depth + 1, in, i}
}

// name returns the name of the body part.
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

// body reads the body of an entity. fields is the header of the entity. body divides a multipart into its parts, and marks
// any other body of a known type as a document. It returns the path of the part that represents the entity. For a
// multipart/related, this is the root (RFC 2387 3.2).
func (r *reader) body(fields []header.Field, body codec.Span, at position, in context) (root string) {
	mediaType, params := r.contentType(fields, body)
	switch {
	case mediaType == "" && in.digest:
		mediaType = "message/rfc822"
	case mediaType == "":
		mediaType = "text/plain"
	}
	if strings.HasPrefix(mediaType, "multipart/") {
		return r.multipart(mediaType, params, body, at, in)
	}
	if at.path == "" {
		at.path, at.place, at.number = "1", bodyPlace, 1
	}
	if r.isElsewhere(fields, body) {
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
		return at.path
	}
	encoding := r.transferEncoding(fields, body)
	transfer := transferCodec(encoding, r.lf(body))
	if transfer == nil {
		r.Marks.Fault(body.Start, mark.Undecodable, "the Content-Transfer-Encoding "+mark.Quote([]byte(encoding))+" is unknown; the body is not read")
		return at.path
	}
	if in.ranges {
		transfer = codec.Layers(transfer, Range)
	}
	p := mark.Part{Name: name, Charset: header.Charset(params), Signed: in.signed, Group: int32(in.group), Text: strings.HasPrefix(mediaType, "text/"), MD5: r.Digest(fields, "content-md5", body)}
	p.Encoded = transfer != codec.Identity
	p.SevenBit = !p.Encoded && encoding != "8bit" && encoding != "binary" && ascii.PlainASCII(r.Src[body.Start:body.End])
	if format == Octets {
		body.End = min(body.End, body.Start+4*mark.SniffLen) // only its first bytes matter, and an encoding makes them longer
	}
	r.Marks.NumberedPart(in.scope, at.place, at.number, body.Start, body.End, transfer, format, p)
	return at.path
}

// isElsewhere reports whether a body part is empty because Apple Mail keeps its content in another file. The part has the length
// of the content.
func (r *reader) isElsewhere(fields []header.Field, body codec.Span) bool {
	start, end := ascii.TrimSpace(r.Src, body.Start, max(body.Start, body.End))
	return start >= end && r.Field(fields, "x-apple-content-length").Len() > 0
}

// lf reports whether the line before a body ends in LF.
func (r *reader) lf(body codec.Span) bool { return ascii.LastNewline(r.Src[:body.Start]) == len("\n") }

// Range is the codec around the body of a response with a Content-Range, and of a part of multipart/byteranges
// (RFC 9110 14.6). The body is a part of a document, and is never rewritten.
var Range = codec.ReadOnly("the body is only a range of a document (RFC 9110 14.4)")

// transferCodec returns the codec of a Content-Transfer-Encoding (RFC 2045 6), or nil if it is unknown. lf reports whether
// the lines of the header end in LF.
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
	case "x-uuencode", "uuencode", "x-uue", "uue":
		return spell.UUEncode
	}
	return nil
}

// ContentMD5 returns the edit that updates a Content-MD5 (RFC 1864). The digest is that of the body before the transfer
// encoding, with CRLF line ends in text. But text in base64 may have other line ends, so ContentMD5 tries both. A
// digest that was wrong before the rewriting stays unchanged.
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
