package httpx

import (
	"bytes"
	"net/http"

	"absolink/extract"
)

// FromResponse returns the body of a response as a document. The URL of the document is the URL of resp.Request. If package
// net/http has followed redirects, this is the URL after the last redirect. It has no user name and no password, which would
// be in every link. Document.Header is a copy of the header. The body is read as a stream. The caller closes it.
//
// Extractor.Rewrite writes only the body. If the body has the Content-Encoding gzip, deflate, br or zstd, Rewrite compresses it
// again. The caller has to update the Content-Length of the response, and to remove its ETag. The links in the fields stay
// unchanged. Transport and ModifyResponse do all of this.
func FromResponse(resp *http.Response) extract.Document {
	d := extract.Document{Reader: resp.Body, Header: resp.Header.Clone()}
	if resp.Request != nil && resp.Request.URL != nil {
		u := *resp.Request.URL
		u.User = nil
		d.URL = u.String()
		d.Name = d.URL
	}
	if d.Reader == nil {
		d.Reader = bytes.NewReader(nil)
	}
	if d.Header == nil {
		d.Header = http.Header{} // it is a response nevertheless
	}
	if resp.StatusCode != http.StatusPartialContent {
		delete(d.Header, "Content-Range") // in other responses, it has no range (RFC 9110 14.4)
	}
	return d
}
