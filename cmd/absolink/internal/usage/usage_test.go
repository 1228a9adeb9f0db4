package usage

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
)

// verbs returns a command with two verbs, one of them with -i[=SUFFIX].
func verbs() *cobra.Command {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "absolink", Run: run}
	rewrite := &cobra.Command{Use: "rewrite", Run: run}
	f := rewrite.Flags()
	f.StringP("in-place", "i", "", "")
	f.Lookup("in-place").NoOptDefVal = "true"
	f.BoolP("quiet", "q", false, "")
	f.BoolP("dry-run", "n", false, "")
	f.StringP("output", "o", "", "")
	links := &cobra.Command{Use: "links", Run: run}
	links.Flags().StringP("output", "o", "", "")
	root.AddCommand(rewrite, links)
	return root
}

// A suffix that begins with a dot may be attached to -i.
func TestAttach(t *testing.T) {
	for args, want := range map[string]string{
		"rewrite -i.bak page":         "rewrite -i=.bak page",
		"rewrite page -i.bak":         "rewrite page -i=.bak",
		"rewrite -qi.b page":          "rewrite -qi=.b page",
		"rewrite -ni.bak":             "rewrite -ni=.bak",
		"rewrite -i. page":            "rewrite -i=. page",
		"rewrite -i=.bak page":        "rewrite -i=.bak page",
		"rewrite -in page":            "rewrite -in page",
		"rewrite -i .bak page":        "rewrite -i .bak page",
		"rewrite -i~ page":            "rewrite -i~ page",
		"rewrite -- -i.bak":           "rewrite -- -i.bak",
		"rewrite --output=x -i.bak p": "rewrite --output=x -i=.bak p",
		"rewrite -oi.bak page":        "rewrite -oi.bak page",
		"rewrite -öi.bak page":        "rewrite -öi.bak page",
		"rewrite -x.bak - page":       "rewrite -x.bak - page",
		"rewrite --quiet -i.bak":      "rewrite --quiet -i=.bak",
		"links -i.bak page":           "links -i.bak page",
		"rewrite -o":                  "rewrite -o",
		"-i.bak":                      "-i.bak",
	} {
		assert.Equal(t, strings.Fields(want), Attach(verbs(), strings.Fields(args)), args)
	}
}

// A wrong word is a name with at most one of three characters changed, or the beginning of a name.
func TestNearest(t *testing.T) {
	names := []string{"output", "override-base", "site", "stats", "max-depth", "max-record"}
	for word, want := range map[string]string{
		"ouput": "output", "outptu": "output", "out": "output", "overide-base": "override-base", "override": "override-base",
		"max-recrod": "max-record", "max": "max-depth", "sites": "site", "stat": "stats",
		"sort": "", "o": "", "": "", "nothing": "", strings.Repeat("output", 100): "",
	} {
		assert.Equal(t, want, Nearest(word, names), word)
	}
	assert.Equal(t, 1, distance("ab", "ba"))
	assert.Equal(t, 3, distance("", "abc"))
	assert.Equal(t, 3, distance("kitten", "sitting"))
}

func TestText(t *testing.T) {
	assert.Equal(t, []Section{{"", "a\nb"}, {"Examples", "    c"}, {"Limitations", "d"}}, Sections("a\nb\n\n## Examples\n\n    c\n\n## Limitations\n\nd\n"))
}
