package httpx

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"absolink/extract"
	"absolink/extract/internal/ascii"
)

// linkFields are the fields with links that are rewritten (RFC 9110 10.2.2, 8.7, RFC 8288 3, HTML Standard "Refresh").
// Location is the first.
var linkFields = []string{"Location", "Content-Location", "Link", "Refresh"}

// rewriteLinks rewrites the links in the header of a response. Only Location keeps the user name and the password of
// the request, with which http.Client follows a redirect.
func (r *rewriter) rewriteLinks(ctx context.Context, resp *http.Response) error {
	url := FromResponse(resp).URL
	if err := r.rewriteFields(ctx, resp, linkFields[:1],
		extract.Document{Name: url, URL: resp.Request.URL.String()}); err != nil {
		return err
	}
	return r.rewriteFields(ctx, resp, linkFields[1:], extract.Document{Name: url, URL: url})
}

// rewriteFields rewrites the links in some fields of a response. d has their URL.
func (r *rewriter) rewriteFields(ctx context.Context, resp *http.Response, names []string, d extract.Document) error {
	fields := http.Header{}
	for _, name := range names {
		if values := resp.Header.Values(name); len(values) > 0 {
			fields[name] = values
		}
	}
	if len(fields) == 0 {
		return nil
	}
	var before, after bytes.Buffer
	if err := fields.Write(&before); err != nil {
		return err
	}
	before.WriteString("\r\n")
	d.Type, d.Bytes = "message/http", before.Bytes()
	result, err := r.Rewrite(ctx, &after, d)
	if err != nil || result.Changed == 0 {
		return err
	}
	rewritten, err := textproto.NewReader(bufio.NewReader(&after)).ReadMIMEHeader()
	if err != nil {
		return err
	}
	for name := range fields {
		resp.Header[name] = rewritten[name]
	}
	return nil
}

// digests are the fields with digests of the body (RFC 2616 14.15, RFC 3230, RFC 9530).
var digests = []string{"Content-MD5", "Digest", "Content-Digest", "Repr-Digest"}

// mendFields updates the fields of a header or of trailers that depend on the bytes of the body, except its length.
func mendFields(h http.Header) {
	for _, name := range digests {
		h.Del(name)
	}
	if tag := h.Get("ETag"); isStrong(tag) {
		h.Set("ETag", "W/"+tag)
	}
	if h.Get("Accept-Ranges") != "" {
		h.Set("Accept-Ranges", "none")
	}
}

// isStrong reports whether an ETag exists and is not weak (RFC 9110 8.8.3).
func isStrong(tag string) bool { return tag != "" && !strings.HasPrefix(tag, "W/") }

// sentUnchanged reports whether the client has an unchanged body, by a response 304. Then the client has the strong
// ETag, and has sent it in If-None-Match (RFC 9110 13.1.2).
func sentUnchanged(resp *http.Response) bool {
	tag, list := resp.Header.Get("ETag"), strings.Join(resp.Request.Header.Values("If-None-Match"), ",")
	for isStrong(tag) {
		before, rest, _ := strings.Cut(list, `"`)
		text, after, closed := strings.Cut(rest, `"`)
		switch {
		case !closed:
			return false
		case `"`+text+`"` == tag && !strings.HasSuffix(before, "W/"):
			return true
		}
		list = after
	}
	return false
}

// noTransform reports whether the content of a message must not be transformed (RFC 9110 7.7, RFC 9111 5.2).
func noTransform(h http.Header) bool {
	directives := strings.Split(strings.Join(h.Values("Cache-Control"), ","), ",")
	return slices.ContainsFunc(directives, func(d string) bool {
		return ascii.Lower(strings.Trim(d, " \t")) == "no-transform"
	})
}
