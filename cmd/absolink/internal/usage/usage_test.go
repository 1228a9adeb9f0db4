package usage

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"1": 1, "1000000": 1_000_000,
		"10K": 10 << 10, "10k": 10 << 10, "10KiB": 10 << 10, "10kB": 10_000, "10KB": 10_000,
		"10M": 10 << 20, "10m": 10 << 20, "10MiB": 10 << 20, "10MB": 10_000_000,
		"2G": 2 << 30, "2GiB": 2 << 30, "2GB": 2_000_000_000,
		"3T": 3 << 40, "3TiB": 3 << 40, "3TB": 3_000_000_000_000,
	} {
		var got Size
		require.NoError(t, got.Set(text), text)
		assert.Equal(t, want, got, text)
		require.NoError(t, got.Set(got.String()), text)
		assert.Equal(t, want, got, got.String())
	}
	for _, text := range []string{"", "0", "-1", "M", "B", "1B", "1iB", "10Mi", "10MBB", "10 M", "1.5M", "10X", "10%", "9999999999T", "99999999999999999999"} {
		assert.Error(t, new(Size).Set(text), text)
	}
}

func TestURLAsPath(t *testing.T) {
	for _, row := range []struct{ word, want string }{
		{"https://h/p", "curl -iLsS 'https://h/p' | absolink links -u 'https://h/p' -"},
		{"HTTP://h/?a=b&c#d", "curl -iLsS 'HTTP://h/?a=b&c' | absolink links -u 'HTTP://h/?a=b&c' -"},
		{"http://h/it's", `curl -iLsS 'http://h/it'\''s' | absolink links -u 'http://h/it'\''s' -`},
		{"http://h/a[1]{b}", "curl -iLsSg 'http://h/a[1]{b}' | absolink links -u 'http://h/a[1]{b}' -"},
	} {
		assert.EqualError(t, URLAsPath("links", row.word), row.word+": absolink reads files and never fetches; run: "+row.want)
	}
	for _, word := range []string{"", "-", "page.html", "http:", "http://", "https/h", "a/http://h/"} {
		assert.NoError(t, URLAsPath("links", word), word)
	}
}
