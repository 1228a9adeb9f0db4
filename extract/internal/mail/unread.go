package mail

import (
	"bytes"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/sniff"
)

// This file decides what happens with a body of a media type that has no links. A vague type does not determine the format, so the name
// of the file does, as in mail programs.

// Octets is the format of a body that is not read. The engine reports a body that begins like a page.
var Octets = &mark.Format{Name: "application/octet-stream", Is: func([]byte) bool { return false }}

// vagueTypes are the media types that mean "unknown", or only that the content is to be saved as a file.
var vagueTypes = ascii.Words(Octets.Name + " application/octetstream application/octet application/x-octet-stream binary/octet-stream " +
	"application/binary application/x-binary application/download application/x-download application/force-download " +
	"application/x-force-download application/x-forcedownload application/save application/save-as application/file " +
	"application/data application/unknown application/x-unknown unknown/unknown */* application/*")

// unreadType returns the kind of a document that is not read, and may contain documents that are read, by its media type. It
// returns nil for other media types.
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
	case "application/mac-binhex40", "application/mac-binhex", "application/binhex", "application/x-binhex", "application/x-binhex40",
		"application/macbinary", "application/x-macbinary":
		return mark.Macintosh
	}
	return nil
}

// headLen is the number of bytes of a body that are enough to find out what it contains.
const headLen = 96

// unknown returns the format of a body whose media type has no format, or the name that determines the format. Otherwise the body is
// not read, and unknown counts it if it is a document.
func (r *reader) unknown(mediaType string, params map[string]string, fields []header.Field, body codec.Span, at position) (_ *mark.Format, name string) {
	name = r.FileName(fields, params)
	vague, named := vagueTypes()[mediaType] || strings.HasPrefix(mediaType, "application/x-unknown-"), r.Marks.IsNamed(name)
	if vague && named {
		return nil, name
	}
	kind := unreadType(mediaType)
	switch {
	case kind == mark.SMIME && hasNoContent(params["smime-type"]):
		return nil, ""
	case kind == nil && named && mediaType != "application/applefile": // it has the name of the file whose attributes it has
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

// hasNoContent reports whether S/MIME of a type has only certificates or a receipt (RFC 8551 3.2.2, RFC 2634 2).
func hasNoContent(smimeType string) bool {
	switch ascii.Lower(smimeType) {
	case "certs-only", "signed-receipt":
		return true
	}
	return false
}

// head returns the first bytes of a body, decoded. It returns no bytes if the encoding is unknown.
func (r *reader) head(fields []header.Field, body codec.Span) []byte {
	transfer := transferCodec(header.TransferEncoding(r.Value(fields, "content-transfer-encoding")), r.lf(body))
	if transfer == nil {
		return nil
	}
	head, _ := transfer.Decode(r.Src[body.Start:min(body.End, body.Start+headLen)]) // it is truncated, so an error is expected
	return head
}
