package mapping

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLeft(t *testing.T) {
	const host = "http://old.example/=https://new.example/"
	for _, row := range []struct{ rules, text, want string }{
		// each spelling
		{host, `http://old.example/a`, "http://old.example"},
		{host, `see HTTPS://Old.Example:80.`, "https://old.example:80"},
		{host, `//old.example?q //x //old.example#f`, "//old.example //old.example"},
		{host, `"http:\/\/old.example\/a","https:\\\/\\\/old.example\\\/a" http:\u002F\u002fold.example\u002Fa`, "http://old.example https://old.example http://old.example"},
		{host, `?u=http%3A%2F%2Fold.example%2Fb&u=https%253a%252f%252Fold.example:443`, "http://old.example https://old.example:443"},
		{host, `http:&#x2F;&#x2f;old.example http&#58;&#47;&#47;old.example&#58;80`, "http://old.example http://old.example:80"},
		{host, `https:\/\/urldefense.example/v2/url?u=http-3A__old.example_d&d=Dw a__old.example`, "http://old.example"},
		{host, `ftp://me:secret@old.example/ http://old.example@other/`, "ftp://USER@old.example http://old.example"},
		{host, `http://me@old.example./x http://old.example./`, "http://USER@old.example. http://old.example."},
		{"http://my_wiki/=https://n/ http://[::1]:81/=https://n/", `_http://my_wiki_ http://my_wiki_x/ https:\/\/[::1]:81/ http://[::2]/ https://urldefense.example http-3A__my_wiki`, "http://my_wiki https://[::1]:81"},
		{host, `http:///old.example http:////old.example`, "//old.example //old.example"},

		// the end of the host
		{host, `//old.example. //old.example- //old.example_ //old.example, //old.example`, "//old.example //old.example //old.example //old.example //old.example"},
		{host, `//old.example.com //old.examples //old.example-x //www.old.example //old.example:8080/`, ""},
		{host, `/old.example mailto:a@old.example /\/old.example http:/old.example \/old.example %2Fold.example`, ""},

		// ports and paths
		{"http://h:8080/=https://n/", `http://h:8080/ http://h/ https://h:443/ http://h:81/`, "http://h:8080 http://h https://h:443"},
		{"http://h/docs/=https://n/", `http://h/docs/x http://h/ http://h/docs http://h%2Fdocs%2Fx?u=http%3A%2F%2Fh%2Fdocs%2F http:\/\/h\/docs\/ http:\/\/h\/doc`, "http://h http://h http://h"},
		{"http://h/docs=https://n/", `http://h/docs, http://h/docs?q http://h/docs"x http%3A%2F%2Fh%2Fdocs%26data http://h/docsy`, "http://h http://h http://h http://h"},
		{"http://h/i?a=1&b=2=https://n/", `http://h/i?a=1&amp;b=2 "http://h/i?a=1" http://h/i?a=12 http://h/i`, "http://h http://h"},
		{"http://h/~j/=https://n/", `http://h:80/%7Ej/`, "http://h:80"},
		{"http://xn--bcher-kva/=https://n/ http://ö/=https://n/", `http://BÜCHER/ http://xn--bcher-kva/ http://XN--nda/`, "http://xn--bcher-kva http://xn--bcher-kva http://xn--nda"},

		// not under a NEW
		{"http://h/=https://h/", `http://h/ https://h/ //h/ https://h:443/ http://h:443/`, "http://h http://h:443"},
		{"http://h/docs/=http://h/manual/", `http://h/docs/ http://h/manual/ http://h/`, "http://h"},
		{"http://h/=https://a/http://h/", `http://h/ https://a/http://h/x https://b/http://h/`, "http://h http://h"},
		{"mailto:a@h=mailto:b@h", `http://h/`, ""},
	} {
		var got []string
		if l := NewLeft(table(t, strings.Fields(row.rules)...)); l != nil {
			find := l.In([]byte(row.text))
			for start, end := find(0); start < len(row.text); start, end = find(end) {
				origin, _ := l.Origin([]byte(row.text[start:]))
				got = append(got, origin)
			}
		}
		assert.Equal(t, row.want, strings.Join(got, " "), "%s: %s", row.rules, row.text)
	}
}
