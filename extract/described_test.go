package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// describedLinks returns a line for each link: its reference, rel, title and text.
func describedLinks(t testing.TB, mediaType, src string) []string {
	t.Helper()
	var lines []string
	w := Walker{Extractor: extract.Extractor{DescribeLinks: true}}
	err := w.Links(extract.Document{Type: mediaType, URL: "http://h/", Bytes: []byte(src)}, func(l *extract.Link) error {
		line := string(l.Ref)
		for _, field := range []struct {
			name  string
			value []byte
		}{{"rel", l.Rel()}, {"title", l.Title()}, {"text", l.Text()}} {
			if len(field.value) > 0 {
				line += fmt.Sprintf(" %s=%s", field.name, field.value)
			}
		}
		lines = append(lines, line)
		return nil
	})
	require.NoError(t, err)
	return lines
}

var describedPages = []struct {
	name, src string
	want      []string
}{
	{"white space", "<a href=1> \n An\t<b> anchor</b>  </a>", []string{"1 text=An anchor"}},
	{"references", "<a href=1 title='x&lt;&eacute;'>a &amp; b&#x21;</a>", []string{"1 title=x<é text=a & b!"}},
	{"a \"<\" that begins no tag", "<a href=1>5 < 6 <3</a>", []string{"1 text=5 < 6 <3"}},
	{"lines and blocks", "<a href=1>1<br>2<h3>3</h3>4<ul><li>5<li>6</ul></a>", []string{"1 text=1 2 3 4 5 6"}},
	{"elements without text", "<a href=1>a<script>'<b>'</script><style>s</style><!-- c --><iframe>i</iframe><noembed>n</noembed>b</a>", []string{"1 text=ab"}},
	{"raw text", "<a href=1><title>a&amp;</title><textarea><b></textarea><xmp>&amp;</xmp></a>", []string{"1 text=a&<b> &amp;"}},
	{"plaintext", "<a href=1>a<plaintext></a>&amp;", []string{"1 text=a</a>&amp;"}},
	{"the end of the page", "<a href=1>a<p>b", []string{"1 text=a b"}},
	{"the next anchor", "<a href=1>a<a>b</a>c<a href=2>d", []string{"1 text=a", "2 text=d"}},
	{"a tag that never ends", "<a href=1>a<a href=", []string{"1 text=a"}},
	{"links in an anchor", "<a href=1>a<img src=2 alt=b title=c>d</a>", []string{"1 text=ad", "2 title=c text=b"}},
	{"pictures as text", "<a href=1><img src=2 alt=b> <img src=3 alt='c&#32; d'> <img src=4></a>", []string{"1 text=b c d", "2 text=b", "3 text=c d", "4"}},
	{"alternatives", "<area href=1 alt=a><input type=image src=2 alt=b><image src=3 alt=c><link href=4 alt=d>", []string{"1 text=a", "2 text=b", "3 text=c", "4"}},
	{"relations", "<link rel='A  b' href=1><a href=2 REL=up></a><area rel=c href=3><form action=4 rel=d title=e>", []string{"1 rel=A  b", "2 rel=up", "3 rel=c", "4 rel=d title=e"}},
	{"duplicates", "<a href=1 title=a title=b rel rel=c></a>", []string{"1 title=a"}},
	{"attributes in values", `<a href=1 data-x="<a title=no href=no>" title=yes></a>`, []string{"1 title=yes"}},
	{"lists", "<a ping='1 2' href=3>a</a><img srcset='4, 5 2x' alt=b>", []string{"1 text=a", "2 text=a", "3 text=a", "4 text=b", "5 text=b"}},
	{"style sheets", "<style title=no>a{x:url(1)}</style><p title=a style='x:url(2)'><style>a{x:url(3)}</style>", []string{"1", "2 title=a", "3"}},
	{"templates", "<a href=1>a<template>b<a href=2>c</a></template></a>", []string{"1 text=a", "2 text=c"}},
	{"SVG", "<svg><a href=1>a<![CDATA[<b>]]></a><a href=2 />c<a href=3><style>d</style><script>e</script>f</a></svg>", []string{"1 text=a<b>", "2", "3 text=f"}},
	{"SVG in an anchor", "<a href=1><svg><title>a</title><path/></svg> b<![CDATA[c]]></a>", []string{"1 text=a b"}},
	{"SVG title, desc and text", "<a href=1><svg><title>st</title><text>tx</text></svg></a>", []string{"1 text=st tx"}},
	{"SVG texts between other texts", "<a href=1>a<svg><desc>b</desc><TEXT>c<tspan>d</tspan></TEXT></svg>e</a>", []string{"1 text=a b cd e"}},
	{"elements of SVG in HTML", "<a href=1>a<text>b</text><title>c</title></a>", []string{"1 text=abc"}},
	{"noscript", "<a href=1>a<noscript>b<a href=2>c</a></noscript></a>", []string{"1 text=a", "2 text=c"}},
	{"srcdoc", `<iframe title=a srcdoc="<a href=1 rel=b>c &amp;amp; d</a>e">f</iframe>`, []string{"1 rel=b text=c & d"}},
	{"invalid UTF-8", "<meta charset=utf-8><a href=1>a\xE9b</a>", []string{"1 text=a\xE9b"}},
	{"another charset", "<meta charset=latin1><a href=1 title='\xE9'>\xE9</a>", []string{"1 title=é text=é"}},
}

