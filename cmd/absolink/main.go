// Command absolink finds the base URL of every document, by the ladder of RFC 1808
// section 3, and makes every link absolute.
//
//	main.go root.go     a run and its exit status; the verbs, topics of the help, completion
//	resolve.go base.go links.go rewrite.go explain.go man.go
//	                    one verb each; help/*.md are their texts, man/*.1 the manual
//	flags.go values.go  the flags that verbs share, and the values of flags
//	walk.go checks.go   what four verbs have in common: a run over documents; the flags and outputs it refuses
//	ladder.go           the drawing of RFC 1808 section 3
//	version.go          how this binary was built
//
//	internal/files      output files: new ones, files rewritten where they stand, folders
//	internal/rows       rows of fields: text, JSON lines, CSV, TSV, Parquet
//	internal/inputs     PATHs -> documents, and their retrieval URLs (3.3)
//	internal/batch      documents -> tasks -> workers -> output; the journal of --resume; --stats
//	internal/console    what standard error shows: messages, problems, progress, colors
//	internal/diff       the unified diff
//	internal/usage      pages of help, groups of flags, what a wrong flag or verb was meant to be, completion
//
// A package imports only packages that are to the left of it:
//
//	files <- rows, inputs <- batch <- main        rows <- console <- diff <- main        usage <- main
//
// Only main and usage import the libraries for commands and flags. Data goes to standard output and nothing else does.
// Everything the command knows of documents it asks of the packages extract and resolve.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"syscall"
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/usage"
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
	exitIncomplete  = 1 // done, but some input was read or written incompletely, or there was a warning under --strict
	exitUsage       = 2 // usage error, or no input could be read
	exitUnwritten   = 3 // the output could not be written
	exitInterrupted = 130
)

// session is one run of the command: its standard streams, its messages, its output files, and what it counts.
type session struct {
	streams
	messages *console.Progress // what writes to stderr
	log      *slog.Logger
	level    slog.LevelVar
	files    *files.Set
	strict   bool // a warning makes the exit status 1, too
	unused   bool // a flag that chooses documents, or gives them URLs, has matched none
	running  atomic.Pointer[walk]
	batch.Counts
}

// streams are the standard streams, and whether the output goes to one of them.
type streams struct {
	stdin, stdout, stderr *os.File

	printing bool        // data goes to stdout
	printed  fs.FileInfo // of stdout then, if it is a plain file; else nil
}

// run is main, with an exit status.
func run(args []string) int {
	s := &session{streams: streams{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}, messages: console.NewProgress(os.Stderr), files: &files.Set{}}
	s.level.Set(slog.LevelWarn)
	s.talk(&talkingFlags{logFormat: logFormatIn(args)}) // until the flags are known, or if they are wrong
	// Without this a closed pipe kills the process before it has tidied up.
	signal.Ignore(syscall.SIGPIPE)
	s.catchInterrupt()

	root := newRoot(s)
	root.SetArgs(usage.Attach(root, args))
	help := &files.Output{W: s.stdout, Name: files.StdoutName} // and whatever else cobra prints
	root.SetOut(help)
	err := root.Execute()
	if len(help.Buf) > 0 {
		err = help.End(err)
	}
	status := s.status(err)
	s.files.Abandon()
	return status
}

// catchInterrupt ends the run on SIGINT, SIGTERM and SIGHUP. It leaves no half-written file, and prints how to resume.
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
		s.files.Stop()
		told := make(chan struct{})
		go func() {
			s.messages.Interrupt()
			if w := s.running.Load(); w != nil {
				w.interrupted()
			}
			close(told)
		}()
		select {
		case <-told:
		case <-c: // standard error may be a pipe that nobody reads
		case <-time.After(time.Second):
		}
		os.Exit(exitInterrupted)
	}()
}

// status reports an error that ended the run, and returns the exit status.
func (s *session) status(err error) int {
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE), errors.Is(err, batch.ErrFailFast):
	case errors.Is(err, errHelp):
		return exitUsage
	default:
		s.log.Error(err.Error())
		if _, unwritten := errors.AsType[*files.OutputError](err); unwritten {
			return exitUnwritten
		}
		return exitUsage
	}
	switch {
	case s.Unwritten.Load() > 0:
		return exitUnwritten
	case s.ReadNone() && err == nil:
		return exitUsage
	case s.unused, s.Failed.Load() > 0, s.Incomplete.Load() > 0, s.strict && s.Warnings.Load() > 0:
		return exitIncomplete
	}
	return exitDone
}

// errHelp says that help was shown instead of a run.
var errHelp = errors.New("help")

// talk sets what is said on standard error, and how.
func (s *session) talk(o *talkingFlags) {
	switch {
	case o.quiet:
		s.level.Set(slog.LevelError)
	case o.verbose:
		s.level.Set(slog.LevelDebug)
	}
	s.log = console.NewLog(s.messages, &s.level, o.logFormat == logJSON, console.ColorsOf(o.color, s.stderr))
}

// stdoutput returns the output that goes to standard output.
func (s *streams) stdoutput() *files.Output {
	s.printing = true
	if info, err := s.stdout.Stat(); err == nil && info.Mode().IsRegular() {
		s.printed = info
	}
	return files.NewOutput(s.stdout, files.StdoutName)
}

// printsTo is ">> FILE" for a journal, which says where standard output goes, without the folder; ""
// where the system does not tell.
func (s *streams) printsTo() string {
	name := s.stdoutPath()
	if name == "" {
		return ""
	}
	return " >> " + filepath.Base(name)
}

// stdoutPath returns the path of the file that standard output goes to, or "" if the system does not tell it.
func (s *streams) stdoutPath() string {
	name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", s.stdout.Fd()))
	if err != nil {
		return ""
	}
	return name
}

// isStdout reports whether a file is the plain one that standard output goes to; a nil one is not there.
func (s *streams) isStdout(file fs.FileInfo) bool {
	to, err := s.stdout.Stat()
	return err == nil && to.Mode().IsRegular() && os.SameFile(to, file)
}
