//go:build unix

package batch_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"absolink/cmd/absolink/internal/files"
	"absolink/internal/commandtest"
	"absolink/internal/longtest"
)

// halted starts a run in a new folder, and returns when the run waits for the rest of its last input, the pipe page.html. The
// pages done/*.html are read before it.
func halted(t *testing.T, ready func(dir string) bool, args ...string) (dir string, cmd *exec.Cmd, stderr *strings.Builder) {
	dir, stderr = t.TempDir(), &strings.Builder{}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "done"), 0o777))
	for _, name := range []string{"a.html", "b.html"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "done", name), []byte("<a href=x>"), 0o666))
	}
	name := filepath.Join(dir, "page.html")
	require.NoError(t, syscall.Mkfifo(name, 0o666))
	cmd = commandtest.Command(t, args...)
	cmd.Dir, cmd.Stderr = dir, stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	pipe, err := os.OpenFile(name, os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { pipe.Close() })
	_, err = pipe.WriteString("<a href=x>")
	require.NoError(t, err)
	unread := []unix.PollFd{{Fd: int32(pipe.Fd()), Events: unix.POLLIN}}
	require.Eventually(t, func() bool {
		n, err := unix.Poll(unread, 0)
		return err == nil && n == 0 && ready(dir)
	}, time.Minute, time.Millisecond)
	return dir, cmd, stderr
}

