package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWith runs the recipes of docs/with.md whose program is installed. Each works in a folder with a page, a site and a
// WARC file with digests.
func TestWith(t *testing.T) {
	text, err := os.ReadFile("../../docs/with.md")
	require.NoError(t, err)
	const page = `<title>Page</title><a href="../faq.html">FAQ</a>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	defer server.Close()
	for _, row := range []struct {
		heading, needs string // a command that fails without the program
		file           string // for the recipe; "" runs it
		after          string // a script of bash
		want           string
	}{
		{"mitmproxy", "python3 -c 'import mitmproxy.test'", "absolute.py", `python3 -c '
import absolute
from mitmproxy.test import tflow
f = tflow.tflow(resp=True)
f.request.url = "http://site.example/docs/"
f.response.headers["content-type"] = "text/html"
f.response.content = open("page.html", "rb").read()
absolute.response(f)
print(f.response.content)'`, "http://site.example/faq.html"},
		{"Scrapy", "scrapy version", "spider.py", "scrapy runspider spider.py -O links.jsonl; cat links.jsonl",
			`{"url": "` + server.URL + `/faq.html"}`},
		{"warcio", "warcio --version", "", "warcio check -v new.warc.gz; absolink links new.warc.gz", "digest pass\nhttps://new.example/faq.html"},
		{"DuckDB", "duckdb --version", "", "", "WARC-Target-URI"},
		{"GNU parallel", "parallel --version", "", "ls out/*", "out/part-8.parquet"},
		{"pandoc", "pandoc --version", "", "absolink links -q book.epub", "http://site.example/faq.html\n"},
		{"pre-commit", "pre-commit --version", ".pre-commit-config.yaml", "git init -q; git add .; ! pre-commit run",
			"newsletter/issue.html\t1:29\t../faq.html"},
		{"vim", "vim --version | grep +quickfix", "recipe.vim", `sed -i '1a write' recipe.vim
			echo 'call writefile([join(map(getqflist(), "v:val.lnum.v:val.text"))], "list") | qa!' >> recipe.vim
			vim -es -u NONE page.html -S recipe.vim; cat page.html list`, "http://site.example/faq.html\">FAQ</a>\n1../faq.html"},
		{"Emacs", "emacs --version", "recipe.el", `emacs --batch page.html -l recipe.el \
			--eval '(progn (absolute-links "http://site.example/docs/") (save-buffer))'; cat page.html`, "http://site.example/faq.html"},
	} {
		t.Run(row.heading, func(t *testing.T) {
			if exec.Command("bash", "-c", row.needs).Run() != nil {
				t.Skip("not installed")
			}
			_, section, found := strings.Cut(string(text), "\n## "+row.heading+"\n")
			require.True(t, found)
			_, recipe, _ := strings.Cut(section, "```")
			_, recipe, _ = strings.Cut(recipe, "\n")
			recipe, _, _ = strings.Cut(recipe, "```")
			recipe = strings.ReplaceAll(recipe, `["http://site.example`, `["`+server.URL)

			dir, bin := t.TempDir(), t.TempDir()
			files := map[string]string{"page.html": page + "\n", "site/page.html": page, "newsletter/issue.html": page,
				"crawl.warc.gz": archive(t, page), "crawl/crawl.warc.gz": archive(t, page)}
			script := "set -e -o pipefail\n" + row.after
			if row.file == "" {
				script = "set -e -o pipefail\n" + recipe + row.after
			} else {
				files[row.file] = recipe
			}
			for name, content := range files {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
			}
			self, err := os.Executable()
			require.NoError(t, err)
			require.NoError(t, os.Symlink(self, filepath.Join(bin, "absolink")))
			module, err := filepath.Abs("../../release/python")
			require.NoError(t, err)
			cmd := exec.Command("bash", "-c", script)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), asCommand+"=1", "HOME="+dir,
				"PYTHONPATH="+module, "PYTHONDONTWRITEBYTECODE=1", "ABSOLINK="+filepath.Join(bin, "absolink"))
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			require.NoError(t, err, "%s%s", out, stderr.String())
			assert.Contains(t, string(out), row.want, stderr.String())
		})
	}
}

// archive returns a .warc.gz with a page that was retrieved from http://site.example/docs/.
func archive(t *testing.T, page string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
	digest := sha1.Sum([]byte(block))
	var out bytes.Buffer
	member := gzip.NewWriter(&out)
	_, err := fmt.Fprintf(member, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://site.example/docs/\r\n"+
		"WARC-Date: 2026-11-21T09:55:06Z\r\nWARC-Record-ID: <urn:uuid:5c8f9f0c-4d6f-4a8e-9f0e-0c1f2a3b4c5d>\r\n"+
		"Content-Type: application/http;msgtype=response\r\nWARC-Block-Digest: sha1:%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		base32.StdEncoding.EncodeToString(digest[:]), len(block), block)
	require.NoError(t, err)
	require.NoError(t, member.Close())
	return out.String()
}
