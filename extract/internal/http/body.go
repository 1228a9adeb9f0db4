package http

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/compress"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
)

var bodyPlace = &mark.Place{Name: "body"}

// mostCodings limits the codings of a body, because the decoded text of each is in memory. Servers use one or two, and
// curl reads five.
const mostCodings = 5

// cutChunk is a body whose first chunk has no end. If its text became longer than the chunk, a reader would cut it off.
var cutChunk = codec.ReadOnly("the body ends inside its first chunk (RFC 9112 7.1)")

type response struct {
	*header.Reader
	code   []byte // the status line from the status code on; empty without a status line
	fields []header.Field
	body   codec.Span
	place  *mark.Place // of the body
	scope  int32       // of the body
	cutOff bool        // the end of the body is missing, and that was reported

	identified string // the media type that the archive has found in the body's content, or ""
}

func (r *response) markBody() {
	fields, body := r.fields, r.body.Start
	markDependents(r.Reader, fields, r.body)
	if r.body.Len() == 0 {
		return
	}
	text := r.Src[body:r.body.End]
	mediaType, params := r.ContentType(fields)
	r.WarnTypes(fields, mediaType, params)
	format, wanted := FormatOf(r.Marks.FormatOf, mediaType)
	sure := wanted && (format == nil || format.Is == nil)
	if sure && !r.cutOff {
		r.checkLength(text)
	}
	codecs, unknown := codings(r.Marks.MaxRatio, text, r.Value(fields, "transfer-encoding"),
		r.Value(fields, "content-encoding"))
	if unknown != "" {
		if sure {
			r.Marks.Fault(body, mark.Undecodable, "the content coding "+mark.Quote([]byte(unknown))+
				" is unknown; the body is not read")
		}
		return
	}
	if len(codecs) > mostCodings {
		if sure {
			r.Marks.Fault(body, mark.DepthLimit, "skipped: the body has more than "+strconv.Itoa(mostCodings)+
				" nested codings")
		}
		return
	}
	first, _ := header.FieldName(r.Src, mail.HeaderStart(r.Src, body))
	file := format == mail.Message && mail.BeginsWith(r.Src[first.Start:first.End]) // MHTML with its own header
	if len(codecs) == 0 && strings.HasPrefix(mediaType, "multipart/") && !file && r.place == bodyPlace {
		mail.Multipart(header.Reader{Src: r.Src, Marks: r.Marks}, mediaType, params, r.body)
		return
	}
	// Content-Range applies only to a 206 response. In a 416 response it has no range, and in others no meaning (RFC
	// 9110 14.4).
	if (len(r.code) == 0 || bytes.HasPrefix(r.code, []byte("206"))) &&
		bytes.IndexByte(r.Value(fields, "content-range"), '-') >= 0 {
		codecs = append(codecs, mail.Range)
	}
	if len(codecs) == 0 && len(r.Value(fields, "transfer-encoding")) > 0 && spell.IsCutChunk(text) {
		codecs = append(codecs, cutChunk)
	}
	if !wanted && len(codecs) == 0 && bytes.HasPrefix(text[ascii.SkipSpace(text, 0):], []byte("<")) {
		format, wanted = mail.Octets, true // perhaps a page, like that of an error
	}
	if wanted {
		r.Marks.Part(r.scope, r.place, body, r.body.End, codec.Nested(codecs...), format,
			mark.Part{Charset: params["charset"], Identified: r.identified,
				Policy: string(r.Value(fields, "content-security-policy"))})
	}
}

// FormatOf returns the format of a body with a media type, and whether the body is read. of returns the format of a
// media type, or nil. Without a media type, or with one that means "unknown" (MIME Sniffing Standard, section 7, step
// 2), the format is nil although the body is read, because the engine detects it.
func FormatOf(of func(mediaType string) *mark.Format, mediaType string) (format *mark.Format, wanted bool) {
	switch mediaType {
	case "", "unknown/unknown", "application/unknown", "*/*":
		return nil, true
	case mail.Octets.Name:
		return mail.Octets, true
	}
	format = of(mediaType)
	return format, format != nil
}

