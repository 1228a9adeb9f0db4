//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/longtest"
)

func command(t *testing.T, args ...string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// The number of open files is limited, even if many small documents are queued.
func TestOpenFiles(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	pages := longtest.Or(500, 3000)
	for i := range pages {
		require.NoError(t, os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+".html"), []byte("<a href=x>"), 0o666))
	}
	limited := func(files, jobs string, args ...string) string {
		run := command(t, append(args, "-q", "-j", jobs, "--site", "http://h/", ".")...)
		cmd := exec.Command("sh", append([]string{"-c", `ulimit -n "$0" && exec "$@"`, files}, run.Args...)...)
		cmd.Env, cmd.Dir = run.Env, dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out[:min(len(out), 500)]))
		return string(out)
	}
	assert.Equal(t, strings.Repeat("http://h/x\n", pages), limited("200", "4", "links"))
	for jobs, files := range longtest.Or(map[string]string{"4": "350"}, map[string]string{"4": "350", "64": "1500"}) {
		out := filepath.Join(out, jobs)
		assert.Empty(t, limited(files, jobs, "rewrite", "-o", out))
		names, err := os.ReadDir(out)
		require.NoError(t, err)
		assert.Len(t, names, pages)
	}
}

// A run whose output cannot be written opens no more documents.
func TestOutputEnds(t *testing.T) {
	dir := t.TempDir()
	mbox, pipe := filepath.Join(dir, "a.mbox"), filepath.Join(dir, "pipe")
	message := "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\n\n" + strings.Repeat("<a href=http://h/>", 500) + "\n\n"
	require.NoError(t, os.WriteFile(mbox, []byte(strings.Repeat(message, (16<<20)/len(message))), 0o666))
	require.NoError(t, syscall.Mkfifo(pipe, 0o666)) // nobody writes to it, so opening it would wait for ever
	cmd := command(t, "links", "-j", "2", mbox, pipe)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, out.Close())
	defer time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
	require.NoError(t, cmd.Wait())
}
