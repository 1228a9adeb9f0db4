package http

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
)

// Format is the format of a response with its status line and header, as `curl -i`, `wget --save-headers` and web
// archives save it. Interim responses and redirects may come before it. Content-Location is not a base (RFC 7231
// appendix B).
var Format = &mark.Format{
	Name:  "message/http",
	Types: []string{"application/http"},
	Exts:  []string{".http"},
	Mark:  func(src []byte, m *mark.Marks) { extractHTTP(src, m, reading{}) },
}

// Archived returns the format of a response in an archive. cutOff means that its end is missing, which is not reported
// again because the record around it has done so. identified is the media type that the archive has found in the body's
// content, or "".
func Archived(cutOff bool, identified string) *mark.Format {
	if !cutOff && identified == "" {
		return Format
	}
	return &mark.Format{
		Name: Format.Name,
		Mark: func(src []byte, m *mark.Marks) {
			extractHTTP(src, m, reading{cutOff: cutOff, identified: identified})
		},
	}
}

// SniffHTTP reports whether a document begins with a status line.
func SniffHTTP(head []byte) bool { return StatusLine(head, 0) > 0 }

// Single is like Format, for exactly one response. A status line in its body is part of the body.
var Single = &mark.Format{
	Name: Format.Name,
	Mark: func(src []byte, m *mark.Marks) { extractHTTP(src, m, reading{single: true}) },
}

// headFields are the fields that Head writes. Content-Length, Transfer-Encoding and their like are missing, because
// package net/http has already decoded the bytes that they describe.
var headFields = []string{"Content-Type", "Content-Encoding", "Content-Range", "Content-Location", "Link", "Refresh"}

// Head returns a header with the fields of a response that Single needs before the body. types are the values of
// Content-Type.
func Head(fields map[string][]string, types []string) []byte {
	head := []byte("HTTP/1.1 206 \r\n") // Content-Range is read only after this status code
	for _, name := range headFields {
		values := fields[name]
		if name == "Content-Type" {
			values = types
		}
		for _, value := range values {
			head = append(head, name+": "+strings.NewReplacer("\r", " ", "\n", " ").Replace(value)+"\r\n"...)
		}
	}
	return append(head, "\r\n"...)
}

// FirstBytes returns the first bytes of a body of an unwanted type, for the caller to see whether it is a page after
// all. If all is false, the body may be a stream of events, so FirstBytes waits only for the first byte that is not
// white space, unless that byte begins a tag.
func FirstBytes(r *bufio.Reader, all bool) ([]byte, error) {
	n := 1
	if all {
		n = mark.SniffLen
	}
	for {
		head, err := r.Peek(n)
		switch {
		case err == io.EOF || err == nil && n == mark.SniffLen:
			return head, nil
		case err != nil:
			return nil, err
		case head[n-1] == '<':
			n = mark.SniffLen
		case ascii.IsSpace(head[n-1]):
			n++
		default:
			return head, nil
		}
	}
}

type reading struct {
	cutOff bool // the end of the text is missing
	single bool // the text has only one response

	identified string // the media type that an archive has found in the content of the last body, or ""
}

func extractHTTP(src []byte, m *mark.Marks, how reading) {
	r := &header.Reader{Src: src, Marks: m, HTTP: true}
	m.Parts.Group(-1)
	if r.InUTF16(SniffHTTP) {
		return
	}
	for p, n := 0, 1; ; n++ {
		line, start := header.SkipVoid(src, p), StatusLine(src, p)
		if start == 0 { // an archive may have a response without a status line
			line = mail.HeaderStart(src, p)
			start = line
		}
		fields, body := r.Read(codec.Span{Start: start, End: len(src)})
		r.Skipped(p, line, fields)
		one := response{Reader: r, code: statusCode(src[line:start]), fields: fields,
			body: codec.Span{Start: body, End: len(src)}, place: bodyPlace, cutOff: how.cutOff}
		if !how.single {
			p = one.next()
		}
		if how.single || p == 0 {
			r.MarkOwn(fields)
			one.identified = how.identified
			one.markBody()
			return
		}
		one.scope, _ = r.MarkPart(fields, m.Request())
		if one.body.Len() > 0 {
			one.place = &mark.Place{Name: mark.Numbered("response", n) + "/body"}
			one.markBody()
		}
		redirects := bytes.HasPrefix(one.code, []byte("3")) // RFC 9110 15.4
		if url, c := header.FieldURL(src, r.Field(fields, "location")); url.Len() > 0 && redirects {
			m.Redirect(url.Start, url.End, c)
		} else if one.answers() {
			m.NextRequest(p)
		}
	}
}

// answers reports whether r is the final answer to a request, so that the next response answers another request, whose
// URL is unknown. Not final are interim responses, the answer of a proxy to CONNECT, and errors after which clients
// repeat the request.
func (r *response) answers() bool {
	switch code := string(r.code[:min(len(r.code), len("200"))]); code {
	case "", "401", "407", "408", "417", "421", "425", "429":
		return false
	default:
		return code[0] == '4' || code[0] == '2' && r.body.Len() > 0
	}
}

// next returns the index of the response after r, and sets the end of r's body, or returns 0 if r is the last one. So
// is a response with a body but without a Content-Length, because the end of its body is not known.
func (r *response) next() int {
	start := r.body.Start
	if NextResponse(r.Src, start) > 0 {
		r.body.End = start
		return start
	}
	length := r.length()
	if len(r.code) == 0 || length <= 0 || length >= r.body.Len() {
		return 0
	}
	end := start + length
	next := end
	for next < len(r.Src) && next < end+4 && ascii.NewlineLen(r.Src[next:]) > 0 {
		next += ascii.NewlineLen(r.Src[next:]) // HTTPie writes empty lines
	}
	if StatusLine(r.Src, next) == 0 {
		return 0
	}
	r.body.End = end
	return next
}

// StatusLine returns the index after the status line at src[p] (RFC 9112 4), or 0 if there is none. White space and a
// byte order mark may come before it.
func StatusLine(src []byte, p int) int {
	p = header.SkipVoid(src, p)
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

// statusCode returns the text of a status line from its status code on, or nil.
func statusCode(line []byte) []byte {
	_, code, _ := bytes.Cut(line, []byte(" "))
	return code
}

// NextResponse is StatusLine for src[body], where a header ends. If the header does not end with an empty line, no
// response begins there.
func NextResponse(src []byte, body int) int {
	before := src[:max(body-1, 0)]
	if !ascii.IsBlankLine(before[bytes.LastIndexByte(before, '\n')+1:]) {
		return 0
	}
	return StatusLine(src, body)
}

// IsResponse reports whether a document begins with a status line and a field, because `wget --save-headers` writes
// responses to files with the names of pages. Responses without fields may come before it: 100 (Continue), and the
// answer of a proxy to CONNECT.
func IsResponse(head []byte) bool {
	for p := StatusLine(head, 0); p > 0; p = NextResponse(head, p+ascii.NewlineLen(head[p:])) {
		if name, _ := header.FieldName(head, p); name.Len() > 0 {
			return true
		}
	}
	return false
}
