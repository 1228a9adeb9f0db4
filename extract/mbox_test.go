package extract_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

const (
	mboxFirst  = "From a@b Mon Jan  1 00:00:00 2024\nBase: <URL:http://b/>\nContent-Type: text/html\n\n<a href=x>\n>From here 10:10\n\nFrom here on, this is no From_ line.\n\n"
	mboxSecond = "From c@d Tue Jan  2 00:00:00 2024\nContent-Type: text/html\n\n<a href=y>\n"
)

func mbox(src string) extract.Document {
	return extract.Document{Name: "m.mbox", URL: "http://h/p/", Bytes: []byte(src)}
}

func TestMbox(t *testing.T) {
	var w extract.Walker
	var got []string
	src := mboxFirst + mboxSecond
	require.NoError(t, w.Links(mbox(src), func(l *extract.Link) error {
		start, end := l.DocumentSpan()
		got = append(got, fmt.Sprint(l.Entity.Path, " ", string(l.URL), " ", src[start:end]))
		return nil
	}))
	assert.Equal(t, []string{"message[1]/part[1] http://b/x x", "message[2]/part[1] http://h/p/y y"}, got)
	want := strings.Replace(strings.Replace(src, "=x", "=http://b/x", 1), "=y", "=http://h/p/y", 1)
	assert.Equal(t, want, rewrite(t, &w, mbox(src)))
	for _, newline := range []string{"\n", "\r\n"} {
		for _, src := range []string{src, src[:len(src)-1], mboxSecond, "From ", mboxFirst + "no message", "", "\n\n" + mboxFirst} {
			d := mbox(strings.ReplaceAll(src, "\n", newline))
			d.Bytes = bytes.ReplaceAll(d.Bytes, []byte("http://b/"), nil)
			d.URL = ""
			require.Equal(t, string(d.Bytes), rewrite(t, &w, d), "nothing changes without a base")
		}
	}
	d := mbox(src)
	d.Bytes, d.Reader = nil, iotest.OneByteReader(strings.NewReader(src))
	assert.Equal(t, want, rewrite(t, &w, d), "as a stream")
}

// A Content-Length that was true is true again, one that was not stays.
func TestMboxLength(t *testing.T) {
	const entry = "From a@b Mon Jan  1 00:00:00 2024\nContent-Type: text/html\nContent-Length: %d\n\n<a href=%s>\n\n"
	var w extract.Walker
	assert.Equal(t, fmt.Sprintf(entry, 22, "http://h/p/x"), rewrite(t, &w, mbox(fmt.Sprintf(entry, 11, "x"))))
	assert.Equal(t, fmt.Sprintf(entry, 5, "http://h/p/x"), rewrite(t, &w, mbox(fmt.Sprintf(entry, 5, "x"))))
	assert.Equal(t, fmt.Sprintf(entry, 999, "http://h/p/x"), rewrite(t, &w, mbox(fmt.Sprintf(entry, 999, "x"))))
}

// A message beyond the limit is passed through, and the next one is read.
func TestMboxLimit(t *testing.T) {
	var problems []extract.Problem
	w := extract.Walker{MaxRecord: 200, OnProblem: func(p extract.Problem) { problems = append(problems, p) }}
	long := strings.Replace(mboxFirst, "<a href=x>", strings.Repeat("<a href=x>\n", 100), 1)
	got := rewrite(t, &w, mbox(long+mboxSecond))
	assert.Equal(t, long+strings.Replace(mboxSecond, "=y", "=http://h/p/y", 1), got)
	require.Len(t, problems, 1)
	assert.Equal(t, extract.SizeLimit, problems[0].Code)
	assert.Equal(t, "message[1]", problems[0].Entity)
}

// FuzzMbox: nothing is lost, whatever the bytes.
func FuzzMbox(f *testing.F) {
	f.Add([]byte(mboxFirst+mboxSecond), 100)
	f.Add([]byte("From x 1:11\n\nFrom y 2:22\n"), 10)
	f.Fuzz(func(t *testing.T, src []byte, limit int) {
		w := extract.Walker{MaxRecord: max(limit, 0)}
		d := extract.Document{Type: "application/mbox", Bytes: src}
		hasBase := false
		require.NoError(t, w.Links(d, func(l *extract.Link) error {
			hasBase = hasBase || l.Scope.Base().String() != ""
			return nil
		}))
		require.NoError(t, w.Bases(d, func(e *extract.Entity) error {
			hasBase = hasBase || e.Scope.Base().String() != ""
			return nil
		}))
		if out := rewrite(t, &w, d); !hasBase {
			require.Equal(t, string(src), out)
		}
		d.URL = "http://h/p/"
		once := rewrite(t, &w, d)
		d.Bytes, w.MaxRecord = []byte(once), w.MaxRecord*20+1000
		_ = rewrite(t, &w, d)
	})
}
