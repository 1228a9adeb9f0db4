package hostiletest

import (
	"strings"

	. "absolink/extract/internal/extracttest"
)

// widest is the longest boundary (RFC 2046 5.1.1).
const widest = "0123456789012345678901234567890123456789012345678901234567890123456789"

var hostileMail = []hostileText{
	{"nested multiparts", "", "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", "", 18_000},
	{"nested multiparts with one boundary", "", Mixed + "--b\n", "", 20_000},
	{"empty parts", Mixed, "--b\n\n", "", 200_000},
	{"only boundaries", Mixed, "--b\n", "", 250_000},
	{"parts with bases", Mixed, "--b\nContent-Base: <x/>\n\n<URL:y>\n", "", 30_000},
	{"siblings", strings.Replace(Mixed, "mixed", "related", 1), "--b\nContent-Location: %d.gif\nContent-Type: text/html\n\n<img src=%d.gif>\n", "--b--\n", 14_000},
	{"siblings that get a URL from a reference", strings.Replace(Mixed, "mixed", "related", 1), "--b\nContent-Location: %d.gif\n\n", "--b\nContent-Type: text/html\n\n<base href='http://b/'><img src=0.gif><img src=1.gif>\n--b--\n", 30_000},
	{"frames of a snapshot", "Snapshot-Content-Location: http://h/\n" + strings.Replace(Mixed, "mixed", "related", 1), "--b\nContent-ID: <%d>\nContent-Type: text/html\n\n<base href=%d/><iframe src=cid:1></iframe><iframe src=cid:%d0></iframe>\n", "--b--\n", 7_000},
	{"nested siblings", "", "Content-Type: multipart/related; boundary=b%d\n\n--b%d\nContent-Location: a%d\n", "Content-Type: text/html\n\n<img src=x>", 14_000},
	{"a boundary without line ends", "Content-Type: multipart/mixed; boundary=" + widest + "\n\n", "--" + widest, "", 14_000},
	{"lines that are almost a boundary", "Content-Type: multipart/mixed; boundary=" + widest + "\n\n", "--" + widest + "x\n", "", 14_000},
	{"white space after a boundary", Mixed, "--b \t\r", "", 160_000},
	{"short fields", "", "a:\n", "", 330_000},
	{"empty Link fields", "", "Link:\n", "", 160_000},
	{"short Link fields", "", "Link:<a>\n", "", 110_000},
	{"fields", "", "X-Y: z\n", "", 140_000},
	{"fields with links", "", "List-Help: <x>\n", "", 70_000},
	{"lines that are not fields", "", "x\n", "", 500_000},
	{"lines of white space", "A: b\n", " \n", "", 500_000},
	{"fields and lines of white space", "", "A: b\n \n", "", 140_000},
	{"a folded field without end", "Link: <", "\n x", "", 330_000},
	{"links in a field", "Link: ", "<a>,", "\n\n", 250_000},
	{"brackets in a field", "List-Help: ", "<", "\n\n", 1_000_000},
	{"comments in a field", "Content-Base: ", "(", "\n\n", 1_000_000},
	{"comments in a type", "Content-Type: ", "(x", "\n\n<URL:x>", 500_000},
	{"parameters", "Content-Type: text/html", "; a%d=b", "\n\n<a href=x>", 90_000},
	{"sections of a parameter", "Content-Type: multipart/mixed", "; boundary*%d=b", "\n\n--b\n", 55_000},
	{"quotes of a parameter", "Content-Type: multipart/mixed; boundary=", "\"\\", "\n\n--b\n", 500_000},
	{"bases", "", "Content-Base: <x/>\n", "", 50_000},
	{"bases of a part", Mixed + "--b\n", "Content-Base: <x/>\n", "Content-Type: text/html\n\n<a href=x>", 50_000},
	{"nested messages", "", "Content-Type: message/rfc822\n\n", "", 33_000},
	{"a digest", "Content-Type: multipart/digest; boundary=b\n\n", "--b\n\nBase: a/\n\n<URL:x>\n", "", 40_000},
	{"quoted-printable", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n", "<a href=3Dx>", "", 83_000},
	{"soft breaks", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"x", "=\n", "\">", 500_000},
	{"base64", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n", "PGEgaHJlZj14Pjxh\n", "", 58_000},
	{"base64 in pieces", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n", "PA==", "", 250_000},
	{"junk in base64", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj1", "-", "4Pg==", 1_000_000},
	{"URLs in text", "\n", "<URL:", "", 200_000},
	{"colons in text", "\n", "a://", "", 250_000},
	{"signed texts", "\n", "-----BEGIN PGP SIGNED MESSAGE-----\n<URL:x>\n-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n", "", 10_000},
	{"signed texts without end", "\n", "-----BEGIN PGP SIGNED MESSAGE-----\n<URL:x>\n", "", 24_000},
	{"signed parts", strings.Replace(Mixed, "mixed", "signed", 1), "--b\n\n<URL:x>\n", "", 80_000},
}

var hostileMboxes = []hostileText{
	{"wrong lengths", "", MadeFrom + "\nContent-Length: 99999999\nContent-Type: text/html\n\n<a href=x>\n\n", "", 9_000},
	{"slightly wrong lengths", "", MadeFrom + "\nContent-Length: 5000\n\n<URL:x>\n\n", "", 13_000},
	{"lengths with growing errors", "", MadeFrom + "\nContent-Length: 1%d\n\n<URL:x>\n\n", "", 13_000},
	{"From_ lines", "", MadeFrom + "\n", "", 30_000},
	{"empty messages", "", MadeFrom + "\n\n", "", 29_000},
	{"almost From_ lines", MadeFrom + "\n\n", "\nFrom here\n", "", 90_000},
	{"a From_ line without end", "From a@b 10:10", " x", "", 500_000},
	{"empty lines", "", "\n", MadeFrom + "\n\n<URL:x>\n", 1_000_000},
	{"a header without end", MadeFrom + "\n", "x", "", 1_000_000},
	{"quoted From_ lines", MadeFrom + "\nContent-Type: text/html\n\n", ">From <a href=x>\n", "", 60_000},
	{"marks of quoting", MadeFrom + "\n\n", ">", "From <URL:x>\n", 1_000_000},
}

// hostileArchives are responses and web archives.
var hostileArchives = []hostileText{
	{"status lines", "", "HTTP/1.1 200\n", "", 80_000},
	{"redirections", "", "HTTP/1.1 301 M\nLocation: x\n\n", "", 35_000},
	{"status lines in a record", "WARC/1.0\nWARC-Type: response\nContent-Length: 1040000\n\n", "HTTP/1.1 200\n", "\n\n", 80_000},
	{"first lines", "", "WARC/1.0\n", "", 110_000},
	{"records of no length", "", "WARC/1.0\n\n", "", 100_000},
	{"wrong lengths of blocks", "", "WARC/1.0\nContent-Length: 99999999\n\n", "", 28_000},
}
