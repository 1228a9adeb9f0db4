package verify_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/verify"
	"absolink/extract"
)

// TestWrongRecords: each record with a difference is listed once. If anything outside of the records differs, there is no list. Records
// that stay are not compared if their bytes are the same.
func TestWrongRecords(t *testing.T) {
	const from, head = "From a@b Thu Jan  1 00:00:00 1970\n", "Content-Type: text/html\n\n"
	page := func(name string) string { return `<a href="` + name + `"><a href="/` + name + `">` }
	digest := func(text string) string {
		sum := sha1.Sum([]byte(text))
		return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	mailbox, crawl, message := "", "", "Content-Type: multipart/mixed; boundary=b\n\n"
	for _, name := range []string{"one", "two", "ten"} {
		mailbox += from + head + page(name) + "\n\n"
		crawl += warcRecord("resource", "text/html", page(name), "WARC-Block-Digest: "+digest(page(name)))
		message += "--b\n" + head + page(name) + "\n"
	}
	crawl += warcRecord("request", "text/plain", "x")
	for _, row := range []struct {
		name, old string
		all       int
		damage    []string // pairs: a text of the new version, and what it becomes
		wrong     string
	}{
		{"a.mbox", mailbox, 3, []string{"example/one", "example/eno", "/ten", "/net"}, "message[1] message[3]"},
		{"a.mbox", mailbox, 3, []string{"<a href", "<b href"}, "message[1] message[2] message[3]"},
		{"a.mbox", mailbox, 3, []string{"example/one", "example/eno", "From a@b", "From c@b"}, "-"},
		{"a.mbox", mailbox, 3, []string{"/one", "/eno", from, ""}, "-"},
		{"a.warc", crawl, 4, []string{"example/two", "example/owt", "/ten", "/net"}, "record[2] record[3]"},
		{"a.warc", crawl, 4, []string{digest(`<a href="http://h.example/d/two"><a href="http://h.example/two">`), digest(page("two"))}, "record[2]"},
		{"a.warc", crawl, 4, []string{"text/html", "text/lmth", "/one", "/eno"}, "-"},
		{"a.eml", message, 0, []string{"/one", "/eno"}, "-"},
		{"a.html", page("one"), 0, []string{"/one", "/eno"}, "-"},
	} {
		s := sample{config: verify.Config{Standard: "rfc1808", Base: "keep"}, d: extract.Document{Name: row.name, Bytes: []byte(row.old)}}
		if row.name != "a.warc" {
			s.d.URL = "http://h.example/d/p"
		}
		d := s.rewritten(t)
		right := d.New
		assert.Equal(t, row.all, s.config.Check(d).All, row.name)
		for i := 0; i < len(row.damage); i += 2 {
			d.New = bytes.ReplaceAll(d.New, []byte(row.damage[i]), []byte(row.damage[i+1]))
		}
		r := s.config.Check(d)
		require.NotNil(t, r.Failed, "%s %q", row.name, row.damage)
		assert.Equal(t, r.Failed, r.Wrong[0])
		kept := map[string]bool{}
		for _, f := range r.Wrong {
			kept[f.Record] = true
		}
		if row.wrong == "-" {
			assert.Equal(t, map[string]bool{"": true}, kept, "%s %q", row.name, row.damage)
			continue
		}
		assert.Len(t, kept, len(r.Wrong))
		for _, path := range strings.Fields(row.wrong) {
			assert.True(t, kept[path], "%s %q: %s", row.name, row.damage, path)
		}
		d.Kept = kept
		assert.NotNil(t, s.config.Check(d).Failed, "the bytes of the kept records are not the same")
		var out bytes.Buffer
		s.x.Keep = func(path string) bool { return kept[path] }
		_, err := s.x.Rewrite(context.Background(), &out, s.d)
		require.NoError(t, err)
		d.New = out.Bytes()
		assert.NotEqual(t, fmt.Sprintf("%q", right), fmt.Sprintf("%q", d.New))
		assert.Nil(t, s.config.Check(d).Failed, "%s %q", row.name, row.damage)
	}
}
