//go:build unix

package main

import (
	"archive/zip"
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
	"absolink/internal/longtest"
)

func command(t *testing.T, args ...string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// resolve prints one line for each reference, whatever its bytes are.
func TestResolveNewline(t *testing.T) {
	out, err := command(t, "resolve", "-b", "http://a/", "x\ny", "z").Output()
	require.NoError(t, err)
	assert.Equal(t, "http://a/x\\ny\nhttp://a/z\n", string(out))
}

// TestOpenFiles proves that the number of open files is limited, also if many small documents are queued.
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

// A pipe is read once, whatever name it has, on any number of workers.
func TestNamedPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(name, 0o666))
	page := "<a href=a>" + strings.Repeat(" ", 2048) + "<a href=b>"
	for _, jobs := range []string{"1", "2"} {
		go func() { _ = os.WriteFile(name, []byte(page), 0) }()
		out, err := command(t, "links", name, "-u", "http://h/", "-t", "text/html", "-j", jobs).Output()
		require.NoError(t, err)
		assert.Equal(t, "http://h/a\nhttp://h/b\n", string(out), jobs)
	}
}

// A pipe that nobody writes to is not opened where only a file makes sense: opening it would last.
func TestPipeNotOpened(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "old"), 0o777))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "new"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "old/p.html"), []byte("<a href=http://h/>"), 0o666))
	for _, name := range []string{"pipe", "old/._p.html", "new/p.html"} {
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, name), 0o666))
	}
	for _, row := range []struct{ args, want string }{
		{"rewrite -i pipe", "absolink: pipe: not rewritten: -i rewrites only regular files; name the file itself\n"},
		{"rewrite -i -n pipe old/p.html", "absolink: pipe: not rewritten: -i rewrites only regular files; name the file itself\n"},
		{"links old/p.html --resume pipe", "absolink: --resume pipe: the journal must be a regular file; choose another file name\n"},
		{"links old", ""}, // beside a file of macOS with attributes
		{"verify old new", "absolink: old/p.html: this is not a regular file\n"},
	} {
		cmd := command(t, strings.Fields(row.args)...)
		cmd.Dir = dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Start())
		stop := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // the messages show the errors
		require.True(t, stop.Stop(), row.args)
		assert.Equal(t, row.want, stderr.String(), row.args)
	}
}

// A run whose output cannot be written opens no more documents.
func TestOutputEnds(t *testing.T) {
	dir := t.TempDir()
	mbox, pipe := filepath.Join(dir, "a.mbox"), filepath.Join(dir, "pipe")
	message := "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\n\n" + strings.Repeat("<a href=http://h/>", 500) + "\n\n"
	require.NoError(t, os.WriteFile(mbox, []byte(strings.Repeat(message, (16<<20)/len(message))), 0o666))
	require.NoError(t, syscall.Mkfifo(pipe, 0o666)) // nobody writes to it, so that opening it would last
	cmd := command(t, "links", "-j", "2", mbox, pipe)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, out.Close())
	defer time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
	require.NoError(t, cmd.Wait())
}

// A closed pipe on standard output, as by head, is no error, and there is no message.
func TestClosedPipe(t *testing.T) {
	page := filepath.Join(t.TempDir(), "p.html")
	require.NoError(t, os.WriteFile(page, []byte(strings.Repeat("<a href=x>", 200_000)), 0o666))
	for _, args := range [][]string{
		{"links", "-u", "http://h/", page},
		{"links", "-u", "http://h/", "-f", "parquet", page},
		{"rewrite", "-u", "http://h/", page},
		{"rewrite", "-u", "http://h/", "--diff", page},
		{"resolve", "-b", "http://h/"},
	} {
		cmd := command(t, args...)
		if args[0] == "resolve" {
			cmd.Stdin = strings.NewReader(strings.Repeat("x\n", 500_000))
		}
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = bufio.NewReader(out).ReadString('>')
		if args[0] == "rewrite" {
			require.NoError(t, err)
		}
		require.NoError(t, out.Close())
		err = cmd.Wait()
		if _, failed := errors.AsType[*exec.ExitError](err); failed {
			assert.Fail(t, "a closed pipe", "%v: %v", args, err)
		}
		assert.Empty(t, stderr.String(), args)
	}
}

