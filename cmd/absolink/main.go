// Command absolink finds the base URL of every document, by the ladder of RFC 1808
// section 3, and makes every link absolute.
//
//	main.go             the verbs, the exit status, signals
//	resolve.go base.go links.go rewrite.go explain.go
//	                    one verb each
//	help.go man.go version.go
//	                    a topic of the help, the manual, the version
//	flags.go            the flags that verbs share
//	input.go            PATHs -> documents                     retrieval.go   and their URLs (3.3)
//	filesfrom.go folder.go shard.go reader.go
//	                    which documents come in, and how they are read
//	attributes.go       what the attributes of a file say of where it came from
//	run.go pipeline.go memory.go commit.go
//	                    documents -> tasks -> workers -> output    journal.go  --resume
//	row.go              rows of fields: text, CSV, TSV         json.go, parquet.go
//	ladder.go           the drawing of RFC 1808 section 3
//	edits.go, diff.go   what a rewriting changes
//	problems.go, log.go what standard error shows              stats.go       and what --stats counts
//	progress.go color.go
//	output.go, files.go standard output, and files that are whole or not there
//	inplace.go tree.go  files rewritten where they stand, or laid out again in a folder
//
// Data goes to standard output and nothing else does. Everything it knows of documents
// it asks of the packages extract and resolve.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	spaceCollections()
	os.Exit(run(os.Args[1:]))
}

// headroom is how much garbage may come together, if a quarter of what lives is not more.
const headroom = 24 << 20

// spaceCollections has the collector run when there is as much garbage as that: a few documents
// at a time would have it run every 4 MB, and long ones when what lives has doubled.
func spaceCollections() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(headroom * 100 / (4 << 20)) // of the 4 MB that are the least
	eachCollection(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		n := max(live[0].Value.Uint64(), 1<<20)
		debug.SetGCPercent(int(max(headroom, n/4) * 100 / n))
	})
}

// eachCollection has do called when the collector has run.
func eachCollection(do func()) {
	runtime.AddCleanup(new(*int), func(do func()) {
		do()
		eachCollection(do)
	}, do)
}

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1 // done, but an input failed, or there was a problem under --strict
	exitUsage       = 2 // wrong use, nothing could run, or the output not be written
	exitInterrupted = 130
)

// session is one run of the command.
type session struct {
	stdin    *os.File
	stdout   *os.File
	stderr   *os.File
	messages *progress // what writes to stderr
	log      *slog.Logger
	level    slog.LevelVar
	files    *files

	printing bool        // data goes to stdout
	printed  fs.FileInfo // of stdout then, if it is a plain file; else nil
	strict   bool        // a problem counts as failure
	counts
}

// counts are what a run has done so far. They may be read while it goes on.
type counts struct {
	done   atomic.Int64 // inputs that were read
	failed atomic.Int64 // inputs that failed
	bytes  atomic.Int64 // that were read of all of them
	found  atomic.Int64 // links, edits or bases, as the verb has it
	wrong  atomic.Int64 // problems
	before atomic.Bool  // whether an earlier run under --resume has read some

	skipped  atomic.Int64 // bytes that need not be read
	total    atomic.Int64 // bytes of all inputs, once it is known
	document atomic.Pointer[string]
}

// run is main, with an exit status.
func run(args []string) int {
	s := &session{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, messages: &progress{w: os.Stderr}, files: &files{}}
	s.level.Set(slog.LevelWarn)
	s.talk(&options{logFormat: logFormatIn(args)}) // until the flags are known, or if they are wrong
	// Without this a closed pipe kills the process before it has tidied up.
	signal.Ignore(syscall.SIGPIPE)
	s.catchInterrupt()

	root := newRoot(s)
	root.SetArgs(args)
	help := &output{w: s.stdout, name: stdoutName} // and whatever else cobra prints
	root.SetOut(help)
	err := root.Execute()
	if len(help.buf) > 0 {
		err = help.end(err)
	}
	status := s.status(err)
	s.files.abandon()
	return status
}

// catchInterrupt ends the run on SIGINT, SIGTERM and SIGHUP, leaving no half-written file.
func (s *session) catchInterrupt() {
	var signals []os.Signal
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup and "&" stay what they are
			signals = append(signals, sig)
		}
	}
	if len(signals) == 0 {
		return
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, signals...)
	go func() {
		<-c
		s.files.stop()
		s.messages.interrupt()
		os.Exit(exitInterrupted)
	}()
}

// status says what went wrong, if anything, and gives the exit status.
func (s *session) status(err error) int {
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
	case errors.Is(err, errHelp):
		return exitUsage
	case errors.Is(err, errFailFast):
		return exitFailed
	default:
		s.log.Error(err.Error())
		return exitUsage
	}
	switch {
	case s.readNone() && err == nil:
		return exitUsage
	case s.failed.Load() > 0, s.strict && s.wrong.Load() > 0:
		return exitFailed
	}
	return exitDone
}

// readNone says whether all inputs failed.
func (c *counts) readNone() bool {
	return c.failed.Load() > 0 && c.done.Load() == 0 && !c.before.Load()
}

// errHelp says that help was shown instead of a run.
var errHelp = errors.New("help")

func newRoot(s *session) *cobra.Command {
	root := &cobra.Command{
		Use:   "absolink",
		Short: "Find the base URL of every document and make every link absolute",
		Long: `absolink finds the base URL of every document, by the layered rule of RFC 1808
section 3, and makes every link absolute without touching any other byte.

The exit status is 0 when all is done; 1 when an input failed or, under --strict, had a
problem; 2 for wrong use, or when no input could be read or the output not be written; 130
on an interrupt.`,
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
		if c, ok := f.Value.(interface{ names() []string }); ok {
			err := cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(c.names(), cobra.ShellCompDirectiveNoFileComp))
			if err != nil {
				panic(err) // two for one flag, or for none
			}
		}
	})
}

// completeFields lets a shell complete --fields, each behind those that are there.
func completeFields[T any](cmd *cobra.Command, columns []column[T]) {
	complete := func(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		for _, c := range columns {
			all = append(all, typed[:strings.LastIndexByte(typed, ',')+1]+c.name)
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