// checkLength reports a body that is shorter than its Content-Length (RFC 9112 8), unless saving may have made it so:
// clients remove the codings of a body and keep the fields, and some programs convert CRLF to LF.
func (r *response) checkLength(body []byte) {
	transfer, content := r.Value(r.fields, "transfer-encoding"), ascii.Trimmed(r.Value(r.fields, "content-encoding"))
	if len(transfer) > 0 {
		if spell.IsCutChunk(body) {
			r.Marks.Fault(r.body.Start, mark.RecordTruncated,
				"the body ends inside its first chunk; it is read as a body without chunks")
		}
		return
	}
	length := r.length()
	if length <= len(body) || len(content) > 0 && !ascii.FoldEqual(content, "identity") {
		return
	}
	if !bytes.HasSuffix(r.Src[:r.body.Start], []byte("\r\n")) && length <= len(body)+bytes.Count(body, []byte("\n")) {
		return
	}
	r.Marks.Fault(r.body.End, mark.RecordTruncated,
		fmt.Sprintf("the body is truncated: it has %d of the %d bytes that Content-Length declares", len(body), length))
}

// length returns the Content-Length, or -1.
func (r *response) length() int {
	n, err := strconv.Atoi(string(ascii.Trimmed(r.Value(r.fields, "content-length"))))
	if err != nil {
		return -1
	}
	return n
}

// markDependents marks the fields that have the length or a digest of the body.
func markDependents(r *header.Reader, fields []header.Field, body codec.Span) {
	r.Counts(fields, "content-length", body, mark.CountBytes)
	// Content-MD5 is the digest of the body with its content codings, but without its transfer codings (RFC 2616
	// 14.15).
	if sum := header.TrimWhite(r.Src, r.Digest(fields, "content-md5", body)); sum.Len() > 0 {
		r.Marks.Mends(func(src []byte, edits []codec.Edit) []codec.Edit {
			return mark.MendDigest(src, edits, sum, body, md5.New, base64.StdEncoding.EncodeToString)
		})
	}
	for _, name := range []string{"content-digest", "repr-digest", "digest"} { // RFC 9530, RFC 3230
		if digest := r.Field(fields, name); digest.Len() > 0 {
			r.Marks.Breaks(body, digest.Start, mark.DigestBroken,
				"the body was changed, but its "+name+" field was not; compute the digest again")
		}
	}
}

// codings returns the codecs of the codings of a body, the outermost first, or the name of a coding that is unknown.
// Clients remove codings and keep the fields, and servers declare codings that they do not use, so a coding applies
// only if compress.IsPacked finds it in the body. ratio limits the decompressed size of each coding.
func codings(ratio int, body, transfer, content []byte) (codecs []codec.Codec, unknown string) {
	// Both lists are in the order in which the codings were applied, the content codings first (RFC 9110 8.4, RFC 9112
	// 7).
	var chunks []byte // the whole chunked body, of which body is the first chunk
	for outer := true; len(codecs) <= mostCodings && (outer || len(content) > 0); {
		list := &content
		if outer = outer && len(transfer) > 0; outer {
			list = &transfer
		}
		comma := bytes.LastIndexByte(*list, ',')
		last, _, _ := bytes.Cut((*list)[comma+1:], []byte(";"))
		*list = (*list)[:max(comma, 0)]
		coding := ascii.Lower(strings.Trim(string(last), " \t\r\n"))
		if coding == "" || coding == "identity" {
			continue
		}
		if coding == "chunked" && outer {
			if spell.IsChunked(body) {
				codecs, chunks, body = append(codecs, spell.Chunked), body, spell.FirstChunk(body)
			}
			continue
		}
		c := compress.Packed(coding, ratio)
		if c == nil && outer {
			continue // clients remove transfer codings, which are for one connection
		}
		if body != nil && !compress.IsPacked(coding, body) && !packedInChunks(coding, chunks) {
			return codecs, ""
		}
		if c == nil {
			return nil, coding
		}
		codecs, body = append(codecs, c), nil
	}
	return codecs, ""
}

// packedInChunks is compress.IsPacked for a chunked body, whose first chunk may be too short to tell.
func packedInChunks(coding string, chunks []byte) bool {
	if chunks == nil {
		return false
	}
	body, _ := spell.Chunked.Decode(chunks) // a truncated body is decoded up to its end
	return compress.IsPacked(coding, body)
}
