// Package pagetest compares the generated parts of the pages in docs with the code.
//
// A generated part is between two comments of the page:
//
//	<!-- begin NAME: written by COMMAND -->
//
//	| a | table |
//	|---|---|
//
//	<!-- end NAME -->
package pagetest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Check fails the test if the part called name of a page differs from text, which the code makes. The message names the
// command that updates the page. With update, Check writes the text to the page instead.
func Check(t testing.TB, page, name, text, command string, update bool) {
	t.Helper()
	old, err := os.ReadFile(page)
	require.NoError(t, err)
	changed, ok := replace(string(old), name, text, command)
	require.True(t, ok, "%s has no part %q: add the lines <!-- begin %s: --> and <!-- end %s -->", page, name, name,
		name)
	if update {
		require.NoError(t, os.WriteFile(page, []byte(changed), 0o644))
		return
	}
	Same(t, page, changed, string(old), command)
}

// Same fails the test with the first line of a page that is not that of want. command updates the page.
func Same(t testing.TB, page, want, got, command string) {
	t.Helper()
	if want == got {
		return
	}
	same := 0 // bytes
	for line := range strings.Lines(want) {
		if !strings.HasPrefix(got[same:], line) {
			break
		}
		same += len(line)
	}
	next := func(text string) string { line, _, _ := strings.Cut(text[same:], "\n"); return line }
	t.Errorf("%s:%d is not what the code says; to update it, run: %s\npage: %s\ncode: %s", page,
		strings.Count(want[:same], "\n")+1, command, next(got), next(want))
}

// replace returns the page with a new text in the part called name, and reports whether there is such a part.
func replace(page, name, text, command string) (changed string, ok bool) {
	begin, end := "<!-- begin "+name+":", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(page, begin)
	if !ok {
		return page, false
	}
	_, after, ok := strings.Cut(rest, end)
	return before + begin + " written by " + command + " -->\n\n" + text + "\n" + end + after, ok
}

// Table returns a Markdown table, with its cells escaped by Cell.
func Table(head []string, rows [][]string) string {
	var out strings.Builder
	line := func(cells []string) {
		for _, cell := range cells {
			out.WriteString("|")
			if cell != "" {
				out.WriteString(" " + Cell(cell))
			}
			out.WriteString(" ")
		}
		out.WriteString("|\n")
	}
	line(head)
	out.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return out.String()
}

// Merge joins the rows that differ only in their first cell: these cells become one.
func Merge(rows [][]string) [][]string {
	var merged [][]string
	for _, row := range rows {
		i := slices.IndexFunc(merged, func(m []string) bool { return slices.Equal(m[1:], row[1:]) })
		if i < 0 {
			merged = append(merged, slices.Clone(row))
			continue
		}
		merged[i][0] += " " + row[0]
	}
	return merged
}

// Cell escapes the text of one cell of a table. Between backquotes is code, where only "|" is escaped.
func Cell(text string) string {
	parts := strings.Split(text, "`")
	for i, part := range parts {
		if i%2 == 0 {
			part = strings.NewReplacer("*", `\*`, "<", `\<`, "[", `\[`).Replace(part)
		}
		parts[i] = strings.ReplaceAll(part, "|", `\|`)
	}
	return strings.Join(parts, "`")
}

// Code returns the words as code, separated by sep.
func Code(sep string, words ...string) string {
	if len(words) == 0 {
		return ""
	}
	return "`" + strings.Join(words, "`"+sep+"`") + "`"
}
