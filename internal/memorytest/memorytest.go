// Package memorytest makes inputs that need much memory.
//
// Each input is one record with very many links, or other parts, in a spelling that absolink must decode and encode
// again:
//
//	| one record of n bytes                             |
//	| links | links | links | links | ...       | links |
//
// The peak memory is compared with a formula of n and the number of links.
package memorytest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// An Input is a document, and the command and flags that read it.
type Input struct {
	Name    string // what is special about the document
	File    string // the name of the document; its suffix determines the format
	Size    int    // the full size in bytes; 0 is 16 MiB
	Verb    string // the command; "" is rewrite
	Flags   []string
	Decoded float64 // the length of the decoded document divided by that of the document; 0 is 1
	Fixed   int64   // if not 0, the limit of the peak memory in bytes, for any size
	NoLimit bool    // the peak memory is only measured

	Incomplete bool // some links stay unchanged, and the exit status is 1

	make func(size int) []byte
}

// Make returns the document, with its full size divided by part.
func (in Input) Make(part int) []byte { return in.MakeOf(cmp.Or(in.Size, 16*mib) / part) }

// MakeOf returns the document, with about size bytes.
func (in Input) MakeOf(size int) []byte { return in.make(size) }

// Limit returns the peak memory that docs/performance.md promises for a document of size bytes with that many links and
// embedded documents.
func (in Input) Limit(size, links int) int64 {
	decoded := cmp.Or(in.Decoded, 1) * float64(size)
	switch {
	case in.NoLimit:
		return math.MaxInt64
	case in.Fixed != 0:
		return in.Fixed
	case in.Verb == "links":
		return 48*mib + int64(4*decoded) + 150*int64(links)
	}
	return 48*mib + int64(8*decoded) + 400*int64(links)
}

// Args returns the arguments of absolink that read the document. The new document goes to output, or with --diff to
// standard output. The word OUTPUT in a flag stands for the name of the new document.
func (in Input) Args(document, output string) []string {
	verb := cmp.Or(in.Verb, "rewrite")
	args := []string{verb, "-q", document}
	for _, flag := range in.Flags {
		args = append(args, strings.ReplaceAll(flag, "OUTPUT", output))
	}
	if verb != "rewrite" || slices.Contains(in.Flags, "--diff") {
		return args
	}
	return append(args, "-o", output)
}

const (
	link     = "<a href=x>"
	response = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	mib      = 1 << 20
	mail     = "From: a@b.example\nMIME-Version: 1.0\nContent-Type: "
	archive  = `{"log":{"version":"1.2","entries":[{"request":{"url":"http://h/"},` +
		`"response":{"content":{"mimeType":"text/html",`
	plist = `<?xml version="1.0"?><plist version="1.0"><dict><key>WebMainResource</key>` +
		`<dict><key>WebResourceURL</key><string>http://h/</string>` +
		`<key>WebResourceMIMEType</key><string>text/html</string><key>WebResourceData</key><data>`
)

var base = []string{"-u", "http://h/"}

