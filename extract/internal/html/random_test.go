package html_test

import (
	"math/rand"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// pieces are the parts of random pages: all kinds of markup that change how a later tag is read. The elements whose rules
// depend on many others come more than once.
var pieces = strings.Split(`<svg>|<svg>|<svg>|<svg/>|</svg>|</svg>|<math>|<math>|<math/>|</math>|<g>|</g>|<path/>|<foreignObject>|<foreignObject>|</foreignObject>|<desc>|<desc>|</desc>|`+
	`<mi>|<mtext>|</mi>|<annotation-xml>|<annotation-xml encoding=text/html>|</annotation-xml>|<mglyph>|<malignmark>|<font>|<font color=x>|</font>|<p>|<p>|</p>|<br>|</br>|<div>|</div>|`+
	`<span>|</span>|<b>|<b>|<b class=x>|</b>|</b>|<i>|</i>|<nobr>|</nobr>|<a>|<a>|</a>|<marquee>|</marquee>|<x>|</x>|<title>|</title>|<textarea>|</textarea>|<style>|</style>|<script>|</script>|`+
	`<noscript>|</noscript>|<iframe>|</iframe>|<xmp>|</xmp>|<noembed>|</noembed>|<noframes>|</noframes>|<template>|<template>|</template>|</template>|<table>|<table>|<table>|</table>|</table>|`+
	`<tr>|<tr>|<td>|<td>|</td>|</tr>|<th>|</th>|<tbody>|</tbody>|<thead>|</thead>|<caption>|</caption>|<colgroup>|</colgroup>|<col>|<col>|<select>|<select>|</select>|<option>|</option>|`+
	`<optgroup>|</optgroup>|<frameset>|<frameset>|</frameset>|<frame>|<body>|</body>|<head>|</head>|<html>|</html>|<img>|<image>|<input>|<input type=hidden>|<form>|</form>|<hr>|`+
	`<li>|<li>|</li>|<ul>|</ul>|<dt>|<dd>|</dt>|</dd>|<h1>|<h2>|</h1>|</h2>|<ruby>|<rb>|<rt>|</ruby>|<pre>|<button>|</button>|</pre>|<object>|</object>|<plaintext>|`+
	`<!--|-->|--!>|<!-->|<!--->|<![CDATA[|]]>|<!doctype html>|<?x|<!x|</|< |>|"|'|=|/>|x| |`+"\n|\x00|&#32;|<base href=1>|<base href=2>|<base href=3>|<base>", "|")

// pageOf returns the page of the pieces with the given numbers. The base at its end shows the state of the parser there. An
// odd first number puts an itemid into every tag.
func pageOf(numbers []byte) string {
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(pieces[int(n)%len(pieces)])
	}
	b.WriteString("<base href=/last>")
	if len(numbers) > 0 && numbers[0]&1 == 1 {
		return probed(b.String())
	}
	return b.String()
}

// TestRandom compares random pages with their trees. RANDOM=n makes n pages.
func TestRandom(t *testing.T) {
	n := 3000
	if v, err := strconv.Atoi(os.Getenv("RANDOM")); err == nil {
		n = v
	}
	failed := 0
	for seed := 0; seed < n && failed < 10; seed++ {
		r := rand.New(rand.NewSource(int64(seed)))
		numbers := make([]byte, 1+r.Intn(20))
		r.Read(numbers)
		if !sameAsTree(t, pageOf(numbers)) {
			failed++
		}
	}
}

// FuzzTree: the base and the links of a page of pieces are those of its tree.
func FuzzTree(f *testing.F) {
	f.Add([]byte(nil))
	for n := range pieces {
		f.Add([]byte{byte(n), byte(n / 2), byte(n / 3)})
	}
	f.Fuzz(func(t *testing.T, numbers []byte) { sameAsTree(t, pageOf(numbers[:min(len(numbers), 60)])) })
}

// sameAsTree checks that html.Parse finds the same base, and no other links than the scanner, except in tags that a tree
// does not have.
func sameAsTree(t *testing.T, doc string) bool {
	want, got := readTree([]byte(doc)), scan(t, []byte(doc))
	if want.refused != nil {
		return true
	}
	var missed, more []string
	for l := range want.links {
		if !got.links[l] {
			missed = append(missed, l)
		}
	}
	for l := range got.links {
		if place, _, _ := strings.Cut(l, " "); !want.links[l] && ignoredTag(place, doc) == "" {
			more = append(more, l)
		}
	}
	if (want.base != got.base || missed != nil || more != nil) && treeFault(doc) != "" {
		return true
	}
	return assert.Equal(t, want.base, got.base, "base of %q", doc) &&
		assert.Empty(t, missed, "missed in %q", doc) && assert.Empty(t, more, "more than the tree has in %q", doc)
}

// treeFaults are faults of html.Parse: a page, its base by the clause of the standard, and the pages that may have the fault.
var treeFaults = []struct {
	doc, base, clause string
	in                *regexp.Regexp
}{
	{"<svg><desc><template></template></desc></svg><base href=/last>", "/last",
		"13.2.6.4.4: a template may be inside foreign content; html.Parse ignores the rest of the page",
		regexp.MustCompile(`(?s)<(svg|math).*<template`)},
	{"<template><col><script></template><base href=/last>", "/last",
		"13.2.6.4.12: a template that began with a col ignores a script, so no raw text begins",
		regexp.MustCompile(`(?s)<template.*<col.*<(title|textarea|style|script|noscript|iframe|xmp|noembed|noframes|plaintext)`)},
	{"<table><svg><html><desc><a><col></a><tr><base href=/last>", "/last",
		"13.2.6.4.9, clear the stack back to a table context, and others: an html in SVG is not the html element",
		regexp.MustCompile(`(?s)<(svg|math).*<(html|tbody|thead|tfoot|tr|td|th|caption|col|colgroup|frameset|option|optgroup|rb|rt)\b`)},
}

// TestTreeFaults checks that the scanner follows the standard where html.Parse does not. If html.Parse follows it, the row
// must go.
func TestTreeFaults(t *testing.T) {
	for _, row := range treeFaults {
		assert.Equal(t, row.base, scan(t, []byte(row.doc)).base, row.doc)
		assert.NotEqual(t, row.base, readTree([]byte(row.doc)).base, row.doc)
		assert.Regexp(t, row.in, row.doc)
	}
}

// treeFault returns the clause that html.Parse may not follow in a page, or "".
func treeFault(doc string) string {
	for _, row := range treeFaults {
		if row.in.MatchString(doc) {
			return row.clause
		}
	}
	return ""
}
