package httpx

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"absolink/extract"
)

// Transport is an http.RoundTripper that rewrites the responses of another one. Goroutines can share a Transport that
// none of them changes.
type Transport struct {
	Extractor *extract.Extractor // the settings; nil means the zero Extractor
	Base      http.RoundTripper  // sends the requests; nil means http.DefaultTransport
}

// RoundTrip implements http.RoundTripper. Links are resolved against the URL of the request.
//
// A part of a document (206) cannot be rewritten. RoundTrip asks for the whole document then, so the response to a
// Range of a page is its rewritten page (200). A part of a video or another body that passes is such a part.
//
// If a document breaks off, or the context of the request is done, RoundTrip returns the error, so a client never
// gets a part of a document. The other errors are those of Base and of Extractor.Rewrite. What Extractor.OnProblem
// receives is not an error, and the body is then complete.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	r := newRewriter(t.Extractor)
	resp, err := t.send(req)
	if err == nil && resp.StatusCode == http.StatusPartialContent && (req.Body == nil || req.Body == http.NoBody) &&
		r.reads(resp.Header) {
		resp.Body.Close()
		whole := req.Clone(req.Context())
		whole.Header.Del("Range")
		whole.Header.Del("If-Range")
		resp, err = t.send(whole)
	}
	if err != nil {
		return nil, err
	}
	if err := r.modify(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// send returns the response of Base. http.Client accepts one without a Request, a Body or a Header, so send adds them.
func (t Transport) send(req *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	resp, err := base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.Request == nil {
		resp.Request = req
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	if resp.Header == nil {
		resp.Header = http.Header{}
	}
	return resp, nil
}

// ModifyResponse returns a function for the field ModifyResponse of httputil.ReverseProxy, which rewrites responses.
// It has a copy of x; nil means the zero Extractor. Several goroutines may call it at the same time.
//
// Links are resolved against the URL of the outgoing request, so they lead to the original site. To make them lead
// through the proxy, set Extractor.Map. Of a user name and a password in this URL, only Location has a copy.
//
// If the bytes of a body change, so do the fields that depend on them, in the header and in the trailers. All others
// stay.
//
//	Content-Length     the new length, or removed if there are trailers
//	ETag               weak, because the origin has other bytes with this ETag (RFC 9110 8.8.1)
//	Accept-Ranges      "none", because the origin has ranges of other bytes
//	Content-MD5, Digest, Content-Digest, Repr-Digest
//	                   removed, because the origin has not seen the new bytes (RFC 9530)
//
// A response to HEAD and a response 304 (Not Modified) get the same fields, without a length.
//
// Requests never change. A client with the weak ETag gets the whole document for If-Range, and cannot overwrite a
// page by its rewritten copy with If-Match. But a Range with a date in If-Range, or without If-Range, gets bytes of
// the original page: use a Transport where clients send Range. Delete Accept-Encoding from requests: package net/http
// then asks for gzip, and no body comes in an encoding that cannot be read.
//
// If a page has an integrity attribute for a style sheet, browsers reject the rewritten style sheet. Exclude text/css
// with Extractor.Only for such a site.
//
// A response must have its Request and its Body. The errors are those of Transport.RoundTrip; after an error, close
// the Body, and do not use the response. A ReverseProxy answers 502 (Bad Gateway). If a setting is wrong, each response
// has this error, also one that would pass: call Extractor.Check before you serve.
func ModifyResponse(x *extract.Extractor) func(*http.Response) error {
	return newRewriter(x).modify
}

func newRewriter(x *extract.Extractor) *rewriter {
	r := &rewriter{}
	if x != nil {
		r.Extractor = *x
	}
	if r.MaxRecord == 0 {
		r.MaxRecord = defaultRecord
	}
	r.wrong = r.Check()
	return r
}

// defaultRecord is an eighth of the default of package extract, because a proxy reads many responses at the same time.
const defaultRecord = 32 << 20

// rewriter rewrites responses. Its MaxRecord is set.
type rewriter struct {
	extract.Extractor
	wrong error // of Extractor.Check
}

func (r *rewriter) modify(resp *http.Response) error {
	if r.wrong != nil {
		return r.wrong
	}
	// Package net/http does not return a response 103 (Early Hints), so its links stay unchanged.
	if resp.StatusCode == http.StatusSwitchingProtocols || resp.Request.Method == http.MethodConnect {
		return nil
	}
	ctx := resp.Request.Context()
	if err := r.rewriteLinks(ctx, resp); err != nil || !r.reads(resp.Header) {
		return err
	}
	kept, p := r.kept(resp)
	switch {
	case resp.StatusCode == http.StatusNotModified:
		if !kept && !sentUnchanged(resp) {
			mend(resp, -1)
			// the type is unknown, and "none" would change the header that the client has
			resp.Header.Del("Accept-Ranges")
		}
		return nil
	case resp.Request.Method == http.MethodHead:
		if !kept {
			mend(resp, -1)
		}
		return nil
	case kept:
		r.report(resp, p)
		return nil
	}
	return r.rewriteBody(ctx, resp)
}

// reads reports whether a body is a document, by the fields Content-Type of its header.
func (r *rewriter) reads(h http.Header) bool {
	typed := false
	for value := range strings.SplitSeq(strings.Join(h.Values("Content-Type"), ","), ",") {
		f := extract.FormatOf(value)
		if f != nil && !f.Embeds(isNoPage) && (r.Only == nil || r.Only(f.Name) || f.Embeds(r.Only)) {
			return true
		}
		typed = typed || strings.Contains(value, "/") // else it is no media type, and the type is in the bytes
	}
	return !typed
}

// isNoPage reports whether a media type is not that of a page. A format that embeds such documents is a container of
// files.
func isNoPage(mediaType string) bool { return mediaType != "text/html" }

// kept reports whether a document is not rewritten, and returns the problem.
func (r *rewriter) kept(resp *http.Response) (bool, extract.Problem) {
	switch {
	case resp.StatusCode == http.StatusPartialContent:
		return true, extract.Problem{Code: extract.CodeNotRead,
			Detail: "not rewritten: the response has only a part of the document"}
	case noTransform(resp.Header) || noTransform(resp.Request.Header):
		return true, extract.Problem{Code: extract.CodeNotRead, Detail: "not rewritten: Cache-Control has no-transform"}
	case resp.ContentLength > int64(r.MaxRecord):
		return true, r.tooLong()
	}
	return false, extract.Problem{}
}

// tooLong returns the problem of a body that is longer than MaxRecord.
func (r *rewriter) tooLong() extract.Problem {
	return extract.Problem{Code: extract.CodeSizeLimit, Setting: "MaxRecord",
		Detail: fmt.Sprintf("not rewritten: the body is longer than %d bytes", r.MaxRecord)}
}

// report reports a problem of the body of a response.
func (r *rewriter) report(resp *http.Response, p extract.Problem) {
	if r.OnProblem != nil {
		p.Document, p.Entity, p.Severity = FromResponse(resp).Name, "body", p.Code.Severity()
		r.OnProblem(p)
	}
}

// rewriteBody replaces the body of a response by its rewritten bytes, and updates the header and the trailers.
func (r *rewriter) rewriteBody(ctx context.Context, resp *http.Response) error {
	body := resp.Body
	before, err := io.ReadAll(io.LimitReader(body, int64(r.MaxRecord)+1))
	if err != nil {
		return err // not wrapped: the error of http.Client asks it for Timeout
	}
	if len(before) > r.MaxRecord {
		r.report(resp, r.tooLong())
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(before), body), body}
		return nil
	}
	body.Close() // it was read to its end
	doc := FromResponse(resp)
	doc.Bytes = before
	for _, name := range linkFields {
		delete(doc.Header, name) // rewriteLinks has passed these links to Map
	}
	var after bytes.Buffer
	if _, err := r.Rewrite(ctx, &after, doc); err != nil {
		return err
	}
	resp.Body = io.NopCloser(&after)
	if !slices.Equal(before, after.Bytes()) {
		mend(resp, after.Len())
	}
	return nil
}

// mend updates the header and the trailers of a response with a changed body. length is the length of the body, or -1
// if it is unknown.
func mend(resp *http.Response, length int) {
	mendFields(resp.Header)
	mendFields(resp.Trailer)
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	if length >= 0 && len(resp.Trailer) == 0 {
		resp.Header.Set("Content-Length", strconv.Itoa(length))
		resp.ContentLength, resp.TransferEncoding = int64(length), nil
	}
}
