package http

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/saved"
)

// HTTP is a response with its status line and header, as `curl -i` and `wget
// --save-headers` leave it, and as archives keep it. Interim responses and redirections
// may stand before it. Its Content-Location is no base (RFC 7231 appendix B).
var HTTP = &mark.Format{
	Name:    "message/http",
	Types:   []string{"application/http"},
	Exts:    []string{".http"},
	Extract: extractHTTP,
}

// SniffHTTP reports whether a document begins with a status line.
func SniffHTTP(head []byte) bool { return StatusLine(head, 0) > 0 }

func extractHTTP(src []byte, f *mark.Marks) {
	m := &mail.MimeReader{Src: src, F: f, HTTP: true}
	f.Parts.Groups = append(f.Parts.Groups, -1)
	var moved codec.Span // where the last redirection leads to
	for p := 0; ; {
		start := StatusLine(src, p)
		if start == 0 {
			start = p // an archive may hold what is no response: it is read as a header
		}
		fields, body := m.ReadHeader(codec.Span{Start: start, End: len(src)})
		if NextResponse(src, body) > 0 {
			m.Header(fields, 0)
			if _, code, _ := bytes.Cut(src[p:start], []byte(" ")); bytes.HasPrefix(code, []byte("3")) {
				moved = m.Field(fields, "location")
			}
			p = body
			continue
		}
		if moved.Len() > 0 {
			url, c := header.FieldURL(src, moved)
			f.Evidence(saved.Redirection, url.Start, url.End, c)
		}
		m.Header(fields, -1)
		payload(m, src[p:start], fields, body)
		return
	}
}

// StatusLine gives the index behind the status line at src[p], 0 if there is none.
func StatusLine(src []byte, p int) int {
	line := src[p:]
	if !bytes.HasPrefix(line, []byte("HTTP/")) {
		return 0
	}
	line = line[:min(len(line), 64)]
	i := bytes.IndexByte(line, ' ')
	if i < len("HTTP/1") || i+3 >= len(line) || !ascii.IsDigits(line[i+1:i+4]) {
		return 0
	}
	return ascii.LineEnd(src, p)
}

// NextResponse is statusLine for what stands at src[body], behind a header: only the empty line
// that ends that one lets a response begin there.
func NextResponse(src []byte, body int) int {
	before := src[:max(body-1, 0)]
	if !ascii.IsBlankLine(before[bytes.LastIndexByte(before, '\n')+1:]) {
		return 0
	}
	return StatusLine(src, body)
}

// IsResponse says whether a document begins with a status line and a field behind it, as what
// `wget --save-headers` leaves in a file with the name of the page. Responses without fields may
// stand before that: 100 (Continue), and what a proxy says of a connection that it has made.
func IsResponse(head []byte) bool {
	for p := StatusLine(head, 0); p > 0; p = NextResponse(head, p+ascii.NewlineLen(head[p:])) {
		if name, _ := header.FieldName(head, p); name.Len() > 0 {
			return true
		}
	}
	return false
}

// payload marks the body of a response, whose status line may be missing.
func payload(m *mail.MimeReader, status []byte, fields []header.Field, body int) {
	whole := codec.Span{Start: body, End: len(m.Src)}
	m.F.Counts(m.Field(fields, "content-length"), whole, mark.CountBytes)
	if sum := header.TrimWhite(m.Src, m.Field(fields, "content-md5")); sum.Len() > 0 { // with the content's codings, without the transfer's (RFC 2616 14.15)
		m.F.Mends(func(src []byte, edits []codec.Edit) []codec.Edit {
			return mark.MendDigest(src, edits, sum, whole, md5.New, base64.StdEncoding.EncodeToString)
		})
	}
	for _, name := range []string{"content-digest", "repr-digest", "digest"} { // RFC 9530, RFC 3230
		if digest := m.Field(fields, name); digest.Len() > 0 {
			m.F.Breaks(whole, digest.Start, mark.DigestBroken, "the body is changed, but its "+name+" is not")
		}
	}
	if body == len(m.Src) {
		return
	}
	mediaType, params := m.ContentType(m.Value(fields, "content-type"))
	format := m.F.FormatOf(mediaType)
	wanted := format != nil || mediaType == "" // then its bytes tell
	layers, unknown := payloadLayers(m, m.Src[body:], m.Value(fields, "transfer-encoding"), m.Value(fields, "content-encoding"))
	if unknown != "" {
		if wanted {
			m.F.Fault(body, mark.Undecodable, "the content coding "+mark.Quote([]byte(unknown))+" is not known; what it packs stays as it is")
		}
		return
	}
	if limit := m.F.Limits.Depth; len(layers) > limit {
		if wanted {
			m.F.Fault(body, mark.DepthLimit, "more than "+strconv.Itoa(limit)+" codings around one another; what they pack stays as it is")
		}
		return
	}
	first, _ := header.FieldName(m.Src, body)
	file := format == mail.Message && mail.BeginsMessage(m.Src[first.Start:first.End]) // MHTML, with its header in it
	if len(layers) == 0 && strings.HasPrefix(mediaType, "multipart/") && !file {
		m.HTTP = false
		m.Multipart(mediaType, params, body, len(m.Src), mail.Position{}, mail.MimeContext{})
		return
	}
	// The field has no meaning in other responses but 416, which has no range in it (RFC 9110 14.4).
	_, code, _ := bytes.Cut(status, []byte(" "))
	if (len(code) == 0 || bytes.HasPrefix(code, []byte("206"))) && bytes.IndexByte(m.Value(fields, "content-range"), '-') >= 0 {
		layers = append(layers, mail.OfARange)
	}
	if wanted {
		m.F.Part(0, payloadPlace, body, len(m.Src), codec.Layers(layers...), format, mark.Part{Charset: params["charset"]})
	}
}

var payloadPlace = &mark.Place{Name: "body"}

// payloadLayers gives the codings of a body, the outermost first, or one of them that is not
// known. Clients take codings off and leave the fields as they were, and servers name what is
// none: a body that is not packed by its coding, as IsPacked sees it, is taken as it is.
func payloadLayers(m *mail.MimeReader, body, transfer, content []byte) (layers []codec.Codec, unknown string) {
	// Both lists are in the order in which the codings were applied, those of the transfer last
	// (RFC 9110 8.4, RFC 9112 7).
	codings := strings.Split(ascii.Lower(string(content)), ",")
	ofContent := len(codings)
	var chunks []byte // what body is the first of
	codings = append(codings, strings.Split(ascii.Lower(string(transfer)), ",")...)
	for i := len(codings) - 1; i >= 0; i-- {
		coding, _, _ := strings.Cut(codings[i], ";")
		coding = strings.Trim(coding, " \t\r\n")
		if coding == "" || coding == "identity" {
			continue
		}
		if coding == "chunked" && i >= ofContent {
			if codec.IsChunked(body) {
				layers, chunks, body = append(layers, codec.Chunked), body, codec.FirstChunk(body)
			}
			continue
		}
		c := codec.Packed(coding, m.F.Limits.Ratio)
		if c == nil && i >= ofContent {
			continue // that of a connection is gone when a client saves what it has read
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

// packedInChunks is IsPacked for a body that comes in chunks, of which the first may be a few bytes.
func packedInChunks(coding string, chunks []byte) bool {
	if chunks == nil {
		return false
	}
	body, _ := codec.Chunked.Decode(chunks) // if it is cut off, what there is of it
	return codec.IsPacked(coding, body)
}
