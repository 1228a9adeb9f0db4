package mail_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
	"strings"
	"sync"

	"golang.org/x/text/encoding/htmlindex"

	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
)

// made is one message of the corpus. It declares no base.
type made struct{ Name, Src, Newline, Encoding string }

// madePages are the pages in the messages. "@" stands for a non-ASCII character of the charset. Some pages have
// lines that an mbox must quote.
var madePages = []struct{ MediaType, Text string }{
	{"text/html", "<html><body><a href=\"x?a=1&amp;b=@\">a line that is long enough to be broken when it is spelled as quoted-printable</a>\n<img src='i.png'>\n<p>@@@@\n</body></html>\n"},
	{"text/html", "<p>no links, but an end = of @</p>  \n.\n\n--\n"},
	{"text/html", "<a href=x>@</a>\nFrom here 10:10\n>From <a href=y>there</a>\n\nFrom <a href=z>c@d</a> Tue Jan  2 00:00:00 2024\n>>From @\n"},
	{"text/html", "<iframe srcdoc=\"<a href='deep?&amp;amp;@'>\"></iframe>\n<img srcset=\"a 1x,\n b@ 2x\">\n<p style=\"background: url(&quot;c.png&quot;)\">\n<meta http-equiv=refresh content='0; url=r'>\n"},
	{"text/plain", "See <URL:x\n y> and http://site.example/, <URL: z >. @\n\n>From <URL:q>\n-- \nno signature\n"},
}

var madeLetters = []struct{ charset, letter string }{
	{"utf-8", "\u00e9"}, {"windows-1252", "\u00e9"}, {"iso-8859-15", "\u20ac"}, {"koi8-r", "\u0434"}, {"shift_jis", "\u304b"},
	{"iso-2022-jp", "\u304b"}, {"utf-16le", "\u65e5"},
}

// madeHeaders are the first fields of messages. Some have relative links, but none has a base.
var madeHeaders = []string{
	"Subject: =?utf-8?q?=C3=A9?=\nMIME-Version: 1.0\n",
	"Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000\nList-Help: <help> (the help),\n <mailto:help@h>\nMime-Version:1.0 (made)\n",
	"From: a@h\nLink: <l>; rel=x,\n\t<m>; rel=\"y\"\nComments: see <URL:c\n d>\nMIME-VERSION: 1.0\n",
	"Message-ID: <1@h>\nX-Mailer:\n folded\nArchived-At: <\n archive/1>\nMIME-Version: 1.0\n",
}

// madeMessages returns the corpus, which is always the same: every line end, charset, transfer encoding, page, depth and
// kind of nesting. Without the long tests it is one message of seven, which still has each of these values.
var madeMessages = sync.OnceValue(func() []made {
	var all []made
	for _, newline := range []string{"\n", "\r\n"} {
		for _, c := range madeLetters {
			for _, encoding := range []string{"7bit", "8bit", "binary", "quoted-printable", "base64"} {
				if c.charset == "utf-16le" && encoding != "base64" {
					continue // its bytes are not lines
				}
				for i, page := range madePages {
					leaf := madeLeaf(page.MediaType, page.Text, newline, c.charset, c.letter, encoding)
					for depth := range 5 {
						for turn, header := range madeHeaders {
							src := leaf
							for level := range depth {
								src = madeAround(level, turn, newline, src)
							}
							all = append(all, made{fmt.Sprintf("%q %s %s, page %d, depth %d, turn %d", newline, c.charset, encoding, i, depth, turn),
								InLines(header, newline) + src, newline, encoding})
						}
					}
				}
			}
		}
	}
	if longtest.On() {
		return all
	}
	var some []made
	for i := 0; i < len(all); i += 7 {
		some = append(some, all[i])
	}
	return some
})

// madeLeaf returns an entity that contains no other entities.
func madeLeaf(mediaType, text, newline, charset, letter, encoding string) string {
	if encoding == "7bit" && charset != "iso-2022-jp" {
		letter = "e"
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		panic(err)
	}
	body, err := enc.NewEncoder().String(InLines(strings.ReplaceAll(text, "@", letter), newline))
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	switch encoding {
	case "quoted-printable":
		q := quotedprintable.NewWriter(&b)
		_, _ = io.WriteString(q, body) // a Builder returns no error
		_ = q.Close()
		body = InLines(strings.ReplaceAll(b.String(), "\r\n", "\n"), newline)
	case "base64":
		for s := base64.StdEncoding.EncodeToString([]byte(body)); s != ""; {
			n := min(len(s), 72)
			b.WriteString(s[:n] + newline)
			s = s[n:]
		}
		body = b.String()
	}
	return InLines("Content-Type: "+mediaType+"; charset=\""+charset+"\"\nContent-Transfer-Encoding: "+encoding+"\n\n", newline) + body
}

// madeAround returns an entity with the given one in it, by each kind of nesting in turn.
func madeAround(level, turn int, newline, inner string) string {
	boundary := fmt.Sprintf("=_%d.%d", level, turn)
	multipart := func(kind, first, last string) string {
		return InLines("Content-Type: multipart/"+kind+";\n\tboundary=\""+boundary+"\"\n\npreamble\n--"+boundary+first+"\n--"+boundary+"\n", newline) +
			inner + InLines("\n--"+boundary+last+"\n--"+boundary+"--\nepilogue\n", newline)
	}
	switch (level + turn) % 4 {
	case 0:
		return multipart("mixed", " \t\nContent-Type: text/plain\n\ntext", "\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\nAAEC/v8=\n")
	case 1:
		return multipart("related", "\nContent-Type: image/gif\nContent-Location: (c) other.gif\nContent-ID: <i@h>\nContent-Transfer-Encoding: BASE64\n\nR0lGODlh\n", "\n\n")
	case 2:
		return InLines("Content-Type: message/rfc822\nContent-Description: forwarded\n\n"+madeHeaders[turn], newline) + inner
	default:
		return multipart("alternative", "\n\n<URL:plain>", "\nContent-Type: text/css\n\n@import \"a.css\";")
	}
}
