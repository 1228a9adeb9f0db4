package mail

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

const from = "From a@b Mon Jan  1 00:00:00 2024\n"

// messages returns the decoded messages that a format finds in an mbox. "..." marks a piece of a message that is too long.
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
		chunk.Format.Extract(chunk.Bytes, &m)
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
