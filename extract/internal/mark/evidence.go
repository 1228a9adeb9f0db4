package mark

import (
	"strconv"

	"absolink/extract/internal/codec"
)

// Saver is a program that writes into a page the URL that it saved the page from.
type Saver struct {
	By   string                   // the name that the ladder shows
	Read func(text []byte) []byte // returns the URL in text; if Read is nil, text is the URL
}

// Evidence is a region of the text with the URL from which the document was saved.
type Evidence struct {
	Start, End int
	Codec      codec.Codec
	Saver      *Saver
}

// listedEvidence is the largest number of pieces of evidence that are listed. Few pages were saved by so many programs,
// one after the other.
const listedEvidence = 20

// Evidence marks a region with the URL from which the text was saved.
func (m *Marks) Evidence(by *Saver, start, end int, c codec.Codec) {
	if len(m.Notes.Evidence) < listedEvidence {
		m.Notes.Evidence = append(m.Notes.Evidence, Evidence{start, end, c, by})
	}
}

// Redirect is the Location of a redirect (RFC 9110 10.2.2). In the text, the response to the next request follows the
// redirect. The URL of the next request is the Location, resolved against the URL of the request before it.
type Redirect struct {
	Start, End int
	Codec      codec.Codec
	Refuse     string // if not "", the URL is not read, for this reason
}

// NextRequest marks that the response at an offset answers another request, whose URL is not in the text. It counts as a
// redirect to an unknown URL.
func (m *Marks) NextRequest(offset int) {
	n := &m.Notes
	if k := len(n.Redirects); k == 0 || n.Redirects[k-1].Refuse == "" {
		n.Redirects = append(n.Redirects, Redirect{offset, offset, codec.Identity, "another request begins here, and the file does not have its URL"})
	}
}

// IsNextRequest reports whether r was marked by NextRequest, and not by Redirect.
func (r *Redirect) IsNextRequest() bool { return r.Start == r.End }

// A chain of redirects has at most mostRedirects URLs, with at most longestRedirects bytes in total. Clients have
// similar limits: curl follows 50 redirects, and reads 300 KB of headers. Without limits, the resolved URLs of a chain
// could grow with the square of the size of the text.
const (
	mostRedirects    = 64
	longestRedirects = 256 << 10
)

// Redirect marks the Location of a redirect. It must be called in the order of the bytes. It refuses the first redirect
// over the limits, and drops the redirects after that.
func (m *Marks) Redirect(start, end int, c codec.Codec) {
	n := &m.Notes
	if k := len(n.Redirects); k > 0 && n.Redirects[k-1].Refuse != "" && !n.Redirects[k-1].IsNextRequest() {
		return
	}
	refuse := ""
	if n.redirected += end - start; len(n.Redirects) >= mostRedirects || n.redirected > longestRedirects {
		refuse = "the chain of redirects has more than " + strconv.Itoa(mostRedirects) + " URLs, or more than " + strconv.Itoa(longestRedirects) + " bytes"
		end = min(end, start+longestRefused)
	}
	n.Redirects = append(n.Redirects, Redirect{start, end, c, refuse})
}

// longestRefused is the number of bytes that are listed of a URL over the limits.
const longestRefused = 1 << 10

// Request returns the scope of a request, after all redirects that were marked so far. In this scope only the requested
// URL is known. A header does not change the scope.
func (m *Marks) Request() int32 { return firstRequest - int32(len(m.Notes.Redirects)) }

// firstRequest is the scope of the request before all redirects.
const firstRequest int32 = -3

// IsRequest reports whether scope is the scope of a request. It also returns the number of redirects before the request.
func IsRequest(scope int32) (redirects int, ok bool) {
	return int(firstRequest - scope), scope <= firstRequest
}
