package main

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
	"absolink/resolve"
)

func newResolver(t *testing.T, out *files.Output) *resolver {
	base, err := resolve.RFC1808.Base("http://h/")
	require.NoError(t, err)
	return &resolver{session: &session{}, base: base, out: out}
}

// Long lines, and lines with CR LF or without an end, are read correctly.
func TestResolveLines(t *testing.T) {
	const buffer = 4 * files.BufferSize // of the reader
	a := func(n int) string { return strings.Repeat("a", n) }
	for _, row := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"an empty line", "\n", "http://h/\n"},
		{"LF", "x\ny\n", "http://h/x\nhttp://h/y\n"},
		{"CRLF", "x\r\n\r\ny\r\n", "http://h/x\nhttp://h/\nhttp://h/y\n"},
		{"no newline at the end", "x\ny", "http://h/x\nhttp://h/y\n"},
		{"CR at the end", "x\ny\r", "http://h/x\nhttp://h/y\n"},
		{"as long as the buffer", a(buffer-1) + "\nx\n", "http://h/" + a(buffer-1) + "\nhttp://h/x\n"},
		{"the newline after the buffer", a(buffer) + "\nx\n", "http://h/" + a(buffer) + "\nhttp://h/x\n"},
		{"the buffer between CR and LF", a(buffer-1) + "\r\nx\n", "http://h/" + a(buffer-1) + "\nhttp://h/x\n"},
		{"three buffers, then a long line again", a(3*buffer+1) + "\r\n" + a(buffer+1) + "\nx\n",
			"http://h/" + a(3*buffer+1) + "\nhttp://h/" + a(buffer+1) + "\nhttp://h/x\n"},
		{"a long line without a newline", "x\n" + a(2*buffer), "http://h/x\nhttp://h/" + a(2*buffer) + "\n"},
	} {
		out := &files.Output{}
		require.NoError(t, newResolver(t, out).lines(strings.NewReader(row.in)), row.name)
		assert.True(t, row.want == string(out.Buf), "%s: %d bytes instead of %d", row.name, len(out.Buf), len(row.want))
	}
}

// A read error of the input and a write error of the output are errors of the run.
func TestResolveErrors(t *testing.T) {
	broken := errors.New("broken")
	out := &files.Output{}
	err := newResolver(t, out).lines(io.MultiReader(strings.NewReader("x\nhalf"), iotest.ErrReader(broken)))
	assert.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, "standard input: ")
	assert.Equal(t, "http://h/x\n", string(out.Buf), "an incomplete line is not a reference")

	ref := strings.Repeat("a", files.BufferSize)
	for _, read := range []func(*resolver) error{
		func(r *resolver) error { return r.lines(strings.NewReader(ref + "\nx\n")) },
		func(r *resolver) error { return r.arguments([]string{ref, "x"}) },
	} {
		r := newResolver(t, files.NewOutput(writerFunc(func([]byte) (int, error) { return 0, broken }), "out"))
		assert.ErrorIs(t, read(r), broken)
		assert.Equal(t, 1, r.n, "no reference is resolved after the error")
	}
}

type writerFunc func(p []byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }
