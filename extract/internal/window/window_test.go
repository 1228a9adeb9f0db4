package window

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errDevice = errors.New("the device is gone")

func TestFill(t *testing.T) {
	for _, row := range []struct {
		name    string
		in      Window
		n       int
		want    bool
		buf     string
		eof     bool
		problem error
	}{
		{"memory", On([]byte("abc")), 3, true, "abc", true, nil},
		{"memory that is too short", On([]byte("abc")), 4, false, "abc", true, nil},
		{"no memory", On(nil), 0, true, "", true, nil},
		{"nothing to read", New(strings.NewReader("abc")), 0, true, "", false, nil},
		{"one read is enough", New(strings.NewReader("abc")), 1, true, "abc", false, nil},
		{"byte by byte", New(iotest.OneByteReader(strings.NewReader("abc"))), 2, true, "ab", false, nil},
		{"the end", New(strings.NewReader("abc")), 4, false, "abc", true, nil},
		{"the end together with the last bytes", New(iotest.DataErrReader(strings.NewReader("abc"))), 3, true, "abc", true, nil},
		{"a reader that returns nothing first", New(io.MultiReader(&pauses{3}, strings.NewReader("abc"))), 3, true, "abc", false, nil},
		{"an error", New(iotest.ErrReader(errDevice)), 1, false, "", true, errDevice},
		{"an error after some bytes", New(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(errDevice))), 4, false, "abc", true, errDevice},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, row.in.Fill(row.n))
			assert.Equal(t, row.buf, string(row.in.Buf))
			assert.Equal(t, row.eof, row.in.EOF)
			assert.Equal(t, row.problem, row.in.Err)
		})
	}
}

// pauses returns no bytes, left times, and then io.EOF.
type pauses struct{ left int }

func (p *pauses) Read([]byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	p.left--
	return 0, nil
}

// TestDrop cuts records of many lengths from streams that return pieces of many lengths. Memory use depends on the record
// and on the size of a read, not on the stream.
func TestDrop(t *testing.T) {
	src := text(3 << 20)
	for _, size := range []int{1, 100, Read - 1, Read, Read + 1, 5 * Read} {
		for _, r := range []io.Reader{bytes.NewReader(src), iotest.HalfReader(bytes.NewReader(src)), piecewise{bytes.NewReader(src)}} {
			w := New(r)
			if size == 1 {
				require.True(t, w.Fill(len(src)-1000)) // one long record, to save time: the records of one byte come after it
				w.Drop(len(src) - 1000)
			}
			for w.Fill(1) {
				w.Fill(size)
				n := min(size, len(w.Buf))
				require.True(t, bytes.Equal(src[w.Offset:w.Offset+int64(n)], w.Buf[:n]), "%d bytes at %d", n, w.Offset)
				w.Drop(n)
			}
			require.Equal(t, int64(len(src)), w.Offset)
			require.NoError(t, w.Err)
			if size > 1 {
				require.LessOrEqual(t, cap(w.own), 3*(size+Read), "records of %d bytes", size)
			}
		}
	}
}

// piecewise reads 700 bytes at once.
type piecewise struct{ io.Reader }

func (p piecewise) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), 700)]) }

// text returns n bytes, in which every 4 bytes are a different number.
func text(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i / 4 >> (8 * (i % 4)))
	}
	return b
}

func TestRest(t *testing.T) {
	w := New(piecewise{bytes.NewReader(text(2000))})
	w.More()
	require.Len(t, w.Buf, 700)
	rest, err := io.ReadAll(io.LimitReader(w.Rest(), 300))
	require.NoError(t, err)
	assert.Equal(t, text(2000)[700:1000], rest)
	w.Replace(rest[200:])
	require.False(t, w.Fill(2000))
	assert.Equal(t, text(2000)[900:], w.Buf)
}

