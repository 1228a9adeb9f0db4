package mail

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

const from = "From a@b Mon Jan  1 00:00:00 2024\n"

// messages returns the decoded messages that a format finds in an mbox. "..." marks a piece of a message that is too
// long.
func messages(t *testing.T, format *mark.Format, src string, limit int) (found []string) {
	t.Helper()
	var all string
	for chunk, err := range format.Split(window.On([]byte(src)), limit) {
		require.NoError(t, err)
		require.EqualValues(t, len(all), chunk.Offset)
		all += string(chunk.Bytes)
		if chunk.Format == nil {
			found = append(found, string(chunk.Bytes)+"...")
			continue
		}
		var m mark.Marks
		chunk.Format.Mark(chunk.Bytes, &m)
		for marks := range m.All {
			require.Len(t, marks, 1)
			text, err := marks[0].Codec.Decode(chunk.Bytes[marks[0].Start:marks[0].End])
			require.NoError(t, err)
			found = append(found, string(text))
		}
	}
	assert.Equal(t, src, all, "the records cover the file")
	return found
}

// TestMbox has a row for each rule about the end of a message, and more rows where the flavours differ.
func TestMbox(t *testing.T) {
	const long = "Content-Length: 7\n\n1\n\nFrom"
	for _, row := range []struct {
		name   string
		format *mark.Format
		src    string
		want   []string
	}{
		{"RFC 4155", Mbox, from + "A: 1\n\n1\n\n" + from + "A: 2\n\n2\n", []string{"A: 1\n\n1\n\n", "A: 2\n\n2\n"}},
		{"empty lines before the first message", Mbox, "\n\r\n" + from + "A: 1\n\n", []string{"A: 1\n\n"}},
		{"no empty line before a From_ line", Mbox, from + "A: 1\n\n1\n" + from + "2\n", []string{"A: 1\n\n1\n" + from + "2\n"}},
		{"a line that begins like a From_ line", Mbox, from + "A: 1\n\nFrom here on\n", []string{"A: 1\n\nFrom here on\n"}},
		{"mboxrd: one quote is removed", MboxRD, from + "\n>From x\n>>From x\n", []string{"\nFrom x\n>From x\n"}},
		{"mboxrd: the first line of a header may be quoted (qmail, mbox(5))", MboxRD, from + ">From x\nA: 1\n\n1\n", []string{"From x\nA: 1\n\n1\n"}},
		{"mboxo: a quote is removed from lines with one quote", MboxO, from + "\n>From x\n>>From x\n", []string{"\nFrom x\n>>From x\n"}},
		{"mboxcl: a length ends the message", MboxCL, from + "Content-Length: 5\n\n1\n\n2\n\n" + from + "\n3\n", []string{"Content-Length: 5\n\n1\n\n2\n\n", "\n3\n"}},
		{"mboxcl2: nothing is quoted", MboxCL2, from + "\n>From x\n", []string{"\n>From x\n"}},
		{"mboxcl2: a From_ line inside the length", MboxCL2, from + "Content-Length: 36\n\n\n" + from + "\n" + from + "\n3\n", []string{"Content-Length: 36\n\n\n" + from + "\n", "\n3\n"}},
		{"a wrong length", Mbox, from + "Content-Length: 1\n\n12\n\n" + from + "\n3\n", []string{"Content-Length: 1\n\n12\n\n", "\n3\n"}},
		{"a length longer than the file", Mbox, from + "Content-Length: 99\n\n12\n\n" + from + "\n3\n", []string{"Content-Length: 99\n\n12\n\n", "\n3\n"}},
		{"no newline at the end", Mbox, from + long, []string{long}},
		{"only a From_ line", Mbox, from[:len(from)-1], []string{""}},
		{"an empty file", Mbox, "", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			assert.Equal(t, row.want, messages(t, row.format, row.src, 1<<20))
			for n := range row.src {
				messages(t, row.format, row.src[:n], 1<<20)
			}
		})
	}
}

// A message longer than the limit comes in pieces, and the next message is whole.
func TestMboxLimit(t *testing.T) {
	src := from + "A: 1\n\n" + "a line of the body that is too long for the limit\n\n" + from + "\n2\n"
	got := messages(t, Mbox, src, 60)
	assert.Equal(t, "\n2\n", got[len(got)-1])
	assert.Greater(t, len(got), 1)
}

