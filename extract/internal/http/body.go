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
	"absolink/extract/internal/header"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
)

var bodyPlace = &mark.Place{Name: "body"}

// response is one response of the text.
type response struct {
	*header.Reader
	code   []byte // its status code, or empty without a status line
	fields []header.Field
	body   codec.Span
	place  *mark.Place // of the body
	scope  int32       // of the body
	cutOff bool        // it is known that the end of the body is missing
}

// markBody marks the body.
func (r *response) markBody() {
	fields, body := r.fields, r.body.Start
	markDependents(r.Reader, fields, r.body)
	if r.body.Len() == 0 {
		return
	}
	text := r.Src[body:r.body.End]
	mediaType, params := r.ContentType(fields)
	format := r.Marks.FormatOf(mediaType)
	wanted := format != nil || mediaType == "" // then its bytes tell the type
	if wanted && !r.cutOff {
		r.checkLength(text)
	}
	layers, unknown := codings(r.Marks.Limits.Ratio, text, r.Value(fields, "transfer-encoding"), r.Value(fields, "content-encoding"))
	if unknown != "" {
		if wanted {
			r.Marks.Fault(body, mark.Undecodable, "the content coding "+mark.Quote([]byte(unknown))+" is not known; what it packs stays as it is")
		}
		return
	}
	if limit := r.Marks.Limits.Depth; len(layers) > limit {
		if wanted {
			r.Marks.Fault(body, mark.DepthLimit, "more than "+strconv.Itoa(limit)+" codings around one another; what they pack stays as it is")
		}
		return
	}
	first, _ := header.FieldName(r.Src, body)
	file := format == mail.Message && mail.BeginsWith(r.Src[first.Start:first.End]) // MHTML with its own header
	if len(layers) == 0 && strings.HasPrefix(mediaType, "multipart/") && !file && r.place == bodyPlace {
		mail.Multipart(header.Reader{Src: r.Src, Marks: r.Marks}, mediaType, params, r.body)
		return
	}
	// The field has no meaning in other responses but 416, which has no range in it (RFC 9110 14.4).
	if (len(r.code) == 0 || bytes.HasPrefix(r.code, []byte("206"))) && bytes.IndexByte(r.Value(fields, "content-range"), '-') >= 0 {
		layers = append(layers, mail.Range)
	}
	if wanted {
		r.Marks.Part(r.scope, r.place, body, r.body.End, codec.Layers(layers...), format, mark.Part{Charset: params["charset"]})
	}
}

// checkLength reports a body that is shorter than its header says (RFC 9112 8). Clients remove the codings of a body and keep
// its fields, so the length of a body with codings shows nothing. Nor does that of a body in which CRLF became LF.
func (r *response) checkLength(body []byte) {
	transfer, content := r.Value(r.fields, "transfer-encoding"), ascii.Trimmed(r.Value(r.fields, "content-encoding"))
	if len(transfer) > 0 {
		if codec.IsCutChunk(body) {
			r.Marks.Fault(r.body.Start, mark.RecordTruncated, "the body ends inside its first chunk; it was read as it is")
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
	r.Marks.Fault(r.body.End, mark.RecordTruncated, fmt.Sprintf("the body ends after %d of %d bytes", len(body), length))
}

// length returns the Content-Length, or -1.
func (r *response) length() int {
	n, err := strconv.Atoi(string(ascii.Trimmed(r.Value(r.fields, "content-length"))))
	if err != nil {
		return -1
	}
	return n
}

// markDependents marks the fields that count or digest the bytes of the body.
func markDependents(r *header.Reader, fields []header.Field, body codec.Span) {
	r.Marks.Counts(r.Field(fields, "content-length"), body, mark.CountBytes)
	// Content-MD5 is that of the body with the codings of the content, without those of the transfer (RFC 2616 14.15).
	if sum := header.TrimWhite(r.Src, r.Field(fields, "content-md5")); sum.Len() > 0 {
		r.Marks.Mends(func(src []byte, edits []codec.Edit) []codec.Edit {
			return mark.MendDigest(src, edits, sum, body, md5.New, base64.StdEncoding.EncodeToString)
		})
	}
	for _, name := range []string{"content-digest", "repr-digest", "digest"} { // RFC 9530, RFC 3230
		if digest := r.Field(fields, name); digest.Len() > 0 {
			r.Marks.Breaks(body, digest.Start, mark.DigestBroken, "the body is changed, but its "+name+" is not")
		}
	}
}

// codings returns the codecs of the codings of a body, the outermost first, or the name of a coding that is unknown. Clients
// remove codings and leave the fields unchanged, and servers name codings that they do not use. So a coding counts only if
// codec.IsPacked reports that the body has it. ratio limits how far each one decompresses.
func codings(ratio int, body, transfer, content []byte) (layers []codec.Codec, unknown string) {
	// Both lists are in the order in which the codings were applied. Those of the transfer were the last
	// (RFC 9110 8.4, RFC 9112 7).
	names := strings.Split(ascii.Lower(string(content)), ",")
	contents := len(names)
	var chunks []byte // body is the first of these
	names = append(names, strings.Split(ascii.Lower(string(transfer)), ",")...)
	for i := len(names) - 1; i >= 0; i-- {
		coding, _, _ := strings.Cut(names[i], ";")
		coding = strings.Trim(coding, " \t\r\n")
		if coding == "" || coding == "identity" {
			continue
		}
		if coding == "chunked" && i >= contents {
			if codec.IsChunked(body) {
				layers, chunks, body = append(layers, codec.Chunked), body, codec.FirstChunk(body)
			}
			continue
		}
		c := codec.Packed(coding, ratio)
		if c == nil && i >= contents {
			continue // clients remove the coding of a connection
		}
		if body != nil && !codec.IsPacked(coding, body) && !packedInChunks(coding, chunks) {
			return layers, ""
		}
		if c == nil {
			return nil, coding
		}
		layers, body = append(layers, c), nil
	}
	return layers, ""
}

// packedInChunks is codec.IsPacked for a body in chunks. The first chunk may be too short to tell.
func packedInChunks(coding string, chunks []byte) bool {
	if chunks == nil {
		return false
	}
	body, _ := codec.Chunked.Decode(chunks) // as much as there is of a truncated one
	return codec.IsPacked(coding, body)
}
