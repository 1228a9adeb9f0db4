package codes

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

var update = flag.Bool("update", false, "write the table of docs/problems.md")

// TestProblemsTable compares the table of docs/problems.md with the list of codes; -update writes it.
func TestProblemsTable(t *testing.T) {
	const doc, heading = "../../../../docs/problems.md", "| code | severity | meaning | what to do |\n|---|---|---|---|\n"
	text, err := os.ReadFile(doc)
	require.NoError(t, err)
	before, after, ok := strings.Cut(string(text), heading)
	require.True(t, ok)
	table := regexp.MustCompile(`(?m)^(\|.*\n)*`).FindString(after)
	var want strings.Builder
	for _, c := range all {
		row := fmt.Sprintf("| `%s` | %s | %s | %s |\n", c.code, Severity(c.code), c.meaning, c.advice)
		want.WriteString(strings.ReplaceAll(row, "|  |", "| |"))
	}
	if *update {
		require.NoError(t, os.WriteFile(doc, []byte(before+heading+want.String()+after[len(table):]), 0o644))
		return
	}
	assert.Equal(t, want.String(), table, "to update docs/problems.md, run: go test ./cmd/absolink/internal/codes -run TestProblemsTable -update")
}

// Each code of package extract has its help, and each setting of a problem its advice. The command sums up the links without a
// base, and has their advice (baseAdvice).
func TestComplete(t *testing.T) {
	known := map[extract.Code]bool{}
	for _, c := range all {
		known[c.code] = c.meaning != "" && c.advice != ""
	}
	list, err := os.ReadFile("../../../../extract/internal/mark/code.go")
	require.NoError(t, err)
	codes := regexp.MustCompile(`Code = "([a-z-]+)"`).FindAllStringSubmatch(string(list), -1)
	require.NotEmpty(t, codes)
	for _, m := range codes {
		assert.True(t, known[extract.Code(m[1])], m[1])
	}
	list, err = os.ReadFile("../../../../extract/problem.go")
	require.NoError(t, err)
	settings := regexp.MustCompile(`(?m)^\tsetting(\w+) += `).FindAllStringSubmatch(string(list), -1)
	require.NotEmpty(t, settings)
	for _, m := range settings {
		if setting := m[1]; setting != "URL" && setting != "MemberURL" && setting != "Override" {
			assert.Contains(t, Advice(setting, true), "--", setting)
			assert.Contains(t, Advice(setting, false), "--", setting)
		}
	}
}
