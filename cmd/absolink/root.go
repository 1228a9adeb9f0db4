// The command and its verbs, the topics of the help, completion, and the manual.

package main

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
)

// subcommand is a verb, another command, or a topic of the help. The text of its help is the file help/NAME.md.
type subcommand struct {
	group, use, short string
	// words that are not its name, but may mean it
	suggest string
	run     func(*session, *cobra.Command, *options, []string) error // nil for a topic
}

// subcommands are the commands below absolink. A command without a group is for programs, and not in the help.
var subcommands = []subcommand{
	{usage.Verbs, "resolve -b BASE [OPTIONS] [REF...]", "Resolve references against a base URL", "",
		(*session).resolve},
	{usage.Verbs, "base [OPTIONS] [PATH...]", "Print the base URL of each document, also of embedded ones", "",
		(*session).base},
	{usage.Verbs, "links [OPTIONS] [PATH...]", "List every link as an absolute URL", "list ls urls extract",
		(*session).links},
	{usage.Verbs, "rewrite [OPTIONS] [PATH...]", "Make every link absolute, and leave all other bytes unchanged",
		"edit absolutize convert", (*session).rewrite},
	{usage.Verbs, "verify [OPTIONS] OLD NEW", "Prove with other parsers that only links changed", "check compare prove",
		(*session).verify},
	{usage.Verbs, "explain [OPTIONS] [PATH...]", "Show why a document has its base URL, with every candidate", "",
		(*session).explain},
	{"", "service [OPTIONS]", "Answer requests of a program on standard input", "", (*session).service},
	{usage.Others, "man [OPTIONS]", "Print the manual, or write its pages to a folder", "", (*session).man},
	{usage.Others, "version", "Print the version", "", (*session).version},
	{usage.Others, "completion SHELL", "Print the completion script for bash, zsh, fish or powershell", "",
		(*session).completion},
	{usage.Topics, "inputs", "Which documents are read: PATHs, lists, patterns, Maildirs, shards", "", nil},
	{usage.Topics, "formats", "Which formats are read, and their short names", "", nil},
	{usage.Topics, "standards", "Which standards resolve links, and which one to choose", "", nil},
	{usage.Topics, "problems", "What each problem means, and what to do about it", "", nil},
}

func (c *subcommand) name() string {
	name, _, _ := strings.Cut(c.use, " ")
	return name
}

func (c *subcommand) new(s *session) *cobra.Command {
	cmd := &cobra.Command{
		GroupID: c.group, Use: c.use, Short: c.short, Long: helpOf(c.name()), SuggestFor: strings.Fields(c.suggest),
		Hidden: c.group == "",
	}
	o := newOptions()
	o.addFlags(cmd)
	if c.run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return c.run(s, cmd, o, args) }
	}
	return cmd
}

// helpTexts are the texts of the help.
//
//go:embed help/*.md
var helpTexts embed.FS

func helpOf(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".md")
	if err != nil {
		panic(err) // the command has no file
	}
	return string(text)
}

// verbOf returns the first argument if it is a verb, or else "".
func verbOf(args []string) string {
	if len(args) > 0 &&
		slices.ContainsFunc(subcommands, func(c subcommand) bool {
			return c.group == usage.Verbs && c.name() == args[0]
		}) {
		return args[0]
	}
	return ""
}

// newRoot returns the command with all its verbs or, if verb is not "", with this verb only, because the flags of the
// others take 6 % of the time of a small run.
func newRoot(s *session, verb string) *cobra.Command {
	root := &cobra.Command{
		Use:           "absolink VERB [OPTIONS] [PATH...]",
		Short:         "Find the base URL of every document and make every link absolute",
		Long:          helpOf("absolink"),
		SilenceErrors: true,
		SilenceUsage:  true,

		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true}, // the command completion is better
	}
	known := func(_ *cobra.Command, args []string) error {
		_, rest, err := root.Find(args)
		if len(rest) > 0 {
			return usage.UnknownVerb(root, rest[0])
		}
		return err
	}
	o := newOptions()
	o.addFlags(root)
	root.Args, root.RunE = known, func(cmd *cobra.Command, _ []string) error {
		if o.version {
			return s.printVersion()
		}
		return s.help(cmd)
	}
	root.AddGroup(&cobra.Group{ID: usage.Verbs, Title: "Verbs"},
		&cobra.Group{ID: usage.Others, Title: "Other commands"},
		&cobra.Group{ID: usage.Topics, Title: "Topics (absolink help TOPIC)"})
	for _, c := range subcommands {
		if verb == "" || verb == c.name() {
			root.AddCommand(c.new(s))
		}
	}
	root.SetHelpCommandGroupID(usage.Others)
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Use, cmd.Short, cmd.Long = "help [VERB | TOPIC]", "Print the help of a verb or a topic", helpOf("help")
			cmd.Args = func(cmd *cobra.Command, args []string) error {
				if len(args) > 1 {
					return fmt.Errorf("help prints one page; leave out %q", args[1])
				}
				return known(cmd, args)
			}
			cmd.ValidArgsFunction = completeHelp
		}
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage.FlagError(cmd, err, func() []*cobra.Command { return newRoot(s, "").Commands() })
	})
	usage.AddHelp(root, fillTable)
	return root
}

