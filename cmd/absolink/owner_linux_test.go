package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file that is rewritten in place keeps its owner, or else its group. A warning reports that the user may not set them.
func TestInPlaceOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to other users, and run a command as another user")
	}
	const user, owner, group, other = 65534, 12345, 12346, 12347
	for _, row := range []struct {
		what     string
		uid, gid int
		asRoot   bool
		want     []uint32 // the owner and group of the new file
		lost     string
	}{
		{"root keeps them", owner, other, true, []uint32{owner, other}, ""},
		{"the owner keeps a group of theirs", user, group, false, []uint32{user, group}, ""},
		{"another user of the group keeps the group", owner, group, false, []uint32{user, group}, "owner or group"},
		{"another user keeps neither", owner, other, false, []uint32{user, user}, "owner or group"},
	} {
		t.Run(row.what, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "absolink") // t.TempDir is in a folder that only root may open
			require.NoError(t, err)
			defer os.RemoveAll(dir)
			require.NoError(t, os.Chmod(dir, 0o777))
			page := filepath.Join(dir, "page.html")
			require.NoError(t, os.WriteFile(page, []byte("<a href=x>"), 0o644))
			require.NoError(t, os.Chmod(page, 0o644)) // with any umask
			require.NoError(t, os.Chown(page, row.uid, row.gid))
			cmd := command(t, "rewrite", "-i", page, "--url", "http://h/", "--problems", "problems", "--strict")
			cmd.Dir = dir
			if !row.asRoot {
				program, err := os.ReadFile(cmd.Path) // only root may open its folder as well
				require.NoError(t, err)
				cmd.Path = filepath.Join(dir, "absolink")
				require.NoError(t, os.WriteFile(cmd.Path, program, 0o700))
				require.NoError(t, os.Chmod(cmd.Path, 0o755))
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user, Groups: []uint32{group}}}
			}
			said, err := cmd.CombinedOutput()
			want, status := "", 0
			if row.lost != "" { // a warning, which counts under --strict
				want, status = "absolink: "+page+": attributes-lost: these attributes of the old file could not be kept: "+row.lost+"\n", 1
			}
			assert.Equal(t, status, exitCode(err))
			assert.ElementsMatch(t, strings.SplitAfter(want+"absolink: 1 of 1 file changed: 1 link is absolute\n", "\n"), strings.SplitAfter(string(said), "\n"))
			info, err := os.Stat(page)
			require.NoError(t, err)
			stat := info.Sys().(*syscall.Stat_t)
			assert.Equal(t, row.want, []uint32{stat.Uid, stat.Gid})
			problems, err := os.ReadFile(filepath.Join(dir, "problems"))
			require.NoError(t, err)
			if row.lost == "" {
				assert.Empty(t, string(problems))
				return
			}
			assert.Contains(t, string(problems), `"severity":"warning","code":"attributes-lost","detail":"these attributes of the old file could not be kept: `+row.lost+`"`)
		})
	}
}

// A missing permission for an output has one status, whether the folder may not be opened or not be written.
func TestOutputDenied(t *testing.T) {
	dir, err := os.MkdirTemp("", "absolink")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	for _, name := range []string{"a.html", "b.html"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("<a href=x>"), 0o644))
		require.NoError(t, os.Chmod(filepath.Join(dir, name), 0o644)) // with any umask
	}
	require.NoError(t, os.Chmod(dir, 0o755))
	program, err := os.ReadFile(os.Args[0]) // only root may open its folder
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "absolink"), program, 0o755))
	require.NoError(t, os.Chmod(filepath.Join(dir, "absolink"), 0o755))
	for folder, mode := range map[string]os.FileMode{"closed": 0, "fixed": 0o555} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o755))
		require.NoError(t, os.Chmod(filepath.Join(dir, folder), mode))
		defer os.Chmod(filepath.Join(dir, folder), 0o755)
		for _, args := range []string{
			"rewrite a.html -u http://h/ -o FOLDER/new", "rewrite a.html b.html -o FOLDER/new", "rewrite a.html -o FOLDER/ --force",
			"links a.html -o FOLDER/new", "links a.html -o FOLDER/new --resume FOLDER/j",
			"links a.html --problems FOLDER/new", "links a.html --stats FOLDER/new", "rewrite a.html --edits FOLDER/new", "man -o FOLDER/new",
		} {
			cmd := command(t, strings.Fields(strings.ReplaceAll(args, "FOLDER", folder))...)
			cmd.Dir, cmd.Path = dir, filepath.Join(dir, "absolink")
			if os.Geteuid() == 0 { // root may do everything
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			}
			said, err := cmd.CombinedOutput()
			assert.Equal(t, exitUnwritten, exitCode(err), "%s %s: %s", args, folder, said)
		}
	}
}
