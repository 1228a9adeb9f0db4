package html_test

import (
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// pieces are the parts of random pages. Each changes how a later tag is read. SVG and MathML end in the same piece or at a
// tag of HTML, because where they would end otherwise depends on the tree.
var pieces = strings.Split(`<svg/>|<math/>|<svg><path/></svg>|<svg><g><p>|<math><font></font></math>|<math><font color=x>|</math>|<math><mi><mglyph/><img src=1></mi></math>|<svg></br>|<math><mtext><br></mtext></math>|`+
	`<svg><title><b></b></title><desc><img src=2></desc><path></svg>|<svg><style><![CDATA[</svg>]]></style></svg>|<math><annotation-xml encoding=text/html><i></i></annotation-xml></math>|`+
	`<math><annotation-xml><svg><foreignObject><div></div></foreignObject></svg></annotation-xml></math>|</svg>|<p>|<p>|</p>|<br>|</br>|<div>|</div>|`+
	`<span>|</span>|<b>|<b>|<b class=x>|</b>|</b>|<i>|</i>|<nobr>|</nobr>|<a>|<a>|</a>|<marquee>|</marquee>|<x>|</x>|<title>|</title>|<textarea>|</textarea>|<style>|</style>|<script>|</script>|`+
	`<noscript>|</noscript>|<iframe>|</iframe>|<xmp>|</xmp>|<noembed>|</noembed>|<noframes>|</noframes>|<template>|<template>|</template>|</template>|<table>|<table>|<table>|</table>|</table>|`+
	`<tr>|<tr>|<td>|<td>|</td>|</tr>|<th>|</th>|<tbody>|</tbody>|<thead>|</thead>|<caption>|</caption>|<colgroup>|</colgroup>|<select>|<select>|</select>|<option>|</option>|`+
	`<optgroup>|</optgroup>|<body>|</body>|<head>|</head>|<html>|</html>|<img>|<image>|<input>|<input type=hidden>|<form>|</form>|<hr>|`+
	`<li>|<li>|</li>|<ul>|</ul>|<dt>|<dd>|</dt>|</dd>|<h1>|<h2>|</h1>|</h2>|<ruby>|<rb>|<rt>|</ruby>|<pre>|<button>|</button>|</pre>|<object>|</object>|<plaintext>|`+
	`<!--|-->|--!>|<!-->|<!--->|<![CDATA[|]]>|<!doctype html>|<?x|<!x|</|< |>|"|'|=|/>|x| |`+"\n|\x00|&#32;|<base>", "|")

// pageOf returns the page of the pieces with the given numbers. The base at its end shows in which state the parser is there.
// If the first number is odd, every tag gets an itemid.
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

func FuzzTree(f *testing.F) {
	f.Add([]byte(nil))
	for n := range pieces {
		f.Add([]byte{byte(n), byte(n / 2), byte(n / 3)})
	}
	f.Fuzz(func(t *testing.T, numbers []byte) { sameAsTree(t, pageOf(numbers[:min(len(numbers), 60)])) })
}

// sameAsTree checks that the scanner finds the base and the links of html.Parse's tree, and more links only in tags that the
// tree builder drops.
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
	return assert.Equal(t, want.base, got.base, "base of %q", doc) &&
		assert.Empty(t, missed, "missed in %q", doc) && assert.Empty(t, more, "more than the tree has in %q", doc)
}
