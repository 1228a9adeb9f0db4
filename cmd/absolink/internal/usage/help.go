package usage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// width is the length of the longest line of the help.
const width = 80

// Section is a part of a text of help: a heading, which is "" for the introduction, and the lines below it.
type Section struct{ Heading, Body string }

// Sections returns the sections of a text of help. A heading is a line that begins with "## ".
func Sections(text string) []Section {
	all := []Section{{}}
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			all = append(all, Section{Heading: strings.TrimSpace(heading)})
			continue
		}
		all[len(all)-1].Body += line
	}
	for i := range all {
		all[i].Body = strings.Trim(all[i].Body, "\n")
	}
	return all
}

// isExamples reports whether a section has examples. It is printed before the options.
func isExamples(s Section) bool { return s.Heading == "Examples" }

// isTopic reports whether a command is only a page of help, without usage and options.
func isTopic(cmd *cobra.Command) bool { return cmd.GroupID == Topics }

// AddHelp adds -h and --help to a command and the commands below it: -h prints a short page, --help prints everything. all returns
// the groups of flags. fill is called with a command before its help is printed. It can complete the text.
func AddHelp(cmd *cobra.Command, all func() []Names, fill func(*cobra.Command)) {
	const short = "short-help" // a hidden flag
	var asked bool
	f := cmd.Flags()
	f.BoolVar(&asked, "help", false, "print every option of the command; -h prints a short page")
	f.BoolVarP(&asked, short, "h", false, "print a short page")
	f.Lookup(short).Hidden = true
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		fill(cmd)
		page := Page
		if cmd.Flags().Changed(short) && !cmd.Flags().Changed("help") {
			page = ShortPage
		}
		_, _ = io.WriteString(cmd.OutOrStdout(), page(cmd, all())) // the end of the output returns the error
	})
	for _, sub := range cmd.Commands() {
		AddHelp(sub, all, fill)
	}
}

// Page returns all of the help of a command.
func Page(cmd *cobra.Command, all []Names) string {
	var out strings.Builder
	sections := Sections(cmd.Long)
	out.WriteString(sections[0].Body + "\n")
	if !isTopic(cmd) {
		usageLines(&out, cmd)
		if i := slices.IndexFunc(sections, isExamples); i >= 0 {
			section(&out, sections[i])
			sections = slices.Delete(sections, i, i+1)
		}
		commands(&out, cmd)
		flags(&out, Groups(cmd, all))
	}
	for _, s := range sections[1:] {
		section(&out, s)
	}
	return out.String()
}

// ShortPage returns the short help of a command: usage, the most used flags, examples, and how to see the rest. A topic has
// one page.
func ShortPage(cmd *cobra.Command, all []Names) string {
	if isTopic(cmd) {
		return Page(cmd, all)
	}
	var out strings.Builder
	out.WriteString(cmd.Short + "\n")
	usageLines(&out, cmd)
	commands(&out, cmd)
	flags(&out, Groups(cmd, all)[:1])
	sections := Sections(cmd.Long)
	if i := slices.IndexFunc(sections, isExamples); i >= 0 {
		section(&out, sections[i])
	}
	fmt.Fprintf(&out, "\n%s --help prints everything.\n", cmd.CommandPath())
	return out.String()
}

// usageLines writes how the command is called.
func usageLines(out *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(out, "\nUsage:\n  %s\n", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
}

// section writes a section below its heading.
func section(out *strings.Builder, s Section) {
	fmt.Fprintf(out, "\n%s:\n%s\n", s.Heading, s.Body)
}

// commands writes the commands below cmd, by their groups.
func commands(out *strings.Builder, cmd *cobra.Command) {
	for _, group := range cmd.Groups() {
		fmt.Fprintf(out, "\n%s:\n", group.Title)
		for _, sub := range cmd.Commands() {
			if sub.GroupID == group.ID {
				fmt.Fprintf(out, "  %-11s %s\n", sub.Name(), sub.Short)
			}
		}
	}
}

// flags writes groups of flags, one or more lines each.
func flags(out *strings.Builder, all []Group) {
	column := 0
	for _, g := range all {
		for _, f := range g.Flags {
			name, _ := Spelled(f)
			column = max(column, len(name))
		}
	}
	indent := "  " + strings.Repeat(" ", column) + "  "
	for _, g := range all {
		fmt.Fprintf(out, "\n%s:\n", g.Heading)
		for _, f := range g.Flags {
			name, text := Spelled(f)
			fmt.Fprintf(out, "  %-*s  %s\n", column, name, strings.Join(wrap(text, width-len(indent)), "\n"+indent))
		}
	}
}

// Spelled returns the names of a flag with its value, such as "-u, --url URL", and its help with the default value.
func Spelled(f *pflag.Flag) (name, text string) {
	value, text := pflag.UnquoteUsage(f)
	short := f.Shorthand
	if f.Name == "help" {
		short = "h"
	}
	name = "    --" + f.Name
	if short != "" {
		name = "-" + short + ", --" + f.Name
	}
	switch {
	case value == "":
	case f.NoOptDefVal != "":
		name += "[=" + value + "]"
	default:
		name += " " + value
	}
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		text += " (default " + f.DefValue + ")"
	}
	return name, text
}

// wrap returns the lines of a text, of n bytes at most unless a word is longer.
func wrap(text string, n int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > n {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
