package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
	"absolink/extract"
	"absolink/internal/pagetest"
)

// TestFormatsPage compares the table of docs/formats.md with the table of "absolink help formats"; -update writes it.
func TestFormatsPage(t *testing.T) {
	var rows [][]string
	for _, f := range inputs.Formats() {
		rows = append(rows, []string{
			pagetest.Code(" ", inputs.ShortNames(f)...),
			pagetest.Code(" ", append([]string{f.Name}, f.Types...)...),
			pagetest.Code(" ", f.Exts...),
		})
	}
	pagetest.Check(t, "../../docs/formats.md", "formats", pagetest.Table([]string{"short name", "media types", "extensions"}, rows),
		"go test ./cmd/absolink -run TestFormatsPage -update", *update)
}

// TestFlagsPage compares docs/flags.md with the flags of the commands; -update writes it.
func TestFlagsPage(t *testing.T) {
	root := newRoot(&session{}, "")
	var page strings.Builder
	for i, g := range newOptions().flags() {
		if i > 0 {
			page.WriteString("\n")
		}
		var rows [][]string
		for j, flag := range g.flags {
			if !slices.ContainsFunc(g.flags[:j], func(f flagDef) bool { return f.name == flag.name }) {
				rows = append(rows, flagRows(root, flag.name)...)
			}
		}
		page.WriteString("## " + g.heading + "\n\n" + pagetest.Table([]string{"flag", "meaning", "commands"}, rows))
	}
	pagetest.Check(t, "../../docs/flags.md", "flags", page.String(), "go test ./cmd/absolink -run TestFlagsPage -update", *update)
}

// flagRows returns the rows of docs/flags.md for the flags of one name, one for each meaning.
func flagRows(root *cobra.Command, name string) (rows [][]string) {
	of := map[string][]string{} // the commands of each meaning
	var order []string
	commands := 0
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.GroupID == usage.Topics {
			continue
		}
		commands++
		if f := cmd.Flags().Lookup(name); f != nil {
			spelled, text := usage.Spelled(f)
			key := pagetest.Code(" ", strings.TrimSpace(spelled)) + "\n" + text
			if of[key] == nil {
				order = append(order, key)
			}
			of[key] = append(of[key], cmd.Name())
		}
	}
	for _, key := range order {
		flag, text, _ := strings.Cut(key, "\n")
		names := of[key]
		in := strings.Join(names, ", ")
		if len(names) == commands {
			in = "all"
		}
		rows = append(rows, []string{flag, text, in})
	}
	return rows
}

// TestFieldsHelp: the help of links and base describes each field.
func TestFieldsHelp(t *testing.T) {
	for _, c := range linkColumns {
		assert.Regexp(t, `(?m)^    ([a-z_]+, )*`+c.Name+`[ ,]`, helpOf("links"))
	}
	for _, c := range baseColumns {
		assert.Regexp(t, `(?m)^    `+c.Name+` `, helpOf("base"))
	}
}

// TestStatuses: --status and all pages about the statuses of links have all of them.
func TestStatuses(t *testing.T) {
	var names []string
	for s := extract.StatusAbsolute; s.String() != ""; s++ {
		names = append(names, s.String())
	}
	assert.Equal(t, names, newChoice().statuses.names)
	links, _, err := newRoot(&session{}, "").Find([]string{"links"})
	require.NoError(t, err)
	values := map[string]string{"--status": links.Flags().Lookup("status").Usage}
	for file, row := range map[string]string{"cmd/absolink/help/links.md": `\n    status  .*(\n      .*)*`, "docs/fields.md": "\n\\| `status` .*",
		"docs/service.md": `\n.*; the status: .*`, "release/python/absolink/_results.py": `def status.*\n.*"""`} {
		text, err := os.ReadFile("../../" + file)
		require.NoError(t, err)
		values[file] = regexp.MustCompile(row).FindString(string(text))
	}
	for page, text := range values {
		for _, name := range names {
			assert.Regexp(t, `\b`+name+`\b`, text, page)
		}
	}
}

// TestFieldsPage: docs/fields.md has a row for each field, with its type.
func TestFieldsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/fields.md")
	require.NoError(t, err)
	_, links, _ := strings.Cut(string(page), "\n## links\n")
	links, base, ok := strings.Cut(links, "\n## base\n")
	require.True(t, ok)
	types := map[rows.Kind]string{rows.String: "string", rows.Label: "string", rows.Optional: "string or null", rows.OptionalLabel: "string or null",
		rows.Number: "integer", rows.OptionalNumber: "integer or null", rows.Candidates: "list"}
	row := func(name string, kind rows.Kind) *regexp.Regexp {
		return regexp.MustCompile("(?m)^\\| (`[a-z_]+`, )*`" + name + "`(, `[a-z_]+`)* \\| " + types[kind] + " \\|")
	}
	for _, c := range linkColumns {
		assert.Regexp(t, row(c.Name, c.Kind), links)
	}
	for _, c := range baseColumns {
		assert.Regexp(t, row(c.Name, c.Kind), base)
	}
}
