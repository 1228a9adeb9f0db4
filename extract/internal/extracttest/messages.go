package extracttest

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding/htmlindex"

	"absolink/extract"
	"absolink/internal/longtest"
)

// Made is one message of the corpus. It declares no base.
type Made struct{ Name, Src, Newline, Encoding string }

// MadeURL is the retrieval URL of messages.
const MadeURL = "http://base.example/d/m?q"

// MadePages are the pages in the messages. "@" stands for a non-ASCII character of the charset. Some pages have
// lines that an mbox must quote.
var MadePages = []struct{ MediaType, Text string }{
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

// MadeHeaders are the beginnings of messages. Some have links without a base.
var MadeHeaders = []string{
	"Subject: =?utf-8?q?=C3=A9?=\nMIME-Version: 1.0\n",
	"Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000\nList-Help: <help> (the help),\n <mailto:help@h>\nMime-Version:1.0 (made)\n",
	"From: a@h\nLink: <l>; rel=x,\n\t<m>; rel=\"y\"\nComments: see <URL:c\n d>\nMIME-VERSION: 1.0\n",
	"Message-ID: <1@h>\nX-Mailer:\n folded\nArchived-At: <\n archive/1>\nMIME-Version: 1.0\n",
}

// MadeMessages returns the corpus, which is always the same: every line end, charset, transfer encoding, page,
// depth, and kind of nesting. A plain test has only one of seven messages, and still each of these values.
var MadeMessages = sync.OnceValue(func() []Made {
	var all []Made
	for _, newline := range []string{"\n", "\r\n"} {
		for _, c := range madeLetters {
			for _, encoding := range []string{"7bit", "8bit", "binary", "quoted-printable", "base64"} {
				if c.charset == "utf-16le" && encoding != "base64" {
					continue // its bytes are not lines
				}
				for i, page := range MadePages {
					leaf := MadeLeaf(page.MediaType, page.Text, newline, c.charset, c.letter, encoding)
					for depth := range 5 {
						for turn, header := range MadeHeaders {
							src := leaf
							for level := range depth {
								src = MadeAround(level, turn, newline, src)
							}
							all = append(all, Made{fmt.Sprintf("%q %s %s, page %d, depth %d, turn %d", newline, c.charset, encoding, i, depth, turn),
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
	var some []Made
	for i := 0; i < len(all); i += 7 {
		some = append(some, all[i])
	}
	return some
})

// MadeLeaf returns an entity that contains no other entities.
func MadeLeaf(mediaType, text, newline, charset, letter, encoding string) string {
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

// MadeAround returns an entity that contains the given entity. It uses each kind of nesting in turn.
func MadeAround(level, turn int, newline, inner string) string {
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
		return InLines("Content-Type: message/rfc822\nContent-Description: forwarded\n\n"+MadeHeaders[turn], newline) + inner
	default:
		return multipart("alternative", "\n\n<URL:plain>", "\nContent-Type: text/css\n\n@import \"a.css\";")
	}
}

// InLines returns a text with other line ends.
func InLines(text, newline string) string { return strings.ReplaceAll(text, "\n", newline) }

// MboxFlavours are the flavours in which the tests write and read a mailbox.
var MboxFlavours = []struct {
	Name   string
	Format extract.Mbox
}{{"mboxo", extract.MboxO}, {"mboxrd", extract.MboxRD}, {"mboxcl", extract.MboxCL}, {"mboxcl2", extract.MboxCL2}}

// MadeFrom is a From_ line without its line end.
const MadeFrom = "From a@b Mon Jan  1 00:00:00 2024"

// Mboxed writes messages, which end with a newline, as a mailbox of a flavour.
func Mboxed(flavour, newline string, messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		header, body, _ := strings.Cut(quotedFrom(flavour, m), newline+newline)
		if strings.HasPrefix(flavour, "mboxcl") {
			header += newline + "Content-Length: " + strconv.Itoa(len(body))
		}
		b.WriteString(MadeFrom + newline + header + newline + newline + body + newline)
	}
	return b.String()
}

// quotedFrom returns a message in which the lines are quoted that would be From_ lines in the flavour.
func quotedFrom(flavour, m string) string {
	lines := strings.SplitAfter(m, "\n")
	for i, line := range lines {
		from := line
		if flavour == "mboxrd" {
			from = strings.TrimLeft(line, ">")
		}
		if flavour != "mboxcl2" && strings.HasPrefix(from, "From ") {
			lines[i] = ">" + line
		}
	}
	return strings.Join(lines, "")
}

// Mixed is the header of a multipart/mixed with the boundary b.
const Mixed = "Content-Type: multipart/mixed; boundary=b\n\n"

// Mailbox returns an mbox without a URL.
func Mailbox(src string) extract.Document {
	return extract.Document{Name: "m.mbox", Bytes: []byte(src)}
}

// Message returns a message without a URL.
func Message(src string) extract.Document {
	return extract.Document{Name: "m.eml", Bytes: []byte(src)}
}

// Related returns a multipart/related of parts, each with its header.
func Related(boundary, parameters string, parts ...string) string {
	var b strings.Builder
	b.WriteString("Content-Type: multipart/related; boundary=\"" + boundary + "\";\n        type=\"text/html\"" + parameters + "\n\n")
	for _, part := range parts {
		b.WriteString("--" + boundary + "\n" + part)
	}
	return b.String() + "--" + boundary + "--\n"
}

// The lines around a signed text, and its signature.
const (
	PGPMessage   = "-----BEGIN PGP SIGNED MESSAGE-----\n"
	PGPSignature = "-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n"
)

// Rich is a message with every kind of content.
func Rich(newline string) string {
	leaf := func(page int, charset, letter, encoding string) string {
		return MadeLeaf(MadePages[page].MediaType, MadePages[page].Text, newline, charset, letter, encoding)
	}
	src := leaf(0, "utf-8", "\u00e9", "quoted-printable")
	for level := range 2 {
		src = MadeAround(level, 1, newline, src)
	}
	src = InLines("Content-Type: multipart/related; boundary*0=\"=_\"; boundary*1=rich; start=\"<s@h>\"\n\n--=_rich\nContent-ID: <s@h>\nContent-MD5: AAAA\n", newline) + leaf(3, "shift_jis", "\u304b", "base64") +
		InLines("--=_rich\nContent-Location: (c (d)) \"i.\n gif\"\n", newline) + src +
		InLines("\n--=_rich\nContent-Type: text/plain\n\n"+PGPMessage+"\n<URL:x>\n"+PGPSignature+"\n--=_rich\nContent-Type: message/external-body; access-type=URL; url=\"a\n b\"\n\n--=_rich--\n", newline)
	return InLines(MadeHeaders[1]+MadeHeaders[2]+"Lines: 100\nContent-Length: 4000\nDKIM-Signature: v=1\nRefresh: 0; url=r\n", newline) + src
}
