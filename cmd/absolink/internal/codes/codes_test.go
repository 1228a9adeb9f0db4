package codes

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/docs"
	"absolink/extract"
)

// docs/problems.md has the usual severity of each code.
func TestProblemsPage(t *testing.T) {
	for _, c := range all() {
		assert.Contains(t, docs.Problems, "\n### `"+string(c.code)+"`\n\n*"+Severity(c.code).String()+".* ", c.code)
	}
}

// Each code has its help, and each setting of a problem its advice. The settings for a missing base have
// theirs in baseAdvice of the command.
func TestComplete(t *testing.T) {
	known := map[extract.Code]bool{}
	for _, c := range all() {
		known[c.code] = c.meaning != "" && c.advice != ""
	}
	for code := range severities {
		assert.True(t, known[code], code)
	}
	list, err := os.ReadFile("../../../../extract/problem.go")
	require.NoError(t, err)
	codes := regexp.MustCompile(`Code = "([a-z-]+)"`).FindAllStringSubmatch(string(list), -1)
	require.NotEmpty(t, codes)
	for _, m := range codes {
		assert.True(t, known[extract.Code(m[1])], m[1])
	}
	assert.Len(t, known, len(codes)+len(severities), "docs/problems.md has no other code")
	list, err = os.ReadFile("../../../../extract/problem.go")
	require.NoError(t, err)
	settings := regexp.MustCompile(`(?m)^\tsetting(\w+) += `).FindAllStringSubmatch(string(list), -1)
	require.NotEmpty(t, settings)
	for _, m := range settings {
		if setting := m[1]; setting != "URL" && setting != "MemberURL" && setting != "Override" && setting != "MaxDepth" { // no flag sets MaxDepth
			assert.Contains(t, Advice(setting, true), "--", setting)
			assert.Contains(t, Advice(setting, false), "--", setting)
		}
	}
}
