package mark

import (
	"strconv"

	"absolink/extract/internal/codec"
)

// Saver is a program that writes into a page the URL it saved the page from.
type Saver struct {
	By   string                   // the name that candidates have
	Read func(text []byte) []byte // returns the URL in text; nil if text is the URL
}

// Evidence is a region with the URL that the document was saved from.
type Evidence struct {
	Start, End int
	Codec      codec.Codec
	Saver      *Saver
}

// listedEvidence limits the evidence in a text. Few pages were saved by so many programs in turn.
const listedEvidence = 20

// Evidence marks a region with the URL that the text was saved from.
func (m *Marks) Evidence(by *Saver, start, end int, c codec.Codec) {
	if len(m.Notes.Evidence) < listedEvidence {
		m.Notes.Evidence = append(m.Notes.Evidence, Evidence{start, end, c, by})
	}
}

// Redirect is the Location of a redirect (RFC 9110 10.2.2), which the response to the next request follows in the text.
// Resolved against the URL of its own request, it is the URL of the next.
type Redirect struct {
	Start, End int
	Codec      codec.Codec
	Refuse     string // if not "", why the URL is not read
}

// NextRequest marks that the response at an offset answers another request, whose URL is not in the text. It is listed
// as a redirect to an unknown URL.
func (m *Marks) NextRequest(offset int) {
	n := &m.Notes
	if k := len(n.Redirects); k == 0 || n.Redirects[k-1].Refuse == "" {
		n.Redirects = append(n.Redirects, Redirect{offset, offset, codec.Identity,
			"another request begins here, and the file does not have its URL"})
	}
}

// IsNextRequest reports whether r was marked by NextRequest, and not by Redirect.
func (r *Redirect) IsNextRequest() bool { return r.Start == r.End }

// The limits of a chain of redirects: its URLs, and their bytes together. Without them, the resolved URLs of a chain
// could grow with the square of the size of the text. Clients have similar ones: curl follows 50 redirects, and reads
// 300 KB of headers.
const (
	mostRedirects    = 64
	longestRedirects = 256 << 10
)

// Redirect marks the Location of a redirect. Call it in the order of the bytes. The first redirect over the limits is
// refused, and those after it are dropped.
func (m *Marks) Redirect(start, end int, c codec.Codec) {
	n := &m.Notes
	if k := len(n.Redirects); k > 0 && n.Redirects[k-1].Refuse != "" && !n.Redirects[k-1].IsNextRequest() {
		return
	}
	refuse := ""
	if n.redirected += end - start; len(n.Redirects) >= mostRedirects || n.redirected > longestRedirects {
		refuse = "the chain of redirects has more than " + strconv.Itoa(mostRedirects) + " URLs, or more than " +
			strconv.Itoa(longestRedirects) + " bytes"
		end = min(end, start+longestRefused)
	}
	n.Redirects = append(n.Redirects, Redirect{start, end, c, refuse})
}

// longestRefused is how many bytes of a URL over the limits are listed.
const longestRefused = 1 << 10

// Request returns the scope of the request after the redirects that were marked so far. Only the requested URL is known
// in it, because no header of the response applies there.
func (m *Marks) Request() int32 { return firstRequest - int32(len(m.Notes.Redirects)) }

// firstRequest is the scope of the request before all redirects.
const firstRequest int32 = -3

// IsRequest reports whether scope is that of a request, and returns the number of redirects before the request.
func IsRequest(scope int32) (redirects int, ok bool) {
	return int(firstRequest - scope), scope <= firstRequest
}
