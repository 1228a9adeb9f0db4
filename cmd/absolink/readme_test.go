package main

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
	"absolink/internal/pagetest"
)

// TestPages runs the commands that README.md and docs/*.md show. Each "$ " line of a console block runs in the root of
// the repository, and prints the lines after it.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	bin := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "absolink")))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv(asCommand, "1")
	commands := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		var now strings.Builder
		for i, block := range strings.Split(string(text), "```") {
			if i > 0 {
				now.WriteString("```")
			}
			if !strings.HasPrefix(block, "console\n") {
				now.WriteString(block)
				continue
			}
			now.WriteString("console\n")
			for line := range strings.SplitSeq(block, "\n") {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					commands++
					now.WriteString(line + "\n" + printed(t, page, command))
				}
			}
		}
		if *update {
			require.NoError(t, os.WriteFile(page, []byte(now.String()), 0o644))
			continue
		}
		pagetest.Same(t, page, now.String(), string(text), "go test ./cmd/absolink -run TestPages -update")
	}
	assert.GreaterOrEqual(t, commands, 10)
}

// TestPageLinks: each relative link of the pages leads to a file, and to a heading in it. docs/README.md has a link to each
// page of docs.
func TestPageLinks(t *testing.T) {
	const first = "../../docs/README.md"
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	others, err := filepath.Glob("../../*/README.md")
	require.NoError(t, err)
	tops, err := filepath.Glob("../../*.md")
	require.NoError(t, err)
	heading, link := regexp.MustCompile(`(?m)^#+ (.*)$`), regexp.MustCompile(`\]\(([^):\s]+)\)`)
	code, mark := regexp.MustCompile("(?s)```.*?\n *```"), regexp.MustCompile(`[^\w -]`)
	linked := map[string]bool{}
	for _, page := range slices.Concat(pages, others, tops) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			name, fragment, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if page == first {
				linked[target] = true
			}
			content, err := os.ReadFile(target)
			if !assert.NoError(t, err, "%s: %s", page, m[1]) || fragment == "" {
				continue
			}
			var anchors []string
			for _, h := range heading.FindAllStringSubmatch(code.ReplaceAllString(string(content), ""), -1) {
				words := mark.ReplaceAllString(strings.ToLower(h[1]), "")
				anchors = append(anchors, strings.ReplaceAll(words, " ", "-"))
			}
			assert.Contains(t, anchors, fragment, "%s: %s", page, m[1])
		}
	}
	for _, page := range pages {
		assert.True(t, linked[page] || page == first, "docs/README.md has no link to %s", page)
	}
}

// printed returns the standard output of a command line in the root of the repository.
func printed(t *testing.T, page, command string) string {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s: %s", page, command, stderr.String())
	return string(out)
}

// TestArchitecturePackages checks that docs/architecture.md names the folder of each package of the module, and no others.
func TestArchitecturePackages(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	_, drawn, _ := strings.Cut(string(text), "## Packages")
	drawn, _, _ = strings.Cut(drawn, "    testdata/")
	got := map[string]bool{}
	for _, word := range strings.Fields(drawn) {
		if name, ok := strings.CutSuffix(word, "/"); ok && name != "internal" {
			got[path.Base(name)] = true
		}
	}
	want := map[string]bool{}
	for pkg := range strings.FieldsSeq(commandtest.Go(t, "list", "-buildvcs=false", "../../...")) {
		if !strings.HasSuffix(pkg, "test") { // packages that only tests import
			want[path.Base(pkg)] = true
		}
	}
	assert.Equal(t, want, got)
}

// TestArchitectureNames: each `type.name` and `package.Name` of docs/architecture.md is declared in the source,
// and in the file of its row.
func TestArchitectureNames(t *testing.T) {
	declared := map[string]bool{}
	method := regexp.MustCompile(`^func \(\w+ \*?(\w+).*?\) (\w+)\(`)
	top, field := regexp.MustCompile(`^(?:type|func|var) (\w+)`), regexp.MustCompile(`^\t(\w+)`)
	for file := range strings.FieldsSeq(commandtest.Go(t, "list", "-buildvcs=false", "-f",
		`{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}} {{end}}`, "../../...")) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		within := ""
		for line := range strings.Lines(string(text)) {
			if m := method.FindStringSubmatch(line); m != nil {
				declared[m[1]+"."+m[2]], declared[path.Base(file)+" "+m[1]+"."+m[2]] = true, true
			} else if m := top.FindStringSubmatch(line); m != nil {
				within = m[1]
				declared[path.Base(path.Dir(file))+"."+within] = true
			} else if m := field.FindStringSubmatch(line); m != nil {
				declared[within+"."+m[1]] = true
			}
		}
	}
	text, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| (\\w+\\.go) \\| `(\\w+\\.\\w+)`").FindAllSubmatch(text, -1)
	assert.Greater(t, len(rows), 10)
	for _, m := range rows {
		assert.True(t, declared[string(m[1])+" "+string(m[2])], "no %s in %s", m[2], m[1])
	}
	for _, m := range regexp.MustCompile("`(?:\\w+\\.)?(\\w+\\.(\\w+))`").FindAllSubmatch(text, -1) {
		if !slices.Contains([]string{"go", "md", "py", "html", "txtar", "OnceValue"}, string(m[2])) {
			assert.True(t, declared[string(m[1])], "no %s in the source", m[1])
		}
	}
}

// TestExamplesReadme: examples/README.md has the command of each example. The comment of the package has the same command.
func TestExamplesReadme(t *testing.T) {
	text, err := os.ReadFile("../../examples/README.md")
	require.NoError(t, err)
	programs, err := filepath.Glob("../../examples/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, program := range programs {
		name := filepath.Base(filepath.Dir(program))
		source, err := os.ReadFile(program)
		require.NoError(t, err)
		command := regexp.MustCompile(`(?m)^    (go run ./examples/` + name + `( .*)?)$`).FindSubmatch(text)
		require.NotNil(t, command, name)
		assert.Contains(t, string(source), "//\t"+string(command[1])+"\n", name)
	}
}
