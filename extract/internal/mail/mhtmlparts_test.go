package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// A Content-Location without brackets may contain parentheses and spaces.
func TestMHTMLParentheses(t *testing.T) {
	for _, row := range []struct {
		name, location, image, want string
	}{
		{"a file name", "http://h/d/a (1).gif", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a file name before a comment", "http://h/d/a (1).gif (saved)", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a relative name", "a (1).gif", "a (1).gif", "http://h/d/a (1).gif = part[2]"},
		{"a relative name that begins with a parenthesis", "(1).gif", "(1).gif", "http://h/d/(1).gif = part[2]"},
		{"a comment", "http://h/d/a.gif (1)", "a.gif", "http://h/d/a.gif = part[2]"},
		{"a comment is not part of the name", "http://h/d/a.gif (1)", "a.gif (1)", "http://h/d/a.gif (1)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := exampleHead + "Content-Location: http://h/d/p.htm\n" + Related("b", "",
				exampleHTML("", `<IMG SRC="`+row.image+`">`), "Content-Location: "+row.location+"\n"+logo)
			var w Walker
			const image = "part[1] img@src encapsulating Content-Location: "
			assert.Contains(t, linksOf(t, &w, Message(src)), image+row.want)
			after := linksOf(t, &w, Message(Rewrite(t, &w, Message(src))))
			assert.Contains(t, after, image+row.want, "rewritten it names the same part")
		})
	}
	for _, row := range []struct{ root, want string }{
		{"file:///C:/My Documents (old)/p.htm", "file:///C:/My Documents (old)/a.gif"},
		{"http://h/a (1)/x.htm", "http://h/a (1)/a.gif"},
		{"http://h/d/x.htm (saved on a Monday)", "http://h/d/a.gif"},
	} {
		src := "Content-Location: " + row.root + "\nContent-Type: text/html\n\n<img src=\"a.gif\">"
		want := strings.Replace(src, `"a.gif"`, `"`+row.want+`"`, 1)
		assert.Equal(t, want, Rewrite(t, &Walker{}, Message(src)), row.root)
	}
}

// A signed part stays unchanged, and its links name the same parts as before.
func TestMHTMLSigned(t *testing.T) {
	src := "Content-Base: http://h/\nContent-Type: multipart/signed; boundary=s\n\n--s\n" + Related("b", "",
		"Content-Type: text/html\n\n<img src=cid:i><img src=i.gif><iframe srcdoc='<img src=i.gif>'></iframe>\n",
		"Content-ID: <i>\nContent-Location: i.gif\n"+logo) + "--s--\n"
	var w Walker
	assert.Equal(t, src, Rewrite(t, &w, Message(src)))
	links := linksOf(t, &w, Message(src))
	assert.Equal(t, []string{"", "part[1.2]", "part[1.2]", "part[1.2]", ""}, []string{partOf(links[0]), partOf(links[1]), partOf(links[2]), partOf(links[3]), partOf(links[4])})
	assert.Equal(t, links, linksRewritten(t, w, Message(src)))
}

// An empty action of a form in a part means the URL of the part (RFC 2557 4.2).
func TestMHTMLOwnURL(t *testing.T) {
	form := "Content-Type: text/html\n\n<base href=http://b/><form action=''>\n"
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	d := Message("Snapshot-Content-Location: http://top/p?q\n" + Related("b", "", form, "Content-Location: http://frame/f?g\n"+form))
	assert.Equal(t, []string{"http://top/p?q", "http://frame/f?g", "http://frame/f?g = part[2]"}, targetsOf(linksOf(t, &w, d)))
	d = Message("Content-Location: http://single/c\n" + form)
	d.URL = "http://h/"
	assert.Equal(t, []string{"http://single/c", "http://single/c"}, targetsOf(linksOf(t, &w, d)))
}

// The bases of nested parts share the limit of total length that the bases of elements have.
func TestMHTMLLongBase(t *testing.T) {
	page := "Content-Type: text/html\n\n<base href=http://h/" + strings.Repeat("b", 2000) + "/>"
	parts := []string{""}
	for i := range 8 {
		page += fmt.Sprintf("<iframe src=cid:f%d></iframe>", i)
		parts = append(parts, fmt.Sprintf("Content-ID: <f%d>\nContent-Type: text/html\n\n<img srcset=x>\n", i))
	}
	parts[0] = page + "\n"
	var problems []extract.Code
	w := Walker{Extractor: extract.Extractor{MaxRecord: 4000, OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
	links := targetsOf(linksOf(t, &w, Message("Snapshot-Content-Location: http://h/\n"+Related("b", "", parts...))))
	assert.Len(t, links[len(links)-8], 2011)
	assert.Equal(t, "(no-base)", links[len(links)-1])
	assert.Contains(t, problems, extract.CodeLinkLimit)
}

// A BASE element stays if a reference below it stays relative, because the reference names a part.
func TestMHTMLNameKeepsBase(t *testing.T) {
	var codes []extract.Code
	w := Walker{Extractor: extract.Extractor{BaseURLs: extract.BaseRemove, OnProblem: func(p extract.Problem) { codes = append(codes, p.Code) }}}
	d := Message(Related("b", "", "Content-Type: text/html\n\n<base href=http://h/><img src=i>\n", "Content-Type: image/gif\nContent-Location: i\n\nGIF\n"))
	assert.Equal(t, string(d.Bytes), Rewrite(t, &w, d))
	assert.Equal(t, []extract.Code{extract.CodeLocalCopy, extract.CodeBaseNeeded}, codes)
}
