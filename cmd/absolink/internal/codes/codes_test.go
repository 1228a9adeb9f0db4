package codes

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// TestProblemsPage: the section of each code in docs/problems.md begins with its severity and its meaning, and says what to do.
func TestProblemsPage(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/problems.md")
	require.NoError(t, err)
	sections := map[string]string{}
	for section := range strings.SplitSeq(string(text), "\n### ") {
		name, body, _ := strings.Cut(section, "\n")
		sections[name] = strings.Join(strings.Fields(body), " ")
	}
	for _, c := range all {
		section := sections["`"+string(c.code)+"`"]
		assert.True(t, strings.HasPrefix(section, "*"+Severity(c.code).String()+".* "+c.meaning), "%s: %s", c.code, section)
		assert.Contains(t, section, "**What to do:** "+c.advice, c.code)
	}
	assert.Equal(t, len(all)+1, len(sections), "with the text before the first")
}

// Each code of package extract has its help, and each setting of a problem its advice. The settings for a missing base have
// theirs in baseAdvice of the command.
func TestComplete(t *testing.T) {
	known := map[extract.Code]bool{}
	for _, c := range all {
		known[c.code] = c.meaning != "" && c.advice != ""
	}
	list, err := os.ReadFile("../../../../extract/problem.go")
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
		if setting := m[1]; setting != "URL" && setting != "MemberURL" && setting != "Override" && setting != "MaxDepth" { // no flag sets MaxDepth
			assert.Contains(t, Advice(setting, true), "--", setting)
			assert.Contains(t, Advice(setting, false), "--", setting)
		}
	}
}
