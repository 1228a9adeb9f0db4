// Package growthtest tests package extract with long documents: every link is found, and the memory for URLs and bases
// stays in proportion to the document.
package growthtest

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/base"
	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// longBase is a base much longer than the links that are resolved against it.
var longBase = "http://h/" + strings.Repeat("b", 20_000) + "/"

// repeated returns n copies of text, in which %d is the number of the copy.
func repeated(text string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, text, i)
	}
	return b.String()
}

// The absolute URLs of a record are together at most as long as MaxRecord, or as 64 times the record, whichever is more. The
// links after that stay unchanged, and are one problem, in every standard and codec.
func TestGrowth(t *testing.T) {
	const n = 600
	links := repeated("<a href=x%d></a>\n", n)
	for name, d := range map[string]extract.Document{
		"page":    Page(links),
		"srcset":  Page("<img srcset=\"" + strings.TrimSuffix(repeated("x%d 1x, ", n), ", ") + "\">"),
		"srcdoc":  Page(repeated("<iframe srcdoc='<a href=x%d>'></iframe>\n", n)),
		"UTF-16":  Page("\xFF\xFE" + UTF16(links)),
		"base64":  Message("Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + InBase64(links)),
		"parts":   Message(Related("b", "", strings.Split(repeated("Content-Type: text/html\nContent-Transfer-Encoding: binary\n\n<a href=x%d>\n\x00", n), "\x00")...)),
		"gzip":    {Name: "p.html.gz", Bytes: []byte(Gzipped(t, links))},
		"headers": {Type: "message/http", Bytes: []byte("HTTP/1.1 200 OK\nLink: " + strings.TrimSuffix(repeated("<x%d>;rel=a, ", n), ", ") + "\n\n")},
	} {
		d.URL = longBase
		length := len(d.Bytes)
		if name == "gzip" {
			length = len(links)
		}
		for _, std := range []resolve.Standard{resolve.RFC1808, resolve.RFC3986, resolve.WHATWG} {
			for _, most := range []int{8 * length, 3_000_000} {
				limit := max(most, 64*length)
				t.Run(fmt.Sprint(name, " ", std, " ", most), func(t *testing.T) {
					var problems []extract.Problem
					x := extract.Extractor{Standard: std, MaxRecord: most, OnProblem: func(p extract.Problem) { problems = append(problems, p) }}
					resolved, bytesOf, after := listed(t, &x, d)
					assert.LessOrEqual(t, bytesOf, limit)
					assert.Greater(t, bytesOf, limit-4*len(longBase), "a base in another charset uses up the limit")
					require.Len(t, problems, 1)
					assert.Equal(t, extract.CodeLinkLimit, problems[0].Code)
					assert.Equal(t, extract.SeverityError, problems[0].Severity)
					assert.Contains(t, problems[0].Detail, fmt.Sprintf(" %d bytes together; %d links ", limit, n-resolved))
					assert.Equal(t, after.Entity.Path, problems[0].Entity)
					assert.Equal(t, after.Offset, problems[0].Offset)

					told := problems[0]
					problems = nil
					var out bytes.Buffer
					result, err := x.Rewrite(context.Background(), &out, d)
					require.NoError(t, err)
					assert.Equal(t, extract.Result{Links: n, Changed: resolved, Refused: n - resolved}.Refused, result.Refused)
					assert.Equal(t, resolved, result.Changed)
					assert.Zero(t, result.Unresolved)
					assert.Equal(t, []extract.Problem{told}, problems)
					again := d
					again.Bytes = out.Bytes()
					x = extract.Extractor{Standard: std} // with the default limit
					all, _, _ := listed(t, &x, again)
					assert.Equal(t, n-resolved, all, "the others are still relative")
				})
			}
		}
	}
}

// listed returns the number of relative links of a document that are resolved, the bytes of their URLs, and the first
// link that is not resolved because of the limit.
func listed(t *testing.T, x *extract.Extractor, d extract.Document) (resolved, bytesOf int, after *extract.Link) {
	for l, err := range x.Links(context.Background(), d) {
		require.NoError(t, err)
		switch {
		case l.Status == extract.StatusResolved:
			require.Nil(t, after, "no link is resolved after the limit")
			resolved, bytesOf = resolved+1, bytesOf+len(l.URL)
		case l.Status == extract.StatusUnresolved:
			require.Equal(t, extract.CodeLinkLimit, l.Problem)
			require.Empty(t, l.URL)
			if after == nil {
				after = l.Clone()
			}
		}
	}
	return resolved, bytesOf, after
}

// Each record has its own limit. It does not apply to absolute links, which need no URL of their own.
func TestGrowthOfRecords(t *testing.T) {
	const n = 200
	message := "From a Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n" + repeated("<a href=x%d></a><a href=http://k/></a>\n", n) + "\n"
	d := Mailbox(message + "From a Thu Jan  1 00:00:00 1970\n\n<URL:http://k/>\n\n" + message)
	d.URL = longBase
	var offsets []int
	x := extract.Extractor{MaxRecord: 8 * len(message), OnProblem: func(p extract.Problem) { offsets = append(offsets, p.Offset) }}
	status := map[extract.Status]int{}
	for l, err := range x.Links(context.Background(), d) {
		require.NoError(t, err)
		status[l.Status]++
	}
	each := 64 * len(message) / (len(longBase) + len("x99"))
	assert.Equal(t, map[extract.Status]int{extract.StatusAbsolute: 2*n + 1, extract.StatusResolved: 2 * each, extract.StatusUnresolved: 2 * (n - each)}, status)
	assert.Len(t, offsets, 2)
}

// The URLs of Map use up the limit by what they are longer than those of the links.
func TestGrowthByMap(t *testing.T) {
	const n = 100
	for _, row := range [][2]string{{"<a href=x%d></a>\n"}, {"<a href=http://k/%d></a>\n"}, {"<a href=http://k/><base href=http://k/>"}, {"<a href=http://k/%d>", "<base href=http://k/>"}} {
		link := row[0]
		src := repeated(link, n) + row[1]
		var problems []extract.Problem
		x := extract.Extractor{MaxRecord: 200_100, OnProblem: func(p extract.Problem) { problems = append(problems, p) }}
		x.Map = func(l *extract.Link) (string, bool) { return string(l.URL) + strings.Repeat("m", 10_000), true }
		var out bytes.Buffer
		result, err := x.Rewrite(context.Background(), &out, Page(src))
		require.NoError(t, err)
		made := max(x.MaxRecord, 64*len(src)) / 10_000
		if strings.Contains(link, "x%d") { // a relative link uses its URL, and the bytes that Map adds
			made = max(x.MaxRecord, 64*len(src)) / (10_000 + len("http://h/p/x99"))
		}
		all := n
		if strings.Contains(src, "base") {
			all++ // the first BASE element
		}
		assert.Equal(t, made, result.Changed, link)
		assert.LessOrEqual(t, out.Len(), len(src)+max(x.MaxRecord, 64*len(src)))
		require.NotEmpty(t, problems)
		last := problems[len(problems)-1]
		assert.Equal(t, extract.CodeLinkLimit, last.Code)
		assert.Contains(t, last.Detail, fmt.Sprintf("; %d links ", all-made), link)
	}
}

// Links that stay relative because of the limit need the BASE element.
func TestGrowthKeepsBase(t *testing.T) {
	src := "<base href=" + longBase + ">"
	page := src + repeated("<a href=x%d>", 500)
	for _, bases := range []extract.BaseURLs{extract.BaseEmpty, extract.BaseRemove} {
		problems := map[extract.Code]int{}
		x := extract.Extractor{MaxRecord: 8 * len(page), BaseURLs: bases, OnProblem: func(p extract.Problem) { problems[p.Code]++ }}
		var out bytes.Buffer
		_, err := x.Rewrite(context.Background(), &out, Message("Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n"+InBase64(page)))
		require.NoError(t, err)
		_, body, _ := strings.Cut(out.String(), "\n\n")
		text, err := base64.StdEncoding.DecodeString(body)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(text), src))
		assert.Contains(t, string(text), "<a href="+longBase+"x0>")
		assert.Equal(t, map[extract.Code]int{extract.CodeLinkLimit: 1, extract.CodeBaseNeeded: 1}, problems)
	}
}