func TestAfterNewlines(t *testing.T) {
	for _, row := range []struct {
		name, src string
		at, want  int
	}{
		{"none", "ab", 1, 1},
		{"the end", "ab", 2, 2},
		{"LF", "a\n\nb", 1, 3},
		{"CRLF", "a\r\n\r\nb", 1, 5},
		{"LF and CRLF", "a\n\r\n\nb", 1, 5},
		{"a CR is none", "a\n\rb", 1, 2},
		{"up to the end", "a\n\n", 1, 3},
		{"from inside a run", "a\n\n\n\nb", 3, 5},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := On([]byte(row.src))
			assert.Equal(t, row.want, w.AfterNewlines(row.at))
			assert.Equal(t, row.want, w.AfterNewlines(row.at), "again")
			w.Drop(row.at)
			assert.Equal(t, row.want-row.at, w.AfterNewlines(0), "after Drop")
		})
	}
}

// TestAfterNewlinesSkipsOnce changes a newline that was skipped. It is not read again, so the result stays the same.
func TestAfterNewlinesSkipsOnce(t *testing.T) {
	src := []byte("a\n\n\n\nb\n\nc")
	w := On(src)
	require.Equal(t, 5, w.AfterNewlines(1))
	src[3] = 'x'
	assert.Equal(t, 5, w.AfterNewlines(2), "inside the run")
	assert.Equal(t, 8, w.AfterNewlines(6), "another run")
	assert.Equal(t, 3, w.AfterNewlines(1), "only the last run is known")
}

// lender lends pieces. For an empty piece, the window must read the next bytes.
type lender struct {
	pieces []string
	room   [64]byte
	err    error
}

func (l *lender) Lend() (next []byte, edge bool, err error) {
	if len(l.pieces) == 0 {
		return nil, false, l.err
	}
	n := copy(l.room[:], l.pieces[0])
	l.pieces = l.pieces[1:]
	return l.room[:n], n > 0, nil
}

func TestLent(t *testing.T) {
	l := &lender{pieces: []string{"first", "second", "", "third"}, err: io.EOF}
	w := NewLent(iotest.OneByteReader(strings.NewReader("12")), l)

	require.True(t, w.Fill(1))
	assert.Equal(t, "first", string(w.Buf))
	assert.Same(t, &l.room[0], &w.Buf[0], "the lender's memory, without a copy")
	assert.True(t, w.Edge)

	w.Drop(2)
	require.True(t, w.Fill(4))
	assert.Equal(t, "rstsecond", string(w.Buf), "moved before the lender overwrites it")
	assert.True(t, w.Edge)

	require.True(t, w.Fill(10))
	assert.Equal(t, "rstsecond1", string(w.Buf), "the lender had nothing")
	assert.False(t, w.Edge)

	w.Drop(10)
	require.True(t, w.Fill(1))
	assert.Equal(t, "third", string(w.Buf))
	assert.Equal(t, int64(12), w.Offset)
	require.False(t, w.Fill(6))
	assert.Equal(t, "third", string(w.Buf))
	assert.True(t, w.EOF)
	require.NoError(t, w.Err)
}

// The bytes before an error of the lender are in the window.
func TestLentFails(t *testing.T) {
	w := NewLent(strings.NewReader("never read"), &lender{pieces: []string{"first"}, err: errDevice})
	require.False(t, w.Fill(6))
	assert.Equal(t, "first", string(w.Buf))
	assert.Equal(t, errDevice, w.Err)
}

// A file that is read whole has one buffer of its size.
func TestReadAll(t *testing.T) {
	src := text(10_000)
	name := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(name, src, 0o600))
	for _, limit := range []int{len(src) - 1, len(src), len(src) + 1} {
		file, err := os.Open(name)
		require.NoError(t, err)
		all, rest, err := ReadAll(nil, file, file, limit)
		require.NoError(t, err)
		if limit < len(src) {
			assert.Nil(t, all)
			all, err = io.ReadAll(rest)
			require.NoError(t, err)
		} else {
			assert.Nil(t, rest)
			assert.Equal(t, len(src)+1, cap(all))
		}
		assert.Equal(t, src, all)
		require.NoError(t, file.Close())
	}
	_, _, err := ReadAll(nil, iotest.ErrReader(errDevice), nil, 1)
	assert.Equal(t, errDevice, err)
}