// A closed pipe of --problems, as by --problems >(head), does not change the output.
func TestClosedPipeBeside(t *testing.T) {
	dir := t.TempDir()
	page, pipe := filepath.Join(dir, "p.html"), filepath.Join(dir, "pipe")
	require.NoError(t, os.WriteFile(page, []byte(strings.Repeat("<a href=x>", 2000)+"<a href=http://h/>"), 0o666))
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	for _, args := range [][]string{
		{"links", page, "--problems", pipe},
		{"rewrite", page, "--problems", pipe},
		{"rewrite", page, "-u", "http://h/", "--edits", pipe},
	} {
		go func() {
			if reader, err := os.Open(pipe); err == nil {
				reader.Close()
			}
		}()
		out := filepath.Join(t.TempDir(), "out")
		require.NoError(t, command(t, append(args, "-q", "-o", out)...).Run(), args)
		text, err := os.ReadFile(out)
		require.NoError(t, err, args)
		assert.Contains(t, string(text), "http://h/", args)
	}
}

// A run that is interrupted while it waits for input leaves the old files unchanged.
func TestInterrupt(t *testing.T) {
	commandtest.Signalled(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		dir := t.TempDir()
		old := filepath.Join(dir, "out.html")
		require.NoError(t, os.WriteFile(old, []byte("old"), 0o666))
		cmd := command(t, "rewrite", "-u", "http://h/", "-o", old, "--force",
			"--edits", filepath.Join(dir, "edits"), "--problems", filepath.Join(dir, "problems"), "--progress", "always")
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = io.WriteString(in, "<a href=x>")
		require.NoError(t, err)
		require.Eventually(t, func() bool { // its files are begun
			names, _ := os.ReadDir(dir)
			return len(names) == 4
		}, time.Minute, time.Millisecond)
		require.NoError(t, cmd.Process.Signal(sig))
		assert.Equal(t, exitInterrupted, exitCode(cmd.Wait()), sig)
		names, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, names, 1, "only the old file is there")
		text, err := os.ReadFile(old)
		require.NoError(t, err)
		assert.Equal(t, "old", string(text))
	}
}

// File names are bytes. Text has these bytes, and JSON has U+FFFD for bytes that are not UTF-8.
func TestNameNotUTF8(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "caf\xE9.html")
	if err := os.WriteFile(name, []byte("<a href=x>"), 0o666); err != nil {
		t.Skip("the file system takes only UTF-8:", err)
	}
	cmd := command(t, "links", dir, "--site", "http://h/", "--fields", "document,url")
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.Equal(t, name+"\thttp://h/x\n", string(out))

	cmd = command(t, "base", dir, "--site", "http://h/", "-f", "jsonl", "--fields", "document,base")
	out, err = cmd.Output()
	require.NoError(t, err)
	assert.Equal(t, `{"document":"`+dir+`/caf\ufffd.html","base":"http://h/caf%E9.html"}`+"\n", string(out))

	cmd = command(t, "links", name)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Run())
	assert.Contains(t, stderr.String(), `caf\xe9.html: no-base`)
}

// A file without read permission is an error of that file. The test is skipped for root, who can read every file.
func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read every file; testdata/script/badinput.txtar has a missing one")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.html"), []byte("<a href=http://h/>"), 0))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.html"), []byte("<a href=http://h/>"), 0o666))
	cmd := command(t, "links", dir)
	out, err := cmd.Output()
	assert.Equal(t, exitIncomplete, exitCode(err))
	assert.Equal(t, "http://h/\n", string(out))
}

// With --site and --mirror, an archive on the command line is the root of the tree, and an archive in a folder is a subfolder.
func TestArchiveSite(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "t.zip"))
	require.NoError(t, err)
	z := zip.NewWriter(file)
	for name, page := range map[string]string{"h.example/index.html": "<a href=a>", "h.example/q/p.html": "<a href=b>"} {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(page))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, file.Close())
	for _, row := range []struct{ path, flag, want string }{
		{file.Name(), "--site=http://s/", "http://s/h.example/a http://s/h.example/q/b"},
		{file.Name(), "--mirror", "http://h.example/a http://h.example/q/b"},
		{dir, "--site=http://s/", "http://s/t.zip/h.example/a http://s/t.zip/h.example/q/b"},
	} {
		cmd := command(t, "links", row.path, row.flag)
		cmd.Dir = dir
		out, err := cmd.Output()
		require.NoError(t, err)
		got := strings.Fields(string(out))
		sort.Strings(got)
		assert.Equal(t, row.want, strings.Join(got, " "), row.flag)
	}
}
