//go:build unix

package batch_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/internal/commandtest"
	"absolink/internal/longtest"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

// Documents with more problems than a worker keeps have all their rows, in the order of the documents, with any number
// of workers and any kind of output.
func TestProblemsInOrder(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Mkdir(in("in"), 0o777))
	for i := range 4 {
		bases := strings.Repeat("<a xml:base='b/'/>", 9_000*(i%2))
		page := strings.Repeat("<base href=b/>", 5) + "<svg>" + bases + "</svg><a href=x>"
		require.NoError(t, os.WriteFile(in(fmt.Sprintf("in/%d.html", i)), []byte(page), 0o666))
	}
	run := func(args ...string) []string {
		args = append(args, "-q", "--site", "http://h/", "--problems", in("p.jsonl"), in("in"))
		got, err := commandtest.Command(t, args...).CombinedOutput()
		require.NoError(t, err, "%s: %s", args, got)
		text, err := os.ReadFile(in("p.jsonl"))
		require.NoError(t, err)
		require.NoError(t, os.Remove(in("p.jsonl")))
		return strings.SplitAfter(string(text), "\n")
	}
	want := run("links", "-j", "1", "-o", in("1.txt"))
	require.Greater(t, len(want), 18_000)
	for _, args := range [][]string{{"links", "-o", in("3.txt")}, {"rewrite", "-o", in("out")}, {"rewrite", "-i"}} {
		require.True(t, slices.Equal(want, run(append(args, "-j", "3")...)), args)
	}
}

// batchTree makes a folder with pages, an mbox, a compressed mbox, a web archive, files that are not documents, and truncated
// files.
func batchTree(t *testing.T) string {
	dir := t.TempDir()
	put := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	pack := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return b.String()
	}
	var mbox, archive strings.Builder
	for i := range 60 {
		page := fmt.Sprintf("<base href=/b%d/><a href=x>%s<img src=y.png><a href='http://[bad'>", i, strings.Repeat("<a href=../z?n=1&amp;m=2>", i*7))
		put(fmt.Sprintf("d%d/p%d.html", i%7, i), page)
		fmt.Fprintf(&mbox, "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\n\n%s\n\n", page)
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
		archive.WriteString(pack(fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w%d/\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)))
	}
	put("in.mbox", mbox.String())
	put("in2.mbox.gz", pack(mbox.String()))
	put("torn.mbox.gz", pack(mbox.String())[:500])
	put("c.warc.gz", archive.String())
	put("data.bin", "\x00\x01")
	return dir
}

func lines(t *testing.T, args ...string) []string {
	out, err := commandtest.Command(t, args...).Output()
	require.LessOrEqual(t, commandtest.ExitCode(err), commandtest.Incomplete) // one of the inputs is truncated
	return strings.SplitAfter(strings.TrimSuffix(string(out), "\n"), "\n")
}

func sorted(lines ...[]string) string {
	var all []string
	for _, l := range lines {
		for _, line := range l {
			all = append(all, strings.TrimSuffix(line, "\n"))
		}
	}
	sort.Strings(all)
	return strings.Join(all, "\n")
}

// A run has the same rows on one worker and on eight, in four shards, and interrupted and resumed.
func TestBatch(t *testing.T) {
	commandtest.Signalled(t)
	dir := batchTree(t)
	for _, verb := range []string{"links", "base"} {
		args := []string{verb, dir, "-q", "-f", "jsonl", "--site", "http://h/"}
		with := func(more ...string) []string { return append(args[:len(args):len(args)], more...) }
		want := lines(t, with("-j", "1")...)
		require.Greater(t, len(want), 200)
		assert.Equal(t, want, lines(t, with("-j", "8")...))
		var shards [][]string
		for i := 1; i <= 4; i++ {
			shards = append(shards, lines(t, with("-j", "2", "--shard", fmt.Sprintf("%d/4", i))...))
		}
		assert.Equal(t, sorted(want), sorted(shards...))

		for _, jobs := range []string{"1", "4"} {
			journal, out := filepath.Join(t.TempDir(), "journal"), filepath.Join(t.TempDir(), "out.jsonl")
			interruptAndResume(t, journal, out, with("-j", jobs)...)
			got, err := os.ReadFile(out)
			require.NoError(t, err)
			if jobs == "1" {
				assert.Equal(t, strings.Join(want, "")+"\n", string(got))
			} else {
				assert.Equal(t, sorted(want), sorted(strings.SplitAfter(strings.TrimSuffix(string(got), "\n"), "\n")))
			}
		}
	}
}