// record is a message of an mbox. The pieces of a message that is too long are joined.
type record struct {
	text    string
	quoting codec.Codec // nil if the message is too long
	counts  int         // the number of Content-Length fields that the format marks
}

// records returns the records that a format finds in an mbox, with their From_ lines.
func records(t *testing.T, format *mark.Format, in window.Window, limit int) (found []record) {
	t.Helper()
	offset, pieces := 0, 0
	var r record
	for chunk, err := range format.Split(in, limit) {
		require.NoError(t, err)
		require.EqualValues(t, offset, chunk.Offset)
		require.NotEmpty(t, chunk.Bytes)
		offset += len(chunk.Bytes)
		r.text += string(chunk.Bytes)
		pieces++
		name := mark.Numbered("message", len(found)+1)
		if chunk.Format == nil {
			assert.Equal(t, name, chunk.Entity)
		} else {
			assert.Equal(t, 1, pieces, "a message in pieces is not read")
			assert.False(t, chunk.More)
			assert.True(t, chunk.Format.Fragment, "the message declares bases, its record does not")
			var m mark.Marks
			chunk.Format.Mark(chunk.Bytes, &m)
			for marks := range m.All {
				require.Len(t, marks, 1)
				assert.Zero(t, marks[0].ScopeNumber)
				r.quoting = marks[0].Codec
			}
			r.counts = len(m.Notes.Menders)
		}
		if !chunk.More {
			assert.LessOrEqual(t, pieces, 2+2*len(r.text)/limit, "the pieces are as long as the limit allows")
			found, r, pieces = append(found, r), record{}, 0
		}
	}
	assert.Empty(t, r.text, "the last piece has no More")
	return found
}

// TestMboxQuoting has a row for each way in which a message can end, and for each reason to choose its quoting.
func TestMboxQuoting(t *testing.T) {
	const (
		none      = from + "\n1\n\n"
		crlf      = "From a@b Mon Jan  1 00:00:00 2024\r\n"
		quoted    = from + "\n>From x\n\n"
		counted   = from + "Content-Length: 36\n\n\n" + from + "\n" // with a From_ line in its body
		anyQuotes = from + "Content-Length: 8\n\n>From x\n\n"
	)
	plain := func(text string) record { return record{text, spell.FromUnquoted, 0} }
	for _, row := range []struct {
		name   string
		format *mark.Format
		want   []record
	}{
		{"mbox: no line is quoted", Mbox, []record{plain(none), plain(none)}},
		{"mbox: a quoted line is mboxrd", Mbox, []record{{quoted, spell.FromQuoteRD, 0}, plain(none), {quoted, spell.FromQuoteRD, 0}}},
		{"mbox: a From_ line in the length is mboxcl2", Mbox, []record{{counted, codec.Identity, 1}, plain(none), {quoted, spell.FromQuoteRD, 0}, {counted, codec.Identity, 1}}},
		{"mbox: a quoted line in the length", Mbox, []record{{anyQuotes, spell.FromQuoteRD, 1}, plain(none)}},
		{"mboxrd: a quoted line begins the header", Mbox, []record{{from + ">From x\nA: 1\n\n1\n\n", spell.FromQuoteRD, 0}, plain(none)}},
		{"a quoted line begins the header, with a length", Mbox, []record{{from + ">From x\nContent-Length: 2\n\n1\n\n", spell.FromQuoteRD, 1}, plain(none)}},
		{"a From_ line after the From_ line is in the header", Mbox, []record{plain(from + from + "\n1\n\n"), plain(none)}},
		{"mboxrd: quoted or not", MboxRD, []record{{quoted, spell.FromQuoteRD, 0}, plain(none)}},
		{"mboxrd: the length does not count", MboxRD, []record{plain(counted[:len(counted)-len(from)-1]), plain(from + "\n"), plain(none)}},
		{"mboxo: quoted or not", MboxO, []record{{quoted, spell.FromQuoteO, 0}, plain(none)}},
		{"mboxcl: quoted or not", MboxCL, []record{{anyQuotes, spell.FromQuoteO, 1}, plain(none), {quoted, spell.FromQuoteO, 0}}},
		{"mboxcl: a From_ line in the length", MboxCL, []record{{counted, spell.FromQuoteO, 1}, plain(none)}},
		{"mboxcl2: nothing is quoted", MboxCL2, []record{{counted, codec.Identity, 1}, {none, codec.Identity, 0}, {quoted, codec.Identity, 0}}},
		{"the length ends with the file", Mbox, []record{{counted[:len(counted)-1] + "\n\r\n", codec.Identity, 1}}},
		{"the length ends with the file, without a newline", Mbox, []record{{strings.Replace(counted[:len(counted)-1], "36", "35", 1), codec.Identity, 1}}},
		{"CRLF before the first From_ line", Mbox, []record{{"\r\n\r\n" + counted, codec.Identity, 1}, plain(none)}},
		{"only CRs before a From_ line", Mbox, []record{{"\r\r" + counted, codec.Identity, 1}}},
		{"RFC 4155: CRLF", MboxRD, []record{plain(from + "\r\n1\r\n\r\n"), plain(none)}},
		{"a length with CRLF", Mbox, []record{{crlf + "Content-Length: 39\r\n\r\n\r\n" + crlf + "\r\n", codec.Identity, 1}, plain(none)}},
		{"many newlines after the length", Mbox, []record{plain(from + "Content-Length: 1\n\n1" + strings.Repeat("\n", 3000)), plain(none)}},
		{"the length ends before another line", Mbox, []record{plain(from + "Content-Length: 2\n\n1\n2\n\n"), plain(none)}},
		{"the length ends inside a line", Mbox, []record{plain(from + "Content-Length: 1\n\n1" + from + "\n")}},
		{"the first valid length applies", Mbox, []record{plain(from + "Content-Length: 0\nContent-Length: 36\n\n\n"), plain(from + "\n"), plain(none)}},
		{"lengths that are not numbers", Mbox, []record{{from + "Content-Length: x\nContent-Length: -3\nContent-Length: 36\n\n\n" + from + "\n", codec.Identity, 1}, plain(none)}},
		{"another field is not a length", Mbox, []record{plain(from + "Content-Size: 36\n\n\n"), plain(from + "\n"), plain(none)}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var src string
			for _, r := range row.want {
				src += r.text
			}
			for name, in := range windows(src) {
				assert.Equal(t, row.want, records(t, row.format, in, 1<<20), name)
			}
		})
	}
}

