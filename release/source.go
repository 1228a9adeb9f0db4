package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A source is the state of the repository. Without git it is only a folder.
type source struct {
	folder   string
	revision string
	commit   time.Time
}

func readSource(ctx context.Context, folder string) (source, error) {
	s := source{folder: folder}
	if _, err := os.Stat(filepath.Join(folder, ".git")); err != nil {
		return s, nil // a source archive
	}
	line, err := s.git(ctx, "log", "-1", "--format=%H %ct")
	if err != nil {
		return s, err
	}
	revision, date, _ := strings.Cut(line, " ")
	seconds, err := strconv.ParseInt(date, 10, 64)
	if err != nil {
		return s, fmt.Errorf("git log: %w", err)
	}
	s.revision, s.commit = revision, time.Unix(seconds, 0).UTC()
	return s, nil
}

// git returns the output of a git command without the last line feed.
func (s source) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", s.folder}, args...)...)
	out, err := output(cmd)
	return strings.TrimRight(string(out), "\n"), err
}

// output returns the standard output of a command. An error includes the standard error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	return out, err
}

// date returns the time in SOURCE_DATE_EPOCH or, failing that, of the commit.
func (s source) date() (time.Time, error) {
	date := s.commit
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return date, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds", epoch)
		}
		date = time.Unix(seconds, 0).UTC()
	}
	if date.IsZero() {
		return date, errors.New("the source is not a git repository; set SOURCE_DATE_EPOCH to its date, in seconds " +
			"since 1970")
	}
	if date.Year() < 1980 {
		return date, fmt.Errorf("the source is of %s; a zip file cannot have a date before 1980",
			date.Format(time.DateOnly))
	}
	return date, nil
}

func (s source) snapshot() (version, error) {
	if s.revision == "" {
		return version{}, errors.New("the source is not a git repository; add the VERSION, such as v1.2.3")
	}
	return snapshotOf(s.revision, s.commit), nil
}

// checkRelease returns an error if the source is not that of the release.
func (s source) checkRelease(ctx context.Context, v version) error {
	changelog, err := os.ReadFile(filepath.Join(s.folder, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	if heading := "## [" + v.plain() + "]"; v.kind == "" && !bytes.Contains(changelog, []byte("\n"+heading)) {
		return fmt.Errorf("CHANGELOG.md: no heading %q; rename the heading \"## [Unreleased]\"", heading)
	}
	if s.revision == "" {
		return nil
	}
	changes, err := s.git(ctx, "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return fmt.Errorf("the source has changes that are not committed; commit them before you build a release:\n%s",
			changes)
	}
	tagged, err := s.git(ctx, "rev-list", "-n", "1", "--ignore-missing", "refs/tags/"+v.String())
	if err == nil && tagged != "" && tagged != s.revision {
		return fmt.Errorf("the tag %s is commit %s, and the source is commit %s; check out the tag", v, tagged,
			s.revision)
	}
	return nil
}