// OnLink does not change the output: links that it shows, but that stay unchanged, have a limit of their own.
func TestGrowthOnLink(t *testing.T) {
	d := Page(repeated("<a href=#f%d><a href=x>", 500))
	d.URL = longBase
	x := extract.Extractor{MaxRecord: 8 * len(d.Bytes), KeepFragments: true}
	var want, got bytes.Buffer
	first, err := x.Rewrite(context.Background(), &want, d)
	require.NoError(t, err)
	shown := map[string]int{}
	x.OnLink = func(l *extract.Link) { shown[l.Status.String()+" "+string(l.Ref[:1])]++ }
	second, err := x.Rewrite(context.Background(), &got, d)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want.Bytes(), got.Bytes()))
	assert.Equal(t, first, second)
	assert.NotZero(t, first.Changed)
	assert.Equal(t, first.Changed, shown["resolved x"])
	assert.NotZero(t, shown["unresolved #"])
}

// The bases of embedded documents and elements are made from a long base, so they use up the limit as well. After it, no
// reference whose URL depends on such a base is resolved.
func TestGrowthOfBases(t *testing.T) {
	const n = 400
	for name, each := range map[string]string{
		"documents": "<iframe srcdoc='<base href=y/><a href=x></a><a href=http:z></a><a href=http://k/></a>'></iframe>\n",
		"elements":  "<object codebase=y/ data=x></object><object codebase=y/ data=http:z></object><a href=http://k/>\n",
	} {
		for _, std := range []resolve.Standard{resolve.RFC1808, resolve.WHATWG} {
			src := strings.Repeat(each, n)
			d := Page(src)
			d.URL = longBase
			sizes, entities := 0, 0
			x := extract.Extractor{Standard: std, MaxRecord: 8 * len(src), OnProblem: func(p extract.Problem) {
				if p.Code == extract.CodeLinkLimit {
					sizes++
				}
			}}
			got, total := map[string]int{}, 0
			for l, err := range x.Links(context.Background(), d) {
				require.NoError(t, err)
				got[string(l.URL)]++
				if l.Status == extract.StatusResolved {
					total += len(l.URL)
				}
			}
			assert.Less(t, total, 64*len(src))
			if name == "documents" || std == resolve.RFC1808 {
				assert.NotZero(t, got[longBase+"y/x"], name)
			}
			assert.Zero(t, got["http://z/"], "%s: http:z is relative to the base", name)
			assert.Equal(t, n, got["http://k/"], name)
			assert.NotZero(t, got[""], name)
			if name == "documents" {
				assert.Equal(t, 1, sizes)
			}

			bases := 0
			for e, err := range x.Bases(context.Background(), d) {
				require.NoError(t, err)
				entities++
				bases += len(e.Scope.Base().String())
			}
			if name == "documents" {
				assert.Equal(t, n+1, entities)
				assert.Less(t, bases, 65*len(src))
			}

			var out bytes.Buffer
			_, err := x.Rewrite(context.Background(), &out, d)
			require.NoError(t, err)
			assert.Less(t, out.Len(), 66*len(src))
		}
	}
}