// In a file without From_ lines, a record ends after the separator that closes its message and the empty lines after
// that.
func TestSeparators(t *testing.T) {
	const line, crlf = "\x01\x01\x01\x01\n", "\x01\x01\x01\x01\r\n"
	for _, row := range []struct {
		name string
		want []string
	}{
		{"MMDF", []string{line + "A: 1\n\n1\n" + line, line + "A: 2\n\n2\n" + line}},
		{"MMDF with CRLF", []string{crlf + "A: 1\r\n\r\n1\r\n" + crlf, crlf + "A: 2\r\n\r\n2\r\n" + crlf + "\r\n\r\n"}},
		{"MMDF with From_ lines", []string{line + from + "A: 1\n\n" + from + "B: 1\n\n" + line + "\n", line + from + "\n" + line}},
		{"MMDF with one line between messages", []string{line + "A: 1\n\n1\n" + line, "A: 2\n\n2\n" + line, "A: 3\n\n3"}},
		{"MMDF without a newline at the end", []string{line + "A: 1\n\n1\n" + line[:4]}},
		{"MMDF: other lines of ^A are text", []string{line + "A: 1\n\n\x01\n\x01" + line + line[:4] + "x\n" + line[:4] + "\r1\n" + line[1:]}},
		{"MMDF: an empty message", []string{line + line, line + "A: 2\n" + line}},
		{"MMDF: void before the first line", []string{"\n \n" + line + "A: 1\n" + line}},
	} {
		for name, in := range windows(strings.Join(row.want, "")) {
			var got []string
			for _, r := range records(t, Mbox, in, 1<<20) {
				got = append(got, r.text)
				assert.Equal(t, codec.Identity, r.quoting, row.name)
			}
			assert.Equal(t, row.want, got, "%s: %s", row.name, name)
		}
	}
	long, short := line+"A: 1\n\n"+strings.Repeat("a\n", 200)+line, line+"A: 2\n"+line
	for name, in := range windows(long + short) {
		got := records(t, Mbox, in, 100)
		require.Len(t, got, 2, name)
		assert.Equal(t, record{text: long}, got[0], name)
		assert.Equal(t, short, got[1].text, name)
	}
}

