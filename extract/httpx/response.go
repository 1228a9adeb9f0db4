package httpx

import (
	"bytes"
	"net/http"

	"absolink/extract"
)

// FromResponse returns the body of a response as a document. Its URL is that of the last request, after redirects,
// without a user name and a password, which would get into every link. The body is read as a stream, and you close
// it.
//
// The links in the header are links of the document, but Extractor.Rewrite writes only the body, compressed as it
// was. To send it on, update the Content-Length and remove the ETag, or use Transport or ModifyResponse.
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
