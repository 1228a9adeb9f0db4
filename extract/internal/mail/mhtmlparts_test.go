package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/internal/longtest"
	"absolink/resolve"
)

// TestMHTMLParentheses: a Content-Location without brackets may contain parentheses and spaces.
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

// If a form in a part has an empty action, it means the URL of the part (RFC 2557 4.2).
func TestMHTMLOwnURL(t *testing.T) {
	form := "Content-Type: text/html\n\n<base href=http://b/><form action=''>\n"
	w := Walker{Extractor: extract.Extractor{Standard: resolve.WHATWG}}
	d := Message("Snapshot-Content-Location: http://top/p?q\n" + Related("b", "", form, "Content-Location: http://frame/f?g\n"+form))
	assert.Equal(t, []string{"http://top/p?q", "http://frame/f?g", "http://frame/f?g = part[2]"}, targetsOf(linksOf(t, &w, d)))
	d = Message("Content-Location: http://single/c\n" + form)
	d.URL = "http://h/"
	assert.Equal(t, []string{"http://single/c", "http://single/c"}, targetsOf(linksOf(t, &w, d)))
}

// The total length of the bases of nested parts has the same limit as that of the bases of elements.
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
	assert.Contains(t, problems, extract.CodeSizeLimit)
}

// There are more parts than one chunk of marks, and each is named by the part before it, which has a base. All names
// are found.
func TestManyNamedParts(t *testing.T) {
	parts := longtest.Or(4_000, 40_000)
	message := func(location func(i int) string, link string) string {
		var b strings.Builder
		b.WriteString("Content-Type: multipart/related; boundary=b\n\n")
		for i := range parts {
			fmt.Fprintf(&b, "--b\nContent-Type: text/html\nContent-Location: %s\n\n<base href=http://b/><a href=%sp%d>\n", location(i), link, i+1)
		}
		return b.String() + "--b--\n"
	}
	in := message(func(i int) string { return fmt.Sprint("p", i) }, "")
	want := message(func(i int) string {
		if i == 0 {
			return "p0" // no reference names it
		}
		return fmt.Sprint("http://b/p", i)
	}, "http://b/")
	var w Walker
	assert.True(t, want == Rewrite(t, &w, extract.Document{Name: "x.mht", Bytes: []byte(in)}))
}

// Each part is named by the part after it, and only the last part has a base. So each round finds one name. After the last round, the
// parts before them stay unchanged.
func TestMHTMLRounds(t *testing.T) {
	const rounds = 8 + 1 // the last one is the rewriting
	message := func(parts, absolute int) string {
		at := func(i int) string {
			if i <= absolute {
				return fmt.Sprint("http://b/p", i)
			}
			return fmt.Sprint("p", i)
		}
		text := []string{"Content-Type: text/html\nContent-Location: " + at(parts) + "\n\n\n"}
		for i := parts; i > 1; i-- {
			text = append(text, "Content-Type: text/html\nContent-Location: "+at(i-1)+"\n\n<a href="+at(i)+">\n")
		}
		return Related("b", "", append(text, "Content-Type: text/html\n\n<base href=http://b/><a href="+at(1)+">\n")...)
	}
	for parts := 1; parts < 2*rounds; parts++ {
		w := Walker{Extractor: extract.Extractor{OnProblem: func(extract.Problem) {}}}
		assert.Equal(t, message(parts, min(parts, rounds)), Rewrite(t, &w, Message(message(parts, 0))))
	}
}

