package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
	"absolink/internal/commandtest"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"http://h/é/\u05d0/😀?q=\"\\":  "http://h/é/\u05d0/😀?q=\"\\",
		"\x1b]0;title\a":              `\x1b]0;title\a`,
		"a\x00\x08\x0e\x7f":           `a\x00\b\x0e\u007f`,
		"\u0080\u009b31m\u009f\u00a0": `\u0080\u009b31m\u009f` + "\u00a0",
		"\x9b31m caf\xe9 \xf0\x9f":    `\x9b31m caf\xe9 \xf0\x9f`,
		"\ufffd":                      "\ufffd",
		"\u061c\u200d\u200e\u200f":    `\u061c` + "\u200d" + `\u200e\u200f`,
		"\u202a\u202e \u2066\u2069":   `\u202a\u202e \u2066\u2069`,
		"a\tb\r\n":                    `a\tb\r\n`,
	} {
		assert.Equal(t, want, string(Printable([]byte(text))), "%q", text)
	}
	for lines, want := range map[string]string{
		"a\tb\r\nc\n": "a\tb\r\nc\n",
		"a\rb\r":      `a\rb\r`,
		"\x1b\n\x1b":  "\\x1b\n\\x1b",
	} {
		assert.Equal(t, want, string(PrintableLines([]byte(lines))), "%q", lines)
	}
}

// JSON on a terminal has the same values, and nothing that changes the terminal.
func TestPrintableJSON(t *testing.T) {
	every := ""
	for r := range rune(0x2100) {
		every += string(r)
	}
	text, err := json.Marshal(every)
	require.NoError(t, err)
	shown := PrintableLines(append(text, '\n'))
	assert.Equal(t, string(Printable(shown[:len(shown)-1]))+"\n", string(shown))
	var got string
	require.NoError(t, json.Unmarshal(shown, &got))
	assert.Equal(t, every, got)
}

func TestWrap(t *testing.T) {
	for _, row := range []struct {
		s    string
		room int
		want []string
	}{
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"one two three", 3, []string{"one", "two", "three"}},
		{"a http://h/long b", 4, []string{"a", "http://h/long", "b"}},
		{"道道 道道", 5, []string{"道道", "道道"}},
		{"longer-than-it x", 4, []string{"longer-than-it", "x"}},
		{"word", 0, []string{"word"}},
		{"", 0, []string{""}},
	} {
		assert.Equal(t, row.want, Wrap(row.s, row.room), row.s)
	}
}

// Problems of several documents may be interleaved. Each message counts those of its document, and the last
// message those of the run.
func TestProblemsInTurns(t *testing.T) {
	var out bytes.Buffer
	r := Problems{Log: NewLog(&out, slog.LevelWarn, Colors{})}
	for range 5 {
		for _, document := range []string{"a", "b"} {
			r.Problem(extract.Problem{Document: document, Code: extract.CodeLinkMalformed, Severity: extract.SeverityWarning, Detail: "x"})
			r.Problem(extract.Problem{Document: document, Code: extract.CodeStandardDiffers, Severity: extract.SeverityNote, Detail: "y"})
		}
		r.EndDocument("c", true)
	}
	r.EndDocument("b", true)
	r.EndDocument("a", true)
	r.Last(0, 0, 0)
	assert.Equal(t, `absolink: a: link-malformed: x (offset 0)
absolink: b: link-malformed: x (offset 0)
absolink: a: link-malformed: x (offset 0)
absolink: b: link-malformed: x (offset 0)
absolink: a: link-malformed: x (offset 0)
absolink: b: link-malformed: x (offset 0)
absolink: b: link-malformed: 2 more; -v shows them all
absolink: a: link-malformed: 2 more; -v shows them all
absolink: 10 links in 2 documents have another URL in a browser; the first, in a: y
`, out.String())
}

type progress struct {
	Read, Skipped, Total, Documents, Records, Found, Wrong int64
	Finds, Document                                        string
	Elapsed                                                time.Duration
}

func (s *progress) Line(columns int) []byte {
	var c Counts
	for of, n := range map[*atomic.Int64]int64{&c.Bytes.Read: s.Read, &c.Bytes.Skipped: s.Skipped, &c.Total: s.Total, &c.Done: s.Documents,
		&c.Records: s.Records, &c.Found: s.Found, &c.Wrong: s.Wrong} {
		of.Store(n)
	}
	c.Document.Store(&s.Document)
	return c.Line(s.Finds, s.Elapsed, columns)
}