// Inputs begins with the nine that were measured first. The others are like them.
var Inputs = []Input{
	{Name: "quoted-printable, one line", File: "qp.eml", Flags: base,
		make: repeated(mail+"text/css\nContent-Transfer-Encoding: quoted-printable\n\n", "url(x) ", "\n")},
	{Name: "the header field Link", File: "link.http", Flags: base,
		make: repeated("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: ", "<x>; rel=x, ",
			"<y>; rel=x\r\n\r\n<a href=x>")},
	{Name: "HAR with escapes", File: "escapes.har",
		make: repeated(archive+`"text":"`, `<a href=\"x\">`, `"}}}]}}`)},
	{Name: "RSS with CDATA sections", File: "cdata.rss", Flags: base,
		make: repeated(`<rss version="2.0"><channel><item><description>`, "<![CDATA["+link+"]]>",
			"</description></item></channel></rss>")},
	{Name: "ISO-2022-JP page", File: "iso-2022-jp.html", Flags: base,
		make: repeated("<meta charset=iso-2022-jp>\x1b$B<<\x1b(B", link, "")},
	{Name: "base64, one line", File: "base64.eml", Flags: base,
		make: encoded(mail+"text/html\nContent-Transfer-Encoding: base64\n\n", base64Lines(0), "\n")},
	{Name: "UTF-16 page", File: "utf-16.html", Flags: base, make: encoded("", utf16, "")},
	{Name: "--diff, a base of 1 MB", Size: 1.26e6, File: "longbase.html", Flags: []string{"--diff"}, Fixed: 300 * mib,
		Incomplete: true, make: longBase},
	{Name: "--diff, one line", File: "oneline.html", Flags: []string{"--diff", "-u", "http://h/"},
		make: repeated("", link, "")},

	{Name: "UTF-8 page", File: "utf-8.html", Flags: base, make: repeated("<meta charset=utf-8>\u3042", link, "\n")},
	{Name: "UTF-8 page, short lines", File: "lines.html", Flags: base,
		make: repeated("<meta charset=utf-8>\u3042", link+"\n", "\n")},
	{Name: "--diff, short lines", File: "difflines.html", Flags: []string{"--diff", "-u", "http://h/"},
		make: repeated("", link+"\n", "")},
	{Name: "Shift_JIS page", File: "shift_jis.html", Flags: base,
		make: repeated("<meta charset=shift_jis>\x82\xa0", link+"\x83\x5c", "\n")},
	{Name: "GB18030 page", File: "gb18030.html", Flags: base,
		make: repeated("<meta charset=gb18030>\xc4\xe3", link+"\xc4\xe3", "\n")},
	{Name: "EUC-KR page", File: "euc-kr.html", Flags: base,
		make: repeated("<meta charset=euc-kr>\xb0\xa1", link+"\xb0\xa1", "\n")},
	{Name: "windows-1251 page", File: "windows-1251.html", Flags: base,
		make: repeated("<meta charset=windows-1251>\xe0", link+"\xe0", "\n")},
	{Name: "ISO-2022-JP page, kanji", File: "kanji.html", Flags: base,
		make: repeated("<meta charset=iso-2022-jp>", link+"\x1b$B<<\x1b(B", "")},
	{Name: "character references", File: "references.html", Flags: base,
		make: repeated("", "<a href=&#x78;&amp;>", "\n")},
	{Name: "srcset", Size: 12 * mib, File: "srcset.html", Flags: base, make: repeated(`<img srcset="`, "x 1x,", `y">`)},
	{Name: "ping", Size: 8 * mib, File: "ping.html", Flags: base, make: repeated(`<a ping="`, "x ", `y">`)},
	{Name: "srcdoc", File: "srcdoc.html", Flags: base,
		make: repeated(`<iframe srcdoc="`, "&lt;a href=&quot;x&quot;>", `">`)},
	{Name: "refresh", File: "refresh.html", Flags: base,
		make: repeated("", "<meta http-equiv=refresh content='0;url=x'>", "\n")},
	{Name: "CSS", File: "url.css", Flags: base, make: repeated("", "url(x)", "\n")},
	{Name: "style attribute", File: "style.html", Flags: base, make: repeated(`<p style="`, "a:url(x);", `">`)},
	{Name: "import map", File: "importmap.html", Flags: base,
		make: repeated(`<script type=importmap>{"imports":{`, `"/a":"/b",`, `"/c":"/d"}}</script>`)},
	{Name: "Markdown", File: "links.md", Flags: base, make: repeated("", "[a](x)\n", "")},
	{Name: "SVG", File: "links.svg", Flags: base,
		make: repeated(`<svg xmlns="http://www.w3.org/2000/svg">`, `<a href="x"/>`, "</svg>")},
	{Name: "RSS, one description", File: "description.rss", Flags: base,
		make: repeated(`<rss version="2.0"><channel><item><description>`, "&lt;a href=x>",
			"</description></item></channel></rss>")},
	{Name: "RSS, one CDATA section", File: "onecdata.rss", Flags: base,
		make: repeated(`<rss version="2.0"><channel><item><description><![CDATA[`, link,
			"]]></description></item></channel></rss>")},
	{Name: "RSS, many descriptions", File: "descriptions.rss", Flags: base,
		make: repeated(`<rss version="2.0"><channel>`, "<item><description>&lt;a href=x></description></item>",
			"</channel></rss>")},
	{Name: "quoted-printable, lines", File: "lines.eml", Flags: base,
		make: repeated(mail+"text/html\nContent-Transfer-Encoding: quoted-printable\n\n",
			strings.Repeat("<a href=3Dx>", 6)+"=\n", "\n")},
	{Name: "base64, lines", File: "base64lines.eml", Flags: base,
		make: encoded(mail+"text/html\nContent-Transfer-Encoding: base64\n\n", base64Lines(76), "\n")},
	{Name: "base64 of a UTF-16 page", File: "base64utf16.eml", Flags: base,
		make: encoded(mail+"text/html; charset=utf-16\nContent-Transfer-Encoding: base64\n\n",
			func(text []byte) []byte { return base64Lines(76)(utf16(text)) }, "\n")},
	{Name: "MHTML", File: "edits.mhtml",
		make: repeated(mail+"multipart/related; boundary=b; type=\"text/html\"\n\n--b\nContent-Type: text/html\n"+
			"Content-Location: http://h/\n\n",
			link+"\n", "\n--b--\n")},
	{Name: "MHTML, quoted-printable", File: "page.mhtml",
		make: repeated(mail+"multipart/related; boundary=b; type=\"text/html\"\n\n--b\nContent-Type: text/html\n"+
			"Content-Location: http://h/\n"+
			"Content-Transfer-Encoding: quoted-printable\n\n", strings.Repeat("<a href=3Dx>", 6)+"=\n", "\n--b--\n")},
	{Name: "mail, many parts", File: "parts.eml", Flags: base,
		make: repeated(mail+"multipart/mixed; boundary=b\n\n", "--b\nContent-Type: text/html\n\n<a href=x>\n",
			"--b--\n")},
	{Name: "mbox, one message", File: "one.mbox", Flags: base,
		make: repeated("From a@b.example Mon Jan  1 00:00:00 2024\n"+mail+"text/html\n\n", link+"\n", "\n")},
	{Name: "mbox, one message with quoted From", File: "from.mbox", Flags: base,
		make: repeated("From a@b.example Mon Jan  1 00:00:00 2024\n"+mail+"text/html\n\n", link+"\n>From x\n", "\n")},
	{Name: "mbox, one message in base64", File: "base64.mbox", Flags: base,
		make: encoded("From a@b.example Mon Jan  1 00:00:00 2024\n"+mail+
			"text/html\nContent-Transfer-Encoding: base64\n\n", base64Lines(76), "\n")},
	{Name: "gzip in a response", File: "gzip.http", Flags: base, Decoded: gzipRatio, make: gzipPage},
	{Name: "chunked response", File: "chunked.http", Flags: base,
		make: repeated("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n",
			"a\r\n"+link+"\r\n", "0\r\n\r\n")},
	{Name: "HAR with base64", File: "base64.har",
		make: encoded(archive+`"encoding":"base64","text":"`, base64Lines(0), `"}}}]}}`)},
	{Name: "HAR, many entries", File: "entries.har",
		make: repeated(`{"log":{"version":"1.2","entries":[`,
			`{"request":{"url":"http://h/"},"response":{"content":{"mimeType":"text/html","text":"<a href=\"x\">"}}},`,
			`{}]}}`)},
	{Name: "webarchive", File: "page.webarchive",
		make: encoded(plist, base64Lines(76), "</data></dict></dict></plist>")},

	{Name: "Markdown, open brackets", File: "brackets.md", Flags: base, make: repeated("[a](x)\n", "[", "")},
	{Name: "links of Markdown, open images", File: "images.md", Verb: "links", Flags: base,
		make: repeated("[a](x)\n", "![", "")},
	{Name: "Markdown, a wide table", File: "table.md", Flags: base, make: wideTable},
	{Name: "Markdown, lines in a quote", Incomplete: true, File: "quote.md", Flags: base,
		make: repeated("[a](x)\n\n", ">a\n", "")},
	{Name: "Markdown, definitions", File: "definitions.md", Flags: base,
		make: repeated("[a](x)\n\n", "[abc]: y\n", "")},
	{Name: "links of srcdoc in srcdoc", File: "nested.html", Verb: "links", Flags: base, Incomplete: true,
		make: nested},
	{Name: "quoted-printable, one URL", Incomplete: true, File: "url.eml", Flags: base,
		make: repeated(mail+"text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"x", "=3D=",
			"\">\n")},
	{Name: "base64, one URL, short lines", Incomplete: true, File: "url64.eml", Flags: base,
		make: repeated(mail+"text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj0i", "YWFh\n", "Ij4=\n")},
	{Name: "links --fields text", File: "texts.html", Verb: "links",
		Flags: []string{"--fields", "url,text", "-u", "http://h/"},
		make:  repeated("<a href=x>a</a>", "<b c>", "")},
	{Name: "links of List-Unsubscribe", Size: 12 * mib, File: "list.eml", Verb: "links", Flags: base,
		make: repeated(mail+"text/plain\nList-Unsubscribe: ", "<a>,", "<b>\n\nx\n")},
	{Name: "elements with xml:base, nested", File: "deep.svg", Flags: base, Incomplete: true, make: deepBases},
	{Name: "elements with xml:base", File: "bases.svg", Flags: base,
		make: repeated(`<svg xmlns="http://www.w3.org/2000/svg">`, `<a xml:base="z/" href="x"/>`, "</svg>")},
	{Name: "elements with an unsuitable xml:base", File: "mailto.svg", Flags: base,
		make: repeated(`<svg xmlns="http://www.w3.org/2000/svg">`, `<a xml:base="mailto:z" href="x"/>`, "</svg>")},
	{Name: "elements with codebase", File: "codebase.html", Flags: base,
		make: repeated("", "<applet codebase=z/ code=x>", "")},
	{Name: "BASE elements, removed", File: "base.html", Flags: []string{"-u", "http://h/", "--base", "remove"},
		make: repeated("<a href=x>", "<base href=x>", "")},
	{Name: "mail, parts with a Content-Location", File: "location.eml", Flags: base, make: locations},
	{Name: "one element with namespaces", Incomplete: true, File: "namespaces.svg", Flags: base,
		make: repeated(`<svg xmlns="http://www.w3.org/2000/svg"`, ` xmlns:a="x"`, `><a href="x"/></svg>`)},
	{Name: "one URL of bytes outside ASCII, whatwg", Incomplete: true, File: "windows-1252.html",
		Flags: []string{"-u", "http://h/", "-s", "whatwg"},
		make:  repeated(`<meta charset=windows-1252><a href="`, "\xe9", `">`)},
	{Name: "quoted-printable, one URL of =", Incomplete: true, File: "equals.eml", Flags: base,
		make: repeated(mail+"text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"x", "=", "\">\n")},
	{Name: "one URL of NUL bytes", Incomplete: true, File: "nul.html", Flags: base,
		make: repeated(`<a href="`, "\x00", `">`)},
	{Name: "one element with attributes", File: "attributes.html", Flags: base, make: attributes},
	{Name: "mail, many empty parts", File: "empty.eml", Flags: base,
		make: repeated(mail+"multipart/mixed; boundary=b\n\n", "--b\n\na\n",
			"--b\nContent-Type: text/html\n\n<a href=x>\n--b--\n")},
	{Name: "a message in a message, 50 times", File: "messages.eml", Flags: base, make: messages(50, "", link+"\n")},
	{Name: "messages in quoted-printable, one line", File: "levels.eml", Flags: base,
		make: messages(7, "Content-Transfer-Encoding: quoted-printable\n", link)},
	{Name: "zips inside each other", File: "zips.zip", make: archives(8, zipped)},
	{Name: "tars inside each other", File: "tars.tar", make: archives(8, tarred)},
	{Name: "messages with a length inside each other", File: "lengths.eml", make: archives(51, lengthened)},

	// These have few links, but very many of something else.
	{Name: "content codings", File: "codings.http", Flags: base,
		make: repeated(response+"Content-Encoding: ", "gzip, ", "gzip\r\n\r\n"+link)},
	{Name: "empty transfer codings", File: "transfer.http", Flags: base,
		make: repeated(response+"Transfer-Encoding: ", ",", "\r\n\r\n"+link)},
	{Name: "values of Content-Type", File: "types.http", Flags: base,
		make: repeated("HTTP/1.1 200 OK\r\nContent-Type: text/html", ",text/html", "\r\n\r\n"+link)},
	{Name: "empty gzip members", File: "members.html.gz", Flags: base, make: emptyMembers},
	{Name: "empty zstd frames", File: "frames.html.zst", Flags: base, make: emptyFrames},
	{Name: "flowed text, one URL", Incomplete: true, File: "flowed.eml", Flags: base,
		make: repeated(mail+"text/plain; format=flowed; delsp=yes\n\nhttp://h/a\n\nhttp://h/", "a \n", "\n")},
	{Name: "links of elements with xml:base", File: "xmlbase.svg", Verb: "links", Flags: base,
		make: repeated(`<svg xmlns="http://www.w3.org/2000/svg">`, `<a xml:base="b/"/>`, "</svg>")},
	{Name: "links of elements with an unsuitable xml:base", File: "unsuitable.svg", Verb: "links", Flags: base,
		make: repeated(`<svg xmlns="http://www.w3.org/2000/svg">`, `<a xml:base="mailto:z"/>`, "</svg>")},
	{Name: "multiparts inside each other, one boundary", File: "multiparts.eml", Flags: base,
		make: repeated(mail+"multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed; boundary=b\n\n",
			"--b\nContent-Type: text/html\n\n"+link+"\n--b--\n")},
	{Name: "parts with a Content-ID", File: "ids.eml", Flags: base,
		make: repeated(mail+"multipart/mixed; boundary=b\n\n", "--b\nContent-ID: <a>\n\n",
			"--b\nContent-Type: text/html\n\n"+link+"\n--b--\n")},
	{Name: "parts with an unknown encoding", Incomplete: true, File: "encodings.eml", Flags: base,
		make: repeated(mail+"multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n"+link+"\n",
			"--b\nContent-Transfer-Encoding: x\n\na\n", "--b--\n")},

	{Name: "rewrite --verify", NoLimit: true, File: "verify.html", Flags: []string{"--verify", "-u", "http://h/"},
		make: repeated("", link+"\n", "")},
	{Name: "rewrite --report", NoLimit: true, File: "report.html",
		Flags: []string{"--report=OUTPUT.html", "-u", "http://h/"}, make: repeated("", link+"\n", "")},
	{Name: "explain -f html", NoLimit: true, File: "explain.html", Verb: "explain",
		Flags: []string{"-f", "html", "-u", "http://h/"}, make: repeated("", link+"\n", "")},
}