// The problem has the number of links and of bases of documents and elements that are not resolved.
func TestGrowthCounts(t *testing.T) {
	repeat := func(s string) string { return strings.Repeat(s, 10) }
	for name, row := range map[string]struct {
		src   string
		bases int
	}{
		"links":     {repeat("<a href=x>"), 0},
		"documents": {repeat("<iframe srcdoc='<base href=y/><a href=x>'></iframe>"), 10},
		"elements":  {repeat("<object codebase=y/ data=x></object>"), 10},
		"parts after the limit": {"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n" + repeat("<a href=x>") +
			"\n--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\nBase: y/\nContent-Type: text/html\n\n<a href=x>\n--c--\n--b--\n", 1},
	} {
		for limit := 12 * len(longBase) / 4; limit < 80*len(longBase)/4; limit += len(longBase) / 4 {
			var sizes []extract.Problem
			x := extract.Extractor{MaxRecord: limit, OnProblem: func(p extract.Problem) {
				if p.Code == extract.CodeLinkLimit {
					sizes = append(sizes, p)
				}
			}}
			d := Page(row.src)
			if strings.HasPrefix(row.src, "Content-") {
				d = Message(row.src)
			}
			require.Less(t, 64*len(row.src), limit, name)
			d.URL = longBase
			left, made, bases := 0, 0, map[*base.Scope]bool{}
			for l, err := range x.Links(t.Context(), d) {
				require.NoError(t, err)
				if b := l.Scope.Base().String(); b != "" && b != longBase && !bases[l.Scope] {
					bases[l.Scope] = true
					made += len(b)
				}
				if made += len(l.URL); l.Status == extract.StatusUnresolved {
					left++
				}
			}
			assert.LessOrEqual(t, made, limit+len(longBase+"y/"), "%s: the last base may be too long", name)
			if left > 0 && assert.Len(t, sizes, 1, name) {
				assert.Contains(t, sizes[0].Detail, fmt.Sprintf(" bytes together; %d links ", left+row.bases-len(bases)), "%s, %d", name, limit)
			}
		}
	}
}

