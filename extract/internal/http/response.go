package http

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/header"
	"absolink/extract/internal/mark"
)

// Format is the format of a response with its status line and header, as `curl -i`, `wget --save-headers` and web archives
// save it. Interim responses and redirects may stand before it. Its Content-Location is no base (RFC 7231 appendix B).
var Format = &mark.Format{
	Name:    "message/http",
	Types:   []string{"application/http"},
	Exts:    []string{".http"},
	Extract: func(src []byte, m *mark.Marks) { extractHTTP(src, m, reading{}) },
}

// CutOff is Format for a response whose end is missing. The record that holds it has reported that.
var CutOff = &mark.Format{
	Name:    Format.Name,
	Extract: func(src []byte, m *mark.Marks) { extractHTTP(src, m, reading{cutOff: true}) },
}

// SniffHTTP reports whether a document begins with a status line.
func SniffHTTP(head []byte) bool { return StatusLine(head, 0) > 0 }

// Single is Format for one response: a status line in its body is part of the body.
var Single = &mark.Format{
	Name:    Format.Name,
	Extract: func(src []byte, m *mark.Marks) { extractHTTP(src, m, reading{single: true}) },
}

// reading is what is known about the text of responses.
type reading struct {
	cutOff bool // its end is missing
	single bool // it has only one response
}

func extractHTTP(src []byte, m *mark.Marks, how reading) {
	r := &header.Reader{Src: src, Marks: m, HTTP: true}
	m.Parts.Group(-1)
	for p, n := 0, 1; ; n++ {
		start := StatusLine(src, p)
		if start == 0 {
			start = p // an archive may have a response without a status line
		}
		fields, body := r.Read(codec.Span{Start: start, End: len(src)})
		one := response{Reader: r, code: statusCode(src[p:start]), fields: fields, body: codec.Span{Start: body, End: len(src)}, place: bodyPlace, cutOff: how.cutOff}
		if !how.single {
			p = one.next()
		}
		if how.single || p == 0 {
			r.MarkOwn(fields)
			one.markBody()
			return
		}
		one.scope, _ = r.MarkPart(fields, m.Request())
		if one.body.Len() > 0 {
			one.place = &mark.Place{Name: mark.Numbered("response", n) + "/body"}
			one.markBody()
		}
		if url, c := header.FieldURL(src, r.Field(fields, "location")); url.Len() > 0 && one.redirects() {
			m.Redirect(url.Start, url.End, c)
		} else if one.answers() {
			m.NextRequest(p)
		}
	}
}

// redirects reports whether the status code is that of a redirect (RFC 9110 15.4).
func (r *response) redirects() bool { return bytes.HasPrefix(r.code, []byte("3")) }

// answers reports whether r is the answer to a request, so that the response after it answers a request for an unknown URL.
// Interim responses and the answer of a proxy to CONNECT do not end a request. After some errors, clients repeat it.
func (r *response) answers() bool {
	switch code := string(r.code[:min(len(r.code), len("200"))]); code {
	case "", "401", "407", "408", "417", "421", "425", "429":
		return false
	default:
		return code[0] == '4' || code[0] == '2' && r.body.Len() > 0
	}
}

// next returns the index of the response after r, and ends the body of r before it. It returns 0 if r is the last one.
// A response without a Content-Length is the last one, unless it has no body: nothing else tells where its body ends.
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

// StatusLine returns the index after the status line at src[p] (RFC 9112 4), or 0 if there is none.
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

// statusCode returns the text of a status line from its status code on, or nothing.
func statusCode(line []byte) []byte {
	_, code, _ := bytes.Cut(line, []byte(" "))
	return code
}

// NextResponse is StatusLine for src[body], after a header. Another response begins there only if an empty line ends that
// header.
func NextResponse(src []byte, body int) int {
	before := src[:max(body-1, 0)]
	if !ascii.IsBlankLine(before[bytes.LastIndexByte(before, '\n')+1:]) {
		return 0
	}
	return StatusLine(src, body)
}

// IsResponse reports whether a document begins with a status line and a field, such as a file of `wget --save-headers` that
// has the name of the page. Responses without fields may stand before it: 100 (Continue), and the one of a proxy that has
// made a connection.
func IsResponse(head []byte) bool {
	for p := StatusLine(head, 0); p > 0; p = NextResponse(head, p+ascii.NewlineLen(head[p:])) {
		if name, _ := header.FieldName(head, p); name.Len() > 0 {
			return true
		}
	}
	return false
}
