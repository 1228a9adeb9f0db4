package report

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
	"absolink/internal/longtest"
)

func newRun(verb string) *Run { return New(verb, &console.Counts{}) }

// rules returns a table of n rules. Each URL ends with a text.
func rules(t *testing.T, n int, text string) *mapping.Table {
	t.Helper()
	var all mapping.Rules
	for i := range n {
		require.NoError(t, all.Set(fmt.Sprintf("http://h/%d/%s=http://h/%s", i, strings.ReplaceAll(text, "=", ""), text)))
	}
	table, err := mapping.New(all, nil)
	require.NoError(t, err)
	return table
}

// read adds a document to a run as the verb rewrite does, in one part for each of the texts.
func read(t *testing.T, r *Run, name string, texts ...string) {
	t.Helper()
	n := 0
	for _, text := range texts {
		part := &Part{}
		x := extract.Extractor{OnLink: part.Link, OnChange: part.Change, OnProblem: r.Problem}
		_, err := x.Rewrite(context.Background(), &strings.Builder{}, extract.Document{Name: name, Type: "text/html", Bytes: []byte(text)})
		require.NoError(t, err)
		r.Collect(name, part)
		n += len(text)
	}
	r.End(name, int64(n), nil)
}

// TestHostileRun: names, references and errors of a run inject nothing.
func TestHostileRun(t *testing.T) {
	r := newRun("rewrite")
	read(t, r, hostile, `<base href="http://h/"><a href="`+strings.ReplaceAll(hostile, `"`, "&quot;")+`"><a href="x:`+hostile+`"><a href="//[">`)
	r.End(hostile+"2", 0, errors.New(hostile))
	page, err := r.Append(nil, Facts{Command: hostile, ProblemsFile: hostile, RowsFile: hostile, Rules: rules(t, 1, `"'><script>alert(1)</script>`)})
	require.NoError(t, err)
	checkSafe(t, page)
	requireText(t, string(page), "&lt;script&gt;alert(1)&lt;/script&gt;")
}

// TestLimits: the page of a run over 100,000 documents with long names is shorter than 5 MB. It shows the documents with errors,
// and says how many others there are. The memory does not grow with the documents. A plain test has fewer documents, and does not
// measure the memory.
func TestLimits(t *testing.T) {
	r := newRun("rewrite")
	long := strings.Repeat(`<"&'>`, 200)
	var part Part
	for range 20 {
		part.Change(extract.Change{Ref: long, NewRef: long})
	}
	part.types.add("text/html", 20)
	documents, of := longtest.Or(4_000, 100_000), longtest.Or("4,000", "100,000")
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	half := int64(0)
	for i := range documents {
		name := fmt.Sprintf("%06d%s", i, long)
		if i == documents/2 {
			half = heap()
		}
		p := part
		r.Collect(name, &p)
		for n := range 30 {
			code := extract.Code(fmt.Sprintf("code-%d", n))
			r.Problem(extract.Problem{Document: name, Entity: long, Code: code, Severity: extract.SeverityNote, Detail: long})
		}
		if i%(documents/100) == documents/100-1 {
			r.Problem(extract.Problem{Document: name, Code: extract.CodeUndecodable, Severity: extract.SeverityError, Detail: "last"})
		}
		r.End(name, 1, nil)
	}
	if longtest.On() {
		assert.Less(t, heap(), half+1<<20)
	}
	page, err := r.Append(nil, Facts{Rules: rules(t, 1000, long), ProblemsFile: "p.jsonl"})
	require.NoError(t, err)
	t.Logf("%d bytes", len(page))
	assert.Less(t, len(page), 5_000_000)
	text := string(page)
	requireText(t, text, "The table has 2,000 of "+of+" documents.")
	requireText(t, text, "Changes are shown for 100 of "+of+" documents.")
	requireText(t, text, "Each problem code has its first 5 examples. All problems are in p.jsonl.")
	requireText(t, text, "Totals are shown for 100 of 1,000 rules.")
	assert.Equal(t, 100, strings.Count(text, `<tr class="error">`))
	requireText(t, text, fmt.Sprintf(">%06d", documents-1)) // the last document has an error, so it has a row
}

// TestParts: the page does not depend on the division of a document into tasks.
func TestParts(t *testing.T) {
	texts := []string{`<a href=http://a/><a href=x>`, `<base href=http://h/><a href=1><a href=2><a href=3>`, `<base href=//h/><a href=4><a href=5><a href=6><a href=g:7>`}
	page := func(divided bool) string {
		r := newRun("rewrite")
		if divided {
			read(t, r, "a.mbox", texts...)
		} else {
			part := &Part{}
			x := extract.Extractor{OnLink: part.Link, OnChange: part.Change, OnProblem: r.Problem}
			n := 0
			for _, text := range texts {
				_, err := x.Rewrite(context.Background(), &strings.Builder{}, extract.Document{Name: "a.mbox", Type: "text/html", Bytes: []byte(text)})
				require.NoError(t, err)
				n += len(text)
			}
			r.Collect("a.mbox", part)
			r.End("a.mbox", int64(n), nil)
		}
		r.Started = time.Time{}
		out, err := r.Append(nil, Facts{})
		require.NoError(t, err)
		return string(out)
	}
	assert.Equal(t, page(false), page(true))
}

// TestSkip: a document that was skipped has no row.
func TestSkip(t *testing.T) {
	r := newRun("links")
	r.Problem(extract.Problem{Document: "a.bin", Code: codes.URLIgnored, Severity: extract.SeverityNote})
	r.Skip("a.bin")
	read(t, r, "b.html", "<a href=http://h/>")
	assert.Empty(t, r.open)
	require.Len(t, r.Documents(), 1)
	assert.Equal(t, "b.html", r.Documents()[0].Name)
}

// TestHosts: a host has no user and no port. Links without a URL or a host are counted as well.
func TestHosts(t *testing.T) {
	for url, want := range map[string]string{
		"http://User:pw@H.Example:80/p?u=http://x/": "h.example", "https://h?q": "h", "http://h#f": "h", "http://[::1]:8/": "[::1]", "http://[::1]": "[::1]",
		"mailto:a@b": noHost, "file:///p": noHost, "http://:80/": noHost, "data:,x": noHost, "x": noURL,
	} {
		part := &Part{}
		x := extract.Extractor{OnLink: part.Link}
		_, err := x.Rewrite(context.Background(), &strings.Builder{}, extract.Document{Type: "text/html", Bytes: []byte("<a href='" + url + "'>")})
		require.NoError(t, err)
		assert.Equal(t, []named{{want, 1}}, part.hosts.counts, url)
	}
}

// TestSeverities: problems of one code may have different severities.
func TestSeverities(t *testing.T) {
	r := newRun("links")
	for _, s := range []extract.Severity{extract.SeverityError, extract.SeverityNote, extract.SeverityNote} {
		r.Problem(extract.Problem{Document: "a", Code: extract.CodeHeaderMalformed, Severity: s})
	}
	r.End("a", 1, nil)
	page, err := r.Append(nil, Facts{})
	require.NoError(t, err)
	for _, text := range []string{"<strong>1</strong> error<", "<strong>0</strong> warnings<", "<strong>2</strong> notes<", ">1 error, 2 notes in 1 document<", `data-n="3">1 error, 2 notes<`} {
		requireText(t, string(page), text)
	}
}
