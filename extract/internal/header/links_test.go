package header

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/marktest"
)

// baseRows have the bases that a header declares as "name=URL", or "name*=URL" if the field is repeated.
var baseRows = []marktest.GrammarRow{
	{Name: "RFC 1808 3.1", Src: "Base: <URL:http://www.ics.uci.edu/Test/a/b/c>\n\n", Want: marktest.Texts("Base=http://www.ics.uci.edu/Test/a/b/c")},
	{Name: "RFC 1808 3.1: case is ignored", Src: "bASE: <uRl:http://h/>\n\n", Want: marktest.Texts("Base=http://h/")},
	{Name: "RFC 1808 3.1: white space inside", Src: "Base: < URL: http://h/\r\n\ta /b\r\n >\r\n\r\n", Want: marktest.Texts("Base=http://h/a/b")},
	{Name: "brackets", Src: "Content-Base: <http://h/>\n\n", Want: marktest.Texts("Content-Base=http://h/")},
	{Name: "RFC 2110 4.2: quotes", Src: `Content-Base: "http://h/"` + "\n\n", Want: marktest.Texts("Content-Base=http://h/")},
	{Name: "quotes and a fold", Src: "Content-Base: \"http://h/a\n b\"\n\n", Want: marktest.Texts("Content-Base=http://h/ab")},
	{Name: "quotes around brackets", Src: `Content-Base: "<URL:http://h/>"` + "\n\n", Want: marktest.Texts("Content-Base=http://h/")},
	{Name: "quotes in brackets", Src: `Content-Base: <"http://h/">` + "\n\n", Want: marktest.Texts("Content-Base=http://h/")},
	{Name: "URL: before brackets", Src: "Base: URL:<http://h/>\n\n", Want: marktest.Texts("Base=http://h/")},
	{Name: "URL: bare", Src: "Base: URL: http://h/ \n\n", Want: marktest.Texts("Base=http://h/")},
	{Name: "RFC 2557 4.2: bare", Src: "Content-Location:http://h/a_(b)\n\n", Want: marktest.Texts("Content-Location=http://h/a_(b)")},
	{Name: "RFC 2557 4.4.2: bare and folded", Src: "Content-Location: http://h/\r\n a/\r\n\tb.html\r\n\r\n", Want: marktest.Texts("Content-Location=http://h/a/b.html")},
	{Name: "RFC 2557 4.4.2: folded before it starts", Src: "Content-Location:\r\n http://h/\r\n\r\n", Want: marktest.Texts("Content-Location=http://h/")},
	{Name: "RFC 2557 4.4.1: encoded word", Src: "Content-Location: =?us-ascii?Q?http://h/a=20b?=\r\n =?us-ascii?Q?/c?=\n\n", Want: marktest.Texts("Content-Location=http://h/a b/c")},
	{Name: "RFC 2557 4.4.1: encoded word in brackets", Src: "Content-Location: <=?utf-8?Q?=C3=A9?=>\n\n", Want: marktest.Texts("Content-Location=é")},
	{Name: "Internet Explorer: a path with spaces", Src: "Content-Location: file://C:\\My Documents\\x.htm\n\n", Want: marktest.Texts(`Content-Location=file://C:\My Documents\x.htm`)},
	{Name: "RFC 822 3.1.4: comments", Src: "Base: (the (nested \\) one)) <URL:http://h/> (end)\n\n", Want: marktest.Texts("Base=http://h/")},
	{Name: "RFC 822 3.1.4: comments around a bare URL", Src: "Content-Base: (a)\n (b) http://h/ (c) (d)\n\n", Want: marktest.Texts("Content-Base=http://h/")},
	{Name: "a comment without an end", Src: "Content-Base: http://h/ (c\n\n", Want: marktest.Texts("Content-Base=http://h/ (c")},
	{Name: "a comment without an end before the URL", Src: "Content-Base: (c http://h/\n\n", Want: marktest.Texts("Content-Base=(c http://h/")},
	{Name: "behaviour 4: a comment at the end", Src: "Content-Location: http://h/a (comment)\n\n", Want: marktest.Texts("Content-Location=http://h/a")},
	{Name: "behaviour 4: a comment and white space at the end", Src: "Content-Location: http://h/a (comment)\r\n\t \r\n\r\n", Want: marktest.Texts("Content-Location=http://h/a")},
	{Name: "behaviour 4: parentheses in a directory", Src: "Content-Location: http://h/a (1)/x.htm\n\n", Want: marktest.Texts("Content-Location=http://h/a (1)/x.htm")},
	{Name: "behaviour 4: parentheses in a file name", Src: "Content-Location: http://h/d/a (1).gif\n\n", Want: marktest.Texts("Content-Location=http://h/d/a (1).gif")},
	{Name: "behaviour 4: parentheses with spaces around them", Src: "Content-Location: http://h/a (1) x.htm\n\n", Want: marktest.Texts("Content-Location=http://h/a (1) x.htm")},
	{Name: "behaviour 4: parentheses, then a comment", Src: "Content-Location: http://h/a (1)/x.htm (saved)\n\n", Want: marktest.Texts("Content-Location=http://h/a (1)/x.htm")},
	{Name: "behaviour 4: a relative name in parentheses", Src: "Content-Location: (1).gif\n\n", Want: marktest.Texts("Content-Location=(1).gif")},
	{Name: "behaviour 4: a relative name that begins with parentheses", Src: "Content-Location: (old) p.htm (c)\n\n", Want: marktest.Texts("Content-Location=(old) p.htm")},
	{Name: "behaviour 4: an open parenthesis begins a file name", Src: "Content-Location: (p.htm (c (d))\n\n", Want: marktest.Texts("Content-Location=(p.htm")},
	{Name: "comments before and after an absolute URL", Src: "Content-Location: (a) http://h/a (1)/x (b)\n\n", Want: marktest.Texts("Content-Location=http://h/a (1)/x")},
	{Name: "several comments at the end", Src: "Content-Location: http://h/a (b) (c)(d)\r\n (e)\n\n", Want: marktest.Texts("Content-Location=http://h/a")},
	{Name: "two pairs of parentheses that belong to the name", Src: "Content-Location: http://h/a_(b)(c)\n\n", Want: marktest.Texts("Content-Location=http://h/a_(b)(c)")},
	{Name: "nested parentheses in a comment", Src: "Content-Location: http://h/a (b (c) (d (e)))\n\n", Want: marktest.Texts("Content-Location=http://h/a")},
	{Name: "nested parentheses in a name", Src: "Content-Location: http://h/a (b (c))/x\n\n", Want: marktest.Texts("Content-Location=http://h/a (b (c))/x")},
	{Name: "a parenthesis that never ends, then a comment", Src: "Content-Location: http://h/ (a (b)\n\n", Want: marktest.Texts("Content-Location=http://h/ (a (b)")},
	{Name: "a parenthesis that never begins", Src: "Content-Location: http://h/a b)\n\n", Want: marktest.Texts("Content-Location=http://h/a b)")},
	{Name: "parentheses the wrong way round", Src: "Content-Location: http://h/a b) (\n\n", Want: marktest.Texts("Content-Location=http://h/a b) (")},
	{Name: "a parenthesis that never begins, after a comment", Src: "Content-Location: http://h/a (b))\n\n", Want: marktest.Texts("Content-Location=http://h/a (b))")},
	{Name: "RFC 5322 3.2.1: quoted pairs in a comment", Src: `Content-Location: http://h/a (b\) \( c \\)` + "\n\n", Want: marktest.Texts("Content-Location=http://h/a")},
	{Name: "RFC 5322 3.2.1: a quoted parenthesis does not end a comment", Src: `Content-Location: http://h/a (b\)` + "\n\n", Want: marktest.Texts(`Content-Location=http://h/a (b\)`)},
	{Name: "a directory that ends with a backslash, then a comment", Src: `Content-Location: file://C:\a (1)\ (c)` + "\n\n", Want: marktest.Texts(`Content-Location=file://C:\a (1)\`)},
	{Name: "a fold in a comment", Src: "Content-Location: http://h/a (b\r\n c)\n\n", Want: marktest.Texts("Content-Location=http://h/a")},
	{Name: "a fold before parentheses of a name", Src: "Content-Location: http://h/a\r\n (1)/x (c)\n\n", Want: marktest.Texts("Content-Location=http://h/a(1)/x")},
	{Name: "bracket without an end", Src: "Content-Base: <http://h/\nA: >\n\n", Want: marktest.Texts("Content-Base=http://h/")},
	{Name: "quote without an end", Src: "Content-Base: \"http://h/ \n\n", Want: marktest.Texts("Content-Base=http://h/")},
	{Name: "relative", Src: "Content-Location: ../x\n\n", Want: marktest.Texts("Content-Location=../x")},
	{Name: "empty", Src: "Base:\nContent-Base: <>\nContent-Location: <URL: >\n\n", Want: marktest.Texts("Base=", "Content-Base=", "Content-Location=")},
	{Name: "a comment alone", Src: "Base: (none)\n\n", Want: marktest.Texts("Base=")},
	{Name: "order of priority", Src: "Content-Location: 1\nContent-Base: 2\nBase: 3\n\n", Want: marktest.Texts("Base=3", "Content-Base=2", "Content-Location=1")},
	{Name: "repeated", Src: "Base: 1\nContent-Location: 2\nbase: 3\nBase : 4\n\n", Want: marktest.Texts("Base=1", "Base*=3", "Base*=4", "Content-Location=2")},
	{Name: "other names", Src: "Bases: 1\nX-Base: 2\nSnapshot-Content-Location: 3\njunk\n\n", Want: nil},
	{Name: "a byte outside ASCII", Src: "Base: <http://h/\xe9>\n\n", Want: marktest.Texts("Base=http://h/\xe9")},
	{Name: "many brackets without an end", Src: "Base: <<<<<<\n\n", Want: marktest.Texts("Base=<<")},
}

func TestBaseHeaders(t *testing.T) {
	for _, row := range baseRows {
		t.Run(row.Name, func(t *testing.T) {
			src := []byte(row.Src)
			fields, _ := Read(src, 0)
			var got []string
			for _, b := range checkBases(t, src, fields) {
				text, err := b.codec.Decode(src[b.url.Start:b.url.End])
				require.NoError(t, err)
				got = append(got, b.place.Name+map[bool]string{true: "*"}[b.repeated]+"="+string(text))
			}
			assert.Equal(t, row.Want, got)
		})
	}
}

// An edited URL is read where the old one was.
func TestBaseHeaderEdits(t *testing.T) {
	for _, value := range []string{"<URL:x>", "<x>", `"x"`, "URL:x", "x", "(a) x (b)", "<URL: x\n y>", "x\r\n y", "=?us-ascii?Q?x=20y?=", "<URL: x =?us-ascii?Q?y?= >", "a b"} {
		src := []byte("Content-Base: " + value + "\n\n")
		fields, _ := Read(src, 0)
		b := baseFields(src, fields)[0]
		region := src[b.url.Start:b.url.End]
		text, _ := b.codec.Decode(region)
		edits, err := codec.Lift(b.codec, region, text, []codec.Edit{{New: []byte("http://h/(")}})
		require.NoError(t, err, value)
		out := append([]byte(nil), src[:b.url.Start]...)
		out = append(codec.Apply(out, region, edits), src[b.url.End:]...)
		fields, _ = Read(out, 0)
		b = baseFields(out, fields)[0]
		again, _ := b.codec.Decode(out[b.url.Start:b.url.End])
		assert.Equal(t, "http://h/("+string(text), string(again), "%q", out)
	}
}

func checkBases(t testing.TB, src []byte, fields []Field) []baseField {
	bases := baseFields(src, fields)
	for _, b := range bases {
		checkInField(t, src, fields, b.url, b.place.Name)
		require.NotNil(t, b.codec)
	}
	return bases
}

// checkInField checks that a span is inside the value of the named field, without white space at its ends.
func checkInField(t testing.TB, src []byte, fields []Field, s codec.Span, name string) {
	for _, f := range fields {
		if f.Value.Start <= s.Start && s.End <= f.Value.End && ascii.FoldEqual(src[f.Name.Start:f.Name.End], ascii.Lower(name)) {
			require.LessOrEqual(t, s.Start, s.End)
			require.Equal(t, s, TrimWhite(src, s), "%q", src)
			return
		}
	}
	require.Fail(t, "outside of the fields", "%s %v of %q", name, s, src)
}

// headerLinkRows have the links of a header as "place=URL".
var headerLinkRows = []marktest.GrammarRow{
	// The examples of RFC 2369 3.1, 3.2 and 3.4.
	{Name: "RFC 2369 3.1", Src: "List-Help: <mailto:list@host.com?subject=help> (List Instructions)\nList-Help: <mailto:list-manager@host.com?body=info>\nList-Help: <mailto:list-info@host.com> (Info about the list)\nList-Help: <http://www.host.com/list/>, <mailto:list-info@host.com>\nList-Help: <ftp://ftp.host.com/list.txt> (FTP),\n <mailto:list@host.com?subject=help>\n\n",
		Want: marktest.Texts("List-Help=mailto:list@host.com?subject=help", "List-Help=mailto:list-manager@host.com?body=info", "List-Help=mailto:list-info@host.com", "List-Help=http://www.host.com/list/", "List-Help=mailto:list-info@host.com", "List-Help=ftp://ftp.host.com/list.txt", "List-Help=mailto:list@host.com?subject=help")},
	{Name: "RFC 2369 3.2", Src: "List-Unsubscribe: <mailto:list@host.com?subject=unsubscribe>\nList-Unsubscribe: (Use this command to get off the list)\n <mailto:list-manager@host.com?body=unsubscribe%20list>\nList-Unsubscribe: <http://www.host.com/list.cgi?cmd=unsub&lst=list>,\n <mailto:list-request@host.com?subject=unsubscribe>\n\n",
		Want: marktest.Texts("List-Unsubscribe=mailto:list@host.com?subject=unsubscribe", "List-Unsubscribe=mailto:list-manager@host.com?body=unsubscribe%20list", "List-Unsubscribe=http://www.host.com/list.cgi?cmd=unsub&lst=list", "List-Unsubscribe=mailto:list-request@host.com?subject=unsubscribe")},
	{Name: "RFC 2369 3.4", Src: "List-Post: <mailto:moderator@host.com> (Postings are Moderated)\nList-Post: <mailto:moderator@host.com?subject=list%20posting>\nList-Post: NO (posting not allowed on this list)\nList-Post: NO\n\n",
		Want: marktest.Texts("List-Post=mailto:moderator@host.com", "List-Post=mailto:moderator@host.com?subject=list%20posting")},
	{Name: "RFC 2369 2: white space inside", Src: "List-Archive: <http://h/\n  archive/ list>\n\n", Want: marktest.Texts("List-Archive=http://h/archive/list")},
	{Name: "RFC 2369 2: brackets in a comment", Src: "List-Owner: (not <http://x/>) <mailto:a@b> ( (<c>) )\n\n", Want: marktest.Texts("List-Owner=mailto:a@b")},
	{Name: "RFC 2369: no comma", Src: "List-Subscribe: <mailto:a@b> <http://h/>\n\n", Want: marktest.Texts("List-Subscribe=mailto:a@b", "List-Subscribe=http://h/")},
	{Name: "a comment without an end", Src: "List-Owner: (x <mailto:a@b>\n\n", Want: marktest.Texts("List-Owner=mailto:a@b")},
	{Name: "bracket without an end", Src: "List-Owner: <mailto:a@b\n\n", Want: marktest.Texts("List-Owner=mailto:a@b")},
	{Name: "bare", Src: "list-archive: http://h/list\nList-Url: URL:http://h/ (x)\nList-Archive: archive\n\n", Want: marktest.Texts("List-Archive=http://h/list", "List-Url=http://h/")},
	{Name: "URL: in a list", Src: "List-Archive: <URL:http://h/>\n\n", Want: marktest.Texts("List-Archive=http://h/")},
	{Name: "RFC 2369: relative", Src: "List-Archive: <archive/>\n\n", Want: marktest.Texts("List-Archive=archive/")},
	{Name: "RFC 2047 5: a list in encoded words, brackets included", Src: "List-Unsubscribe: =?us-ascii?Q?=3Chttps=3A=2F=2Fh=2Fu=3E=2C?=\r\n =?us-ascii?Q?=20=3Cmailto=3Aa=40b=3E?=\r\n\r\n", Want: marktest.Texts("List-Unsubscribe=https://h/u", "List-Unsubscribe=mailto:a@b")},
	{Name: "RFC 2919: List-Id is not a URL", Src: "List-Id: Lena's <lena.localhost>\n\n", Want: nil},
	{Name: "RFC 5064 2", Src: "Archived-At: <http://www.example.net/mid/foobar@example.com>\nArchived-At: <http://h/> (x)\nArchived-At: http://h/2\n\n", Want: marktest.Texts("Archived-At=http://www.example.net/mid/foobar@example.com", "Archived-At=http://h/", "Archived-At=http://h/2")},
	{Name: "RFC 2068 19.6.2.5", Src: "URI: <http://a/>, <b>; vary=language\n\n", Want: marktest.Texts("URI=http://a/", "URI=b")},
	{Name: "RFC 8288 3.5", Src: "Link: <a>; rel=\"next\",\r\n </b\r\n /c>; rel=prev\r\n\r\n", Want: marktest.Texts("Link=a", "Link=/b/c")},
	{Name: "Refresh", Src: "Refresh: 5;\r\n url=x\nRefresh: 5\n url='y z'\nRefresh: 7\n\n", Want: marktest.Texts("Refresh=x", "Refresh=y z")},
	{Name: "RFC 9110 10.2.2", Src: "Location: /People.html#tim\nLocation: <http://h/>\nLocation: x.html\nLocation: /a b\n\n", Want: marktest.Texts("Location=/People.html#tim", "Location=http://h/", "Location=x.html", "Location=/a b")},
	{Name: "a Location of iCalendar", Src: "Location: Room 5, 2nd floor\nLocation: Main Street (x)\n\n", Want: nil},
	{Name: "RFC 2047 6.2: the decoded text decides whether it is a URL", Src: "Location: =?us-ascii?Q?Room_5?=\nLocation: =?us-ascii?Q?http://h/?= =?us-ascii?Q?x=20y?=\nX-URL: =?us-ascii?Q?http://h/?=\nLocation: Room\n 5\n\n", Want: marktest.Texts("Location=http://h/x y", "X-URL=http://h/")},
	{Name: "Content-Location and Content-Base are links, Base is not", Src: "Base: <a>\nContent-Base: <b>\nContent-Location: c\n\n", Want: marktest.Texts("Content-Base=b", "Content-Location=c")},
	{Name: "empty", Src: "Content-Location:\nLocation: <>\nList-Help: <>\nLink: <>\n\n", Want: marktest.Texts("List-Help=", "Link=")},
	{Name: "X-URL", Src: "X-URL: http://h/a\nX-Url: <b>\nX-URL: c\nX-Archived-At: http://h/d\nX-URI: \"http://h/e\"\n\n", Want: marktest.Texts("X-URL=http://h/a", "X-URL=b", "X-Archived-At=http://h/d", "X-URI=http://h/e")},
	{Name: "other fields", Src: "Subject: <http://h/>\nMessage-ID: <a:b@c>\nX-A-Very-Long-Name-Of-A-Field-Indeed: <http://h/>\njunk <http://h/>\n\n", Want: nil},
}

func TestHeaderLinks(t *testing.T) {
	for _, row := range headerLinkRows {
		t.Run(row.Name, func(t *testing.T) {
			src := []byte(row.Src)
			fields, _ := Read(src, 0)
			assert.Equal(t, row.Want, checkLinks(t, src, fields))
		})
	}
}

// checkLinks returns the links as "place=URL", after checking that they are in order and inside their fields.
func checkLinks(t testing.TB, src []byte, fields []Field) []string {
	var out []string
	at := 0
	links(src, fields, false, func(place *mark.Place, s codec.Span, c codec.Codec, format *mark.Format) {
		require.LessOrEqual(t, at, s.Start, "in order in %q", src)
		at = s.End
		checkInField(t, src, fields, s, place.Name)
		text, err := c.Decode(src[s.Start:s.End])
		require.NoError(t, err)
		if format == nil {
			out = append(out, place.Name+"="+string(text))
			return
		}
		for _, ref := range marktest.RefsIn(t, format, string(text)) {
			out = append(out, place.Name+"="+ref)
		}
	})
	return out
}

func TestHasScheme(t *testing.T) {
	for _, url := range []string{"http://h/", "mailto:a", "h2-x+y.z:a"} {
		assert.True(t, ascii.HasScheme([]byte(url)), url)
	}
	for _, url := range []string{"", "http", "http:", ":a", "c:\\x", "1a:b", "Re: x", "a b:c", "é:b", strings.Repeat("a", 99)} {
		assert.False(t, ascii.HasScheme([]byte(url)), url)
	}
}