// temps returns the names of the temporary files in a folder.
func temps(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if files.IsTemp(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// A killed run leaves temporary files. The resumed run removes them, and no other files, because another shard may write to the same
// folder. The file of --edits has the edits of both runs.
func TestResumeKilled(t *testing.T) {
	args := []string{"rewrite", "-j", "1", "--override-base", "http://h/", "-o", "out", "--resume", "journal", "--edits", "edits", "done", "page.html"}
	begun := func(dir string) bool { return len(temps(filepath.Join(dir, "out"))) == 1 }
	dir, cmd, _ := halted(t, begun, args...)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	out := filepath.Join(dir, "out")
	left := temps(out)
	require.Len(t, left, 1, "a killed process removes nothing")

	journal, err := os.ReadFile(filepath.Join(dir, "journal"))
	require.NoError(t, err)
	id := regexp.MustCompile(`"id":"(\w+)"`).FindSubmatch(journal)
	require.NotNil(t, id, string(journal))
	for _, name := range left {
		assert.True(t, strings.HasPrefix(name, ".absolink-"+string(id[1])+"-"), name)
	}
	others := []string{".absolink-" + string(id[1]) + "0-1.tmp", ".absolink-1ab2-1.tmp", ".absolink-1ab2.tmp"}
	for _, name := range others {
		require.NoError(t, os.WriteFile(filepath.Join(out, name), nil, 0o666))
	}

	require.NoError(t, os.Remove(filepath.Join(dir, "page.html")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page.html"), []byte("<a href=x>"), 0o666))
	cmd = commandtest.Command(t, args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Empty(t, temps(dir))
	assert.ElementsMatch(t, others, temps(out))
	for _, name := range []string{"a.html", "b.html", "page.html"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		assert.Equal(t, "<a href=http://h/x>", string(text), name)
	}
	edits, err := os.ReadFile(filepath.Join(dir, "edits"))
	require.NoError(t, err)
	documents := regexp.MustCompile(`"document":"[^"]*"`).FindAllString(string(edits), -1)
	assert.Equal(t, []string{`"document":"done/a.html"`, `"document":"done/b.html"`, `"document":"page.html"`}, documents)
}

// A run that is interrupted, by Ctrl-C or another signal, prints how much was done, and a command line for the shell that resumes it.
func TestInterruptMessage(t *testing.T) {
	commandtest.Signalled(t)
	for i, row := range []struct {
		name  string
		args  []string
		ready func(dir string) bool
		want  []string // the lines
	}{
		{"a folder with a journal", []string{"rewrite", "-q", "-j", "1", "--override-base", "http://h/?a b's", "-o", "out dir/", "--resume", "my journal", "done", "page.html"},
			func(dir string) bool { return len(temps(filepath.Join(dir, "out dir"))) == 1 }, []string{
				`interrupted after \d documents?, \d+ B, \d edits?`,
				`no file is half-written: each file is the old one or the new one`,
				`to resume: .* rewrite -q -j 1 --override-base 'http://h/\?a b'\\''s' -o 'out dir/' --resume 'my journal' done page.html`,
			}},
		{"a folder without a journal", []string{"rewrite", "-j", "1", "--override-base", "http://h/", "-o", "out", "--edits", "edits", "done", "page.html"},
			func(dir string) bool { return len(temps(filepath.Join(dir, "out"))) == 1 }, []string{
				`interrupted after .*`,
				`no file is half-written: each file is the old one or the new one`,
				`this run has no journal; use --resume FILE, and the next run can be resumed`,
			}},
		{"rows with a journal", []string{"links", "-j", "1", "--override-base", "http://h/", "-o", "rows", "--resume", "journal", "done", "page.html"},
			func(dir string) bool {
				text, _ := os.ReadFile(filepath.Join(dir, "journal"))
				return strings.Count(string(text), "\n") == 3
			}, []string{
				`interrupted after 2 documents, \d+ B, \d links?`,
				`rows may end with rows of an unfinished document; the resumed run removes them`,
				`to resume: .* links -j 1 --override-base http://h/ -o rows --resume journal done page.html`,
			}},
		{"one document", []string{"rewrite", "-u", "http://h/", "-o", "new", "page.html"},
			func(dir string) bool { return len(temps(dir)) == 1 }, []string{
				`interrupted after 0 documents, \d+ B, \d edits?`,
				`no file is half-written: new was not written`,
			}},
		{"rows to a pipe", []string{"links", "-j", "1", "--override-base", "http://h/", "--problems", "problems", "page.html"},
			func(dir string) bool { return len(temps(dir)) == 1 }, []string{
				`interrupted after 0 documents, \d+ B, \d links?`,
				`no file is half-written, but standard output is not complete`,
				`this run has no journal; use --resume FILE and -o FILE, and the next run can be resumed`,
			}},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir, cmd, stderr := halted(t, row.ready, row.args...)
			require.NoError(t, cmd.Process.Signal([]os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]))
			require.Equal(t, commandtest.Interrupted, commandtest.ExitCode(cmd.Wait()))
			assert.Regexp(t, "^absolink: "+strings.Join(row.want, "\nabsolink: ")+"\n$", stderr.String())
			for _, folder := range []string{"", "out", "out dir"} {
				assert.Empty(t, temps(filepath.Join(dir, folder)))
			}
			if slices.Contains(row.args, "--edits") {
				text, err := os.ReadFile(filepath.Join(dir, "edits"))
				require.NoError(t, err)
				written, err := filepath.Glob(filepath.Join(dir, "out", "*.html"))
				require.NoError(t, err)
				assert.Len(t, written, strings.Count(string(text), "\n"), "each file has one edit")
			}

			_, line, ok := strings.Cut(stderr.String(), "to resume: ")
			if !ok {
				return
			}
			require.NoError(t, os.Remove(filepath.Join(dir, "page.html")))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "page.html"), []byte("<a href=y>"), 0o666))
			again := exec.Command("sh", "-c", line)
			again.Dir, again.Env = dir, cmd.Env
			text, err := again.CombinedOutput()
			require.NoError(t, err, string(text))
			journal, err := os.ReadFile(filepath.Join(dir, row.args[len(row.args)-3]))
			require.NoError(t, err)
			assert.Equal(t, 4, strings.Count(string(journal), "\n"), "the run and three documents")
			if row.args[0] == "links" {
				text, err := os.ReadFile(filepath.Join(dir, "rows"))
				require.NoError(t, err)
				assert.Equal(t, "http://h/x\nhttp://h/x\nhttp://h/y\n", string(text))
			}
		})
	}
}