// A part gets the URL that Map returns for the reference that names it. Its own references are resolved before Map.
func TestMHTMLClaimsMapped(t *testing.T) {
	message := func(base, to, location, link string) string {
		return Related("b", "", "Content-Type: text/html\n\n<base href="+base+"><a href="+to+"#f></a>\n",
			"Content-Type: text/html\nContent-Location: "+location+"\n\n<a href="+link+"></a>\n")
	}
	for _, row := range []struct{ name, old, new, want string }{
		{"another host", "http://h/", "https://n/", message("https://n/d/", "https://n/d/m", "https://n/d/m", "https://n/d/o")},
		{"no rule for the part", "http://h/d/o", "http://n/", message("http://h/d/", "http://h/d/m", "http://h/d/m", "http://n/")},
		{"a relative reference", "http://h/d/m", "../d/m", message("http://h/d/", "../d/m", "http://h/d/m", "http://h/d/o")},
	} {
		w := Walker{Extractor: extract.Extractor{OnProblem: func(extract.Problem) {}}}
		w.Map = func(l *extract.Link) (string, bool) { return strings.Replace(string(l.URL), row.old, row.new, 1), true }
		assert.Equal(t, row.want, Rewrite(t, &w, Message(message("http://h/d/", "m", "m", "o"))), row.name)
	}
}

// A signed reference is not rewritten. So it does not determine the URL of a part without a base (RFC 1847 2.1).
func TestMHTMLSignedReference(t *testing.T) {
	const signed, base = "Content-Type: multipart/signed; boundary=y\n\n--y\n", `<base href="http://%s.example/d/"><img src="i.gif">`
	part := func(header, mediaType, body string) string {
		return header + "Content-Type: " + mediaType + "\n\n" + body + "\n\n"
	}
	page := func(host string) string { return part("", "text/html", fmt.Sprintf(base, host)) }
	image := func(name string) string { return part("Content-Location: "+name+"\n", "image/gif", "x") }
	inner := signed + part("", "message/rfc822", "MIME-Version: 1.0\n"+Related("z", "", page("one"), page("two"), image("i.gif"))) + "--y--\n"
	for _, row := range []struct {
		name   string
		breaks bool
		parts  [2]string
		want   []string // the names of the images
		codes  []extract.Code
	}{
		{"a signed reference", false, [2]string{signed + page("one") + "--y--\n", image("i.gif")}, []string{"i.gif"}, []extract.Code{extract.CodeSignatureWouldBreak}},
		{"a signed reference, with BreakSignatures", true, [2]string{signed + page("one") + "--y--\n", image("i.gif")}, []string{"http://one.example/d/i.gif"}, nil},
		{"the references of a message that is signed", false, [2]string{inner, ""}, []string{"i.gif"}, []extract.Code{extract.CodeSignatureWouldBreak}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var codes []extract.Code
			w := Walker{Extractor: extract.Extractor{BreakSignatures: row.breaks, OnProblem: func(p extract.Problem) { codes = append(codes, p.Code) }}}
			out := Rewrite(t, &w, Message("MIME-Version: 1.0\n"+Related("x", "", row.parts[:]...)))
			var names []string
			for line := range strings.Lines(out) {
				if name, ok := strings.CutPrefix(strings.TrimSpace(line), "Content-Location: "); ok {
					names = append(names, name)
				}
			}
			assert.Equal(t, row.want, names)
			assert.Equal(t, row.codes, codes)
		})
	}
}

// A part gets the URL of the reference that names it, and its links have this base. A base that is deeper than MaxDepth does not count.
func TestMHTMLDepth(t *testing.T) {
	message := func(ref, base, location, link string) extract.Document {
		return Message(Related("b", "", "Content-Type: text/html\n\n<base href=http://h/d/><a href="+ref+"></a>\n",
			"Content-Type: text/html\nContent-Base: "+base+"\nContent-Location: "+location+"\n\n<a href="+link+"></a>\n"))
	}
	for depth, link := range []string{"http://h/d/q/o", "http://h/d/o", "http://h/d/q/o"} { // 0 is the default
		w := Walker{Extractor: extract.Extractor{MaxDepth: depth, OnProblem: func(extract.Problem) {}}}
		want := message("http://h/d/m", "http://h/d/q/", "http://h/d/m", link)
		assert.Equal(t, string(want.Bytes), Rewrite(t, &w, message("m", "q/", "m", "o")), "%d", depth)
	}
}
