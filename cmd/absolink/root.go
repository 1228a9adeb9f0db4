// The command and its verbs: help, completion, and errors of flags.

package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"absolink/cmd/absolink/internal/rows"
)

// absolinkHelp is the help of the command itself.
//
//go:embed help/absolink.md
var absolinkHelp string

// newRoot returns the command with all its verbs.
func newRoot(s *session) *cobra.Command {
	root := &cobra.Command{
		Use:   "absolink",
		Short: "Find the base URL of every document and make every link absolute",
		Long:  long(absolinkHelp),
		Example: `  absolink rewrite page.html --url http://h/p/ > out.html
  absolink links site/ --site http://h/
  absolink base page.html
  absolink resolve -b 'http://a/b/c/d;p?q' ../g`,
		Version:       thisBuild().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	verbs := []*cobra.Command{newResolve(s), newBase(s), newLinks(s), newRewrite(s), newExplain(s)}
	names := make([]string, len(verbs))
	for i, verb := range verbs {
		names[i] = verb.Name()
		completeChoices(verb)
	}
	known := func(_ *cobra.Command, args []string) error {
		_, rest, err := root.Find(args)
		if len(rest) > 0 {
			return fmt.Errorf("unknown verb %q; there are %s", rest[0], strings.Join(names, ", "))
		}
		return err
	}
	root.Args, root.RunE = known, func(cmd *cobra.Command, _ []string) error { return s.help(cmd) }
	root.AddCommand(verbs...)
	root.AddCommand(newInputs(), newMan(s))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = known
		case "completion": // of which shell it must be told
			cmd.RunE, cmd.Args = root.RunE, func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return fmt.Errorf("no completion for %q; see %s --help", args[0], cmd.CommandPath())
				}
				return nil
			}
		}
	}
	root.Flags().Bool("version", false, "print the version") // without cobra's -v, which is --verbose in the verbs
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text := err.Error()
		if number, ok := errors.AsType[*strconv.NumError](err); ok {
			why := "no number, or too large"
			if number.Func == "ParseBool" {
				why = "give true or false, or the flag alone"
			}
			text = strings.TrimSuffix(text, number.Error()) + why
		}
		return fmt.Errorf("%s%s; see %s --help", text, meant(cmd, err), cmd.CommandPath())
	})
	return root
}

// meant says what a wrong flag was probably meant to be.
func meant(cmd *cobra.Command, err error) string {
	const base = "; a base URL is given as --url, or as --override-base above every other"
	unknown, invalid := (*pflag.NotExistError)(nil), (*pflag.InvalidValueError)(nil)
	switch {
	case errors.As(err, &invalid):
		if invalid.GetFlag().Name == "base" && strings.Contains(invalid.GetValue(), "/") { // as resolve has it
			return base
		}
	case !errors.As(err, &unknown):
	case !cmd.HasParent():
		return "; give a verb first, and its flags behind it"
	case cmd.Flags().Lookup("override-base") == nil:
	case unknown.GetSpecifiedName() == "base", unknown.GetSpecifiedShortnames() == "b":
		return base
	case cmd.Flags().Changed("in-place") && looksLikeSuffix(unknown.GetSpecifiedShortnames()):
		return "; a suffix is given as -i=" + unknown.GetSpecifiedShortnames()
	}
	return ""
}

// completeChoices lets a shell complete the values of flags that have a fixed set of them.
func completeChoices(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(interface{ Names() []string }); ok {
			err := cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(c.Names(), cobra.ShellCompDirectiveNoFileComp))
			if err != nil {
				panic(err) // two for one flag, or for none
			}
		}
	})
}

// completeFields lets a shell complete --fields, each behind those that are there.
func completeFields[T any](cmd *cobra.Command, columns []rows.Column[T]) {
	complete := func(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		for _, c := range columns {
			all = append(all, typed[:strings.LastIndexByte(typed, ',')+1]+c.Name)
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	if err := cmd.RegisterFlagCompletionFunc("fields", complete); err != nil {
		panic(err) // two for one flag, or for none
	}
}

// help shows help where a run was not possible: on standard error.
func (s *session) help(cmd *cobra.Command) error {
	cmd.SetOut(s.stderr)
	if err := cmd.Help(); err != nil {
		return err
	}
	return errHelp
}

// long returns the text of a file of help, which ends with a newline, for a command.
func long(text string) string { return strings.TrimSuffix(text, "\n") }

// inputsHelp is the help about which documents come in.
//
//go:embed help/inputs.md
var inputsHelp string

// newInputs is not a verb: it is what the help of four verbs has in common. What the manual
// is not to take for Markdown stands four columns in.
func newInputs() *cobra.Command {
	return &cobra.Command{
		Use:   "inputs",
		Short: "Which documents come in: PATHs, lists, patterns, Maildirs, shards",
		Long:  long(inputsHelp),
	}
}