// An interrupted run that rewrites in place ends each document whose new file it has committed, so that --edits has the edits of all
// documents once.
func TestInterruptedInPlace(t *testing.T) {
	commandtest.Signalled(t)
	const pages = 400
	dir := t.TempDir()
	for i := range pages {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%03d.html", i)), []byte("<a href=x>"), 0o666))
	}
	edits, journal := filepath.Join(t.TempDir(), "edits"), filepath.Join(t.TempDir(), "journal")
	for try := 0; ; try++ {
		require.Less(t, try, 2*pages)
		before, _ := os.ReadFile(journal)
		cmd := commandtest.Command(t, "rewrite", "-q", "-j", "2", "-i", dir, "--site", "http://h/", "--resume", journal, "--edits", edits)
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for len(ended) == 0 {
			if now, _ := os.ReadFile(journal); len(now) > len(before) && try < 20 {
				_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
				break
			}
			time.Sleep(50 * time.Microsecond)
		}
		err := <-ended
		if err == nil {
			break
		}
		require.Equal(t, commandtest.Interrupted, commandtest.ExitCode(err))
	}
	text, err := os.ReadFile(edits)
	require.NoError(t, err)
	var want []string
	for i := range pages {
		want = append(want, fmt.Sprintf(`/p%03d.html"`, i))
	}
	assert.Equal(t, want, regexp.MustCompile(`/p\d+\.html"`).FindAllString(string(text), -1))
}

// blocked starts a run in place whose file of --edits is a full pipe, so that it waits like a run on a slow disk: pages have their new
// version, and their edits are not written.
func blocked(t *testing.T) (dir string, cmd *exec.Cmd, edits *os.File) {
	const pages = 400
	dir = t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "site"), 0o777))
	for i := range pages {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "site", fmt.Sprintf("p%03d.html", i)), []byte(strings.Repeat("<a href=x>", 20)), 0o666))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "edits"), 0o666))
	edits, err := os.OpenFile(filepath.Join(dir, "edits"), os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { edits.Close() })
	cmd = commandtest.Command(t, "rewrite", "-q", "-j", "2", "-i", "site", "--site", "http://h/", "--edits", "edits")
	cmd.Dir = dir
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	full := []unix.PollFd{{Fd: int32(edits.Fd()), Events: unix.POLLOUT}}
	require.Eventually(t, func() bool {
		n, err := unix.Poll(full, 0)
		return err == nil && n == 0
	}, time.Minute, time.Millisecond)
	return dir, cmd, edits
}

// An interrupted run writes the edits of all replaced files, however long it takes.
func TestInterruptedSlow(t *testing.T) {
	commandtest.Signalled(t)
	dir, cmd, edits := blocked(t)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	time.Sleep(1500 * time.Millisecond) // once the run ended after a second
	reader, err := os.Open(edits.Name())
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, edits.Close()) // so that the pipe ends with the process
	text, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, commandtest.Interrupted, commandtest.ExitCode(cmd.Wait()))
	replaced, listed := 0, string(text)
	entries, err := os.ReadDir(filepath.Join(dir, "site"))
	require.NoError(t, err)
	for _, entry := range entries {
		page, err := os.ReadFile(filepath.Join(dir, "site", entry.Name()))
		require.NoError(t, err)
		if strings.Contains(string(page), "http://h/x") {
			replaced++
			assert.Equal(t, 20, strings.Count(listed, "/"+entry.Name()+`"`), entry.Name())
		}
	}
	assert.NotZero(t, replaced)
	assert.Equal(t, 20*replaced, strings.Count(listed, "\n"))
}

