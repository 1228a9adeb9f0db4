package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/usage"
)

// TestManual compares the pages of the manual with the help of the commands; -update writes the pages.
func TestManual(t *testing.T) {
	root := newRoot(&session{}, "")
	want := map[string]string{}
	var add func(cmd *cobra.Command)
	add = func(cmd *cobra.Command) {
		fillTable(cmd)
		page := string(md2man.Render([]byte(manualPageOf(cmd))))
		require.Contains(t, page, unbuilt)
		want[pageName(cmd)+".1"] = page
		for _, sub := range cmd.Commands() {
			if sub.Name() != "help" {
				add(sub)
			}
		}
	}
	add(root)

	if *update {
		require.NoError(t, os.RemoveAll("man"))
		require.NoError(t, os.Mkdir("man", 0o777))
		for name, page := range want {
			require.NoError(t, os.WriteFile(filepath.Join("man", name), []byte(page), 0o666))
		}
		return
	}
	built := build{version: "v1.2.3", time: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}
	pages, err := manualOf(built)
	require.NoError(t, err)
	assert.Equal(t, "absolink.1", pages[0].name)
	got := map[string]string{}
	for _, page := range pages {
		got[page.name] = strings.Replace(string(page.text), `"Nov 2026" "absolink v1.2.3"`, unbuilt, 1)
	}
	assert.Equal(t, want, got, "to update the manual, run: go test ./cmd/absolink -run TestManual -update")
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manualPageOf returns the page of a command in the manual, in Markdown.
func manualPageOf(cmd *cobra.Command) string {
	var out strings.Builder
	name, sections := pageName(cmd), usage.Sections(cmd.Long)
	fmt.Fprintf(&out, "%% \"%s\" \"1\" %s \"absolink\"\n# NAME\n%s \\- %s\n\n", strings.ToUpper(strings.ReplaceAll(name, "-", "\\-")), unbuilt, name, cmd.Short)
	if cmd.GroupID != usage.Topics {
		fmt.Fprintf(&out, "# SYNOPSIS\n**%s**\n\n", escaped(strings.TrimSuffix(cmd.UseLine(), " [flags]")))
	}
	out.WriteString("# DESCRIPTION\n" + escaped(sections[0].Body) + "\n\n")
	if cmd.GroupID != usage.Topics {
		out.WriteString("# OPTIONS\nAn option without a value and without a default is off.\n\n")
		for _, g := range usage.Groups(cmd) {
			fmt.Fprintf(&out, "## %s\n", g.Heading)
			for _, f := range g.Flags {
				name, text := usage.Spelled(f)
				fmt.Fprintf(&out, "**%s**\n: %s\n\n", escaped(strings.TrimSpace(name)), escaped(text))
			}
		}
	}
	for _, s := range sections[1:] {
		fmt.Fprintf(&out, "# %s\n%s\n\n", strings.ToUpper(s.Heading), escaped(s.Body))
	}
	out.WriteString("# SEE ALSO\n")
	others := cmd.Commands()
	if cmd.HasParent() {
		others = []*cobra.Command{cmd.Parent()}
	}
	sep := ""
	for _, other := range others {
		if other.Name() != "help" {
			fmt.Fprintf(&out, "%s**%s(1)**", sep, pageName(other))
			sep = ", "
		}
	}
	return out.String() + "\n"
}

// escaped returns text with backslashes before the characters that are markup in Markdown. An indented line is code.
func escaped(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "    ") {
			line = strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "]", `\]`, `\`, `\\`).Replace(line)
		}
		out.WriteString(line)
	}
	return out.String()
}

// TestFlagsGrouped: each flag of each command is in a group of the help.
func TestFlagsGrouped(t *testing.T) {
	root := newRoot(&session{}, "")
	for _, cmd := range append(root.Commands(), root) {
		if cmd.GroupID != usage.Verbs {
			continue
		}
		groups := usage.Groups(cmd)
		assert.LessOrEqual(t, len(groups[0].Flags), 14, cmd.Name())
		page := usage.Page(cmd, false)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			name, _ := usage.Spelled(f)
			assert.Equal(t, !f.Hidden, strings.Count(page, "  "+name) == 1, "%s %s", cmd.Name(), name)
		})
	}
}

// TestHelpWidth: no line of the help is longer than 80 columns, except examples and tables.
func TestHelpWidth(t *testing.T) {
	root := newRoot(&session{}, "")
	for _, cmd := range append(root.Commands(), root) {
		for line := range strings.Lines(usage.Page(cmd, false)) {
			if !strings.HasPrefix(line, "    absolink") {
				assert.LessOrEqual(t, len(line)-1, 80, line)
			}
		}
	}
}

// TestValuesInHelp: the help of a flag with a fixed set of values names every value. The manual has no other list of them.
func TestValuesInHelp(t *testing.T) {
	for _, cmd := range newRoot(&session{}, "").Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			c, ok := f.Value.(interface{ Names() []string })
			if !ok || len(c.Names()) > 20 { // those of media types
				return
			}
			for _, name := range c.Names() {
				assert.Contains(t, f.Usage, name, "%s --%s", cmd.Name(), f.Name)
			}
		})
	}
}