var describedXHTML = []struct {
	name, src string
	want      []string
}{
	{"text", "<a href='1' rel='b' title='&lt;c'>a &amp;<b> b</b><![CDATA[<&amp;]]><!-- c --></a>", []string{"1 rel=b title=<c text=a & b<&amp;"}},
	{"empty elements", "<a href='1'/>a<a href='2'><br/>b<br/>c</a>", []string{"1", "2 text=b c"}},
	{"prefixes", "<x:a xmlns:x='http://www.w3.org/1999/xhtml' href='1'>a<x:img src='2' alt='b'/></x:a>", []string{"1 text=a", "2 text=b"}},
	{"other namespaces", "<a xmlns='x:y' href='1' title='t'>a</a>", []string{"1 title=t"}},
	{"case", "<a href='1' TITLE='a' title='b'><IMG alt='c'/></a>", []string{"1 title=b"}},
	{"SVG", "<svg xmlns='http://www.w3.org/2000/svg'><a href='1'><title>a</title><style>b</style><text>c</text></a></svg>", []string{"1 text=a c"}},
	{"scripts and templates", "<a href='1'>a<script>b</script><template>c</template>d</a>", []string{"1 text=ad"}},
	{"unknown references", "<a href='1'>&eacute;</a>", []string{"1 text=&eacute;"}},
}

func TestDescribed(t *testing.T) {
	for _, row := range describedPages {
		assert.Equal(t, row.want, describedLinks(t, "text/html", row.src), row.name)
	}
	const root = "<html xmlns='http://www.w3.org/1999/xhtml'>%s</html>"
	for _, row := range describedXHTML {
		assert.Equal(t, row.want, describedLinks(t, "application/xhtml+xml", fmt.Sprintf(root, row.src)), row.name)
	}
	doctype := "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'xhtml1-strict.dtd'>"
	assert.Equal(t, []string{"1 title=é text=é"}, describedLinks(t, "application/xhtml+xml", doctype+fmt.Sprintf(root, "<a href='1' title='&eacute;'>&eacute;</a>")))
}

// Pages in messages and feeds have descriptions, and so has the field Link. Markdown and CSS have none.
func TestDescribedWithin(t *testing.T) {
	for want, d := range map[string][2]string{
		"1 title=é text=é":        {"message/rfc822", "Content-Type: text/html; charset=latin1\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D1 title=3D=E9>=E9</a>"},
		"2 rel=up text=a":         {"application/atom+xml", "<feed xmlns='http://www.w3.org/2005/Atom'><content type='html'>&lt;a rel=up href=2>a</content></feed>"},
		"3 rel=self":              {"application/atom+xml", "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='self' href='3'/></feed>"},
		"http://4":                {"text/markdown", "<http://4>"},
		"5":                       {"text/css", "a{x:url(5)}"},
		`6 rel=next up title=a"b`: {"message/http", "HTTP/1.1 200 OK\nLink: <6>; x; Rel = \"next up\"; rel=no; title=\"a\\\"b\"\n\n"},
		"7 rel=next":              {"text/html", "<meta http-equiv=link content='<7>;rel=next' rel=no>"},
	} {
		assert.Equal(t, []string{want}, describedLinks(t, d[0], d[1]))
	}
	var w Walker
	err := w.Links(extract.Document{Type: "text/html", Bytes: []byte("<a href=1 rel=b title=c>a")}, func(l *extract.Link) error {
		assert.Empty(t, string(l.Rel())+string(l.Title())+string(l.Text()), "without DescribeLinks")
		return nil
	})
	require.NoError(t, err)
}

// A text has at most 256 characters, and does not end in white space.
func TestDescribedLength(t *testing.T) {
	const most = 256
	for text, want := range map[string]string{
		strings.Repeat("é", most):           strings.Repeat("é", most),
		strings.Repeat("é", most+1):         strings.Repeat("é", most),
		strings.Repeat("x", most-1) + " yz": strings.Repeat("x", most-1),
		strings.Repeat("x ", most):          strings.TrimSpace(strings.Repeat("x ", most/2)),
	} {
		assert.Equal(t, []string{"1 text=" + want}, describedLinks(t, "text/html", "<a href=1>"+text+"</a>"))
		assert.Equal(t, []string{"1 text=" + want, "2 text=" + want}, describedLinks(t, "text/html", "<a href=1><img src=2 alt='"+text+"'></a>"))
	}
}

