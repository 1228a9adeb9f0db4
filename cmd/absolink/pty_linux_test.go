package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"absolink/internal/commandtest"
)

// clearToEnd is the start of each drawing of the progress line.
const clearToEnd = "\r\x1b[K"

// screen is a terminal, and the text that was written to it.
type screen struct {
	file *os.File // that the command writes to
	mu   sync.Mutex
	text strings.Builder
	end  chan struct{} // closed when nobody has the terminal open
}

// newScreen opens a terminal with a number of columns.
func newScreen(t *testing.T, columns uint16) *screen {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals:", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	number, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	s := &screen{end: make(chan struct{})}
	s.file, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("terminals cannot be opened:", err)
	}
	go func() {
		defer close(s.end)
		room := make([]byte, 4096)
		for {
			n, err := master.Read(room)
			s.mu.Lock()
			s.text.Write(room[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// On a terminal the progress line is drawn many times, is never wider than the terminal, and is left at the end.
func TestProgressOnTerminal(t *testing.T) {
	commandtest.Signalled(t)
	const columns = 60
	for _, sig := range []os.Signal{nil, os.Interrupt} {
		s := newScreen(t, columns)
		dir := t.TempDir()
		cmd := command(t, "links", "-", "-o", filepath.Join(dir, "out"), "-t", "text/html", "-j", "1")
		cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=1")
		cmd.Stderr = s.file
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		require.NoError(t, s.file.Close())
		_, err = io.WriteString(in, "<a href=x>")
		require.NoError(t, err)
		require.Eventually(t, func() bool { return strings.Count(s.String(), clearToEnd) >= 3 }, time.Minute, 5*time.Millisecond)
		drawn := strings.Split(s.String(), clearToEnd)
		assert.Empty(t, drawn[0], "no text is before the line")
		for _, line := range drawn[1:] {
			assert.Less(t, len(line), columns, line)
		}
		assert.Regexp(t, `^(0|10) B, .*; 0 links, 0 problems; -$`, drawn[1])

		if sig != nil {
			require.NoError(t, cmd.Process.Signal(sig))
			assert.Equal(t, exitInterrupted, exitCode(cmd.Wait()))
			<-s.end
			lines := strings.Split(s.String(), clearToEnd)
			assert.Regexp(t, `problems; -\r\nabsolink: interrupted after 0 documents, .*\r\nabsolink: no file is half-written: .*\r\n$`,
				lines[len(lines)-1], "the line stays, and the messages are below it")
			continue
		}
		require.NoError(t, in.Close())
		require.NoError(t, cmd.Wait())
		<-s.end
		text := s.String()
		assert.Contains(t, text, clearToEnd+"absolink: -: no-base: ", "a problem is above the line")
		assert.True(t, strings.HasSuffix(text, "\r\n"))
		lines := strings.Split(strings.TrimSuffix(text, "\r\n"), clearToEnd)
		assert.Regexp(t, `^10 B, .*; 1 document, 1 link, 1 problem; -$`, lines[len(lines)-1])
	}
}

// Messages on a terminal are in color, and the progress is shown if the rows do not go to the terminal.
func TestMessagesOnTerminal(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "none.html"), []byte("<a href=x>\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page.html"), []byte("<a href=http://h/>\n"), 0o666))
	message := "From a@b Mon Jan  1 00:00:00 2024\nSubject: 1\n\nhttp://h/\n\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list.mbox"), []byte(message+message), 0o666))
	for _, row := range []struct {
		name, env string
		rows      bool // go to the terminal
		args      []string
		want      string
		progress  bool
	}{
		{"colors", "NO_COLOR=", true, []string{"none.html"}, `^\x1b\[33mabsolink:\x1b\[m none.html: no-base`, false},
		{"no colors", "NO_COLOR=1", true, []string{"none.html"}, `^absolink: none.html: no-base`, false},
		{"rows in a file", "NO_COLOR=", false, []string{"none.html", "page.html", "-o", "links"}, `none.html: no-base(?s:.*)30 B, .*; 2 documents, 2 links, 1 problem; page.html`, true},
		{"rows in a pipe", "NO_COLOR=", false, []string{"none.html"}, `none.html: no-base`, false},
		{"--quiet", "NO_COLOR=", false, []string{"none.html", "-o", "other", "--quiet"}, `^$`, false},
		{"two workers", "NO_COLOR=", false, []string{"list.mbox", "-o", "two", "-j", "2"}, `; 1 document, 2 records, 2 links, 0 problems; list.mbox`, true},
		{"one worker", "NO_COLOR=", false, []string{"list.mbox", "-o", "one", "-j", "1"}, `; 1 document, 2 records, 2 links, 0 problems; list.mbox`, true},
		{"a dumb terminal", "TERM=dumb", false, []string{"none.html", "-o", "dumb"}, `none.html: no-base`, false},
	} {
		s := newScreen(t, 80)
		cmd := command(t, append([]string{"links"}, row.args...)...)
		cmd.Dir, cmd.Env = dir, append(cmd.Env, "TERM=xterm", row.env)
		cmd.Stdout, cmd.Stderr = io.MultiWriter(io.Discard), s.file // a pipe
		if row.rows {
			cmd.Stdout = s.file
		}
		require.NoError(t, cmd.Run(), row.name)
		require.NoError(t, s.file.Close())
		<-s.end
		assert.Regexp(t, row.want, s.String(), row.name)
		assert.Equal(t, row.progress, regexp.MustCompile("[0-9] documents?,").MatchString(s.String()), "%s: %q", row.name, s)
	}
}

