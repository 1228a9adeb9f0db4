//go:build unix

package memorytest_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
	"absolink/internal/longtest"
)

// record is the page in each record of an archive.
const record = "<!DOCTYPE html><base href=http://h/b/><a href=x>x</a><img srcset='1, 2 2x'>\n<style>a{b:url(c)}</style>"

// archives make an archive with n records. The keys are file extensions.
var archives = map[string]func(n int) []byte{
	"warc": perRecord("", func(i int) string {
		http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + record
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(http), http)
	}, ""),
	"arc": perRecord("filedesc://a.arc 0.0.0.0 20000101000000 text/plain 77\n1 0 Example Archive\nURL IP-address Archive-date Content-type Archive-length\n\n", func(i int) string {
		return fmt.Sprintf("http://h/%d 192.0.2.2 20000101000000 text/html %d\n%s\n", i, len(record), record)
	}, ""),
	"har": perRecord(`{"log":{"version":"1.2","entries":[`, func(i int) string {
		return fmt.Sprintf(`{"request":{"url":"http://h/%d"},"response":{"content":{"mimeType":"text/html","text":%q}}},`, i, record)
	}, `{"request":{"url":"http://h/"},"response":{"content":{}}}]}}`),
	"webarchive": perRecord("<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict>"+resource("http://h/")+"<key>WebSubframeArchives</key><array>", func(i int) string {
		return "<dict>" + resource(fmt.Sprintf("http://h/%d", i)) + "</dict>\n"
	}, "</array></dict></plist>"),
	"enex": perRecord("<?xml version=\"1.0\"?>\n<en-export>", func(i int) string {
		return fmt.Sprintf("<note><content><![CDATA[<en-note><a href=\"x\">x</a></en-note>]]></content><note-attributes><source-url>http://h/%d</source-url></note-attributes></note>\n", i)
	}, "</en-export>"),
	"zip":  zipped(func(i int) (string, string) { return fmt.Sprintf("%d/index.html", i), record }),
	"wacz": zipped(func(i int) (string, string) {
		http := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + record
		return fmt.Sprintf("archive/%d.warc", i), fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(http), http)
	}),
	"tar": func(n int) []byte {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		for i := range n {
			_ = w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%d.html", i), Mode: 0o644, Size: int64(len(record))}) // a Buffer has no errors
			_, _ = io.WriteString(w, record)
		}
		_ = w.Close()
		return out.Bytes()
	},
}

func resource(url string) string {
	return "<key>WebMainResource</key><dict><key>WebResourceData</key><data>" + base64.StdEncoding.EncodeToString([]byte(record)) +
		"</data><key>WebResourceMIMEType</key><string>text/html</string><key>WebResourceURL</key><string>" + url + "</string></dict>"
}

func perRecord(start string, of func(i int) string, end string) func(n int) []byte {
	return func(n int) []byte {
		out := []byte(start)
		for i := range n {
			out = append(out, of(i)...)
		}
		return append(out, end...)
	}
}

func zipped(of func(i int) (name, content string)) func(n int) []byte {
	return func(n int) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for i := range n {
			name, content := of(i)
			f, _ := w.Create(name) // a Buffer has no errors
			_, _ = io.WriteString(f, content)
		}
		_ = w.Close()
		return out.Bytes()
	}
}

// TestArchivesLinear: the time for each output of an archive grows in proportion to the number of its records. A plain test has
// few records, and checks that each output is written.
func TestArchivesLinear(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1")
	for ext, archive := range archives {
		dir := t.TempDir()
		document, out := filepath.Join(dir, "a."+ext), filepath.Join(dir, "out."+ext)
		for name, args := range map[string][]string{
			"rewrite": {"rewrite", "-o", out}, "--diff": {"rewrite", "--diff"}, "--edits": {"rewrite", "-o", out, "--edits", out + ".jsonl"},
			"--report": {"links", "-o", out + ".csv", "--report", out + ".html"}, "explain -f html": {"explain", "-f", "html", "-o", out + ".html"},
		} {
			args = append(args, "-q", document, "--force")
			if name == "--diff" {
				args = args[:len(args)-1]
			}
			run := func(t *testing.T) {
				got, err := commandtest.Command(t, args...).CombinedOutput()
				require.NoError(t, err, "%s: %s", strings.Join(args, " "), got)
				require.True(t, name != "--diff" || len(got) > 0)
			}
			t.Run(name+" "+ext, func(t *testing.T) {
				if !longtest.On() {
					require.NoError(t, os.WriteFile(document, archive(3), 0o666))
					run(t)
					return
				}
				longtest.LinearProcesses(t, name+" "+ext, 20_000, func(n int) func() {
					src := archive(n)
					return func() {
						require.NoError(t, os.WriteFile(document, src, 0o666)) // the other size may be there
						run(t)
					}
				})
			})
		}
	}
}
