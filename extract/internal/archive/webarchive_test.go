package archive

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	applelist "howett.net/plist"

	"absolink/extract/internal/mark"
	"absolink/internal/longtest"
)

// TestWebarchive has a row for each resource of an archive, and for each way to damage the property list.
func TestWebarchive(t *testing.T) {
	const page = "<dict><key>WebResourceURL</key><string>http://h/</string><key>WebResourceMIMEType</key><string>text/html</string><key>WebResourceData</key><data>PHA+</data></dict>"
	file := func(members string) string {
		return "<?xml version=\"1.0\"?><plist><dict>" + members + "</dict></plist>"
	}
	main := "<key>WebMainResource</key>" + page
	for _, row := range []struct {
		name, src string
		want      []string
		faults    []mark.Code
	}{
		{"the page", file(main), []string{"http://h/ <p>"}, nil},
		{"base64 in several lines", file(strings.Replace(main, "PHA+", "\n\tPH\n\tA+\n", 1)), []string{"http://h/ <p>"}, nil},
		{"resources", file(main + "<key>WebSubresources</key><array>" + page + page + "</array>"), []string{"http://h/ <p>", "http://h/ <p>", "http://h/ <p>"}, nil},
		{"frames", file(main + "<key>WebSubframeArchives</key><array><dict>" + main + "</dict></array>"), []string{"http://h/ <p>", "http://h/ <p>"}, nil},
		{"a type without a format", file(strings.Replace(main, "text/html", "image/gif", 1)), nil, nil},
		{"no media type: the format is detected", file(strings.Replace(main, "WebResourceMIMEType", "x", 1)), []string{"http://h/ <p>"}, nil},
		{"empty elements", file("<key>x</key><true/><key>y</key><array/>" + main), []string{"http://h/ <p>"}, nil},
		{"a comment", file("<!-- <key> -->" + main), []string{"http://h/ <p>"}, nil},
		{"a value in a CDATA section is not read", file(strings.Replace(main, "PHA+", "<![CDATA[PHA+]]>", 1)), nil, truncated},
		{"no page", file(""), nil, truncated},
		{"no end", strings.TrimSuffix(file(main), "</dict></plist>"), []string{"http://h/ <p>"}, truncated},
		{"no end of a comment", file(main + "<!--"), []string{"http://h/ <p>"}, truncated},
		{"no end of a tag", strings.TrimSuffix(file(main), "></plist>"), []string{"http://h/ <p>"}, truncated},
		{"no end of an element", strings.TrimSuffix(file(main), "</dict></plist>") + "<key>x", []string{"http://h/ <p>"}, truncated},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, faults := documents(t, Webarchive, []byte(row.src))
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.faults, faults)
			for n := range row.src {
				documents(t, Webarchive, []byte(row.src[:n]))
			}
			if row.faults != nil {
				return
			}
			// The binary form of the same list has the same documents.
			var list any
			_, err := applelist.Unmarshal([]byte(row.src), &list)
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, applelist.NewBinaryEncoder(&b).Encode(list))
			got, faults = documents(t, Webarchive, b.Bytes())
			assert.Empty(t, faults)
			if row.name != "resources" && row.name != "frames" { // in the binary form, equal resources are one object
				assert.Equal(t, row.want, got)
			}
			for n := range b.Len() {
				documents(t, Webarchive, b.Bytes()[:n])
			}
		})
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
