package extract

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"strconv"
	"strings"

	"absolink/extract/internal/codec"
)

// HTTP is a response with its status line and header, as `curl -i` and `wget
// --save-headers` leave it, and as archives keep it. Interim responses and redirections
// may stand before it. Its Content-Location is no base (RFC 7231 appendix B).
var HTTP = &Format{
	Name:    "message/http",
	Types:   []string{"application/http"},
	Exts:    []string{".http"},
	Extract: extractHTTP,
}

// sniffHTTP reports whether a document begins with a status line.
func sniffHTTP(head []byte) bool { return statusLine(head, 0) > 0 }

func extractHTTP(src []byte, f *Finder) {
	m := &mimeReader{src: src, f: f, http: true}
	f.groups = append(f.groups, -1)
	var moved codec.Span // where the last redirection leads to
	for p := 0; ; {
		start := statusLine(src, p)
		if start == 0 {
			start = p // an archive may hold what is no response: it is read as a header
		}
		fields, body := m.readHeader(codec.Span{Start: start, End: len(src)})
		if nextResponse(src, body) > 0 {
			m.header(fields, 0)
			if _, code, _ := bytes.Cut(src[p:start], []byte(" ")); bytes.HasPrefix(code, []byte("3")) {
				moved = m.field(fields, "location")
			}
			p = body
			continue
		}
		if moved.Len() > 0 {
			url, c := fieldURL(src, moved)
			f.Evidence(redirection, url.Start, url.End, c)
		}
		m.header(fields, -1)
		payload(m, src[p:start], fields, body)
		return
	}
}

// statusLine gives the index behind the status line at src[p], 0 if there is none.
func statusLine(src []byte, p int) int {
	line := src[p:]
	if !bytes.HasPrefix(line, []byte("HTTP/")) {
		return 0
	}
	line = line[:min(len(line), 64)]
	i := bytes.IndexByte(line, ' ')
	if i < len("HTTP/1") || i+3 >= len(line) || !isDigits(line[i+1:i+4]) {
		return 0
	}
	return lineEnd(src, p)
}

// nextResponse is statusLine for what stands at src[body], behind a header: only the empty line
// that ends that one lets a response begin there.
func nextResponse(src []byte, body int) int {
	before := src[:max(body-1, 0)]
	if !isBlankLine(before[bytes.LastIndexByte(before, '\n')+1:]) {
		return 0
	}
	return statusLine(src, body)
}

// isResponse says whether a document begins with a status line and a field behind it, as what
// `wget --save-headers` leaves in a file with the name of the page. Responses without fields may
// stand before that: 100 (Continue), and what a proxy says of a connection that it has made.
func isResponse(head []byte) bool {
	for p := statusLine(head, 0); p > 0; p = nextResponse(head, p+newlineLen(head[p:])) {
		if name, _ := fieldName(head, p); name.Len() > 0 {
			return true
		}
	}
	return false
}

// payload marks the body of a response, whose status line may be missing.
func payload(m *mimeReader, status []byte, fields []headerField, body int) {
	whole := codec.Span{Start: body, End: len(m.src)}
	m.f.Counts(m.field(fields, "content-length"), whole, countBytes)
	if sum := trimWhite(m.src, m.field(fields, "content-md5")); sum.Len() > 0 { // with the content's codings, without the transfer's (RFC 2616 14.15)
		m.f.Mends(func(src []byte, edits []codec.Edit) []codec.Edit {
			return mendDigest(src, edits, sum, whole, md5.New, base64.StdEncoding.EncodeToString)
		})
	}
	for _, name := range []string{"content-digest", "repr-digest", "digest"} { // RFC 9530, RFC 3230
		if digest := m.field(fields, name); digest.Len() > 0 {
			m.f.Breaks(whole, digest.Start, DigestBroken, "the body is changed, but its "+name+" is not")
		}
	}
	if body == len(m.src) {
		return
	}
	mediaType, params := m.contentType(m.value(fields, "content-type"))
	format := m.f.FormatOf(mediaType)
	wanted := format != nil || mediaType == "" // then its bytes tell
	layers, unknown := payloadLayers(m, m.src[body:], m.value(fields, "transfer-encoding"), m.value(fields, "content-encoding"))
	if unknown != "" {
		if wanted {
			m.f.Problem(body, Undecodable, "the content coding "+quote([]byte(unknown))+" is not known; what it packs stays as it is")
		}
		return
	}
	if limit := m.f.maxDepth; len(layers) > limit {
		if wanted {
			m.f.Problem(body, DepthLimit, "more than "+strconv.Itoa(limit)+" codings around one another; what they pack stays as it is")
		}
		return
	}
	first, _ := fieldName(m.src, body)
	file := format == Message && beginsMessage(m.src[first.Start:first.End]) // MHTML, with its header in it
	if len(layers) == 0 && strings.HasPrefix(mediaType, "multipart/") && !file {
		m.http = false
		m.multipart(mediaType, params, body, len(m.src), position{}, mimeContext{})
		return
	}
	// The field has no meaning in other responses but 416, which has no range in it (RFC 9110 14.4).
	_, code, _ := bytes.Cut(status, []byte(" "))
	if (len(code) == 0 || bytes.HasPrefix(code, []byte("206"))) && bytes.IndexByte(m.value(fields, "content-range"), '-') >= 0 {
		layers = append(layers, ofARange)
	}
	if wanted {
		m.f.Part(0, payloadPlace, body, len(m.src), codec.Layers(layers...), format, part{charset: params["charset"]})
	}
}

var payloadPlace = &Place{Name: "body"}

// payloadLayers gives the codings of a body, the outermost first, or one of them that is not
// known. Clients take codings off and leave the fields as they were, and servers name what is
// none: a body that is not packed by its coding, as IsPacked sees it, is taken as it is.
func payloadLayers(m *mimeReader, body, transfer, content []byte) (layers []codec.Codec, unknown string) {
	// Both lists are in the order in which the codings were applied, those of the transfer last
	// (RFC 9110 8.4, RFC 9112 7).
	codings := strings.Split(lower(string(content)), ",")
	ofContent := len(codings)
	var chunks []byte // what body is the first of
	codings = append(codings, strings.Split(lower(string(transfer)), ",")...)
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
		c := codec.Packed(coding, m.f.maxRatio)
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
