package usage

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostUsed are the flags that most users need, the most used first. The help of a verb has the first ten or twelve that the verb has.
var mostUsed = []string{
	"base", "url", "site", "output", "in-place", "format", "fields", "compact", "dry-run", "diff", "map", "fragments", "standard", "glob", "type", "quiet",
	"help", "override-base", "verbose",
}

// Group is a heading of the help and the flags below it.
type Group struct {
	Heading string
	Flags   []*pflag.Flag
}

// Groups returns the flags of a command: the most used ones, then the others below their headings, in the order in which they were
// added. A command with few flags has one group.
func Groups(cmd *cobra.Command) []Group {
	used, most := Group{Heading: "Most used options"}, 10
	if cmd.Flags().Lookup("map") != nil {
		most += 2 // a verb that rewrites
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