func TestProgressLine(t *testing.T) {
	for _, row := range []struct {
		name    string
		state   progress
		columns int
		want    string
	}{
		{"at the start", progress{Finds: "links"}, 80, "0 B; 0 links, 0 problems; "},
		{"the total is not known", progress{Read: 2_500_000, Documents: 3, Found: 17, Wrong: 1, Finds: "links", Document: "a.html", Elapsed: 2 * time.Second}, 80,
			"2.5 MB, 1.25 MB/s; 3 documents, 17 links, 1 problem; a.html"},
		{"in the middle", progress{Read: 250, Total: 1000, Documents: 1, Finds: "edits", Document: "a", Elapsed: 40 * time.Second}, 80,
			"25% of 1 kB, 6 B/s, 2:00 left; 1 document, 0 edits, 0 problems; a"},
		{"skipped bytes are done, but do not count for the speed", progress{Read: 250, Skipped: 500, Total: 1000, Finds: "bases", Elapsed: time.Second}, 80,
			"75% of 1 kB, 250 B/s, 0:00 left; 0 bases, 0 problems; "},
		{"files became longer during the run", progress{Read: 1100, Total: 1000, Finds: "links", Elapsed: time.Second}, 80,
			"100% of 1 kB, 1.1 kB/s; 0 links, 0 problems; "},
		{"in a mailbox", progress{Read: 79_000_000, Total: 316_000_000, Records: 21_000, Found: 1, Finds: "links", Document: "a.mbox", Elapsed: time.Second}, 80,
			"25% of 316 MB, 79 MB/s, 0:03 left; 21000 records, 1 link, 0 problems; a.mbox"},
		{"documents and their records", progress{Documents: 2, Records: 1, Finds: "links"}, 80, "0 B; 2 documents, 1 record, 0 links, 0 problems; "},
		{"a narrow terminal", progress{Read: 1, Finds: "links"}, 10, "1 B; 0 li"},
		{"a long path keeps its end", progress{Finds: "links", Document: "a/long/folder/with/the/page.html"}, 40, "0 B; 0 links, 0 problems; .../page.html"},
		{"a name with a newline and a byte that is not UTF-8", progress{Finds: "links", Document: "a\n\xE9"}, 80, `0 B; 0 links, 0 problems; a\n\xe9`},
	} {
		assert.Equal(t, row.want, string(row.state.Line(row.columns)), row.name)
	}
	for n, want := range map[float64]string{0: "0 B", 999: "999 B", 999.6: "1 kB", 1000: "1 kB", 123_456: "123 kB", 999_600: "1 MB", 7.25e9: "7.25 GB", 1e12: "1 TB", 4e15: "4000 TB"} {
		assert.Equal(t, want, string(AppendBytes(nil, n)))
	}
}

// Messages are above the line, which stays at the end.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out}
	_, _ = p.Write([]byte("before\n"))
	p.Begin(func() []byte { return []byte("LINE") })
	_, _ = p.Write([]byte("within\n"))
	p.End()
	_, _ = p.Write([]byte("after\n"))
	p.End()
	assert.True(t, strings.HasPrefix(out.String(), "before\n"+clearLine))
	assert.True(t, strings.HasSuffix(out.String(), clearLine+"LINE\nafter\n"))
	said := strings.NewReplacer(clearLine, "", "LINE", "").Replace(out.String())
	assert.Equal(t, "before\nwithin\n\nafter\n", said)
}

// A shell reads the quoted word as the word before quoting. The quoted word has no byte that a message would escape.
func TestShellLine(t *testing.T) {
	words := []string{"", "a", "-o", "a b", "it's", `"$HOME"`, "*.html", "~", "#x", "http://h/?a&b;c", "!x", "é x", `\`, "a\nb'c\\", "\x1b[m", "caf\xE9", "--name=x y"}
	line := ShellLine(words)
	assert.Equal(t, line, string(Printable([]byte(line))))
	if !commandtest.Starts("bash") {
		t.Skip("bash does not start")
	}
	out, err := exec.Command("bash", "-c", `printf '%s\0' `+line).Output()
	require.NoError(t, err)
	want := ""
	for _, word := range words {
		want += word + "\x00"
	}
	assert.Equal(t, want, string(out))
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"":        `''`,
		"a/b.c":   "a/b.c",
		"a b":     `'a b'`,
		"it's":    `'it'\''s'`,
		"caf\xE9": `$'caf\351'`,
		"a\nb":    `$'a\012b'`,
	} {
		assert.Equal(t, want, ShellWord(word))
	}
}

// The line has the number of each thing, and the most frequent extensions of files. Pictures are not counted.
func TestNotLookedInto(t *testing.T) {
	var out bytes.Buffer
	r := Problems{Log: NewLog(&out, slog.LevelWarn, Colors{}), Sums: true}
	for _, name := range []string{"a.ics", "b.DOCX", "c.docx", "logo.png", "Makefile", "d.JPG", "e.ics", "g.ics"} {
		r.Problem(extract.Problem{Document: name, Code: extract.CodeTypeUnknown, Severity: extract.SeverityNote})
		r.Problem(extract.Problem{Document: name, Code: extract.CodeNotRead, Severity: extract.SeverityNote, Unread: "conditional comments", N: 10})
	}
	r.Problem(extract.Problem{Code: extract.CodeNotRead, Severity: extract.SeverityNote, Unread: "JSON-LD", N: 1})
	r.Problem(extract.Problem{Code: extract.CodeNotRead, Severity: extract.SeverityNote})
	r.Last(0, 0, 0)
	assert.Equal(t, "absolink: not looked into: 6 files (.ics, .docx), 80 conditional comments, 1 JSON-LD; --problems lists them\n", out.String())
	out.Reset()
	for i := range 2 * knownExtensions {
		r.Problem(extract.Problem{Document: fmt.Sprintf("f.%d", i), Code: extract.CodeTypeUnknown, Severity: extract.SeverityNote})
	}
	r.Last(0, 0, 0)
	assert.Equal(t, "absolink: not looked into: 2006 files (.ics, .docx, .0, .1, .10, ...), 80 conditional comments, 1 JSON-LD; --problems lists them\n", out.String())
	assert.LessOrEqual(t, len(r.unread.extensions), knownExtensions)
}
