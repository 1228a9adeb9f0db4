package mail_test

import (
	"bytes"
	"testing"

	. "absolink/extract/internal/extracttest"

	"github.com/stretchr/testify/require"
)

var headerNames = []string{"Base", "Content-Base", "Content-Location", "Link", "Refresh", "List-Help", "Comments", "Location", "Archived-At",
	"Content-Type", "Content-Transfer-Encoding", "Snapshot-Content-Location", "X-URL"}

// FuzzHeader reads any bytes as the value of a field of a message and of a part. What follows the field stays unchanged.
func FuzzHeader(f *testing.F) {
	for i, value := range []string{" <URL:http://b/>", "\"http://b\r\n /x\" (c)", " http://b/%20?a=b (c (d))", " <x>;\n\trel=x, <y>", " 0; url='x'", " <x> (c), <mailto:a@b>",
		" see <URL:x\n y>", " /x", " =?utf-8?q?=3Cx=3E?=", " multipart/mixed; boundary=\"b\\\"\"; boundary*0*=utf-8''%62", "\t(c)base64", " x"} {
		f.Add([]byte(value), uint8(i))
	}
	f.Add([]byte("(Fttp://b/%20?a=b (a (d))"), uint8(1))
	f.Fuzz(func(t *testing.T, value []byte, name uint8) {
		field := headerNames[int(name)%len(headerNames)] + ":" + string(value)
		const behind = "\nSubject: x\n\nbody\n"
		var w Walker
		for _, src := range []string{field + behind, "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + field + behind + "--b--\n"} {
			Unharmed(t, &w, Message(src))
		}
		d := Message(field + behind)
		d.URL = MadeURL
		if !bytes.Contains(value, []byte("\n")) {
			require.Contains(t, Rewrite(t, &w, d), behind)
		}
	})
}

func FuzzBoundary(f *testing.F) {
	f.Add("b", []byte("--b\n\n<URL:x>\n--b--\n"), "\n")
	f.Add("a b", []byte("--a b \t\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n--a b--x"), "\r\n")
	f.Add("=_'()+,-./:?", []byte("preamble\n--=_'()+,-./:?--\n--=_'()+,-./:?\n"), "\n")
	f.Fuzz(func(t *testing.T, boundary string, body []byte, newline string) {
		var w Walker
		Unharmed(t, &w, Message("Content-Type: multipart/related; boundary=\""+boundary+"\""+newline+newline+string(body)))
	})
}
