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
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/cmd/absolink/internal/usage"
)

// absolinkHelp is the help of the command itself.
//
//go:embed help/absolink.md
var absolinkHelp string

// verbs are the verbs, in the order of the help, and the functions that make their commands.
var verbs = []struct {
	name string
	make func(*session) *cobra.Command
}{
	{"resolve", newResolve}, {"base", newBase}, {"links", newLinks}, {"rewrite", newRewrite}, {"verify", newVerify}, {"explain", newExplain},
}

// verbOf returns the first argument if it is a verb, or else "".
func verbOf(args []string) string {
	for _, v := range verbs {
		if len(args) > 0 && args[0] == v.name {
			return v.name
		}
	}
	return ""
}

// newRoot returns the command. If verb is "", the command has all its verbs. Otherwise it has only this verb: the flags of
// the other verbs take 6 % of the time of a small run.
func newRoot(s *session, verb string) *cobra.Command {
	root := &cobra.Command{
		Use:           "absolink VERB [OPTIONS] [PATH...]",
		Short:         "Find the base URL of every document and make every link absolute",
		Long:          absolinkHelp,
		SilenceErrors: true,
		SilenceUsage:  true,

		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true}, // newCompletion is better
	}
	known := func(_ *cobra.Command, args []string) error {
		_, rest, err := root.Find(args)
		if len(rest) > 0 {
			return usage.UnknownVerb(root, rest[0])
		}
		return err
	}
	wantsVersion := root.Flags().BoolP("version", "V", false, "print the version")
	root.Args, root.RunE = known, func(cmd *cobra.Command, _ []string) error {
		if *wantsVersion {
			return s.printVersion()
		}
		return s.help(cmd)
	}
	root.AddGroup(&cobra.Group{ID: usage.Verbs, Title: "Verbs"}, &cobra.Group{ID: usage.Others, Title: "Other commands"},
		&cobra.Group{ID: usage.Topics, Title: "Topics (absolink help TOPIC)"})
	for _, v := range verbs {
		if verb == "" || verb == v.name {
			addTo(root, usage.Verbs, v.make(s))
		}
	}
	if verb == "" {
		root.AddCommand(newService(s))
		addTo(root, usage.Others, newMan(s), newVersion(s), newCompletion(s))
		addTo(root, usage.Topics, topics()...)
	}
	root.SetHelpCommandGroupID(usage.Others)
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Use, cmd.Short, cmd.Long, cmd.Args = "help [VERB | TOPIC]", "Print the help of a verb or a topic", helpHelp, known
			cmd.ValidArgsFunction = completeHelp
		}
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage.FlagError(cmd, err, func() []*cobra.Command { return newRoot(s, "").Commands() })
	})
	usage.AddHelp(root, fillTable)
	return root
}

// addTo adds commands of one group.
func addTo(root *cobra.Command, group string, all ...*cobra.Command) {
	for _, cmd := range all {
		cmd.GroupID = group
	}
	root.AddCommand(all...)
}

// completeChoices lets a shell complete the values of flags that have a fixed set of them. It takes too long for other runs.
func completeChoices(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(interface{ Names() []string }); ok {
			err := cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(c.Names(), cobra.ShellCompDirectiveNoFileComp))
			if err != nil {
				panic(err) // the flag does not exist, or has a function already
			}
		}
	})
}

// completeHelp lets a shell complete the verbs and topics of help.
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
	if _, err := io.WriteString(s.stderr, usage.ShortPage(cmd)); err != nil {
		return err
	}
	return errHelp
}

// newCompletion returns the command that prints the completion script of a shell.
func newCompletion(s *session) *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print the completion script for bash, zsh, fish or powershell",
		Long:      completionHelp,
		ValidArgs: usage.Shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return s.help(cmd)
			}
			script, err := usage.Completion(cmd.Root(), args)
			if err != nil {
				return err
			}
			out := s.stdoutput()
			_, err = out.Write(script)
			return out.End(err)
		},
	}
}

// The help of topics and of commands without a file of their own.
var (
	//go:embed help/inputs.md
	inputsHelp string
	//go:embed help/formats.md
	formatsHelp string
	//go:embed help/standards.md
	standardsHelp string
	//go:embed help/problems.md
	problemsHelp string
	//go:embed help/completion.md
	completionHelp string
	//go:embed help/help.md
	helpHelp string
)

// topics returns the commands that are pages of help only.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "inputs", Short: "Which documents are read: PATHs, lists, patterns, Maildirs, shards", Long: inputsHelp},
		{Use: "formats", Short: "Which formats are read, and their short names", Long: formatsHelp},
		{Use: "standards", Short: "Which standards resolve links, and which one to choose", Long: standardsHelp},
		{Use: "problems", Short: "What each problem means, and what to do about it", Long: problemsHelp},
	}
}

// fillTable replaces the line "(TABLE)" of a topic by a table from the code. It is called before the page is printed.
func fillTable(cmd *cobra.Command) {
	const mark = "(TABLE)\n"
	switch cmd.Name() {
	case "formats":
		cmd.Long = strings.Replace(cmd.Long, mark, formatsTable(), 1)
	case "problems":
		cmd.Long = strings.Replace(cmd.Long, mark, codes.Help(), 1)
	}
}

// formatsTable returns the formats that absolink reads, a line each: short names, media type, extensions.
func formatsTable() string {
	var out strings.Builder
	for _, f := range inputs.Formats() {
		line := fmt.Sprintf("    %-16s  %-30s  %s", strings.Join(inputs.ShortNames(f), ", "), f.Name, strings.Join(f.Exts, " "))
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// manual has the pages of the manual, one file for each page. TestManual writes them from the help of the commands: a
// generator in the program would add half a millisecond to each start.
//
//go:embed man/*.1
var manual embed.FS

// manHelp is the help of the verb man.
//
//go:embed help/man.md
var manHelp string

// unbuilt is the text in each page that manualOf replaces by the date and version of the build.
const unbuilt = `"Jan 0001" "absolink"`

func newMan(s *session) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "man [OPTIONS]",
		Short: "Print the manual, or write its pages to a folder",
		Long:  manHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notEmpty(cmd); err != nil {
				return err
			}
			if len(args) > 0 {
				return fmt.Errorf("man takes no arguments; absolink help %s prints the help of a verb", args[0])
			}
			return s.man(o)
		},
	}
	o.writing(cmd.Flags(), "write a file for each page to `FOLDER`")
	return cmd
}

func (s *session) man(o *options) error {
	pages, err := manualOf(thisBuild())
	if err != nil {
		return err
	}
	if o.output == "" || o.output == files.Std {
		out := s.stdoutput()
		for _, page := range pages {
			if _, err := out.Write(page.text); err != nil {
				return out.End(err)
			}
		}
		return out.End(nil)
	}
	if err := os.MkdirAll(o.output, 0o777); err != nil {
		return fmt.Errorf("-o %s: %w", o.output, files.WithAdvice(err))
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
		_, err = out.Write(page.text)
		if err := out.End(err); err != nil {
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