// emptyMembers returns a gzip file of members without text, and one with a link.
func emptyMembers(size int) []byte {
	var empty, page bytes.Buffer
	for out, text := range map[*bytes.Buffer]string{&empty: "", &page: link} {
		w := gzip.NewWriter(out)
		io.WriteString(w, text) // a bytes.Buffer has no errors
		w.Close()
	}
	return repeated("", empty.String(), page.String()+empty.String())(size)
}

// emptyFrames is like emptyMembers, for the frames of zstd.
func emptyFrames(size int) []byte {
	const frame = "\x28\xb5\x2f\xfd\x20"
	return repeated("", frame+"\x00\x01\x00\x00", frame+"\x0a\x51\x00\x00"+link)(size)
}

// attributes returns an element with attributes of different names, and a link.
func attributes(size int) []byte {
	out := []byte("<p")
	for n := 0; len(out) < size; n++ {
		out = fmt.Appendf(out, " a%d=x", n)
	}
	return append(out, "><a href=x>"...)
}

// wideTable returns a table of one row, after a paragraph with a link.
func wideTable(size int) []byte {
	n := size / 4
	return fmt.Appendf(nil, "[a](x)\n\n%s|\n%s|\n", strings.Repeat("|a", n), strings.Repeat("|-", n))
}

