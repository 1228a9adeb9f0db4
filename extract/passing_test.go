package extract_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/extract/httpx"
	. "absolink/extract/internal/extracttest"
)

// arrivals is a body that arrives in pieces. Each must have been written before the next one is read.
type arrivals struct {
	t      *testing.T
	pieces []string
	sent   string
	out    *bytes.Buffer
}

func (a *arrivals) Read(p []byte) (int, error) {
	assert.Equal(a.t, a.sent, a.out.String(), "nothing waits for the next piece")
	if len(a.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, a.pieces[0])
	a.sent += a.pieces[0]
	a.pieces = a.pieces[1:]
	return n, nil
}

func (a *arrivals) Close() error { return nil }

// A document without links is copied as it arrives.
func TestEventsPass(t *testing.T) {
	events := []string{"data: 1\n\n", "data: <a href=x>\n\n", "data: 3\n\n"}
	for name, of := range map[string]func(io.ReadCloser) extract.Document{
		"by hand": func(r io.ReadCloser) extract.Document { return extract.Document{Type: "text/event-stream", Reader: r} },
		"a response": func(r io.ReadCloser) extract.Document {
			return httpx.FromResponse(&http.Response{StatusCode: 200, Body: r, Header: http.Header{"Content-Type": {"text/event-stream"}}})
		},
		"a compressed response": func(r io.ReadCloser) extract.Document {
			return httpx.FromResponse(&http.Response{StatusCode: 200, Body: r, Header: http.Header{"Content-Type": {"text/event-stream"}, "Content-Encoding": {"br"}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			body := &arrivals{t: t, pieces: events, out: &out}
			if name == "a compressed response" {
				body.pieces = []string{strings.Repeat("x", 2000), "y"} // the start of other types is read
			}
			want := strings.Join(body.pieces, "")
			var x extract.Extractor
			_, err := x.Rewrite(t.Context(), &out, of(body))
			require.NoError(t, err)
			assert.Equal(t, want, out.String())
		})
	}
}

// zeros is long content that begins like a picture.
func zeros(n int) io.Reader {
	return io.MultiReader(strings.NewReader("\x89PNG\r\n\x1a\n"), io.LimitReader(zero{}, int64(n)))
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Content without links is never read into memory, whatever shows that it has none.
func TestNothingIsReadWhole(t *testing.T) {
	const n = 64 << 20
	response := func(fields ...string) func() extract.Document {
		return func() extract.Document {
			resp := respond("", fields...)
			resp.Body = io.NopCloser(zeros(n))
			return httpx.FromResponse(resp)
		}
	}
	for name, row := range map[string]struct {
		document func() extract.Document
		only     string
		codes    []extract.Code
	}{
		"its type":               {func() extract.Document { return extract.Document{Type: "image/png", Reader: zeros(n)} }, "", []extract.Code{extract.CodeNotRead}},
		"its bytes":              {func() extract.Document { return extract.Document{Name: "a.png", Reader: zeros(n)} }, "", []extract.Code{extract.CodeTypeUnknown}},
		"Only":                   {func() extract.Document { return extract.Document{Type: "text/css", Reader: zeros(n)} }, "text/html", nil},
		"Only, an archive":       {func() extract.Document { return extract.Document{Type: "application/zip", Reader: zeros(n)} }, "image/png", nil},
		"the type of a response": {response("Content-Type", "image/png"), "", nil},
		"octets in a response":   {response("Content-Type", "application/octet-stream"), "", nil},
		"bytes of a response":    {response(), "", nil},
		"Only, in a response":    {response("Content-Type", "text/css"), "text/html", nil},
		"compressed octets":      {response("Content-Type", "application/octet-stream", "Content-Encoding", "gzip"), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var codes []extract.Code
			x := extract.Extractor{OnProblem: func(p extract.Problem) { codes = append(codes, p.Code) }}
			if row.only != "" {
				x.Only = func(mediaType string) bool { return mediaType == row.only }
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var out counter
			_, err := x.Rewrite(t.Context(), &out, row.document())
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			assert.EqualValues(t, n+8, out)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(n/16))
			assert.Equal(t, row.codes, codes)
			for l, err := range x.Links(t.Context(), row.document()) {
				assert.Fail(t, "a link", "%v %v", l, err)
			}
		})
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// The header of a response has links even if its body has none. The problems are the same as for a body in memory.
func TestLinksBeforeABodyThatPasses(t *testing.T) {
	for _, row := range []struct{ body, mediaType, encoding string }{
		{"\x89PNG", "image/png", ""},
		{" \n<html><a href=x>", "image/png", ""},
		{"<html><a href=x>", "application/octet-stream", ""},
		{"%PDF-1.7 and more", "", ""},
		{Gzipped(t, "<html><a href=x>"), "application/octet-stream", "gzip"},
		{"", "image/png", ""},
	} {
		var problems [2][]extract.Problem
		var links [2][]string
		for i := range 2 {
			resp := respond(row.body, "Link", "<next>; rel=next")
			for name, value := range map[string]string{"Content-Type": row.mediaType, "Content-Encoding": row.encoding} {
				if value != "" {
					resp.Header.Set(name, value)
				}
			}
			d := httpx.FromResponse(resp)
			if i == 1 {
				d.Bytes, d.Reader = []byte(row.body), nil
			}
			x := extract.Extractor{OnProblem: func(p extract.Problem) { problems[i] = append(problems[i], p) }}
			x.OnLink = func(l *extract.Link) { links[i] = append(links[i], string(l.URL)) }
			var out bytes.Buffer
			_, err := x.Rewrite(t.Context(), &out, d)
			require.NoError(t, err)
			assert.Equal(t, row.body, out.String())
		}
		assert.Equal(t, []string{"http://h/p/next"}, links[0], row.body)
		assert.Equal(t, links[1], links[0], row.body)
		assert.Equal(t, problems[1], problems[0], row.body)
	}
}

// A compressed document of unknown type is copied, be it from a file or a pipe. An error of the reader is not lost.
func TestUnknownTypePasses(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := io.Copy(z, zeros(1<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for _, r := range []io.Reader{bytes.NewReader(packed.Bytes()), io.MultiReader(bytes.NewReader(packed.Bytes()))} {
		problems := 0
		x := extract.Extractor{OnProblem: func(p extract.Problem) {
			problems++
			assert.Equal(t, extract.CodeTypeUnknown, p.Code)
		}}
		var out bytes.Buffer
		_, err := x.Rewrite(t.Context(), &out, extract.Document{Name: "a.gz", Reader: r})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(packed.Bytes(), out.Bytes()))
		assert.Equal(t, 1, problems)
	}
	broken := errors.New("broken")
	for _, d := range []extract.Document{{Type: "image/png"}, {Header: http.Header{"Content-Type": {"image/png"}}}} {
		d.Reader = io.MultiReader(zeros(1<<20), errorReader{broken})
		var x extract.Extractor
		_, err := x.Rewrite(t.Context(), io.Discard, d)
		assert.ErrorIs(t, err, broken)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }
