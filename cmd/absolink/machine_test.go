//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// batchTree is a folder with pages, an mbox, a packed one, a web archive, and files that are
// no documents or cannot be read to their end.
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
	out, err := command(t, args...).Output()
	require.NoError(t, err)
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

// One job, however it is divided, gives the same lines: on one worker or on eight, in order
// or not, in four shards, and interrupted and resumed.
func TestBatch(t *testing.T) {
	dir := batchTree(t)
	for _, verb := range []string{"links", "base"} {
		args := []string{verb, dir, "-q", "-f", "jsonl", "--site", "http://h/"}
		with := func(more ...string) []string { return append(args[:len(args):len(args)], more...) }
		want := lines(t, with("-j", "1")...)
		require.Greater(t, len(want), 200)
		assert.Equal(t, want, lines(t, with("-j", "8")...))
		assert.Equal(t, sorted(want), sorted(lines(t, with("-j", "8", "--unordered")...)))
		var shards [][]string
		for i := 1; i <= 4; i++ {
			shards = append(shards, lines(t, with("-j", "2", "--shard", fmt.Sprintf("%d/4", i))...))
		}
		assert.Equal(t, sorted(want), sorted(shards...))

		for _, jobs := range []string{"1", "4"} {
			journal, out := filepath.Join(t.TempDir(), "journal"), filepath.Join(t.TempDir(), "out.jsonl")
			interrupted := 0
			for tries := 0; ; tries++ {
				cmd := command(t, with("-j", jobs, "--resume", journal, "-o", out)...)
				require.NoError(t, cmd.Start())
				if tries < 5 {
					time.Sleep(time.Duration(rand.IntN(12)) * time.Millisecond)
					_ = cmd.Process.Signal([]os.Signal{os.Interrupt, syscall.SIGKILL}[tries%2]) // it may have ended
				}
				if cmd.Wait() == nil {
					break
				}
				interrupted++
				tear(t, journal)
			}
			t.Logf("interrupted %d times", interrupted)
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

// tear leaves half a line at the end of a journal.
func tear(t *testing.T, journal string) {
	file, err := os.OpenFile(journal, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	require.NoError(t, err)
	_, err = file.WriteString(`{"document":"to`)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// Rewriting gives the same files on one worker and on eight; and so does the archive alone,
// whose records are worked on side by side.
func TestBatchRewrite(t *testing.T) {
	dir := batchTree(t)
	require.NoError(t, os.Remove(filepath.Join(dir, "torn.mbox.gz"))) // nothing is written of it
	one, eight := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "eight")
	require.NoError(t, command(t, "rewrite", "-q", dir, "--site", "http://h/", "-o", one, "-j", "1").Run())
	require.NoError(t, command(t, "rewrite", "-q", dir, "--site", "http://h/", "-o", eight, "-j", "8").Run())
	diff, err := exec.Command("diff", "-r", one, eight).CombinedOutput()
	require.NoError(t, err, string(diff))
	for _, name := range []string{"in.mbox", "c.warc.gz", "in2.mbox.gz"} {
		name := filepath.Join(dir, name)
		edits := filepath.Join(t.TempDir(), "edits")
		alone, err := command(t, "rewrite", "-q", name, "-u", "http://h/", "-j", "1", "--edits", edits+"1").Output()
		require.NoError(t, err)
		beside, err := command(t, "rewrite", "-q", name, "-u", "http://h/", "-j", "8", "--edits", edits+"8").Output()
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