// complete lets a shell complete the arguments and the values of flags of a command. It takes too long to be called in
// other runs.
func complete(cmd *cobra.Command) {
	switch cmd.Name() {
	case "links":
		completeFields(cmd, linkColumns)
	case "base":
		completeFields(cmd, baseColumns)
	case "completion":
		cmd.ValidArgs = usage.Shells
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(interface{ Names() []string }); ok && c.Names() != nil {
			err := cmd.RegisterFlagCompletionFunc(f.Name,
				cobra.FixedCompletions(c.Names(), cobra.ShellCompDirectiveNoFileComp))
			if err != nil {
				panic(err) // the flag does not exist, or has a function already
			}
		}
	})
}

func completeHelp(cmd *cobra.Command, args []string, _ string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, sub := range cmd.Root().Commands() {
		if len(args) == 0 && sub != cmd && !sub.Hidden {
			all = append(all, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// completeFields lets a shell complete the last field of --fields.
func completeFields[T any](cmd *cobra.Command, columns []rows.Column[T]) {
	complete := func(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		for _, c := range columns {
			all = append(all, typed[:strings.LastIndexByte(typed, ',')+1]+c.Name)
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	if err := cmd.RegisterFlagCompletionFunc("fields", complete); err != nil {
		panic(err) // the flag does not exist, or has a function already
	}
}

// help prints the short help on standard error, because the arguments are not enough for a run.
func (s *session) help(cmd *cobra.Command) error {
	if _, err := io.WriteString(s.stderr, usage.Page(cmd, true)); err != nil {
		return err
	}
	return errHelp
}

func (s *session) completion(cmd *cobra.Command, _ *options, args []string) error {
	if len(args) == 0 {
		return s.help(cmd)
	}
	script, err := usage.Completion(cmd.Root(), args)
	if err != nil {
		return err
	}
	out := s.stdoutput()
	out.Buf = append(out.Buf, script...)
	return out.End(nil)
}

// fillTable replaces the line "(TABLE)" of a topic by a table from the code.
func fillTable(cmd *cobra.Command) {
	const mark = "(TABLE)\n"
	switch cmd.Name() {
	case "formats":
		cmd.Long = strings.Replace(cmd.Long, mark, formatsTable(), 1)
	case "problems":
		cmd.Long = strings.Replace(cmd.Long, mark, codes.Help(console.Wrap), 1)
	}
}

// formatsTable returns the formats that absolink reads, a line each: short names, media type, extensions.
func formatsTable() string {
	var out strings.Builder
	for _, f := range inputs.Formats() {
		line := fmt.Sprintf("    %-16s  %-30s  %s", strings.Join(inputs.ShortNames(f), ", "), f.Name,
			strings.Join(f.Exts, " "))
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// manual are the pages of the manual, one file for each. TestManual writes them from the help of the commands: a
// generator in the program would add half a millisecond to each start.
//
//go:embed man/*.1
var manual embed.FS

// unbuilt is the text in each page that manualOf replaces by the date and version of the build.
const unbuilt = `"Jan 0001" "absolink"`

// man prints the manual, or writes its pages to the folder of -o.
func (s *session) man(cmd *cobra.Command, o *options, args []string) error {
	if err := o.checkFlags(cmd); err != nil {
		return err
	}
	if len(args) > 0 {
		return fmt.Errorf("man takes no arguments; absolink help %s prints the help of a verb", args[0])
	}
	pages, err := manualOf(thisBuild())
	if err != nil {
		return err
	}
	if o.output == "" || o.output == files.Std {
		out := s.stdoutput()
		for _, page := range pages {
			out.Buf = append(out.Buf, page.text...)
		}
		return out.End(nil)
	}
	if err := os.MkdirAll(o.output, 0o777); err != nil {
		return files.Failed("-o "+o.output, err)
	}
	for _, page := range pages {
		name := filepath.Join(o.output, page.name)
		if err := files.MayWriteFlag("-o", name, o.force); err != nil {
			return err
		}
		out, err := s.openOutput(name)
		if err != nil {
			return err
		}
		out.Buf = append(out.Buf, page.text...)
		if err := out.End(nil); err != nil {
			return err
		}
	}
	return nil
}

type manualPage struct {
	name string // of the file
	text []byte
}

// manualOf returns the pages with the date and version of a build. The page of the program itself is first.
func manualOf(b build) ([]manualPage, error) {
	names, err := fs.Glob(manual, "man/*.1")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(strings.TrimSuffix(a, ".1"), strings.TrimSuffix(b, ".1"))
	})
	date := ""
	if !b.time.IsZero() {
		date = b.time.Format("Jan 2006")
	}
	built := fmt.Appendf(nil, `"%s" "absolink %s"`, date, b.version)
	pages := make([]manualPage, len(names))
	for i, name := range names {
		text, err := manual.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pages[i] = manualPage{path.Base(name), bytes.Replace(text, []byte(unbuilt), built, 1)}
	}
	return pages, nil
}
