package usage

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	Verbs  = "verbs"
	Others = "others"
	Topics = "topics"
)

// UnknownVerb returns the error for a word where a verb was expected, with the verb that was probably meant.
func UnknownVerb(cmd *cobra.Command, word string) error {
	if err := URLAsPath("links", word); err != nil {
		return err
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(word); word != "" && len(near) > 0 {
		return fmt.Errorf("unknown verb %q; did you mean %s?", word, strings.Join(near, " or "))
	}
	if _, err := os.Stat(word); err == nil {
		return fmt.Errorf("unknown verb %q; did you mean absolink rewrite %s?", word, word)
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.GroupID == Verbs {
			names = append(names, sub.Name())
		}
	}
	return fmt.Errorf("unknown verb %q; the verbs are %s", word, strings.Join(names, ", "))
}

// FlagError says what is wrong with a flag, and which flag was probably meant. all returns every verb, because the flag
// may belong to another one.
func FlagError(cmd *cobra.Command, err error, all func() []*cobra.Command) error {
	text := err.Error()
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if err := NoValue(invalid.GetFlag().Name, invalid.GetValue()); err != nil {
			return err
		}
		text = strings.TrimSuffix(text, invalid.Unwrap().Error()) + Reason(err) + meantValue(invalid)
	} else if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		text += meantFlag(cmd, unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames(), all)
	}
	if strings.HasSuffix(text, "?") {
		return errors.New(text)
	}
	return fmt.Errorf("%s; see %s --help", text, cmd.CommandPath())
}

// Reason returns why the value of a flag is wrong. A transcript notices if pflag says it otherwise.
func Reason(err error) string {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		err = invalid.Unwrap()
	}
	switch err.Error() {
	case "must be true or false":
		return "use true or false, or the flag alone"
	case "must be an integer":
		return "this is not a number, or it is too large"
	}
	return err.Error()
}

const useURL = "; use --url URL for the URL of the document, or --override-base URL to set its base URL"

// meantValue returns what a wrong value was probably meant to be, or "".
func meantValue(invalid *pflag.InvalidValueError) string {
	// a URL, as for the --base of resolve
	if invalid.GetFlag().Name == "base" && strings.Contains(invalid.GetValue(), "/") {
		return useURL
	}
	if _, list, ok := strings.Cut(invalid.Unwrap().Error(), "one of "); ok {
		if near := Nearest(invalid.GetValue(), strings.Split(list, ", ")); near != "" {
			return "; did you mean " + near + "?"
		}
	}
	return ""
}

// hints answer flags that people know from other programs. A hint is given by the verbs that have the flag with.
var hints = []struct{ names, with, hint string }{
	{"base base-url b", "override-base", useURL},
	{"version V", "help", "; absolink -V prints the version"},
	{"json jsonl csv tsv parquet", "format", "; did you mean --format $?"},
	{"backup", "in-place", "; did you mean --in-place=.bak, which keeps each old file?"},
	{"recursive r R", "glob", "; absolink reads all folders in a folder: did you mean the same command without this " +
		"flag?"},
}

// meantFlag returns what an unknown flag was probably meant to be, or "". shorts are the letters from the unknown one
// on, or "".
func meantFlag(cmd *cobra.Command, name, shorts string, all func() []*cobra.Command) string {
	f := cmd.Flags()
	switch {
	case !cmd.HasParent():
		return "; write the verb before its flags, as in absolink links --url URL"
	case f.Changed("in-place") && LooksLikeSuffix(shorts):
		return "; the suffix is written as -i=" + shorts
	case f.Changed("in-place") && IsShortWord(shorts):
		return "; if this is the suffix of the old files, write -i." + shorts
	case f.Lookup("in-place") != nil && strings.Contains(" bak back backup bk ", " "+shorts+" "):
		return "; did you mean -i." + shorts + "?"
	}
	for _, h := range hints {
		if slices.Contains(strings.Fields(h.names), name) && f.Lookup(h.with) != nil {
			return strings.ReplaceAll(h.hint, "$", name)
		}
	}
	var verbs, names []string
	for _, other := range all() {
		if other.Flags().Lookup(name) != nil {
			verbs = append(verbs, other.Name())
		}
	}
	if len(verbs) > 0 {
		return "; it is a flag of " + strings.Join(verbs, ", ")
	}
	f.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := Nearest(strings.ToLower(name), names)
	if shorts != "" {
		near = ""
		if i := slices.IndexFunc(names, func(name string) bool { return strings.HasSuffix(name, shorts) }); i >= 0 &&
			len(shorts) > 2 {
			near = names[i] // a long name after one dash
		}
	}
	if near == "" {
		return ""
	}
	return "; did you mean --" + near + "?"
}

