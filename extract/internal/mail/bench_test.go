package mail_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/emersion/go-mbox"
	"github.com/emersion/go-message"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// writeMbox writes an mbox of a given size: plain messages, alternatives with the page in quoted-printable or
// base64, and attachments, which are two thirds of the bytes.
func writeMbox(t testing.TB, dst io.Writer, size int) {
	out := bufio.NewWriterSize(dst, 1<<20)
	page := strings.Repeat("<p class=\"intro\">A paragraph of a page, with caf\u00e9 and a <a href=\"../news/item.php?id=7&amp;lang=en\">link</a> in it, "+
		"and an <img src='img/logo.png' alt=\"a picture\">; it goes on for a while, as they do.</p>\r\n", 60)
	var qp bytes.Buffer
	w := quotedprintable.NewWriter(&qp)
	_, err := w.Write([]byte(page))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	html := []string{
		"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.ReplaceAll(qp.String(), "\r\n", "\n"),
		"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + wrapped(base64.StdEncoding.EncodeToString([]byte(page))),
	}
	noise := make([]byte, 88<<10)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	attachment := wrapped(base64.StdEncoding.EncodeToString(noise))
	for n, i := 0, 0; n < size; i++ {
		var m strings.Builder
		fmt.Fprintf(&m, "From a%d@example.com Mon Jan  1 00:00:00 2024\nReceived: from mx.example.com by mail.example.org\n\twith ESMTP id %d; Mon, 1 Jan 2024 00:00:00 +0000\n"+
			"Date: Mon, 1 Jan 2024 00:00:00 +0000\nFrom: A <a%d@example.com>\nTo: list@example.org\nSubject: =?utf-8?q?Caf=C3=A9?= %d\nMessage-ID: <%d@example.com>\nMIME-Version: 1.0\n", i, i, i, i, i)
		switch i % 4 {
		case 0:
			m.WriteString("Content-Type: text/plain; charset=utf-8\n\n" + strings.Repeat("See http://example.org/page for more, he said.\n", 100))
		case 1, 2:
			fmt.Fprintf(&m, "Content-Type: multipart/alternative; boundary=\"=_a%d\"\n\n--=_a%[1]d\nContent-Type: text/plain\n\nThe text.\n--=_a%[1]d\n%s\n--=_a%[1]d--\n", i, html[i%2])
		case 3:
			fmt.Fprintf(&m, "Content-Type: multipart/mixed; boundary=\"=_m%d\"\n\n--=_m%[1]d\n%[2]s\n--=_m%[1]d\nContent-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n%[3]s\n--=_m%[1]d--\n",
				i, html[i/4%2], attachment)
		}
		m.WriteString("\n")
		n += m.Len()
		_, err := out.WriteString(m.String())
		require.NoError(t, err)
	}
	require.NoError(t, out.Flush())
}

func wrapped(code string) string {
	var b strings.Builder
	for len(code) > 76 {
		b.WriteString(code[:76] + "\n")
		code = code[76:]
	}
	b.WriteString(code + "\n")
	return b.String()
}

// BenchmarkMbox lists the links of an mbox of ABSOLINK_MBOX megabytes, 300 if that is not
// set. "peer" is go-mbox with go-message, which only decodes the text/html parts.
func BenchmarkMbox(b *testing.B) {
	size := 300
	if s := os.Getenv("ABSOLINK_MBOX"); s != "" {
		size, _ = strconv.Atoi(s)
	}
	name := filepath.Join(b.TempDir(), "bench.mbox")
	file, err := os.Create(name)
	require.NoError(b, err)
	writeMbox(b, file, size<<20)
	require.NoError(b, file.Close())
	run := func(job func(io.Reader)) func(*testing.B) {
		return func(b *testing.B) {
			b.SetBytes(int64(size) << 20)
			for b.Loop() {
				file, err := os.Open(name)
				require.NoError(b, err)
				job(file)
				require.NoError(b, file.Close())
			}
		}
	}
	var w Walker
	pages := 0
	b.Run("absolink", run(func(r io.Reader) {
		require.NoError(b, w.Links(extract.Document{Name: name, URL: MadeURL, Reader: r}, func(l *extract.Link) error { return nil }))
	}))
	b.Run("peer", run(func(r io.Reader) {
		for in := mbox.NewReader(r); ; pages++ {
			m, err := in.NextMessage()
			if err == io.EOF {
				return
			}
			require.NoError(b, err)
			e, err := message.Read(m)
			require.NoError(b, err)
			require.NoError(b, e.Walk(func(_ []int, part *message.Entity, err error) error {
				if kind, _, _ := part.Header.ContentType(); err == nil && kind == "text/html" {
					_, err = io.Copy(io.Discard, part.Body)
				}
				return errors.Join(err)
			}))
		}
	}))
	b.Run("rewrite", run(func(r io.Reader) {
		require.NoError(b, w.Rewrite(io.Discard, extract.Document{Name: name, URL: MadeURL, Reader: r}))
	}))
}