// After the limit, a declared base that is also a link is counted once: as a link if it is listed, and otherwise as a base.
func TestGrowthCountsOnce(t *testing.T) {
	for _, row := range []struct {
		src, places  string
		links, bases int
	}{
		{"<r xml:base='y/'><a href='x'/></r>", "", 2, 1},
		{"<r xml:base='y/'><a href='x'/></r>", "a@href", 2, 1},
		{"<r><s xml:base='y/'/><s xml:base='y/'><a href='x'/></s></r>", "", 3, 1}, // the first base is made before the limit
		{"<r><s xml:base='y/'/><s xml:base='y/'><a href='x'/></s></r>", "a@href", 2, 1},
	} {
		var problems []extract.Problem
		x := extract.Extractor{MaxRecord: 1000, OnProblem: func(p extract.Problem) {
			if p.Code == extract.CodeLinkLimit {
				problems = append(problems, p)
			}
		}}
		if row.places != "" {
			x.Places = []string{row.places}
		}
		d := extract.Document{Name: "a.xml", URL: longBase, Bytes: []byte("<?xml version='1.0'?>" + row.src)}
		for _, err := range x.Links(t.Context(), d) {
			require.NoError(t, err)
		}
		require.Len(t, problems, 1, row.src)
		assert.Contains(t, problems[0].Detail, fmt.Sprintf("; %d links and bases ", row.links), "%s %s", row.src, row.places)

		problems = nil
		for _, err := range x.Bases(t.Context(), d) {
			require.NoError(t, err)
		}
		require.Len(t, problems, 1, row.src)
		assert.Contains(t, problems[0].Detail, fmt.Sprintf("; %d links and bases ", row.bases), row.src)
	}
}

// Removing a long base by dot segments takes time, so it uses up the limit by the whole base, while other references to the host
// only use their URLs. URLs that are together exactly as long as the limit are within it.
func TestGrowthOfDots(t *testing.T) {
	for ref, each := range map[string]int{"../x": len(longBase), "x/../../y": len(longBase), "./x": len(longBase + "x"), "/x": len("http://h/x"), "?x": len(longBase + "?x")} {
		for _, more := range []int{-1, 0, 100} {
			d := Page(strings.Repeat("<a href="+ref+">", 10))
			x := extract.Extractor{MaxRecord: max(5*each+more, 64*10)}
			d.URL = longBase
			resolved, _, _ := listed(t, &x, d)
			assert.Equal(t, min(max(x.MaxRecord, 64*len(d.Bytes))/each, 10), resolved, "%s %d", ref, more)
		}
	}
}

// For its queries, a page in another charset has a base of its own. If that alone is too long, no link is resolved.
func TestGrowthOfOneBase(t *testing.T) {
	var problems []extract.Problem
	x := extract.Extractor{Standard: resolve.WHATWG, MaxRecord: 1000, OnProblem: func(p extract.Problem) { problems = append(problems, p) }}
	d := Page("<meta charset=windows-1251><a href=x><a href=y>")
	d.URL = longBase
	resolved, _, after := listed(t, &x, d)
	assert.Zero(t, resolved)
	assert.Equal(t, "x", string(after.Ref))
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].Detail, "; 2 links ")
}

