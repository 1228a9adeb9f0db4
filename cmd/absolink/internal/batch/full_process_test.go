//go:build unix

package batch_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
	"absolink/internal/commandtest"
)

// limited returns a command that runs in a folder, and cannot write a file longer than a number of blocks of 512 bytes: it fails as
// on a full disk, but only for that file.
func limited(t *testing.T, dir, blocks string, args ...string) *exec.Cmd {
	run := commandtest.Command(t, args...)
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -f "$0" && exec "$@"`, blocks}, run.Args...)...)
	cmd.Env, cmd.Dir = run.Env, dir
	return cmd
}

// contents returns the files of a folder and its subfolders: name, ": ", and the first bytes.
func contents(t *testing.T, dir string) (all []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all = append(all, fmt.Sprintf("%s: %.10s", name, text))
		return err
	}))
	return all
}

// A run that cannot write its output fails. All old files stay unchanged, and no part of a new file is left.
func TestOutputFull(t *testing.T) {
	const page = "a/1.html: <a href=x>"
	for _, row := range []struct {
		name string
		args []string
		want []string // the files that are there afterwards
		says string
	}{
		{"links", []string{"links", "a", "--site", "http://h/", "-o", "old", "--force"}, []string{page, "old: old"}, "old: write: file too large"},
		{"a new file", []string{"links", "a", "--site", "http://h/", "-o", "new"}, []string{page, "old: old"}, "new: write: file too large"},
		{"Parquet", []string{"links", "a", "--site", "http://h/", "-f", "parquet", "-o", "old", "--force"}, []string{page, "old: old"}, "old: write: file too large"},
		{"rewrite", []string{"rewrite", "a/1.html", "-u", "http://h/", "-o", "old", "--force"}, []string{page, "old: old"}, "old: write: file too large"},
		{"in place", []string{"rewrite", "-i", "a", "--site", "http://h/"}, []string{page, "old: old"}, "a/1.html: write: file too large"},
		{"in place, with a backup", []string{"rewrite", "-i=.orig", "a", "--site", "http://h/"}, []string{page, "old: old"}, "a/1.html: write: file too large"},
		{"a tree", []string{"rewrite", "a", "--site", "http://h/", "-o", "tree"}, []string{page, "old: old"}, "a/1.html: write: file too large"},
		{"--edits", []string{"rewrite", "a/1.html", "-u", "http://h/", "-n", "--edits", "old", "--force"}, []string{page, "old: old"}, "old: write: file too large"},
		{"--problems", []string{"links", "a", "-q", "--problems", "old", "--force"}, []string{page, "old: old"}, "old: write: file too large"},
	} {
		for _, jobs := range []string{"1", "2"} {
			what, dir := row.name+" -j "+jobs, t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "a"), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "1.html"), []byte(strings.Repeat("<a href=x>", 20_000)), 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "old"), []byte("old"), 0o666))
			cmd := limited(t, dir, "1", append(row.args, "-j", jobs)...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			assert.Equal(t, commandtest.Unwritten, commandtest.ExitCode(cmd.Run()), what)
			assert.Contains(t, stderr.String(), "absolink: "+row.says+"\n", what)
			assert.Equal(t, row.want, contents(t, dir), what)
		}
	}
}

// If the output or the journal of --resume cannot be written, the journal lists no document whose rows are not in the output.
// With more space the next run continues, and the output is that of a run without errors.
func TestResumeFull(t *testing.T) {
	for _, row := range []struct {
		name   string
		long   int      // bytes of a document's name, which are those of its line in the journal
		links  int      // of a document
		blocks []string // of each run but the last
		says   string
	}{
		{"the output", 1, 40, []string{"6", "12", "20"}, "absolink: out: write: file too large\n"},
		{"the journal", 150, 3, []string{"3", "6", "12"}, "absolink: --resume journal: write: file too large\n"},
		{"nothing can be written", 1, 3, []string{"0"}, "absolink: --resume journal: write: file too large\n"},
	} {
		for _, jobs := range []string{"1", "2"} {
			what, dir := row.name+" -j "+jobs, t.TempDir()
			in := func(name string) string { return filepath.Join(dir, name) }
			require.NoError(t, os.Mkdir(in("a"), 0o777))
			rows, want := map[string]string{}, "" // rows by document
			for i := range 40 {
				name := fmt.Sprintf("a/%02d%s.html", i, strings.Repeat("n", row.long))
				require.NoError(t, os.WriteFile(in(name), []byte(strings.Repeat("<a href=x>", row.links+i%3)), 0o666))
				rows[name] = strings.Repeat("http://h/x\n", row.links+i%3)
				want += rows[name]
			}
			args := []string{"links", "a", "--site", "http://h/", "--resume", "journal", "-o", "out", "-j", jobs}
			before := 0
			for _, blocks := range row.blocks {
				said, err := limited(t, dir, blocks, args...).CombinedOutput()
				require.Equal(t, commandtest.Unwritten, commandtest.ExitCode(err), "%s: %s", what, said)
				assert.Contains(t, string(said), row.says, what)
				if blocks == "0" {
					assert.False(t, files.Exists(in("journal")) || files.Exists(in("out")), what)
					continue
				}
				out, err := os.ReadFile(in("out"))
				require.NoError(t, err)
				journal, err := os.ReadFile(in("journal"))
				require.NoError(t, err)
				done := strings.SplitAfter(string(journal), "\n")
				done = done[1 : len(done)-1] // without the line of the run, and without half a line or nothing
				listed := ""
				for _, line := range done {
					var l journalled
					require.True(t, l.read(line), line)
					listed += rows[l.Document]
					require.Equal(t, len(listed), int(l.Outputs[0]), line)
				}
				assert.True(t, strings.HasPrefix(string(out), listed), "%s: a document is listed and its rows are not there", what)
				require.Greater(t, len(done), before, "%s: no document more", what)
				before = len(done)
			}
			require.NoError(t, limited(t, dir, "unlimited", args...).Run(), what)
			out, err := os.ReadFile(in("out"))
			require.NoError(t, err)
			assert.True(t, want == string(out), what)
		}
	}
}