// TestExplainOnTerminal: on a terminal explain draws in color, as wide as the terminal or as COLUMNS. A file has neither.
func TestExplainOnTerminal(t *testing.T) {
	const long = "http://h/0123456789012345678901234567890123456789012345678901234567890123456789/"
	page := filepath.Join(t.TempDir(), "p.html")
	require.NoError(t, os.WriteFile(page, []byte("<base href=q/><base href=r/>"), 0o666))
	shown := func(env []string, args ...string) string {
		s := newScreen(t, 66)
		cmd := command(t, append([]string{"explain", "-q", "-u", long, page}, args...)...)
		cmd.Env = append(append(cmd.Env, "TERM=xterm", "NO_COLOR=", "COLUMNS="), env...)
		cmd.Stdout = s.file
		require.NoError(t, cmd.Run())
		require.NoError(t, s.file.Close())
		<-s.end
		return strings.ReplaceAll(s.String(), "\r\n", "\n")
	}
	widest := func(text string) (columns int) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "╭") {
				columns = max(columns, utf8.RuneCountInString(line)-1)
			}
		}
		return columns
	}
	for _, row := range []struct {
		columns string
		widest  int
		reason  []string // wrapped at its spaces
	}{
		{"", 65, []string{"rejected: only the first BASE", "element with an href applies"}},
		{"80", 80, []string{"rejected: only the first BASE element with an href", "applies"}},
		{"120", 118, []string{"rejected: only the first BASE element with an href applies"}},
		{"wide", 65, nil},
	} {
		text := shown([]string{"COLUMNS=" + row.columns})
		assert.Equal(t, row.widest, widest(text), "COLUMNS=%s\n%s", row.columns, text)
		for _, part := range row.reason {
			assert.Contains(t, text, "\x1b[31m"+part+"\x1b[m", "COLUMNS="+row.columns)
		}
		assert.Contains(t, text, `"`+long+`"`, "a URL is not cut")
		assert.Contains(t, text, "\x1b[32m→ BASE element")
	}

	assert.Contains(t, shown(nil, "-c"), "\x1b[32m→ 3.1 embedded     \x1b[m  ")
	for _, plain := range []string{shown([]string{"NO_COLOR=1"}), shown(nil, "--color", "never"), shown([]string{"TERM=dumb"})} {
		assert.NotContains(t, plain, "\x1b")
		assert.Contains(t, plain, "╭", "it is a terminal")
	}
	assert.NotContains(t, shown(nil, "-f", "json"), "\x1b")
	file := filepath.Join(t.TempDir(), "out")
	assert.Empty(t, shown(nil, "-o", file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "\x1b")
	assert.Contains(t, string(text), "\n.---")
}