// Links are described beyond one block of marks, in anchors without end, and in a tag with many links, which is read once.
func TestDescribedMany(t *testing.T) {
	var src strings.Builder
	var want []string
	for i := range 10_000 {
		fmt.Fprintf(&src, "<a href=%d>t%d <img src=i title=p>", i, i)
		want = append(want, fmt.Sprintf("%d text=t%d", i, i), "i title=p")
	}
	assert.True(t, slices.Equal(want, describedLinks(t, "text/html", src.String())))

	list := describedLinks(t, "text/html", "<a ping='"+strings.Repeat("u ", 40_000)+"' rel=r>t")
	assert.True(t, slices.Equal(slices.Repeat([]string{"u rel=r text=t"}, 40_000), list))
}

// FuzzDescribed: DescribeLinks does not change the links, and its texts are those of another tokenizer.
func FuzzDescribed(f *testing.F) {
	for _, row := range append(describedPages, describedXHTML...) {
		f.Add([]byte(row.src), false)
		f.Add([]byte(row.src), true)
	}
	f.Fuzz(func(t *testing.T, src []byte, xml bool) {
		d := extract.Document{Type: "text/html", URL: "http://h/", Bytes: src}
		if xml {
			d.Type = "application/xhtml+xml"
		}
		var plain, links, texts []string
		var w Walker
		require.NoError(t, w.Links(d, func(l *extract.Link) error {
			plain = append(plain, l.Place()+string(l.Ref))
			return nil
		}))
		w.DescribeLinks = true
		require.NoError(t, w.Links(d, func(l *extract.Link) error {
			links = append(links, l.Place()+string(l.Ref))
			text := l.Text()
			require.LessOrEqual(t, utf8.RuneCount(text), 256)
			if l.Place() == "a@href" && l.Entity.Path == "" {
				texts = append(texts, string(text))
			}
			_, _ = l.Rel(), l.Title()
			return nil
		}))
		require.Equal(t, plain, links)
		if !xml && isSimple(src) {
			require.Equal(t, anchorTexts(src), texts)
		}
	})
}

// isSimple reports whether a page is so simple, ASCII with a few kinds of elements, that anchorTexts must find the same texts.
func isSimple(src []byte) bool {
	z := html.NewTokenizer(strings.NewReader(string(src)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return !strings.ContainsFunc(string(src), func(r rune) bool { return r >= 0x7F || r == 0 })
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			if !slices.Contains([]string{"a", "b", "p", "br", "img", "script", "style", "li"}, string(name)) {
				return false
			}
		}
	}
}

// anchorTexts returns the texts of anchors with an href, with the tokenizer of x/net/html.
func anchorTexts(src []byte) (all []string) {
	z := html.NewTokenizer(strings.NewReader(string(src)))
	var text, alt string
	open, raw := false, false
	end := func() {
		fields := func(s string) string {
			words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\r\f", r) })
			s = strings.Join(words, " ")
			return strings.TrimSuffix(s[:min(len(s), 256)], " ")
		}
		if open {
			if text = fields(text); text == "" {
				text = fields(alt)
			}
			all = append(all, text)
		}
		open, text, alt = false, "", ""
	}
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			end()
			return all
		case html.TextToken:
			if !raw {
				text += string(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			tag := z.Token()
			starts := kind != html.EndTagToken
			values := map[string]string{}
			for _, a := range slices.Backward(tag.Attr) {
				values[a.Key] = a.Val
			}
			switch tag.Data {
			case "a":
				end()
				_, open = values["href"]
				open = open && starts
			case "img":
				if starts {
					alt += " " + values["alt"]
				}
			case "script", "style":
				raw = starts
			case "p", "br", "li":
				text += " "
			}
		}
	}
}

// A clone keeps the fields of its message.
func TestMessage(t *testing.T) {
	var all []*extract.Link
	var w Walker
	src := "Message-ID: <1@h>\nDate: today\nSubject: s\nContent-Type: text/html\n\n<iframe srcdoc='<a href=http://2/>'></iframe>"
	require.NoError(t, w.Links(extract.Document{Type: "message/rfc822", Bytes: []byte(src)}, func(l *extract.Link) error {
		all = append(all, l.Clone())
		return nil
	}))
	require.Len(t, all, 1)
	id, date, subject := all[0].Clone().Entity.Message()
	assert.Equal(t, []string{"1@h", "today", "s"}, []string{id, date, subject})
}