// The limit applies to the bases of body parts. After it, a reference in a part has no base, even if it begins with a scheme.
func TestGrowthOfParts(t *testing.T) {
	const n = 20
	split := func(parts string) []string { return strings.Split(strings.TrimSuffix(parts, "\x00"), "\x00") }
	for name, src := range map[string]string{
		"fields": Related("b", "\nContent-Base: "+longBase, split(strings.Repeat("Content-Base: y/\nContent-Type: text/html\n\n<a href=http:z>\n\x00", n))...),
		"a page that Chromium saved": "Snapshot-Content-Location: http://h/\n" + Related("b", "", split(
			"Content-Type: text/html\nContent-Location: http://h/\n\n<base href="+longBase+">"+repeated("<link rel=stylesheet href=cid:%d>", n)+"\n\x00"+
				repeated("Content-Type: text/css\nContent-Location: cid:%d\n\na{background:url(http:z)}\n\x00", n))...),
	} {
		x := extract.Extractor{Standard: resolve.WHATWG, MaxRecord: len(src)}
		got := map[string]int{}
		for l, err := range x.Links(t.Context(), Message(src)) {
			require.NoError(t, err)
			if string(l.Ref) == "http:z" {
				got[strings.TrimSuffix(Target(l), "z")]++
			}
		}
		with := longBase
		if name == "fields" {
			with += "y/"
		}
		assert.NotZero(t, got[with], name)
		assert.Equal(t, map[string]int{with: got[with], "(no-base)": n - got[with]}, got, name)
		w := Walker{Extractor: x}
		assert.Equal(t, n-got[with], strings.Count(Rewrite(t, &w, Message(src)), "http:z"), name)
	}
}

// After the limit, an absolute reference still names the body part with an absolute Content-Location.
func TestGrowthKeepsParts(t *testing.T) {
	page := "<img src=http://k/i><img src=i>\n"
	inner := Related("c", "", "Content-Type: text/html\n\n"+page, "Content-Location: i\n\n\n", "Content-Location: http://k/i\n\n\n")
	d := Message("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n" + repeated("<a href=x%d>", 9) + "\n--b\nContent-Type: message/rfc822\n\n" + inner + "--b--\n")
	d.URL = longBase
	x := extract.Extractor{MaxRecord: 2 * len(longBase)}
	require.Less(t, 64*len(d.Bytes), 4*len(longBase))
	parts := map[string]string{}
	for l, err := range x.Links(t.Context(), d) {
		require.NoError(t, err)
		if l.Place() == "img@src" {
			parts[string(l.Ref)] = l.Part + " " + string(l.Problem)
		}
	}
	assert.Equal(t, map[string]string{"http://k/i": "part[2]/part[3] ", "i": " link-limit"}, parts)
}

// A message without a URL can have a long relative base. The names that it gives the parts take time, so they use up the limit.
func TestGrowthOfNames(t *testing.T) {
	for n, want := range map[int]string{60: "http://k/x", 99: "(link-limit)"} { // 64 bytes of URLs for each byte of the record
		d := Message(Related("b", "\nContent-Base: "+longBase[len("http://h/"):], "Content-Type: text/html\n\n"+repeated("<img src=i%d>", n)+"\n", "Content-Location: i0\n\n\n",
			"Content-Type: text/html\n\n<base href=http://k/><a href=x>\n"))
		w := Walker{Extractor: extract.Extractor{MaxRecord: 2 * len(longBase)}}
		got := URLs(t, &w, d)
		assert.Equal(t, want, got[len(got)-1], "%d", n)
	}
}

// An unused base uses up the limit, because each entity inside parses it again.
func TestGrowthOfUnusedBases(t *testing.T) {
	unused := "mailto:" + strings.Repeat("b", 200_000)
	d := Page("<base href=" + longBase + "><base href=" + unused + ">" + repeated("<a href=?>", 1000))
	d.URL = ""
	resolved, _, _ := listed(t, &extract.Extractor{MaxRecord: len(d.Bytes)}, d)
	assert.Equal(t, (64*len(d.Bytes)-len(longBase+unused))/len(longBase+"?"), resolved)
}

// Links are compared with browsers until their URLs and bases are together longer than the limit, which is reported once.
func TestGrowthOfComparing(t *testing.T) {
	for n, want := range map[int]map[string]int{3: {"Standard": 3}, 4: {"Standard": 3, "MaxRecord": 1}, 5: {"Standard": 3, "MaxRecord": 1}} {
		notes := map[string]int{}
		x := extract.Extractor{MaxRecord: 3 * len(longBase+"http:x"), OnProblem: func(p extract.Problem) { notes[p.Setting]++ }}
		d := Page(strings.Repeat("<a href=http:x>", n))
		d.URL = longBase
		listed(t, &x, d)
		assert.Equal(t, want, notes, "%d", n)
	}
}
