package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// want is the output for testdata/crawl.warc. The page / links to /docs/, which is in the file. The BASE element of /docs/
// moves its links to /docs/v2/. The record of /old redirects to /new.
const want = `other.example	http://other.example/
other.example	http://other.example/frame?a=1&b=2
site.example	http://site.example/docs/v2/guide.html
site.example	http://site.example/here
site.example	http://site.example/new
`

// TestCrawl: a plain file, a compressed one, and the same file twice give the same output.
func TestCrawl(t *testing.T) {
	const plain = "testdata/crawl.warc"
	for _, names := range [][]string{{plain}, {compressed(t, plain)}, {plain, plain}} {
		var out bytes.Buffer
		if err := run(t.Context(), &out, names); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s: got\n%s", names, out.String())
		}
	}
}

// compressed writes a gzip copy of a file, and returns its name.
func compressed(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(content)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), filepath.Base(name)+".gz")
	if err := os.WriteFile(to, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestErrors has a file that does not exist, and a canceled context.
func TestErrors(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, []string{"testdata/absent.warc"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, &out, []string{"testdata/crawl.warc"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("output after an error: %s", out.String())
	}
}
