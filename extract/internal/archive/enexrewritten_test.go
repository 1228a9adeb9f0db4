package archive_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

func TestENEXRewritten(t *testing.T) {
	for _, row := range []struct{ name, url, content, want string }{
		{"a note", "http://h/p/", ENML(`<div><a href="x">x</a><en-media hash="1"/></div>`), ENML(`<div><a href="http://h/p/x">x</a><en-media hash="1"/></div>`)},
		{"the URL has a character reference", "http://h/p/?a&amp;b", ENML(`<a href="?c"/>`), ENML(`<a href="http://h/p/?c"/>`)},
		{"the URL in CDATA", "<![CDATA[http://h/p/?a&b]]>", ENML(`<a href="?c"/>`), ENML(`<a href="http://h/p/?c"/>`)},
		{"the URL on a line of its own", "\n  http://h/p/\n  ", ENML(`<a href="x"/>`), ENML(`<a href="http://h/p/x"/>`)},
		{"\"]]>\" in the text", "http://h/p/", strings.Replace(ENML(`a]]>b<a href="x"/>`), "a]]>b", "a]]]]><![CDATA[>b", 1), strings.Replace(ENML(`a]]>b<a href="http://h/p/x"/>`), "a]]>b", "a]]]]><![CDATA[>b", 1)},
		{"text with references", "http://h/p/", `&lt;en-note>&lt;a href="x"/>`, `&lt;en-note>&lt;a href="http://h/p/x"/>`},
		{"elements", "http://h/p/?a&amp;b", `<div>&lt;a href="x"/> <a href="#c">c</a></div>`, `<div>&lt;a href="x"/> <a href="http://h/p/?a&amp;b#c">c</a></div>`},
		{"nothing", "http://h/p/", "", ""},
		{"an empty CDATA section", "http://h/p/", "<![CDATA[]]>", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := ENEX(ENEXNote("http://i/", ENML("")), ENEXNote(row.url, row.content))
			d := extract.Document{Name: "t.enex", Bytes: []byte(src)}
			problems, out := BagProblems(t, Walker{}, d)
			assert.Empty(t, problems)
			if row.want == "" {
				assert.Equal(t, src, out)
			} else {
				assert.Equal(t, ENEX(ENEXNote("http://i/", ENML("")), ENEXNote(row.url, row.want)), out)
				assert.Contains(t, BagLinks(t, d)[0], "note[2] a@href source-url http://h/p/")
			}
			Stable(t, d, out)
			d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
			var w Walker
			assert.Equal(t, out, Rewrite(t, &w, d), "as a stream")
		})
	}
	nowhere := ENEX(ENEXNote("", ENML(`<a href="x"/>`)))
	EveryPrefix(t, "t.enex", []byte(nowhere))
}

func TestENEXLimit(t *testing.T) {
	next := ENEXNote("http://h/p/", ENML(`<a href="x"/>`))
	d := extract.Document{Name: "t.enex"}
	src := strings.TrimSuffix(ENEX(next, next, next), "  </note>\n</en-export>\n") // short enough for one read
	for _, limit := range []int{len(next), len(next) - 1, 60} {
		d.Bytes, d.Reader = []byte(src), nil
		problems, out := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: limit}}, d)
		d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
		inPieces, again := BagProblems(t, Walker{Extractor: extract.Extractor{MaxRecord: limit}}, d)
		assert.Equal(t, problems, inPieces, "limit %d", limit)
		assert.Equal(t, out, again, "limit %d", limit)
		assert.Equal(t, limit == len(next), len(problems) == 2, "limit %d: the first has the head before it, the last has no end, which is told of what is read", limit)
	}
}

// A mixture of text and CDATA sections is reported, and not rewritten.
func TestENEXMixture(t *testing.T) {
	src := ENEX(ENEXNote("http://h/p/", "x "+ENML(`<a href="x"/>`)), ENEXNote("http://h/p/", "<!-- x -->"+ENML(`<a href="x"/>`)))
	problems, out := BagProblems(t, Walker{}, extract.Document{Name: "t.enex", Bytes: []byte(src)})
	assert.Equal(t, []string{
		fmt.Sprintf("%d undecodable", strings.Index(src, "<content>")+len("<content>")),
		fmt.Sprintf("%d undecodable", strings.LastIndex(src, "<content>")+len("<content>")),
	}, problems)
	assert.Equal(t, src, out)
}

// A truncated note is read up to its last complete part.
func TestENEXTruncated(t *testing.T) {
	note := ENEXNote("http://h/p/", ENML(`<a href="x"/>`))
	src := strings.TrimSuffix(ENEX(note), "  </note>\n</en-export>\n")
	problems, out := BagProblems(t, Walker{}, extract.Document{Name: "t.enex", Bytes: []byte(src)})
	assert.Equal(t, []string{fmt.Sprintf("%d record-truncated", len(src))}, problems)
	assert.Equal(t, strings.Replace(src, `"x"`, `"http://h/p/x"`, 1), out)
}

func FuzzENEX(f *testing.F) {
	f.Add([]byte(ENEX(ENEXNote("", ENML(`<a href="x"/>`)))), 0)
	f.Add([]byte(ENEX(ENEXNote("http://h/", ENML(`a]]]]><![CDATA[>b<a href="x"/>`)), ENEXNote("", "&lt;a href=x>"))), 600)
	f.Fuzz(func(t *testing.T, src []byte, limit int) { Fuzzed(t, "application/enex+xml", src, limit) })
}