// The output up to the length in the journal has the rows of the documents in the journal and no other rows. Otherwise
// rows of a killed run would be there twice.
func TestResumeRows(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		var mbox strings.Builder
		for j := range 2*64 + 1 {
			fmt.Fprintf(&mbox, "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\n\n%s\n\n", strings.Repeat("<a href=http://h/>", j))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.mbox", i)), []byte(mbox.String()), 0o666))
	}
	work := t.TempDir()
	journal, out := filepath.Join(work, "journal"), filepath.Join(work, "out")
	require.NoError(t, commandtest.Command(t, "links", dir, "--fields", "document", "-j", "4", "--resume", journal, "-o", out).Run())
	rows, err := os.ReadFile(out)
	require.NoError(t, err)
	done, err := os.ReadFile(journal)
	require.NoError(t, err)
	listed := map[string]bool{}
	_, lines, _ := strings.Cut(string(done), "\n") // after the line of the run
	for line := range strings.Lines(lines) {
		var l journalled
		require.True(t, l.read(line), line)
		listed[l.Document] = true
		for row := range strings.Lines(string(rows[:l.Outputs[0]])) {
			require.True(t, listed[strings.TrimSuffix(row, "\n")], "%s is in the output when only %d are done", row, len(listed))
		}
	}
	assert.Len(t, listed, 30)
}

// interruptAndResume runs a command with a journal, interrupts it three times, each time after the journal has grown, and resumes
// it. If the command ends before its signal, it starts again with a new journal. A plain test interrupts it at most once, and the
// command may end before.
func interruptAndResume(t *testing.T, journal, out string, args ...string) {
	const tries = 200
	wanted := longtest.Or(1, 3)
	interrupted := 0
	for range tries {
		cmd := commandtest.Command(t, append(args[:len(args):len(args)], "--resume", journal, "-o", out)...)
		grown := fileSize(journal) + 200 + rand.Int64N(800)
		require.NoError(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for interrupted < wanted && len(ended) == 0 && fileSize(journal) < grown {
			time.Sleep(50 * time.Microsecond)
		}
		if interrupted < wanted {
			_ = cmd.Process.Signal([]os.Signal{os.Interrupt, syscall.SIGKILL}[interrupted%2]) // it may have ended
		}
		switch err := <-ended; {
		case !killed(err) && (interrupted == wanted || !longtest.On()):
			return
		case !killed(err):
			require.NoError(t, os.Remove(journal))
			require.NoError(t, os.Remove(out))
			interrupted = 0
		default:
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			require.True(t, status.ExitStatus() == commandtest.Interrupted || status.Signal() == syscall.SIGKILL, "%v: %v", args, err)
			interrupted++
			tear(t, journal)
		}
	}
	require.Fail(t, "too few interruptions", "%v: %d of %d in a row, after %d runs", args, interrupted, wanted, tries)
}

// killed reports whether a process ended before its work was done.
func killed(err error) bool {
	code := commandtest.ExitCode(err)
	return code < 0 || code > commandtest.Incomplete
}

// fileSize returns the size of a file, or 0 if it does not exist.
func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// journalled is a line of a journal about a document.
type journalled struct {
	Document string
	Outputs  []int64
}

func (l *journalled) read(line string) bool {
	return json.Unmarshal([]byte(line), l) == nil && l.Document != ""
}

// tear appends an incomplete line to a journal.
func tear(t *testing.T, journal string) {
	file, err := os.OpenFile(journal, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	require.NoError(t, err)
	_, err = file.WriteString(`{"document":"to`)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// Rewriting writes the same files one by one, on one worker and on eight. Rewriting the archive alone, whose records
// are divided among workers, writes the same archive.
func TestBatchRewrite(t *testing.T) {
	dir := batchTree(t)
	require.NoError(t, os.Remove(filepath.Join(dir, "torn.mbox.gz"))) // nothing is written of it
	out := t.TempDir()
	for _, how := range []string{"--fail-fast", "-j1", "-j8"} {
		require.NoError(t, commandtest.Command(t, "rewrite", "-q", dir, "--site", "http://h/", "-o", filepath.Join(out, how), how).Run())
		diff, err := exec.Command("diff", "-r", filepath.Join(out, "--fail-fast"), filepath.Join(out, how)).CombinedOutput()
		require.NoError(t, err, string(diff))
	}
	for _, name := range []string{"in.mbox", "c.warc.gz", "in2.mbox.gz"} {
		name := filepath.Join(dir, name)
		edits := filepath.Join(t.TempDir(), "edits")
		alone, err := commandtest.Command(t, "rewrite", "-q", name, "--override-base", "http://h/", "-j", "1", "--edits", edits+"1").Output()
		require.NoError(t, err)
		beside, err := commandtest.Command(t, "rewrite", "-q", name, "--override-base", "http://h/", "-j", "8", "--edits", edits+"8").Output()
		require.NoError(t, err)
		assert.True(t, bytes.Equal(alone, beside), name)
		a, err := os.ReadFile(edits + "1")
		require.NoError(t, err)
		b, err := os.ReadFile(edits + "8")
		require.NoError(t, err)
		assert.NotEmpty(t, a)
		assert.Equal(t, string(a), string(b), name)
	}
}