// TestControlsOnTerminal: on a terminal no text of a document changes the terminal, in rows and in messages. The document that
// rewrite prints keeps its bytes, as do all outputs that are not a terminal.
func TestControlsOnTerminal(t *testing.T) {
	const controls = "\x1b]0;t\a\x7f\u009b31m\u202e\x9b"
	dir := t.TempDir()
	name := filepath.Join(dir, "p\x1b[31m\u202e.html")
	page := "<meta charset=utf-8><base href='http://h/" + controls + "/'><base href='" + controls + "'><a title='" + controls + "' href='x" + controls + "'>" + controls + "</a><a href='data:x;" + controls + ",'></a>" +
		"<a href='http://[" + controls + "'></a>"
	require.NoError(t, os.WriteFile(name, []byte(page), 0o666))
	other := filepath.Join(dir, "other.html")
	require.NoError(t, os.WriteFile(other, []byte(strings.Replace(page, "x", controls, 1)), 0o666))

	hasControls := func(text string) bool {
		return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || 0x7F <= r && r < 0xA0 || r == '\u202e'
		})
	}
	for _, row := range []struct {
		args []string
		raw  bool // a pipe gets controls
	}{
		{[]string{"links", name}, true},
		{[]string{"links", name, "--fields", "document,raw,ref,url,base,source,text,title"}, true},
		{[]string{"links", name, "-f", "tsv"}, true},
		{[]string{"links", name, "-f", "csv"}, true},
		{[]string{"links", name, "-f", "json"}, true},
		{[]string{"links", name, "-f", "jsonl", "-v"}, true},
		{[]string{"base", name}, true},
		{[]string{"base", name, "-f", "json"}, true},
		{[]string{"resolve", "-b", "http://h/", controls}, true},
		{[]string{"resolve", "-b", "mailto:" + controls, "x" + controls}, true},
		{[]string{"explain", name}, false},
		{[]string{"explain", name, "-c"}, false},
		{[]string{"explain", name, "-f", "jsonl"}, true},
		{[]string{"rewrite", name, "-n"}, true},
		{[]string{"rewrite", name, "--diff"}, true},
		{[]string{"rewrite", name, "-o", dir + "/new.html", "-v", "--edits", "/dev/stdout"}, true},
		{[]string{"rewrite", name, "-o", dir + "/new2.html", "--problems", "/dev/stdout"}, true},
		{[]string{"verify", name, other}, false},
		{[]string{"links", dir + "/none\x1b"}, false},
		{[]string{"links", name, "--standard", "\u009b31m"}, false},
	} {
		s := newScreen(t, 80)
		cmd := command(t, row.args...)
		cmd.Env = append(cmd.Env, "NO_COLOR=1", "TERM=dumb") // no progress line
		cmd.Stdout, cmd.Stderr = s.file, s.file
		_ = cmd.Run()
		require.NoError(t, s.file.Close())
		<-s.end
		text := strings.ReplaceAll(s.String(), "\r\r\n", "\r\n") // of CSV
		text = strings.ReplaceAll(text, "\r\n", "\n")
		assert.False(t, hasControls(text), "%q: %q", row.args, text)
		assert.Regexp(t, `\\u00(9b|1b)|\\x(1b|9b)|\\033`, text, "%q", row.args)

		for _, file := range []string{"new.html", "new2.html"} {
			_ = os.Remove(filepath.Join(dir, file))
		}
		out, _ := command(t, row.args...).Output()
		assert.Equal(t, row.raw, hasControls(strings.ReplaceAll(string(out), "\r\n", "\n")), "%q in a pipe: %q", row.args, out)
	}

	s := newScreen(t, 80)
	cmd := command(t, "rewrite", "-q", name)
	cmd.Stdout = s.file
	require.NoError(t, cmd.Run())
	require.NoError(t, s.file.Close())
	<-s.end
	out, err := command(t, "rewrite", "-q", name).Output()
	require.NoError(t, err)
	assert.Equal(t, string(out), s.String(), "the document")
}
