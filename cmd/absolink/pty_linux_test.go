package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// clearToEnd is what the progress line begins with each time.
const clearToEnd = "\r\x1b[K"

// screen is a terminal, and what was written to it.
type screen struct {
	file *os.File // to be written to
	mu   sync.Mutex
	text strings.Builder
	end  chan struct{} // closed when nobody has the terminal open
}

// newScreen opens a terminal that is so many columns wide.
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

// On a terminal the line is drawn again and again, is never wider than the terminal, and stays at the end.
func TestProgressOnTerminal(t *testing.T) {
	signalled(t)
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
		require.Eventually(t, func() bool { return strings.Count(s.String(), clearToEnd) >= 3 }, 20*time.Second, 5*time.Millisecond)
		drawn := strings.Split(s.String(), clearToEnd)
		assert.Empty(t, drawn[0], "nothing stands before the line")
		for _, line := range drawn[1:] {
			assert.Less(t, len(line), columns, line)
		}
		assert.Regexp(t, `^(0|10) B, .*; 0 documents, 0 links, 0 problems; -$`, drawn[1])

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
		assert.Contains(t, text, clearToEnd+"absolink: -: no-base: ", "a problem stands above the line")
		assert.True(t, strings.HasSuffix(text, "\r\n"))
		lines := strings.Split(strings.TrimSuffix(text, "\r\n"), clearToEnd)
		assert.Regexp(t, `^10 B, .*; 1 document, 1 link, 1 problem; -$`, lines[len(lines)-1])
	}
}