// nested returns a page with a page in a srcdoc, and so on. Each level must be decoded.
func nested(size int) []byte {
	page := "<p>&lt;" + strings.Repeat("a", size)
	for range 60 {
		page = link + `<iframe srcdoc="` + html.EscapeString(page) + `">`
	}
	return []byte(page)
}

// messages returns a function that makes a message in a message, and so on, around a page. Each has the fields in
// encoding.
func messages(levels int, encoding, unit string) func(int) []byte {
	inner := strings.Repeat("message/rfc822\n"+encoding+"\nContent-Type: ", levels)
	return repeated(mail+inner+"text/html\n\n", unit, "\n")
}

// archives returns a function that makes an archive in an archive, and so on, around a page.
func archives(levels int, archive func(of []byte, name string) []byte) func(int) []byte {
	return func(size int) []byte {
		out := archive(repeated("<base href=http://h/>", link, "")(size), "page.html")
		for range levels - 1 {
			out = archive(out, "inner")
		}
		return out
	}
}

// zipped returns a zip archive of one file, not compressed.
func zipped(file []byte, name string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, _ := z.CreateHeader(&zip.FileHeader{Name: name}) // a bytes.Buffer has no errors
	w.Write(file)
	z.Close()
	return out.Bytes()
}

func tarred(file []byte, name string) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	w.WriteHeader(&tar.Header{Name: name, Size: int64(len(file))}) // a bytes.Buffer has no errors
	w.Write(file)
	w.Close()
	return out.Bytes()
}

