package archive_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	neturl "net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// TestWARCCorpus makes a .warc.gz of all pages below ABSOLINK_CORPUS or testdata, with a request and a response for each.
// It has the links that the pages have as files. In the rewritten archive, a reader that shares no code with absolink finds
// correct lengths and digests, the rewritten pages in the responses, and the rest unchanged.
func TestWARCCorpus(t *testing.T) {
	archive, err := os.Create(filepath.Join(t.TempDir(), "c.warc.gz"))
	require.NoError(t, err)
	defer archive.Close()
	var pages []string
	raw := 0
	Corpus(t, "../../../testdata", func(path string, page []byte) {
		if filepath.Ext(path) != ".html" {
			return
		}
		url := "http://corpus.example" + (&neturl.URL{Path: "/" + path}).EscapedPath()
		for _, record := range []string{WARCRecord("request", url, "application/http; msgtype=request", "GET "+url+" HTTP/1.1\r\nReferer: x\r\n\r\n", ""), WARCResponse(url, string(page))} {
			_, err = archive.WriteString(Gzipped(t, record))
			require.NoError(t, err)
			raw += len(record)
		}
		pages = append(pages, path)
	})
	rewind := func() extract.Document {
		_, err := archive.Seek(0, io.SeekStart)
		require.NoError(t, err)
		return extract.Document{Name: "c.warc.gz", Reader: archive}
	}
	var w Walker
	alone := Walker{Extractor: extract.Extractor{NoEvidence: true}} // only in a file does evidence apply
	page, links := -1, 0
	var want []string
	last := ""
	require.NoError(t, w.Links(rewind(), func(l *extract.Link) error {
		if at := l.Entity.Path; !strings.HasPrefix(at, last+"/") || last == "" {
			for {
				require.Empty(t, want)
				page++
				src, err := os.ReadFile(pages[page])
				require.NoError(t, err)
				want = want[:0]
				url := "http://corpus.example" + (&neturl.URL{Path: "/" + pages[page]}).EscapedPath()
				require.NoError(t, alone.Links(extract.Document{Type: "text/html", URL: url, Bytes: src}, func(l *extract.Link) error {
					want = append(want, l.Place()+" "+string(l.URL))
					return nil
				}))
				if len(want) > 0 {
					break
				}
			}
			last = fmt.Sprintf("gzip/record[%d]", 2*page+2)
			require.True(t, strings.HasPrefix(at, last), at)
		}
		require.Equal(t, want[0], l.Place()+" "+string(l.URL), pages[page])
		want = want[1:]
		links++
		return nil
	}))
	require.Empty(t, want)

	var out bytes.Buffer
	require.NoError(t, w.Rewrite(&out, rewind()))
	z, err := gzip.NewReader(&out)
	require.NoError(t, err)
	in := bufio.NewReaderSize(z, 1<<20)
	for _, path := range pages {
		url := "http://corpus.example" + (&neturl.URL{Path: "/" + path}).EscapedPath()
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		readWARC(t, in, "request", url, "GET "+url+" HTTP/1.1\r\nReferer: x\r\n\r\n", "")
		page := Rewrite(t, &alone, extract.Document{Type: "text/html", URL: url, Bytes: src})
		readWARC(t, in, "response", url, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(page), page), page)
	}
	_, err = in.ReadByte()
	require.Equal(t, io.EOF, err)
	t.Logf("%d pages, %d bytes, %d links", len(pages), raw, links)
}

// readWARC reads one record and checks its lengths and digests.
func readWARC(t *testing.T, in *bufio.Reader, kind, url, block, payload string) {
	header := map[string]string{}
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "WARC/1.1\r\n", line)
	for {
		line, err := in.ReadString('\n')
		require.NoError(t, err)
		if line == "\r\n" {
			break
		}
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\r\n"), ": ")
		require.True(t, ok, line)
		header[name] = value
	}
	require.Equal(t, kind+" "+url, header["WARC-Type"]+" "+header["WARC-Target-URI"])
	n, err := strconv.Atoi(header["Content-Length"])
	require.NoError(t, err)
	got := make([]byte, n+4)
	_, err = io.ReadFull(in, got)
	require.NoError(t, err)
	require.True(t, string(got) == block+"\r\n\r\n", url)
	require.Equal(t, SHA1(block), header["WARC-Block-Digest"], url)
	require.Equal(t, SHA1(payload), header["WARC-Payload-Digest"], url)
}
