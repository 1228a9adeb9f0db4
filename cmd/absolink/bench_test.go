package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
	"absolink/resolve"
)

// references returns n references as in web pages, one on each line.
func references(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, [...]string{"../img/pic%d.png", "page%d.html", "/docs/a/b/c%d.html", "#sec%d", "?q=%d&x=1",
			"http://www.example.com/x/y/%d.html", "../../lib/f%d.js", "//cdn.example.net/l%d.css", "sub/dir/./f%d.html#frag", "./x%d"}[i%10]+"\n", i)
	}
	return b.Bytes()
}

// BenchmarkResolve compares the verb resolve with a loop over net/url that prints the same lines.
func BenchmarkResolve(b *testing.B) {
	const from = "http://a.example/b/c/d?q"
	lines := references(100_000)
	var ours, theirs bytes.Buffer
	verb := func(w io.Writer, std resolve.Standard) {
		base, err := std.Base(from)
		require.NoError(b, err)
		s := &session{log: slog.New(slog.DiscardHandler)}
		r := &resolver{session: s, base: base, out: &files.Output{W: w}}
		require.NoError(b, r.lines(bytes.NewReader(lines)))
		require.NoError(b, r.out.Flush())
	}
	loop := func(w io.Writer) {
		base, err := url.Parse(from)
		require.NoError(b, err)
		out := bufio.NewWriterSize(w, files.BufferSize)
		for in := bufio.NewScanner(bytes.NewReader(lines)); in.Scan(); {
			ref, err := url.Parse(in.Text())
			require.NoError(b, err)
			out.WriteString(base.ResolveReference(ref).String())
			out.WriteByte('\n')
		}
		out.Flush()
	}
	verb(&ours, resolve.RFC3986)
	loop(&theirs)
	require.Equal(b, theirs.String(), ours.String())

	for _, std := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
		b.Run(std.String(), func(b *testing.B) {
			b.SetBytes(int64(len(lines)))
			for b.Loop() {
				verb(io.Discard, std)
			}
		})
	}
	b.Run("net-url", func(b *testing.B) {
		b.SetBytes(int64(len(lines)))
		for b.Loop() {
			loop(io.Discard)
		}
	})
}

// BenchmarkRows measures listing links without rows ("none"), with rows of text, and with JSON lines.
func BenchmarkRows(b *testing.B) {
	var page bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&page, "<p>Some text <a class=x href='../dir/page%d.html?a&amp;b'>x</a></p>\n", i)
	}
	for name, t := range map[string]struct {
		form   rows.Form
		fields []string
	}{"none": {}, "text": {fields: []string{"url"}}, "jsonl": {form: rows.JSONL}} {
		b.Run(name, func(b *testing.B) {
			table, err := rows.NewTable(t.form, linkColumns, t.fields)
			require.NoError(b, err)
			x, row := &extract.Extractor{}, &linkRow{}
			out := &files.Output{W: io.Discard}
			b.SetBytes(int64(page.Len()))
			b.ReportAllocs()
			for b.Loop() {
				row.forget()
				for l, err := range x.Links(b.Context(), extract.Document{Name: "site/page.html", URL: "http://h/dir/page.html", Bytes: page.Bytes()}) {
					require.NoError(b, err)
					if name != "none" {
						row.set(l, t.form)
						out.Buf = table.Append(out.Buf, row)
					}
					require.NoError(b, out.Spill())
				}
			}
		})
	}
}
