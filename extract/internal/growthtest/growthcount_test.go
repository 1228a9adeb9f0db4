package growthtest

import (
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
