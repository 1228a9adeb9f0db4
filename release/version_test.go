package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	for _, row := range []struct{ text, plain, pre, python string }{
		{"v1.2.3", "1.2.3", "", "1.2.3"},
		{"v0.10.0-alpha.2", "0.10.0-alpha.2", "alpha.2", "0.10.0a2"},
		{"v0.10.0-beta.0", "0.10.0-beta.0", "beta.0", "0.10.0b0"},
		{"v0.10.0-rc.11", "0.10.0-rc.11", "rc.11", "0.10.0rc11"},
	} {
		v, err := parseVersion(row.text)
		require.NoError(t, err)
		assert.Equal(t, row.text, v.String())
		assert.Equal(t, row.plain, v.plain())
		assert.Equal(t, row.pre, v.pre("."))
		assert.Equal(t, row.python, v.python())
	}
	for _, text := range []string{"", "1.2.3", "v1.2", "v1.02.3", "v1.2.3-rc1", "v1.2.3-rc.01", "v1.2.3-next.1", "v1.2.3+meta", "v1.2.3\n"} {
		_, err := parseVersion(text)
		assert.Error(t, err, text)
	}
}

// A snapshot is older than each release for Go, Debian, Fedora and Python.
func TestSnapshot(t *testing.T) {
	v := snapshotOf("0123456789abcdef", time.Date(2026, 11, 24, 4, 36, 23, 0, time.UTC))
	assert.Equal(t, "v0.0.0-20261124043623-0123456789ab", v.String())
	assert.Equal(t, "20261124043623.0123456789ab", v.pre("."))
	assert.Equal(t, "0.0.0.dev20261124043623", v.python())
}

func TestPlatforms(t *testing.T) {
	got, err := parsePlatforms("windows/arm64,linux/amd64")
	require.NoError(t, err)
	assert.Equal(t, []platform{{"linux", "amd64"}, {"windows", "arm64"}}, got)
	_, err = parsePlatforms("linux/amd64,plan9/arm")
	assert.ErrorContains(t, err, `"plan9/arm" is not a platform`)
}

// A release needs its heading in the changelog, a clean source, and no tag on another commit.
func TestCheckRelease(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@x.invalid", "-c", "commit.gpgsign=false", "-c", "core.hooksPath="}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
		_, err := output(cmd)
		require.NoError(t, err)
	}
	check := func() error {
		t.Helper()
		s, err := readSource(t.Context(), dir)
		require.NoError(t, err)
		return s.checkRelease(t.Context(), version{core: "1.2.3"})
	}
	changelog := filepath.Join(dir, "CHANGELOG.md")
	git("init", "-q")
	require.NoError(t, os.WriteFile(changelog, []byte("# Changelog\n\n## [Unreleased]\n"), 0o666))
	git("add", "-A")
	git("commit", "-qm", "one")
	assert.ErrorContains(t, check(), `no heading "## [1.2.3]"`)

	require.NoError(t, os.WriteFile(changelog, []byte("# Changelog\n\n## [1.2.3] - 2026-01-02\n"), 0o666))
	assert.ErrorContains(t, check(), "not committed")

	git("tag", "v1.2.3")
	git("commit", "-qam", "two")
	assert.ErrorContains(t, check(), "the tag v1.2.3 is commit")

	git("tag", "-f", "v1.2.3")
	assert.NoError(t, check())

	t.Setenv("SOURCE_DATE_EPOCH", "")
	s, err := readSource(t.Context(), dir)
	require.NoError(t, err)
	date, err := s.date()
	require.NoError(t, err)
	assert.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), date)
}

// Without git, the version and the date must be given.
func TestSourceWithoutGit(t *testing.T) {
	s, err := readSource(t.Context(), t.TempDir())
	require.NoError(t, err)
	_, err = s.snapshot()
	assert.ErrorContains(t, err, "add the VERSION")
	t.Setenv("SOURCE_DATE_EPOCH", "")
	_, err = s.date()
	assert.ErrorContains(t, err, "SOURCE_DATE_EPOCH")
	t.Setenv("SOURCE_DATE_EPOCH", "1000000000")
	date, err := s.date()
	require.NoError(t, err)
	assert.Equal(t, "2001-09-09T01:46:40Z", date.Format(time.RFC3339))
}
