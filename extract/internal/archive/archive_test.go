package archive

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/mark"
	"absolink/extract/internal/window"
)

// TestSniff has a row for each format, and rows for similar texts in other formats.
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
		{"ENEX", "<?xml version=\"1.0\"?><en-export application=\"x\">", SniffENEX, true},
		{"only a note", "<en-note>", SniffENEX, false},
	} {
		assert.Equal(t, row.want, row.sniff([]byte(row.src)), row.name)
	}
}

var (
	page     = &mark.Format{Name: "text/html"}
	settings = mark.Settings{
		Limits: mark.Limits{Depth: 4},
		Formats: func(mediaType string) *mark.Format {
			if mediaType == "text/html" {
				return page
			}
			return nil
		},
	}
)

// documents returns the embedded documents that a format marks in a text, as "base text". base is the retrieval URL of the
// document; it is not decoded. documents also returns the codes of the faults.
func documents(t *testing.T, format *mark.Format, src []byte) (found []string, faults []mark.Code) {
	t.Helper()
	m := mark.Marks{Settings: settings}
	format.Extract(src, &m)
	base := ""
	for marks := range m.All {
		for _, at := range marks {
			if at.Kind == mark.IsBase {
				base = string(src[at.Start:at.End])
			}
			if at.Kind != mark.IsNested {
				continue
			}
			text, err := at.Codec.Decode(src[at.Start:at.End])
			require.NoError(t, err)
			own := base
			if at.Scope > 0 {
				declared := m.ScopeMark(at.Scope)
				own = string(src[declared.Start:declared.End])
			}
			found = append(found, strings.TrimPrefix(own+" "+string(text), " "))
		}
	}
	for _, f := range m.Notes.Faults {
		faults = append(faults, f.Code)
	}
	return found, faults
}

// records returns the documents in the records of a stream, and the codes of the faults. For a piece of a record that is
// too long it returns "...".
func records(t *testing.T, format *mark.Format, src string, limit int) (found []string, faults []mark.Code) {
	t.Helper()
	var all string
	for chunk, err := range format.Split(window.On([]byte(src)), limit) {
		require.NoError(t, err)
		require.EqualValues(t, len(all), chunk.Offset)
		all += string(chunk.Bytes)
		if chunk.Fault != nil {
			faults = append(faults, chunk.Fault.Code)
		}
		if chunk.Format == nil {
			found = append(found, "...")
			continue
		}
		more, wrong := documents(t, chunk.Format, chunk.Bytes)
		found, faults = append(found, more...), append(faults, wrong...)
	}
	require.Equal(t, src, all, "the records cover the file")
	return found, faults
}

// streamRow is a stream of records and the documents in it.
type streamRow struct {
	name, src string
	want      []string
	faults    []mark.Code
}

func runStream(t *testing.T, format *mark.Format, rows []streamRow) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, faults := records(t, format, row.src, 1<<20)
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.faults, faults)
			for n := range row.src {
				records(t, format, row.src[:n], 1<<20)
			}
			for _, limit := range []int{1, 40, 90} {
				records(t, format, row.src, limit)
			}
		})
	}
}

var truncated = []mark.Code{mark.RecordTruncated}
