package extract

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
)

// baseRows: wants are "name=URL", with a star at those that are repeated.
var baseRows = []grammarRow{
	{"RFC 1808 3.1", "Base: <URL:http://www.ics.uci.edu/Test/a/b/c>\n\n", texts("Base=http://www.ics.uci.edu/Test/a/b/c")},
	{"RFC 1808 3.1: any case", "bASE: <uRl:http://h/>\n\n", texts("Base=http://h/")},
	{"RFC 1808 3.1: white space inside", "Base: < URL: http://h/\r\n\ta /b\r\n >\r\n\r\n", texts("Base=http://h/a/b")},
	{"brackets", "Content-Base: <http://h/>\n\n", texts("Content-Base=http://h/")},
	{"RFC 2110 4.2: quotes", `Content-Base: "http://h/"` + "\n\n", texts("Content-Base=http://h/")},
	{"quotes and a fold", "Content-Base: \"http://h/a\n b\"\n\n", texts("Content-Base=http://h/ab")},
	{"quotes around brackets", `Content-Base: "<URL:http://h/>"` + "\n\n", texts("Content-Base=http://h/")},
	{"quotes in brackets", `Content-Base: <"http://h/">` + "\n\n", texts("Content-Base=http://h/")},
	{"URL: before brackets", "Base: URL:<http://h/>\n\n", texts("Base=http://h/")},
	{"URL: bare", "Base: URL: http://h/ \n\n", texts("Base=http://h/")},
	{"RFC 2557 4.2: bare", "Content-Location:http://h/a_(b)\n\n", texts("Content-Location=http://h/a_(b)")},
	{"RFC 2557 4.4.2: bare and folded", "Content-Location: http://h/\r\n a/\r\n\tb.html\r\n\r\n", texts("Content-Location=http://h/a/b.html")},
	{"RFC 2557 4.4.2: folded before it starts", "Content-Location:\r\n http://h/\r\n\r\n", texts("Content-Location=http://h/")},
	{"RFC 2557 4.4.1: encoded word", "Content-Location: =?us-ascii?Q?http://h/a=20b?=\r\n =?us-ascii?Q?/c?=\n\n", texts("Content-Location=http://h/a b/c")},
	{"RFC 2557 4.4.1: encoded word in brackets", "Content-Location: <=?utf-8?Q?=C3=A9?=>\n\n", texts("Content-Location=é")},
	{"Internet Explorer: a path with blanks", "Content-Location: file://C:\\My Documents\\x.htm\n\n", texts(`Content-Location=file://C:\My Documents\x.htm`)},
	{"RFC 822 3.1.4: comments", "Base: (the (nested \\) one)) <URL:http://h/> (end)\n\n", texts("Base=http://h/")},
	{"RFC 822 3.1.4: comments around a bare one", "Content-Base: (a)\n (b) http://h/ (c) (d)\n\n", texts("Content-Base=http://h/")},
	{"a comment without an end", "Content-Base: http://h/ (c\n\n", texts("Content-Base=http://h/ (c")},
	{"a comment without an end first", "Content-Base: (c http://h/\n\n", texts("Content-Base=(c http://h/")},
	{"behaviour 4: a comment at the end", "Content-Location: http://h/a (comment)\n\n", texts("Content-Location=http://h/a")},
	{"behaviour 4: a comment and white space at the end", "Content-Location: http://h/a (comment)\r\n\t \r\n\r\n", texts("Content-Location=http://h/a")},
	{"behaviour 4: parentheses in a directory", "Content-Location: http://h/a (1)/x.htm\n\n", texts("Content-Location=http://h/a (1)/x.htm")},
	{"behaviour 4: parentheses in a file name", "Content-Location: http://h/d/a (1).gif\n\n", texts("Content-Location=http://h/d/a (1).gif")},
	{"behaviour 4: parentheses with blanks around them", "Content-Location: http://h/a (1) x.htm\n\n", texts("Content-Location=http://h/a (1) x.htm")},
	{"behaviour 4: parentheses, then a comment", "Content-Location: http://h/a (1)/x.htm (saved)\n\n", texts("Content-Location=http://h/a (1)/x.htm")},
	{"behaviour 4: a relative name in parentheses", "Content-Location: (1).gif\n\n", texts("Content-Location=(1).gif")},
	{"behaviour 4: a relative name that parentheses begin", "Content-Location: (old) p.htm (c)\n\n", texts("Content-Location=(old) p.htm")},
	{"comments before and after an absolute URL", "Content-Location: (a) http://h/a (1)/x (b)\n\n", texts("Content-Location=http://h/a (1)/x")},
	{"several comments at the end", "Content-Location: http://h/a (b) (c)(d)\r\n (e)\n\n", texts("Content-Location=http://h/a")},
	{"two pairs of parentheses that belong to the name", "Content-Location: http://h/a_(b)(c)\n\n", texts("Content-Location=http://h/a_(b)(c)")},
	{"nested parentheses in a comment", "Content-Location: http://h/a (b (c) (d (e)))\n\n", texts("Content-Location=http://h/a")},
	{"nested parentheses in a name", "Content-Location: http://h/a (b (c))/x\n\n", texts("Content-Location=http://h/a (b (c))/x")},
	{"a parenthesis that never ends, then a comment", "Content-Location: http://h/ (a (b)\n\n", texts("Content-Location=http://h/ (a")},
	{"a parenthesis that never begins", "Content-Location: http://h/a b)\n\n", texts("Content-Location=http://h/a b)")},
	{"parentheses the wrong way round", "Content-Location: http://h/a b) (\n\n", texts("Content-Location=http://h/a b) (")},
	{"a parenthesis that never begins, after a comment", "Content-Location: http://h/a (b))\n\n", texts("Content-Location=http://h/a (b))")},
	{"RFC 5322 3.2.1: quoted pairs in a comment", `Content-Location: http://h/a (b\) \( c \\)` + "\n\n", texts("Content-Location=http://h/a")},
	{"RFC 5322 3.2.1: a quoted pair at the end is no end", `Content-Location: http://h/a (b\)` + "\n\n", texts(`Content-Location=http://h/a (b\)`)},
	{"a directory that ends with a backslash, then a comment", `Content-Location: file://C:\a (1)\ (c)` + "\n\n", texts(`Content-Location=file://C:\a (1)\`)},
	{"a fold in a comment", "Content-Location: http://h/a (b\r\n c)\n\n", texts("Content-Location=http://h/a")},
	{"a fold before parentheses of a name", "Content-Location: http://h/a\r\n (1)/x (c)\n\n", texts("Content-Location=http://h/a(1)/x")},
	{"bracket without an end", "Content-Base: <http://h/\nA: >\n\n", texts("Content-Base=http://h/")},
	{"quote without an end", "Content-Base: \"http://h/ \n\n", texts("Content-Base=http://h/")},
	{"relative", "Content-Location: ../x\n\n", texts("Content-Location=../x")},
	{"empty", "Base:\nContent-Base: <>\nContent-Location: <URL: >\n\n", texts("Base=", "Content-Base=", "Content-Location=")},
	{"a comment alone", "Base: (none)\n\n", texts("Base=")},
	{"order of asking", "Content-Location: 1\nContent-Base: 2\nBase: 3\n\n", texts("Base=3", "Content-Base=2", "Content-Location=1")},
	{"repeated", "Base: 1\nContent-Location: 2\nbase: 3\nBase : 4\n\n", texts("Base=1", "Base*=3", "Base*=4", "Content-Location=2")},
	{"other names", "Bases: 1\nX-Base: 2\nSnapshot-Content-Location: 3\njunk\n\n", nil},
	{"8-bit", "Base: <http://h/\xe9>\n\n", texts("Base=http://h/\xe9")},
	{"brackets without end", "Base: <<<<<<\n\n", texts("Base=<<")},
}

func TestBaseHeaders(t *testing.T) {
	for _, row := range baseRows {
		t.Run(row.name, func(t *testing.T) {
			src := []byte(row.src)
			fields, _ := readHeader(src, 0)
			var got []string
			for _, b := range checkBases(t, src, fields) {
				text, err := b.codec.Decode(src[b.url.Start:b.url.End])
				require.NoError(t, err)
				got = append(got, b.place.Name+map[bool]string{true: "*"}[b.repeated]+"="+string(text))
			}
			assert.Equal(t, row.want, got)
		})
	}
}

// TestBaseHeaderEdits puts a URL in front of a relative one: it is read from where it was.
func TestBaseHeaderEdits(t *testing.T) {
	for _, value := range []string{"<URL:x>", "<x>", `"x"`, "URL:x", "x", "(a) x (b)", "<URL: x\n y>", "x\r\n y", "=?us-ascii?Q?x=20y?=", "<URL: x =?us-ascii?Q?y?= >", "a b"} {
		src := []byte("Content-Base: " + value + "\n\n")
		fields, _ := readHeader(src, 0)
		b := baseHeaders(src, fields)[0]
		region := src[b.url.Start:b.url.End]
		text, _ := b.codec.Decode(region)
		edits, err := codec.Lift(b.codec, region, text, []codec.Edit{{New: []byte("http://h/(")}})
		require.NoError(t, err, value)
		out := append([]byte(nil), src[:b.url.Start]...)
		out = append(codec.Apply(out, region, edits), src[b.url.End:]...)
		fields, _ = readHeader(out, 0)
		b = baseHeaders(out, fields)[0]
		again, _ := b.codec.Decode(out[b.url.Start:b.url.End])
		assert.Equal(t, "http://h/("+string(text), string(again), "%q", out)
	}
}

func checkBases(t testing.TB, src []byte, fields []headerField) []baseHeader {
	bases := baseHeaders(src, fields)
	for _, b := range bases {
		checkInField(t, src, fields, b.url, b.place.Name)
		require.NotNil(t, b.codec)
	}
	return bases
}

// checkInField: the span lies in the value of a field of that name.
func checkInField(t testing.TB, src []byte, fields []headerField, s codec.Span, name string) {
	for _, f := range fields {
		if f.value.Start <= s.Start && s.End <= f.value.End && foldEqual(src[f.name.Start:f.name.End], lower(name)) {
			require.LessOrEqual(t, s.Start, s.End)
			require.Equal(t, s, trimWhite(src, s), "%q", src)
			return
		}
	}
	require.Fail(t, "in no field", "%s %v of %q", name, s, src)
}

// headerLinkRows: wants are "place=URL".
var headerLinkRows = []grammarRow{
	// RFC 2369 3.1 to 3.6, the examples of each.
	{"RFC 2369 3.1", "List-Help: <mailto:list@host.com?subject=help> (List Instructions)\nList-Help: <mailto:list-manager@host.com?body=info>\nList-Help: <mailto:list-info@host.com> (Info about the list)\nList-Help: <http://www.host.com/list/>, <mailto:list-info@host.com>\nList-Help: <ftp://ftp.host.com/list.txt> (FTP),\n <mailto:list@host.com?subject=help>\n\n",
		texts("List-Help=mailto:list@host.com?subject=help", "List-Help=mailto:list-manager@host.com?body=info", "List-Help=mailto:list-info@host.com", "List-Help=http://www.host.com/list/", "List-Help=mailto:list-info@host.com", "List-Help=ftp://ftp.host.com/list.txt", "List-Help=mailto:list@host.com?subject=help")},
	{"RFC 2369 3.2", "List-Unsubscribe: <mailto:list@host.com?subject=unsubscribe>\nList-Unsubscribe: (Use this command to get off the list)\n <mailto:list-manager@host.com?body=unsubscribe%20list>\nList-Unsubscribe: <http://www.host.com/list.cgi?cmd=unsub&lst=list>,\n <mailto:list-request@host.com?subject=unsubscribe>\n\n",
		texts("List-Unsubscribe=mailto:list@host.com?subject=unsubscribe", "List-Unsubscribe=mailto:list-manager@host.com?body=unsubscribe%20list", "List-Unsubscribe=http://www.host.com/list.cgi?cmd=unsub&lst=list", "List-Unsubscribe=mailto:list-request@host.com?subject=unsubscribe")},
	{"RFC 2369 3.4", "List-Post: <mailto:moderator@host.com> (Postings are Moderated)\nList-Post: <mailto:moderator@host.com?subject=list%20posting>\nList-Post: NO (posting not allowed on this list)\nList-Post: NO\n\n",
		texts("List-Post=mailto:moderator@host.com", "List-Post=mailto:moderator@host.com?subject=list%20posting")},
	{"RFC 2369 2: white space inside", "List-Archive: <http://h/\n  archive/ list>\n\n", texts("List-Archive=http://h/archive/list")},
	{"RFC 2369 2: brackets in a comment", "List-Owner: (not <http://x/>) <mailto:a@b> ( (<c>) )\n\n", texts("List-Owner=mailto:a@b")},
	{"RFC 2369: no comma", "List-Subscribe: <mailto:a@b> <http://h/>\n\n", texts("List-Subscribe=mailto:a@b", "List-Subscribe=http://h/")},
	{"a comment without an end", "List-Owner: (x <mailto:a@b>\n\n", texts("List-Owner=mailto:a@b")},
	{"bracket without an end", "List-Owner: <mailto:a@b\n\n", texts("List-Owner=mailto:a@b")},
	{"bare", "list-archive: http://h/list\nList-Url: URL:http://h/ (x)\nList-Archive: archive\n\n", texts("List-Archive=http://h/list", "List-Url=http://h/")},
	{"URL: in a list", "List-Archive: <URL:http://h/>\n\n", texts("List-Archive=http://h/")},
	{"RFC 2369: relative", "List-Archive: <archive/>\n\n", texts("List-Archive=archive/")},
	{"RFC 2047 5: encoded as a whole", "List-Unsubscribe: =?us-ascii?Q?=3Chttps=3A=2F=2Fh=2Fu=3E=2C?=\r\n =?us-ascii?Q?=20=3Cmailto=3Aa=40b=3E?=\r\n\r\n", texts("List-Unsubscribe=https://h/u", "List-Unsubscribe=mailto:a@b")},
	{"RFC 2919: List-Id is no URL", "List-Id: Lena's <lena.localhost>\n\n", nil},
	{"RFC 5064 2", "Archived-At: <http://www.example.net/mid/foobar@example.com>\nArchived-At: <http://h/> (x)\nArchived-At: http://h/2\n\n", texts("Archived-At=http://www.example.net/mid/foobar@example.com", "Archived-At=http://h/", "Archived-At=http://h/2")},
	{"RFC 2068 19.6.2.5", "URI: <http://a/>, <b>; vary=language\n\n", texts("URI=http://a/", "URI=b")},
	{"RFC 8288 3.5", "Link: <a>; rel=\"next\",\r\n </b\r\n /c>; rel=prev\r\n\r\n", texts("Link=a", "Link=/b/c")},
	{"Refresh", "Refresh: 5;\r\n url=x\nRefresh: 5\n url='y z'\nRefresh: 7\n\n", texts("Refresh=x", "Refresh=y z")},
	{"RFC 9110 10.2.2", "Location: /People.html#tim\nLocation: <http://h/>\nLocation: x.html\nLocation: /a b\n\n", texts("Location=/People.html#tim", "Location=http://h/", "Location=x.html", "Location=/a b")},
	{"iCalendar's Location", "Location: Room 5, 2nd floor\nLocation: Main Street (x)\n\n", nil},
	{"RFC 2047 6.2: encoded words are judged by their text", "Location: =?us-ascii?Q?Room_5?=\nLocation: =?us-ascii?Q?http://h/?= =?us-ascii?Q?x=20y?=\nX-URL: =?us-ascii?Q?http://h/?=\nLocation: Room\n 5\n\n", texts("Location=http://h/x y", "X-URL=http://h/")},
	{"Content-Location and Content-Base, not Base", "Base: <a>\nContent-Base: <b>\nContent-Location: c\n\n", texts("Content-Base=b", "Content-Location=c")},
	{"empty", "Content-Location:\nLocation: <>\nList-Help: <>\nLink: <>\n\n", texts("List-Help=", "Link=")},
	{"X-URL", "X-URL: http://h/a\nX-Url: <b>\nX-URL: c\nX-Archived-At: http://h/d\nX-URI: \"http://h/e\"\n\n", texts("X-URL=http://h/a", "X-URL=b", "X-Archived-At=http://h/d", "X-URI=http://h/e")},
	{"Comments", "Comments: see <http://h/a\n b> or <URL:rel/x>, not <c@d> <e> <Re: f> < 12:30> <<mailto:g@h>> <http://\n\n", texts("Comments=http://h/ab", "Comments=rel/x", "Comments=mailto:g@h")},
	{"other fields", "Subject: <http://h/>\nMessage-ID: <a:b@c>\nX-A-Very-Long-Name-Of-A-Field-Indeed: <http://h/>\njunk <http://h/>\n\n", nil},
}

func TestHeaderLinks(t *testing.T) {
	for _, row := range headerLinkRows {
		t.Run(row.name, func(t *testing.T) {
			src := []byte(row.src)
			fields, _ := readHeader(src, 0)
			assert.Equal(t, row.want, checkLinks(t, src, fields))
		})
	}
}

// checkLinks gives the links as "place=URL", and checks that they are in order and in
// their fields.
func checkLinks(t testing.TB, src []byte, fields []headerField) []string {
	var out []string
	at := 0
	headerLinks(src, fields, false, func(place *Place, s codec.Span, c codec.Codec, format *Format) {
		require.LessOrEqual(t, at, s.Start, "in order in %q", src)
		at = s.End
		checkInField(t, src, fields, s, place.Name)
		text, err := c.Decode(src[s.Start:s.End])
		require.NoError(t, err)
		if format == nil {
			out = append(out, place.Name+"="+string(text))
			return
		}
		for _, ref := range refsIn(t, format, string(text)) {
			out = append(out, place.Name+"="+ref)
		}
	})
	return out
}

func TestHasScheme(t *testing.T) {
	for _, url := range []string{"http://h/", "mailto:a", "h2-x+y.z:a"} {
		assert.True(t, hasScheme([]byte(url)), url)
	}
	for _, url := range []string{"", "http", "http:", ":a", "c:\\x", "1a:b", "Re: x", "a b:c", "é:b", strings.Repeat("a", 99)} {
		assert.False(t, hasScheme([]byte(url)), url)
	}
}
