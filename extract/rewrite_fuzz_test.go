package extract_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

func documents(t testing.TB) (all []extract.Document) {
	require.NoError(t, filepath.WalkDir("../testdata", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Base(filepath.Dir(path)) == "script" {
			return err
		}
		src, err := os.ReadFile(path)
		switch {
		case err != nil:
		case filepath.Ext(path) == ".txtar":
			_, d := document(t, txtar.Parse(src))
			if d.Bytes == nil {
				d.Bytes = archiveOf(t, d.Name, below("files/", txtar.Parse(src)))
			}
			all = append(all, d)
		case extract.Detect("", path, nil) != nil:
			all = append(all, extract.Document{Name: path, Bytes: src})
		}
		return err
	}))
	return all
}

// FuzzRewrite checks the rules of Unharmed for any bytes, in each format.
func FuzzRewrite(f *testing.F) {
	n := uint16(0)
	add := func(mediaType string, src string) {
		for range Standards {
			f.Add([]byte(src), mediaType, n%uint16(len(Standards)*len(FuzzBases)))
			n++ // the next document has another base
		}
	}
	for _, d := range documents(f) {
		if format := extract.Detect(d.Type, d.Name, d.Bytes); format != nil && len(d.Bytes) < 4096 {
			add(format.Name, string(d.Bytes))
		}
	}
	seeds := fuzzSeeds(f)
	for _, mediaType := range slices.Sorted(maps.Keys(seeds)) {
		for _, src := range seeds[mediaType] {
			add(mediaType, src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, mediaType string, options uint16) {
		if extract.FormatOf(mediaType) == nil {
			t.Skip("no format has this media type")
		}
		w, url := FuzzOptions(options)
		if options&(1<<15) != 0 && extract.Detect("", "", src) == extract.FormatOf(mediaType) {
			mediaType = "" // the first bytes determine the format
		}
		Unharmed(t, &w, extract.Document{Type: mediaType, URL: url, Bytes: src})
	})
}

// fuzzSeeds are the documents of FuzzRewrite that are not in testdata, by their media types.
func fuzzSeeds(t testing.TB) map[string][]string {
	seeds := map[string][]string{
		"text/html": {
			`<base href=/q/><a href=x?a&amp;b>`, `<img srcset="a,b 1x,c"><p style='x:url("y")'>`, "<iframe srcdoc='<a href=x>'>",
			"<base itemid=2 style='a:url(3)' href='x/'><base href=z>\xe9<a href=y>", "<svg><title><base href=x></svg>", "\xff\xfe<\x00a\x00 ", "<meta http-equiv=refresh content='0;url=x'>",
			`<!-- saved from url=(1)http://h/p --><base href=.><a href=p_files/x><a href=/web/20200101000000im_/http://h/y>`,
			`<script>__wm.wombat("http://h:80/")</script><a href=/web/20200101000000/h:80/x><base href=http://web.archive.org/web/2020/ftp://h/>`,
			`<link rel="bookmark canonical" href=http://archive.is/1/http://h/><!-- Mirrored from h/p by HTTrack Website Copier -->`,
			"<a href=\xe9><a href=\xc3\xa9>", "<a href=\xc3\xa9>\xe9", "<a href=x>\xe9" + strings.Repeat(" ", 1000) + "<a href=\xc3\xa9>",
			"<a href=x>\xc3\xa9" + strings.Repeat(" ", 1010) + "\xe9<a href=y>", "<a href=x>" + strings.Repeat(" ", 980) + "<script><meta charset=koi8-r></script><a href=\xe9>",
			"<a href=x>" + strings.Repeat(" ", 1000) + "<a href=y>\xe9", "<meta itemprop=url http-equiv=content-type content=x><a href=\xe9>",
		},
		"text/markdown": {"[](x)", "[a](x)\n- [b]\n\n[b]: y\n", "|[a](x)|b|\n|-|-|\n|[c](y)|`d`|\n", "<a href=x>\n\n<img src=x>b", "www.a.b/c [x](y)", "![a](<x y> 'z')"},
		"text/plain":    {"<URL:x> http://a/b.", "a:http://b", "<URL:\n x>"},
		"text/css":      {`@charset "x";@import "y";a{b:url(c);d:image-set("e" 1x)}`},
		"message/rfc822": {"<img/src=a>", "[](x)\n", "Content-Type: text/html\n<img/src=a>\n", "Content-Type: text/markdown\n[](x)\n", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n<img/src=a>\n--b--\n",
			"Subject: x\nContent-Type: text/html\n \n<img/src=a>\n\n<a/href=b>\n"},
		"message/http": {"HTTP/1.1 200 OK\nContent-Type: text/html\n<img/src=a>\n", "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<img/src=a>\n"},
		"application/mbox": {"From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\n<img/src=a>\n",
			"From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\nContent-Length: 17\n\n\nFrom <a href=x>\n"},
	}
	message, err := os.ReadFile("../testdata/message/rich.eml")
	require.NoError(t, err)
	for _, newline := range []string{"\n", "\r\n"} {
		rich := InLines(string(message), newline)
		seeds["message/rfc822"] = append(seeds["message/rfc822"], rich, "Base: <URL:http://b/>"+newline+rich)
		for _, flavour := range MboxFlavours {
			seeds["application/mbox"] = append(seeds["application/mbox"],
				Mboxed(flavour.Name, newline, rich, InLines("Content-Type: text/html\n\n<a href=x>\n\nFrom <a href=y> 10:10\n>From <a href=z>\n", newline)))
		}
	}
	seeds["message/http"] = append(seeds["message/http"],
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>",
		"HTTP/1.1 302 Found\r\nLocation: x\r\n\r\nHTTP/2 200\nLink: <y>\n\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n5;x=y\r\n<a hr\r\n5\r\nef=x>\r\n0\r\nX: y\r\n\r\n",
		"HTTP/1.0 200\nContent-Type: multipart/mixed; boundary=b\n\n--b\nBase: <URL:http://b/>\nContent-Type: text/html\n\n<a href=x>\n--b--",
		"HTTP/1.1 200 OK\nContent-Encoding: gzip, deflate\nContent-Location: c\n\n\x1f\x8b\x08",
		"\x1f\x8b\x08")
	return seeds
}