// lengthened returns a message with a Content-Length around a page or another message.
func lengthened(body []byte, name string) []byte {
	of := "message/rfc822"
	if strings.HasSuffix(name, ".html") {
		of = "text/html"
	}
	return fmt.Appendf(nil, "%s%s\nContent-Length: %d\n\n%s", mail, of, len(body), body)
}

// locations returns a message whose parts have different Content-Locations.
func locations(size int) []byte {
	const part = "--b\nContent-Type: text/html\nContent-Location: %d/\n\n<a href=x>\n"
	out := []byte(mail + "multipart/related; boundary=b\n\n")
	for n := 0; len(out) < size; n++ {
		out = fmt.Appendf(out, part, n)
	}
	return append(out, "--b--\n"...)
}

// deepBases returns a link, and elements with a base inside each other.
func deepBases(size int) []byte {
	const element = `<g xml:base="x/">`
	n := size / len(element+"</g>")
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg"><a href="x"/>%s%s</svg>`,
		strings.Repeat(element, n), strings.Repeat("</g>", n))
}

func repeated(head, unit, tail string) func(int) []byte {
	return func(size int) []byte {
		n := max(size-len(head)-len(tail), 0) / len(unit)
		out := make([]byte, 0, len(head)+n*len(unit)+len(tail))
		out = append(out, head...)
		for range n {
			out = append(out, unit...)
		}
		return append(out, tail...)
	}
}

