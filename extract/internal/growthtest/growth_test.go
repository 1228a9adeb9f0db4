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