// windows returns a window of each kind. All must give the same records.
func windows(src string) map[string]window.Window {
	return map[string]window.Window{
		"memory":               window.On([]byte(src)),
		"stream":               window.New(strings.NewReader(src)),
		"one byte at a time":   window.New(iotest.OneByteReader(strings.NewReader(src))),
		"the end with a byte":  window.New(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(src)))),
		"some bytes at a time": window.New(iotest.HalfReader(strings.NewReader(src))),
	}
}

// No part of a message longer than the limit is read, but the messages around it are.
func TestMboxTooLong(t *testing.T) {
	const limit = 100
	body := func(n int) string { return strings.Repeat("a b\n", n/4) + strings.Repeat("\n", n%4) }
	message := func(n int) string { return from + "\n" + body(n-len(from)-3) + "\n\n" }
	counted := func(length string, n int) string { // with a From_ line in its body
		head := from + "Content-Length: " + length + "\n\n"
		return head + "\n" + from + body(n-len(head)-len(from)-1)
	}
	plain := func(text string) record { return record{text, spell.FromUnquoted, 0} }
	long := func(text string) record { return record{text: text} }
	for _, row := range []struct {
		name string
		want []record
	}{
		{"as long as the limit", []record{plain(message(limit))}},
		{"one byte more", []record{long(message(limit + 1))}},
		{"the next one is read", []record{long(message(300)), plain(message(60)), long(message(500)), plain(message(60))}},
		{"two in turn", []record{long(message(300)), long(message(301))}},
		{"its last piece is not read", []record{long(message(130)), plain(message(60))}},
		{"no empty line after it", []record{long(from + "\n" + body(300)), plain(from + "A: 1\n\n1\n\n")}},
		{"a line without an end that begins like a From_ line", []record{long(message(130) + "F" + strings.Repeat("x", 300) + "\n\n"), plain(message(60))}},
		{"a quoted line without an end", []record{long(message(130) + ">" + strings.Repeat("x", 300) + "\n\n"), plain(message(60))}},
		{"a length up to the limit", []record{{counted("46", limit), codec.Identity, 1}, plain(message(60))}},
		{"a length of one byte more", []record{plain(from + "Content-Length: 47\n\n\n"), plain(from + body(12) + "\n")}},
		{"a header without an end", []record{long(from + strings.Repeat("A", 300))}},
		{"a From_ line without an end", []record{long("From " + strings.Repeat("A", 300))}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var src string
			for _, r := range row.want {
				src += r.text
			}
			for name, in := range windows(src) {
				assert.Equal(t, row.want, records(t, Mbox, in, limit), name)
			}
		})
	}
}

// A line without an end is not read into memory as a whole.
func TestMboxReadsNoFurther(t *testing.T) {
	for name, src := range map[string]string{"From_ line": "From ", "header": from, "body": from + "\n"} {
		t.Run(name, func(t *testing.T) {
			rest := strings.NewReader(src + strings.Repeat("A", 4<<20))
			for chunk, err := range Mbox.Split(window.New(rest), 1000) {
				require.NoError(t, err)
				require.Less(t, len(chunk.Bytes), 3*window.Read)
				if chunk.Offset == 0 {
					assert.Greater(t, rest.Len(), 3<<20)
				}
			}
		})
	}
}

// An error of the reader is yielded once, after the messages before it, and ends them.
func TestMboxError(t *testing.T) {
	bad := errors.New("bad disk")
	var texts []string
	var errs []error
	in := window.New(io.MultiReader(strings.NewReader(from+"\n1\n\n"+from+"\n2\n"), iotest.ErrReader(bad)))
	for chunk, err := range Mbox.Split(in, 1<<20) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		texts = append(texts, string(chunk.Bytes))
	}
	assert.Equal(t, []error{bad}, errs)
	assert.Equal(t, []string{from + "\n1\n\n"}, texts)
}

func TestSniffMbox(t *testing.T) {
	assert.False(t, SniffMbox(nil))
	for head, want := range map[string]bool{from: true, "From \n": true, "": false, "\n": false, from[:len(from)-1]: false, ">" + from: false, "From here\n": false} {
		assert.Equal(t, want, SniffMbox([]byte(head)), "%q", head)
	}
}