// encoded returns a function that encodes a page of links and puts it between head and tail.
func encoded(head string, encode func(text []byte) []byte, tail string) func(int) []byte {
	return func(size int) []byte {
		const sample = 1 << 16
		text := repeated("", link, "")
		n := int(float64(sample) * float64(size) / float64(len(encode(text(sample)))))
		return append(append([]byte(head), encode(text(n))...), tail...)
	}
}

// base64Lines returns a function that encodes base64 in lines of a length, or in one line if that is 0.
func base64Lines(length int) func([]byte) []byte {
	return func(text []byte) []byte {
		all := base64.StdEncoding.AppendEncode(nil, text)
		if length == 0 {
			return all
		}
		out := make([]byte, 0, len(all)+len(all)/length+1)
		for len(all) > 0 {
			n := min(length, len(all))
			out, all = append(append(out, all[:n]...), '\n'), all[n:]
		}
		return out
	}
}

// utf16 encodes ASCII text, after a byte order mark.
func utf16(text []byte) []byte {
	out := binary.LittleEndian.AppendUint16(make([]byte, 0, 2*len(text)+2), 0xFEFF)
	for _, c := range text {
		out = binary.LittleEndian.AppendUint16(out, uint16(c))
	}
	return out
}

// gzipRatio is the length of the page of gzipPage divided by its compressed length.
const gzipRatio = 1.8

// gzipPage returns a response with a compressed page of links. The references differ, because the absolute URLs of
// equal links would compress so well that the new page exceeds --max-ratio. The compression is the weakest, which still
// needs some bytes for each link.
func gzipPage(size int) []byte {
	random := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 0, int(gzipRatio*float64(size)))
	for cap(text)-len(text) >= 16 {
		text = fmt.Appendf(text, "<a href=%05x>", random.Uint32N(1<<20))
	}
	out := bytes.NewBufferString("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n")
	w, err := gzip.NewWriterLevel(out, gzip.HuffmanOnly)
	if err != nil {
		panic(err) // the level is valid
	}
	w.Write(text) // a bytes.Buffer has no errors
	w.Close()
	return out.Bytes()
}

// longBase returns a page whose base has four fifths of the size, which is 1 MB in a long test, and links in the rest.
func longBase(size int) []byte {
	const line = "<p><a href=x>text</a>\n"
	n := size * 4 / 5
	return fmt.Appendf(nil, "<base href=http://h/%s/>\n%s", strings.Repeat("b", n),
		strings.Repeat(line, (size-n)/len(line)))
}
