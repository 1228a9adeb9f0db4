package mail

import (
	"strings"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
)

// This file reads headers that declare the type or the encoding of the body more than once. The first declaration that can be
// meant counts.

// contentType returns the media type and the parameters of a body. The first valid Content-Type counts. But a multipart counts only
// if its boundary occurs in the body, unless no other Content-Type can be meant.
func (r *reader) contentType(fields []header.Field, body codec.Span) (mediaType string, params map[string]string) {
	mediaType, params = r.ContentType(fields)
	repeated := r.Repeated(fields, "content-type")
	for _, value := range first(repeated) {
		other, own := header.ContentType(r.Src[value.Start:value.End])
		if mediaType == "" {
			mediaType, params = other, own
		}
		if other != "" && (!strings.HasPrefix(other, "multipart/") || r.occurs(own["boundary"], body)) {
			mediaType, params = other, own
			break
		}
	}
	r.warnRepeated("Content-Type", repeated, header.Described(mediaType, params))
	return mediaType, params
}

// occurs reports whether a boundary separates parts in a body.
func (r *reader) occurs(boundary string, body codec.Span) bool {
	boundary = strings.TrimRight(boundary, " \t")
	if boundary == "" {
		return false
	}
	parts, _ := r.splitParts(body, boundary)
	return len(parts) > 0
}

// transferEncoding returns the Content-Transfer-Encoding of a body. base64 and quoted-printable can be meant if the whole body
// decodes without an error. 7bit, 8bit and binary always can be meant, but they count only if no other encoding can be meant.
func (r *reader) transferEncoding(fields []header.Field, body codec.Span) string {
	declared := header.TransferEncoding(r.Value(fields, "content-transfer-encoding"))
	repeated := r.Repeated(fields, "content-transfer-encoding")
	if repeated == nil {
		return declared
	}
	identity, counts := "", ""
	for _, value := range first(repeated) {
		encoding := header.TransferEncoding(r.Src[value.Start:value.End])
		transfer := transferCodec(encoding, r.lf(body))
		if transfer == nil || encoding == "" {
			continue
		}
		if transfer == codec.Identity {
			if identity == "" {
				identity = encoding
			}
		} else if _, err := transfer.Decode(r.Src[body.Start:body.End]); err == nil {
			counts = encoding
			break
		}
	}
	if counts == "" {
		counts = identity
	}
	if counts == "" {
		counts = declared
	}
	r.warnRepeated("Content-Transfer-Encoding", repeated, counts)
	return counts
}

// mostTried is the number of declarations that are compared with the body. Each takes the time to read the whole body.
const mostTried = 8

// first returns the first mostTried values.
func first(values []codec.Span) []codec.Span { return values[:min(len(values), mostTried)] }

// warnRepeated reports a field that a header has several times. counts is the value that counts.
func (r *reader) warnRepeated(name string, repeated []codec.Span, counts string) {
	if repeated == nil {
		return
	}
	values := make([][]byte, len(repeated))
	for i, value := range repeated {
		values[i] = r.Src[value.Start:value.End]
	}
	r.WarnRepeated(repeated[1].Start, name, values, counts)
}
