package emlx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
)

const (
	message = "Subject: t\n\nx\n"
	xmlList = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict/></plist>\n"
)

// binaryList is a property list with an empty dictionary.
var binaryList = "bplist00\xd0\x08" + strings.Repeat("\x00", 6) + "\x01\x01" + strings.Repeat("\x00", 7) + "\x01" + strings.Repeat("\x00", 8) + strings.Repeat("\x00", 7) + "\x09"

// Each row is also read truncated at each byte.
func TestExtract(t *testing.T) {
	for _, row := range []struct {
		name, src, message string
		faults             int
		grown              string // the first line when the message becomes longer by 90 bytes; "" if it stays unchanged
	}{
		{"XML", "14        \n" + message + xmlList, message, 0, "104       "},
		{"binary", "14        \n" + message + binaryList, message, 0, "104       "},
		{"a DOCTYPE without an XML declaration", "14        \n" + message + "<!DOCTYPE plist>\n" + xmlList[strings.Index(xmlList, "<plist"):], message, 0, "104       "},
		{"one blank", "14 \n" + message + xmlList, message, 0, "104"},
		{"no blanks", "14\n" + message + xmlList, message, 0, "104"},
		{"CRLF", "14  \r\n" + message + xmlList, message, 0, "104 "},
		{"an empty line before the list", "14\n" + message + "\n" + xmlList, message, 0, "104"},
		{"no list", "14\n" + message, message, 1, "104"},
		{"no list, but an empty line", "14\n" + message + "\n", message, 1, "104"},
		{"an empty message", "0\n" + xmlList, "", 0, "90"},
		{"too small", "10\n" + message + xmlList, message, 1, ""},
		{"too large", "15\n" + message + xmlList, message, 1, ""},
		{"too small, binary", "10\n" + message + binaryList, message + binaryList, 1, ""},
		{"too large, binary", "15\n" + message + binaryList, message + binaryList, 1, ""},
		{"too large, an empty message", "5\n" + xmlList, "", 1, ""},
		{"larger than the file", "15\n" + message, message, 1, ""},
		{"larger than any number", "99999999999999999999\n" + message + xmlList, "99999999999999999999\n" + message, 1, ""},
		{"smaller than the file", "10\n" + message, message, 1, ""},
		{"no length", message + xmlList, message, 1, ""},
		{"a negative length", "-14\n" + message, "-14\n" + message, 1, ""},
		{"a list in the message", "15\n" + message + xmlList + message + xmlList, message + xmlList + message, 1, ""},
		{"nothing", "", "", 1, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			for n := range row.src {
				extract([]byte(row.src[:n]), &mark.Marks{})
			}
			src := []byte(row.src)
			var m mark.Marks
			extract(src, &m)
			assert.Len(t, m.Notes.Faults, row.faults)
			for marks := range m.All {
				require.Len(t, marks, 1)
				at := marks[0]
				assert.Equal(t, row.message, row.src[at.Start:at.End])
				edits := mark.Mended(src, m.Notes.Menders, []codec.Edit{{Span: codec.Span{Start: at.End, End: at.End}, New: make([]byte, 90)}})
				if row.grown == "" {
					require.Len(t, edits, 1)
					continue
				}
				require.Len(t, edits, 2)
				assert.Equal(t, row.grown, string(edits[0].New))
			}
		})
	}
}

func TestSniff(t *testing.T) {
	for head, want := range map[string]bool{
		"14        \nFrom: a@b\n": true, "14\r\nReceived: x\n": true, "14\n": false, "14\ntext\n": false, "From: a@b\n": false, "a14\nFrom: a@b\n": false,
		"14 x\nFrom: a@b\n": false, "\nFrom: a@b\n": false, "": false, "1234567890": false, strings.Repeat("1", longestLength) + "\nFrom: a@b\n": false,
	} {
		assert.Equal(t, want, Sniff([]byte(head)), "%q", head)
	}
}
