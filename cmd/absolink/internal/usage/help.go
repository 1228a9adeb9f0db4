package usage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/console"
)

const width = 80

const examples = "Examples"

// Section is a part of a text of help: a heading, which is "" for the introduction, and the lines below it.
type Section struct{ Heading, Body string }

// Sections returns the sections of a text of help. A heading is a line that begins with "## ".
func Sections(text string) []Section {
	parts := strings.Split(text, "\n## ")
	all := []Section{{Body: strings.Trim(parts[0], "\n")}}
	for _, part := range parts[1:] {
		heading, body, _ := strings.Cut(part, "\n")
		all = append(all, Section{strings.TrimSpace(heading), strings.Trim(body, "\n")})
	}
	return all
}

// AddHelp adds -h and --help to a command and the commands below it: -h prints a short page, --help prints everything.
// fill can complete the text of a command before it is printed.
func AddHelp(cmd *cobra.Command, fill func(*cobra.Command)) {
	const short = "short-help" // a hidden flag
	var asked bool
	f := cmd.Flags()
	AddFlag(f, "Messages", &asked, "help", "", "print every option of the command; -h prints a short page")
	f.BoolVarP(&asked, short, "h", false, "print a short page")
	f.Lookup(short).Hidden = true
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		fill(cmd)
		onlyShort := cmd.Flags().Changed(short) && !cmd.Flags().Changed("help")
		_, _ = io.WriteString(cmd.OutOrStdout(), Page(cmd, onlyShort)) // the end of the output returns the error
	})
	for _, sub := range cmd.Commands() {
		AddHelp(sub, fill)
	}
}

// mostUsed are the flags that most users need, in that order. A verb shows the first ten of those it has, or fourteen.
var mostUsed = []string{
	"base", "url", "site", "mirror", "output", "in-place", "format", "fields", "compact", "dry-run", "diff", "map",
	"local", "verify", "fragments", "standard", "glob", "type", "quiet", "help", "override-base", "verbose",
}

// Group is a heading of the help and the flags below it.
type Group struct {
	Heading string
	Flags   []*pflag.Flag
}

// Groups returns the flags of a command: the most used ones, then the others below their headings, in the order in
// which they were added. A command with few flags has one group.
func Groups(cmd *cobra.Command) []Group {
	used, most := Group{Heading: "Most used options"}, 10
	if cmd.Flags().Lookup("map") != nil {
		most += 4 // a verb that rewrites
	}
	for _, name := range mostUsed {
		if name == "base" && cmd.Flags().Lookup("url") != nil { // there --base is about BASE elements
			continue
		}
		if f := cmd.Flags().Lookup(name); f != nil && len(used.Flags) < most {
			used.Flags = append(used.Flags, f)
		}
	}
	groups, rest := []Group{used}, 0
	cmd.Flags().SortFlags = false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || slices.Contains(used.Flags, f) {
			return
		}
		if below := f.Annotations[heading][0]; below != groups[len(groups)-1].Heading {
			groups = append(groups, Group{Heading: below})
		}
		last := &groups[len(groups)-1]
		last.Flags = append(last.Flags, f)
		rest++
	})
	if len(used.Flags)+rest > most {
		return groups
	}
	one := Group{Heading: "Options"}
	for _, g := range groups {
		one.Flags = append(one.Flags, g.Flags...)
	}
	return []Group{one}
}

// Page returns the help of a command. The short page has the most used flags, the examples, and how to see the rest. A
// topic has one page, without usage and flags.
func Page(cmd *cobra.Command, short bool) string {
	var out strings.Builder
	sections, groups, topic := Sections(cmd.Long), Groups(cmd), cmd.GroupID == Topics
	intro := sections[0].Body
	if short = short && !topic; short {
		intro, groups = cmd.Short, groups[:1]
	}
	out.WriteString(intro + "\n")
	write := func(wanted bool, s Section) {
		if wanted {
			fmt.Fprintf(&out, "\n%s:\n%s\n", s.Heading, s.Body)
		}
	}
	if !topic {
		fmt.Fprintf(&out, "\nUsage:\n  %s\n", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		for _, s := range sections[1:] {
			write(s.Heading == examples && !short, s)
		}
		commands(&out, cmd)
		flags(&out, groups)
	}
	for _, s := range sections[1:] {
		write(topic || (s.Heading == examples) == short, s)
	}
	if short {
		fmt.Fprintf(&out, "\n%s --help prints everything.\n", cmd.CommandPath())
	}
	return out.String()
}

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
			fmt.Fprintf(out, "  %-*s  %s\n", column, name,
				strings.Join(console.Wrap(text, width-len(indent)), "\n"+indent))
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
