package diff

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
)

type testEdit struct {
	offset   int64
	old, new []byte
}

// diffOf returns the diff of edits. The rewritten text is written in pieces of n bytes.
func diffOf(old string, edits []testEdit, n int) (diff, new string) {
	var text []byte
	at := 0
	for _, e := range edits {
		text = append(append(text, old[at:e.offset]...), e.new...)
		at = int(e.offset) + len(e.old)
	}
	text = append(text, old[at:]...)

	var buf bytes.Buffer
	out := &files.Output{W: &buf}
	d := New(out, "d", Look{})
	for _, e := range edits {
		d.Edit(extract.Edit{Offset: e.offset, Old: e.old, New: e.new})
	}
	for rest := text; ; {
		k := min(n, len(rest))
		d.Write(rest[:k])
		if rest = rest[k:]; len(rest) == 0 {
			break
		}
	}
	d.End()
	out.Flush()
	return buf.String(), string(text)
}

// hunkRanges parses the first line of a hunk: the first line in the old and in the new text, counted from 0, and the number of
// lines in each.
func hunkRanges(t testing.TB, line string) (start, count [2]int) {
	count = [2]int{1, 1}
	parts := strings.Fields(line)
	require.Len(t, parts, 4, line)
	for side := range 2 {
		if _, err := fmt.Sscanf(parts[side+1][1:], "%d,%d", &start[side], &count[side]); err != nil {
			fmt.Sscanf(parts[side+1][1:], "%d", &start[side])
			count[side] = 1
		}
		if count[side] > 0 {
			start[side]--
		}
	}
	return start, count
}

// patch applies a unified diff, and checks the ranges of its hunks.
func patch(t testing.TB, old, diff string) string {
	if diff == "" {
		return old
	}
	oldLines := strings.SplitAfter(old, "\n")
	var out strings.Builder
	lines := strings.SplitAfter(strings.TrimSuffix(diff, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	require.Equal(t, []string{"--- d.orig\n", "+++ d\n"}, lines[:2])
	at, written := 0, 0
	for i := 2; i < len(lines); {
		start, count := hunkRanges(t, lines[i])
		for ; at < start[0]; at++ {
			out.WriteString(oldLines[at])
			written++
		}
		require.Equal(t, start[1], written, "where the hunk begins in the new text")
		got := [2]int{}
		for i++; i < len(lines) && lines[i][0] != '@'; i++ {
			sign, line := lines[i][0], lines[i][1:]
			if i+1 < len(lines) && lines[i+1][0] == '\\' {
				line = strings.TrimSuffix(line, "\n")
			}
			if sign == '\\' {
				continue
			}
			if sign != '+' {
				require.Equal(t, oldLines[at], line)
				at++
				got[0]++
			}
			if sign != '-' {
				out.WriteString(line)
				written++
				got[1]++
			}
		}
		assert.Equal(t, count, got, "lines of the hunk")
	}
	for ; at < len(oldLines); at++ {
		out.WriteString(oldLines[at])
	}
	return out.String()
}

func TestDiff(t *testing.T) {
	lines := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i+1)
		}
		return b.String()
	}
	change := func(offset int, old, new string) testEdit { return testEdit{int64(offset), []byte(old), []byte(new)} }
	for name, row := range map[string]struct {
		old   string
		edits []testEdit
		want  string
	}{
		"nothing": {lines(5), nil, ""},
		"one line of ten": {lines(10), []testEdit{change(28, "line 5", "LINE 5")},
			"@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+LINE 5\n line 6\n line 7\n line 8\n"},
		"six lines between changes are one hunk": {lines(8), []testEdit{change(0, "l", "L"), change(49, "l", "L")},
			"@@ -1,8 +1,8 @@\n-line 1\n+Line 1\n line 2\n line 3\n line 4\n line 5\n line 6\n line 7\n-line 8\n+Line 8\n"},
		"seven lines are two": {lines(9), []testEdit{change(0, "l", "L"), change(56, "l", "L")},
			"@@ -1,4 +1,4 @@\n-line 1\n+Line 1\n line 2\n line 3\n line 4\n@@ -6,4 +6,4 @@\n line 6\n line 7\n line 8\n-line 9\n+Line 9\n"},
		"no final newline": {"a\nb", []testEdit{change(2, "b", "c")},
			"@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		"no final newline in the context": {"a\nb", []testEdit{change(0, "a", "c")},
			"@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n"},
		"a line comes to be two": {"ab\n", []testEdit{change(1, "", "\n")}, "@@ -1 +1,2 @@\n-ab\n+a\n+b\n"},
		"all taken out":          {"a", []testEdit{change(0, "a", "")}, "@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n"},
		"all put in":             {"", []testEdit{change(0, "", "a\n")}, "@@ -0,0 +1 @@\n+a\n"},
		"an empty line before":   {"\nab\n", []testEdit{change(1, "a", "x")}, "@@ -1,2 +1,2 @@\n \n-ab\n+xb\n"},
		"a CR is a byte":         {"a\r\nb\r\n", []testEdit{change(3, "b", "c")}, "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
	} {
		for _, n := range []int{1, 3, 1000} {
			got, new := diffOf(row.old, row.edits, n)
			want := row.want
			if want != "" {
				want = "--- d.orig\n+++ d\n" + want
			}
			assert.Equal(t, want, got, "%s, in pieces of %d", name, n)
			assert.Equal(t, new, patch(t, row.old, got), name)
		}
	}
}

func TestDiffOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1808, 3))
	text := func(n int) string {
		b := make([]byte, r.IntN(n+1))
		for i := range b {
			b[i] = "ab\n"[r.IntN(3)]
		}
		return string(b)
	}
	for range 3000 {
		old := text(60)
		var edits []testEdit
		for at := 0; at <= len(old); {
			at += r.IntN(20)
			if at > len(old) {
				break
			}
			end := min(len(old), at+r.IntN(4))
			edits = append(edits, testEdit{int64(at), []byte(old[at:end]), []byte(text(3))})
			at = end + 1
		}
		diff, new := diffOf(old, edits, 1+r.IntN(10))
		require.Equal(t, new, patch(t, old, diff), "%q %v\n%s", old, edits, diff)
	}
}

// On a terminal the lines have escapes, wherever the pieces of the text end. Line ends, tabs and the colors of the diff stay.
func TestDiffEscaped(t *testing.T) {
	const old = "\x1b]0;t\a\té\u202e\r\nx\r\r\n\x9b\U0001F600\u009b\xf0\x9f"
	for n := range len(old) {
		var buf bytes.Buffer
		out := &files.Output{W: &buf}
		colors := console.Colors{Old: "\x1b[31m", New: "\x1b[32m"}
		d := New(out, "d", Look{Colors: colors, Escape: console.PrintableLines})
		at := strings.IndexByte(old, 'x')
		d.Edit(extract.Edit{Offset: int64(at), Old: []byte("x"), New: []byte("\x1b")})
		for piece := range slices.Chunk([]byte(old[:at]+"\x1b"+old[at+1:]), n+1) {
			d.Write(piece)
		}
		d.End()
		out.Flush()
		assert.Equal(t, "--- d.orig\n+++ d\n@@ -1,3 +1,3 @@\n"+
			" \\x1b]0;t\\a\té\\u202e\r\n"+
			"\x1b[31m-x\\r\r\x1b[m\n\x1b[32m+\\x1b\\r\r\x1b[m\n"+
			" \\x9b\U0001F600\\u009b\\xf0\\x9f\n\\ No newline at end of file\n", buf.String(), "pieces of %d", n+1)
	}
}

func TestDiffName(t *testing.T) {
	for name, want := range map[string]string{
		"a.html":    "a.html",
		"a b.html":  "a b.html\t",
		"a\nb":      `"a\012b"`,
		"a\"\xE9":   `"a\042\351"`,
		"a\\b":      `"a\134b"`,
		"a\tb":      `"a\011b"`,
		"a\x7F\x01": `"a\177\001"`,
		"é":         "é",
		"é\u202e":   `"\303\251\342\200\256"`,
	} {
		assert.Equal(t, want, quotedName(name))
	}
}

func TestDiffFails(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	d := New(&files.Output{W: w}, "d", Look{})
	old := bytes.Repeat([]byte("x"), files.BufferSize)
	d.Edit(extract.Edit{Old: old, New: []byte("y")})
	d.Write([]byte("y"))
	assert.ErrorIs(t, d.End(), io.ErrClosedPipe)
}

// The memory of a hunk is a few times that of its old lines, although each new text has a long base.
func TestDiffLong(t *testing.T) {
	base := strings.Repeat("b", 10_000)
	for name, each := range map[string]string{"one line": "<a href=x>", "many lines": "<a href=x>\n"} {
		const n = 1000
		old := strings.Repeat("y", 100_000) + "\n" + strings.Repeat("line\n", 5) + strings.Repeat("z", 100_000) + strings.Repeat(each, n)
		var edits []testEdit
		for i := range n {
			offset := len(old) - (n-i)*len(each) + len("<a href=")
			edits = append(edits, testEdit{int64(offset), []byte("x"), []byte(base[:9_000+i] + "/x")})
		}
		for _, pieces := range []int{1 << 16, 5_000_000} {
			got, new := diffOf(old, edits, pieces)
			assert.True(t, new == patch(t, old, got), name)
		}
	}
	d := New(&files.Output{W: io.Discard}, "d", Look{})
	for i := range int64(1000) {
		d.Edit(extract.Edit{Offset: i, New: []byte(base)})
		d.Write([]byte(base + "y"))
	}
	assert.Less(t, cap(d.same)+cap(d.edits)+cap(d.last)+cap(d.written), 4*len(base))
}
