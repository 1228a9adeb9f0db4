package archive

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/internal/longtest"
)

// TestSniff has a row for each format, and rows for texts that only look similar.
func TestSniff(t *testing.T) {
	for _, row := range []struct {
		name, src string
		sniff     func(head []byte) bool
		want      bool
	}{
		{"WARC", "WARC/1.0\r\n", SniffWARC, true},
		{"a line of a WARC in a text", "\nWARC/1.0\r\n", SniffWARC, false},
		{"ARC", "filedesc://a.arc 0.0.0.0 20000101000000 text/plain 73\n", SniffARC, true},
		{"an ARC without its first record", "http://h/ 192.0.2.1 20000101000000 text/html 73\n", SniffARC, false},
		{"a URL that does not begin an ARC", "filedesc://a.arc\n", SniffARC, false},
		{"HAR", "{ \"log\": {", SniffHAR, true},
		{"another JSON", "{ \"logs\": {", SniffHAR, false},
		{"webarchive, binary", "bplist00\xd1\x01\x02WebMainResource", SniffWebarchive, true},
		{"webarchive, XML", "<plist><dict><key>WebMainResource</key>", SniffWebarchive, true},
		{"another property list", "bplist00\xd1\x01\x02Main", SniffWebarchive, false},
		{"another XML", "<key>WebMainResource</key>", SniffWebarchive, false},
		{"webloc, binary", "bplist00\xd1\x01\x02\x53URL", SniffWebloc, true},
		{"webloc, XML", "<plist><dict><key>URL</key>", SniffWebloc, true},
		{"another list with a URL", "bplist00\xd1\x01\x02\x5eWebResourceURL", SniffWebloc, false},
		{"ENEX", "<?xml version=\"1.0\"?><en-export application=\"x\">", SniffENEX, true},
		{"only a note", "<en-note>", SniffENEX, false},
	} {
		assert.Equal(t, row.want, row.sniff([]byte(row.src)), row.name)
	}
}

func TestXMLPlistLinear(t *testing.T) {
	for _, unit := range []string{"<", "<a>", "<dict>", "<dict><key>", "</dict>", "<key>a</key>", "<!--", "<!-- -->", "<true/>", "<data>a"} {
		longtest.Linear(t, unit, 1<<20/len(unit), func(n int) func() {
			src := bytes.Repeat([]byte(unit), n)
			return func() { readXMLPlist(src) }
		})
	}
}
