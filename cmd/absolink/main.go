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
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
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
	messages *console.Progress // what writes to stderr
	log      *slog.Logger
	level    slog.LevelVar
	files    *files.Set

	printing bool        // data goes to stdout
	printed  fs.FileInfo // of stdout then, if it is a plain file; else nil
	strict   bool        // a problem counts as failure
	batch.Counts
}

// run is main, with an exit status.
func run(args []string) int {
	s := &session{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, messages: console.NewProgress(os.Stderr), files: &files.Set{}}
	s.level.Set(slog.LevelWarn)
	s.talk(&options{logFormat: logFormatIn(args)}) // until the flags are known, or if they are wrong
	// Without this a closed pipe kills the process before it has tidied up.
	signal.Ignore(syscall.SIGPIPE)
	s.catchInterrupt()

	root := newRoot(s)
	root.SetArgs(args)
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
		s.files.Stop()
		s.messages.Interrupt()
		os.Exit(exitInterrupted)
	}()
}

// status says what went wrong, if anything, and gives the exit status.
func (s *session) status(err error) int {
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
	case errors.Is(err, errHelp):
		return exitUsage
	case errors.Is(err, batch.ErrFailFast):
		return exitFailed
	default:
		s.log.Error(err.Error())
		return exitUsage
	}
	switch {
	case s.ReadNone() && err == nil:
		return exitUsage
	case s.Failed.Load() > 0, s.strict && s.Wrong.Load() > 0:
		return exitFailed
	}
	return exitDone
}

// errHelp says that help was shown instead of a run.
var errHelp = errors.New("help")

// talk sets what is said on standard error, and how.
func (s *session) talk(o *options) {
	switch {
	case o.quiet:
		s.level.Set(slog.LevelError)
	case o.verbose:
		s.level.Set(slog.LevelDebug)
	}
	s.log = console.NewLog(s.messages, &s.level, o.logFormat == logJSON, console.ColorsOf(o.color, s.stderr))
}