// NoValue returns the error for a flag that has taken the next flag as its value, or nil.
func NoValue(name, value string) error {
	if !strings.HasPrefix(value, "--") {
		return nil
	}
	return fmt.Errorf("--%s has no value, because %s after it is a flag; write the value between them", name, value)
}

// MeantPath returns what a PATH that does not exist may be, or "": a flag with the dash of a word processor or the
// slash of Windows, or the next value of a list, as in --fields place url.
func MeantPath(f *pflag.FlagSet, args []string, path string) string {
	written := regexp.MustCompile(`^(?:[‐‑‒–—−]-?|/)(([a-zA-Z])|([a-z-]+))(=.*)?$`)
	if flag := written.FindStringSubmatch(path); flag != nil {
		switch {
		case flag[2] != "" && f.ShorthandLookup(flag[2]) != nil:
			return "did you mean -" + flag[1] + flag[4] + "?"
		case flag[3] != "" && f.Lookup(flag[3]) != nil:
			return "did you mean --" + flag[1] + flag[4] + "?"
		}
	}
	i := slices.Index(args, path)
	if i < 2 || strings.ContainsAny(path, "./-") {
		return ""
	}
	name, before, ok := strings.Cut(args[i-1], "=")
	if !ok {
		name, before = args[i-2], args[i-1]
	}
	list := f.Lookup(strings.TrimPrefix(name, "--"))
	if list == nil || list.Value.Type() != "stringSlice" && !strings.HasSuffix(list.Value.Type(), ",...") {
		return ""
	}
	return fmt.Sprintf("separate the values of --%s with commas: --%[1]s %s,%s", list.Name, before, path)
}

// LooksLikeSuffix reports whether a word may be meant as the suffix of -i.
func LooksLikeSuffix(word string) bool {
	return strings.IndexAny(word, ".~_-") == 0 && !strings.ContainsAny(word, `/\`)
}

// IsShortWord reports whether a word is a few letters and digits, which after -i may be meant as a suffix.
func IsShortWord(word string) bool {
	const longest = 8
	other := func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') }
	return len(word) <= longest && word != "" && !strings.ContainsFunc(word, other)
}

// Nearest returns the name that a word was probably meant to be, or "". The word may be the beginning of the name.
func Nearest(word string, names []string) string {
	const shortest, longest = 3, 40
	if len(word) > longest {
		return ""
	}
	best, least := "", max(1, (len(word)+1)/3)+1
	for _, name := range names {
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	if i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, word) }); best == "" &&
		i >= 0 && len(word) >= shortest {
		return names[i]
	}
	return best
}

// distance returns how many changes turn a into b: a byte added, removed or replaced, or two neighbors swapped.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1) // rows[i][j] is the distance of a[:i] and b[:j]
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			if i == 0 || j == 0 {
				rows[i][j] = i + j
				continue
			}
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// URLAsPath returns the error for a URL where a verb expects a PATH, with the command that fetches it, and nil for any
// other word.
func URLAsPath(verb, word string) error {
	scheme, rest, ok := strings.Cut(word, "://")
	switch scheme = strings.ToLower(scheme); {
	case !ok || rest == "":
		return nil
	case scheme == "file":
		return fmt.Errorf("%s: absolink reads files by their paths, not by URLs; leave out file://", word)
	case scheme != "http" && scheme != "https" && scheme != "ftp":
		return nil
	}
	url, _, _ := strings.Cut(word, "#") // no request has the fragment
	url = "'" + strings.ReplaceAll(url, "'", `'\''`) + "'"
	flags := "-iLsS"
	if strings.ContainsAny(url, "[]{}") {
		flags += "g" // else curl expands them
	}
	return fmt.Errorf("%s: absolink reads files and never fetches; run: curl %s %s | absolink %s -u %s -", word, flags,
		url, verb, url)
}
