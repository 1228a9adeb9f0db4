// Command absolink finds the base URL of every document, by the layers of RFC 1808 section 3, and makes every link
// absolute. The packages extract and resolve do that; the command selects the documents, and writes what was found.
//
// Each verb has a file of its name, root.go lists the verbs, and flags.go their flags. docs/architecture.md lists the
// packages. Only main and usage import the libraries for commands and flags. Only data goes to standard output.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/usage"
)

func main() {
	batch.SpaceCollections()
	os.Exit(execute(os.Args[1:]))
}

const (
	exitDone        = 0
	exitIncomplete  = 1 // done, but some input was read or written incompletely, or there was a warning under --strict
	exitUsage       = 2 // usage error, or no input could be read
	exitUnwritten   = 3 // the output could not be written
	exitInterrupted = 130
)

// session is one run of the command: its standard streams, messages, output files and counts.
type session struct {
	stdin, stdout, stderr *os.File

	printing bool        // data goes to stdout
	printed  fs.FileInfo // of stdout, if data goes there and it is a regular file; else nil

	messages *console.Progress // writes to stderr
	log      *slog.Logger
	level    slog.LevelVar
	files    *files.Set
	strict   bool // a warning makes the exit status 1
	unused   bool // a flag that selects documents, or sets their URLs, matched no document
	running  atomic.Pointer[run]
	console.Counts
}

// execute runs the command and returns the exit status.
func execute(args []string) int {
	s := &session{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, messages: console.NewProgress(os.Stderr),
		files: &files.Set{}}
	s.level.Set(slog.LevelWarn)
	s.talk(&options{}) // until the flags are known, or if they are wrong
	s.catchInterrupt()

	root := newRoot(s, verbOf(args))
	if usage.Completes(args) {
		for _, verb := range root.Commands() {
			complete(verb)
		}
	}
	root.SetArgs(usage.Attach(root, args))
	help := &files.Output{W: s.stdout, Name: files.StdoutName} // and the other output of cobra
	root.SetOut(help)
	err := root.Execute()
	if len(help.Buf) > 0 {
		err = help.End(err)
	}
	status := s.status(err)
	s.files.Abandon()
	for _, line := range s.files.Left() {
		s.log.Warn(line)
	}
	return status
}

// catchInterrupt ends the run on SIGINT, SIGTERM and SIGHUP. It leaves no half-written file, and prints how to resume.
// A second signal ends the program at once.
func (s *session) catchInterrupt() {
	c := console.Interrupts()
	if c == nil {
		return
	}
	go func() {
		<-c
		go func() {
			<-c
			os.Exit(exitInterrupted)
		}()
		if w := s.running.Load(); w != nil {
			w.pause()
		}
		s.files.Stop()
		printed := make(chan struct{})
		go func() {
			s.messages.Interrupt()
			if w := s.running.Load(); w != nil {
				w.interrupted()
			}
			close(printed)
		}()
		select {
		case <-printed:
		case <-time.After(time.Second): // standard error may be a pipe that nobody reads
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

// errHelp is the error of a run that only printed help.
var errHelp = errors.New("help")

// talk makes the log of the session, by the flags.
func (s *session) talk(o *options) {
	switch {
	case o.quiet:
		s.level.Set(slog.LevelError)
	case o.verbose:
		s.level.Set(slog.LevelDebug)
	}
	s.log = console.NewLog(s.messages, &s.level, console.ColorsOf(o.color, s.stderr))
}

// stdoutput returns the output that goes to standard output.
func (s *session) stdoutput() *files.Output {
	s.printing = true
	if info, err := s.stdout.Stat(); err == nil && info.Mode().IsRegular() {
		s.printed = info
	}
	return forTerminal(files.NewOutput(s.stdout, files.StdoutName))
}

// stdoutPath returns the path of the file of standard output, or "" if the system does not report it.
func (s *session) stdoutPath() string {
	name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", s.stdout.Fd()))
	if err != nil {
		return ""
	}
	return name
}

// isStdout reports whether a file is the regular file of standard output. file is nil if it does not exist.
func (s *session) isStdout(file fs.FileInfo) bool {
	to, err := s.stdout.Stat()
	return err == nil && to.Mode().IsRegular() && os.SameFile(to, file)
}