// A second signal ends a run that waits.
func TestSecondSignal(t *testing.T) {
	commandtest.Signalled(t)
	_, cmd, _ := blocked(t)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for i := 0; ; i++ { // signals that come together are one
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		select {
		case err := <-ended:
			assert.NotZero(t, i, "the first one waits")
			assert.Equal(t, commandtest.Interrupted, commandtest.ExitCode(err))
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// A second run with the journal of a run is refused, and spoils nothing.
func TestJournalLocked(t *testing.T) {
	args := []string{"links", "-f", "csv", "-j", "1", "--override-base", "http://h/", "--resume", "journal", "-o", "rows", "done", "page.html"}
	dir, cmd, _ := halted(t, func(dir string) bool {
		text, _ := os.ReadFile(filepath.Join(dir, "journal"))
		return strings.Count(string(text), "\n") == 3
	}, args...)
	before, err := os.ReadFile(filepath.Join(dir, "rows"))
	require.NoError(t, err)
	second := commandtest.Command(t, args...)
	second.Dir = dir
	said, err := second.CombinedOutput()
	assert.Equal(t, commandtest.Unwritten, commandtest.ExitCode(err))
	assert.Equal(t, "absolink: --resume journal: another run is using this journal; wait until it has ended, or give each run its own journal\n", string(said))
	after, err := os.ReadFile(filepath.Join(dir, "rows"))
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.NoError(t, os.Remove(filepath.Join(dir, "page.html")))
	third := commandtest.Command(t, args...)
	third.Dir = dir
	assert.Equal(t, commandtest.Incomplete, commandtest.ExitCode(third.Run()), "the lock ends with the process")
}

// A killed run leaves no half file in a new folder, and its journal lists only whole files. The resumed run writes all files.
// A plain test kills one run, which may have ended.
func TestKilledTree(t *testing.T) {
	const tries = 100
	pages, wanted := longtest.Or(50, 200), longtest.Or(0, 5)
	dir := t.TempDir()
	in, out, journal := filepath.Join(dir, "in"), filepath.Join(dir, "out"), filepath.Join(dir, "journal")
	require.NoError(t, os.Mkdir(in, 0o777))
	page := func(i int) string { return fmt.Sprintf("<p>%d%s", i, strings.Repeat("<a href=x>", 4000)) }
	for i := range pages {
		require.NoError(t, os.WriteFile(filepath.Join(in, fmt.Sprintf("p%d.html", i)), []byte(page(i)), 0o666))
	}
	rewrite := func() *exec.Cmd {
		return commandtest.Command(t, "rewrite", "-q", "-j", "2", in, "--site", "http://h/", "-o", out, "--resume", journal)
	}
	written := func() (n int) {
		list, _ := os.ReadFile(journal)
		for i := range pages {
			name := fmt.Sprintf("p%d.html", i)
			got, err := os.ReadFile(filepath.Join(out, name))
			if errors.Is(err, fs.ErrNotExist) {
				require.NotContains(t, string(list), "/"+name+`"`)
				continue
			}
			require.NoError(t, err)
			require.True(t, string(got) == strings.ReplaceAll(page(i), "=x", "=http://h/x"), "half of %s", name)
			n++
		}
		return n
	}
	between := 0 // kills when some files existed
	for try := 0; try == 0 || between < wanted; try++ {
		require.Less(t, try, tries, "only %d kills came between two files", between)
		cmd := rewrite()
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		after := filepath.Join(out, fmt.Sprintf("p%d.html", rand.IntN(pages)))
		for len(ended) == 0 && !files.Exists(after) {
			time.Sleep(50 * time.Microsecond)
		}
		_ = cmd.Process.Kill() // it may have ended
		<-ended
		if n := written(); 0 < n && n < pages {
			between++
		}
		require.NoError(t, rewrite().Run())
		require.Equal(t, pages, written())
		assert.Empty(t, temps(out), "the resumed run removes temporary files")
		require.NoError(t, os.RemoveAll(out))
		require.NoError(t, os.Remove(journal))
	}
}
