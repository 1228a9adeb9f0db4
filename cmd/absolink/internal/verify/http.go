package verify

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// response is a saved HTTP response in one version.
type response struct {
	line    string // the status line
	fields  []field
	header  message.Header
	raw     []byte // the body as it is stored
	payload []byte // without transfer coding
	body    []byte // without content coding
}

var errCoding = errors.New("the standard library has no reader for the Content-Encoding")

// readResponse reads a response. The header is read twice: net/http does not keep the order of the fields.
func (k *checker) readResponse(src []byte) (r response, err error) {
	known := src // net/http reads only HTTP/1 as text
	if rest, ok := bytes.CutPrefix(src, []byte("HTTP/2 ")); ok {
		known = append([]byte("HTTP/1.1 "), rest...)
	}
	in, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(known)), nil)
	if err != nil {
		return r, err
	}
	if in.StatusCode >= 300 && in.StatusCode < 400 && in.StatusCode != 304 {
		return r, errors.New("redirects are not followed")
	}
	if in.StatusCode < 200 {
		return r, errors.New("interim responses are not followed")
	}
	if r.payload, err = io.ReadAll(in.Body); err != nil {
		return r, err
	}
	line, rest, _ := bytes.Cut(src, []byte("\n"))
	h, raw, err := readHeader(rest)
	if err != nil {
		return r, err
	}
	if in.ContentLength >= 0 && len(raw) != len(r.payload) {
		return r, errors.New("the body has another length than declared")
	}
	r.line, r.raw, r.body = string(line), raw, r.payload
	r.header = message.Header{Header: h}
	r.fields = fieldsOf(r.header.Fields())
	switch coding := strings.ToLower(strings.TrimSpace(in.Header.Get("Content-Encoding"))); coding {
	case "", "identity":
	case "gzip", "x-gzip":
		r.body, err = k.inflated(gzip.NewReader(bytes.NewReader(r.payload)))
	case "deflate":
		r.body, err = k.inflated(zlib.NewReader(bytes.NewReader(r.payload)))
	default:
		err = errCoding
	}
	return r, err
}

// inflated reads a reader that was made without an error.
func (k *checker) inflated(in io.Reader, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return k.inflate(in)
}

// redirect returns the header of a redirect at the start of a file of curl -iL, and the rest of the file, which begins with the
// next response. ok is false for other responses.
func redirect(src []byte) (r response, rest []byte, ok bool) {
	line, after, _ := bytes.Cut(src, []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) < 2 || !slices.Contains([]string{"301", "302", "303", "307", "308"}, words[1]) {
		return r, nil, false
	}
	h, rest, err := readHeader(after)
	if err != nil || !bytes.HasPrefix(bytes.TrimLeft(rest, void), []byte("HTTP/")) {
		return r, nil, false
	}
	r.line, r.header = string(line), message.Header{Header: h}
	r.fields = fieldsOf(r.header.Fields())
	return r, rest, true
}

// redirects compares the redirects at the start of both versions. It returns the entity of the last responses, whose base is the
// last Location.
func (k *checker) redirects(e entity) (entity, *Difference) {
	for {
		e = withoutVoid(e)
		old, restOld, ok := redirect(e.old)
		if !ok {
			return e, nil
		}
		new, restNew, ok := redirect(e.new)
		if !ok || old.line != new.line {
			return e, e.differ(0, 0, "a redirect changed")
		}
		if d := k.header(e, nil, old.fields, new.fields, bodies{}, bodies{}); d != nil {
			return e, d
		}
		e.old, e.new = restOld, restNew
		e.bases = bases{k.under(old.header.Get("Location"), e.bases.old), k.under(new.header.Get("Location"), e.bases.new)}
	}
}

// response compares two HTTP responses.
func (k *checker) response(e entity) *Difference {
	e, d := k.redirects(e)
	if d != nil {
		return d
	}
	old, new, d, ok := both(k, e, "net/http", "response", k.readResponse)
	if !ok {
		return d
	}
	if old.line != new.line {
		return e.differText(old.line, new.line, 0, 0, "the status line changed")
	}
	outer := e.bases
	for b, h := range map[*base]message.Header{&e.bases.old: old.header, &e.bases.new: new.header} {
		*b = k.under(unbracketed(h.Get("Base")), k.under(unbracketed(h.Get("Content-Base")), *b))
	}
	if d := k.header(e, fieldBases{"base": outer, "content-base": outer, "content-location": outer}, old.fields, new.fields, bodies{old.raw, old.payload}, bodies{new.raw, new.payload}); d != nil {
		return d
	}
	if types := old.header.Values("Content-Type"); len(types) > 1 || strings.Contains(strings.Join(types, ""), ",") {
		return k.unable(e.path, "the header has several values of Content-Type")
	}
	in := e.inner("body", old.header.Get("Content-Type"), old.body, new.body, e.bases)
	if k.detect(&in); strings.HasPrefix(in.kind, "multipart/") {
		head := []byte("Content-Type: " + old.header.Get("Content-Type") + "\r\n\r\n")
		in.kind, in.old, in.new = "message/rfc822", append(head, in.old...), append(slices.Clip(head), in.new...)
	}
	return k.check(in)
}

// readHeader reads the fields of a header, and returns the rest.
func readHeader(src []byte) (h textproto.Header, rest []byte, err error) {
	n := headerLen(src)
	h, err = textproto.ReadHeader(bufio.NewReader(bytes.NewReader(src[:n])))
	return h, src[n:], err
}

// headerLen returns the length of a header with the empty line after it.
func headerLen(src []byte) (n int) {
	for n < len(src) {
		line, _, _ := bytes.Cut(src[n:], []byte("\n"))
		n = min(n+len(line)+1, len(src))
		if len(bytes.TrimSuffix(line, []byte("\r"))) == 0 {
			break
		}
	}
	return n
}
