// Package commandtest is for tests that start programs: it builds the command for those outside package main, asks
// whether other programs start, and skips a test where the command go cannot work.
package commandtest

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The exit statuses of the command.
const (
	Incomplete  = 1
	Unwritten   = 3
	Interrupted = 130
)

// folder holds the program until Main removes it.
var folder string

// program builds the command, with the race detector if the tests have it, and returns its path.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "absolink")
	args := []string{"build", "-buildvcs=false", "-o", path}
	if info, ok := debug.ReadBuildInfo(); ok &&
		slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	args = append(args, "absolink/cmd/absolink")
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil { // go may have no cache that it can write, for example where HOME belongs to another user
		build := exec.Command("go", args...)
		build.Env = append(os.Environ(), "GOCACHE="+filepath.Join(folder, "cache"))
		out, err = build.CombinedOutput()
	}
	if err != nil {
		err = errors.New(string(out))
	}
	return path, err
})

// Main is the TestMain of a package that calls Command.
func Main(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "absolink"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(folder) // the folder may stay: it is temporary
	os.Exit(status)
}

// Command returns the command with arguments.
func Command(t *testing.T, args ...string) *exec.Cmd {
	path, err := program()
	if err != nil {
		needModules(t)
	}
	require.NoError(t, err)
	cmd := exec.Command(path, args...)
	cmd.Env = os.Environ()
	return cmd
}

// Starts reports whether a program starts. That its file is there is not enough: Debian's epubcheck is a jar, and not
// every kernel starts one.
func Starts(program string) bool {
	err := exec.Command(program, "--help").Run()
	const notStarted = 126 // and 127 are the statuses of a shell that does not find what it runs, or cannot run it
	return err == nil || 0 < ExitCode(err) && ExitCode(err) < notStarted
}

func ExitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

// Signalled makes signals end the processes that a test starts, even under nohup or "&", where they would otherwise
// inherit that signals are ignored.
func Signalled(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGINT, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(c) })
}
