package console

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type progress struct {
	Read, Skipped, Total, Documents, Records, Found, Wrong int64
	Finds, Document                                        string
	Elapsed                                                time.Duration
}

func (s *progress) Line(columns int) []byte {
	var c Counts
	for of, n := range map[*atomic.Int64]int64{&c.Bytes.Read: s.Read, &c.Bytes.Skipped: s.Skipped, &c.Total: s.Total, &c.Done: s.Documents,
		&c.Records: s.Records, &c.Found: s.Found, &c.Wrong: s.Wrong} {
		of.Store(n)
	}
	c.Document.Store(&s.Document)
	return c.Line(s.Finds, s.Elapsed, columns)
}

func TestProgressLine(t *testing.T) {
	for _, row := range []struct {
		name    string
		state   progress
		columns int
		want    string
	}{
		{"at the start", progress{Finds: "links"}, 80, "0 B; 0 links, 0 problems; "},
		{"the total is not known", progress{Read: 2_500_000, Documents: 3, Found: 17, Wrong: 1, Finds: "links", Document: "a.html", Elapsed: 2 * time.Second}, 80,
			"2.5 MB, 1.25 MB/s; 3 documents, 17 links, 1 problem; a.html"},
		{"in the middle", progress{Read: 250, Total: 1000, Documents: 1, Finds: "edits", Document: "a", Elapsed: 40 * time.Second}, 80,
			"25% of 1 kB, 6 B/s, 2:00 left; 1 document, 0 edits, 0 problems; a"},
		{"skipped bytes are done, but do not count for the speed", progress{Read: 250, Skipped: 500, Total: 1000, Finds: "bases", Elapsed: time.Second}, 80,
			"75% of 1 kB, 250 B/s, 0:00 left; 0 bases, 0 problems; "},
		{"files became longer during the run", progress{Read: 1100, Total: 1000, Finds: "links", Elapsed: time.Second}, 80,
			"100% of 1 kB, 1.1 kB/s; 0 links, 0 problems; "},
		{"in a mailbox", progress{Read: 79_000_000, Total: 316_000_000, Records: 21_000, Found: 1, Finds: "links", Document: "a.mbox", Elapsed: time.Second}, 80,
			"25% of 316 MB, 79 MB/s, 0:03 left; 21000 records, 1 link, 0 problems; a.mbox"},
		{"documents and their records", progress{Documents: 2, Records: 1, Finds: "links"}, 80, "0 B; 2 documents, 1 record, 0 links, 0 problems; "},
		{"a narrow terminal", progress{Read: 1, Finds: "links"}, 10, "1 B; 0 li"},
		{"a long path keeps its end", progress{Finds: "links", Document: "a/long/folder/with/the/page.html"}, 40, "0 B; 0 links, 0 problems; .../page.html"},
		{"a name with a newline and a byte that is not UTF-8", progress{Finds: "links", Document: "a\n\xE9"}, 80, `0 B; 0 links, 0 problems; a\n\xe9`},
	} {
		assert.Equal(t, row.want, string(row.state.Line(row.columns)), row.name)
	}
	for n, want := range map[float64]string{0: "0 B", 999: "999 B", 999.6: "1 kB", 1000: "1 kB", 123_456: "123 kB", 999_600: "1 MB", 7.25e9: "7.25 GB", 1e12: "1 TB", 4e15: "4000 TB"} {
		assert.Equal(t, want, string(AppendBytes(nil, n)))
	}
}

// Messages are above the line, which stays at the end.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out}
	_, _ = p.Write([]byte("before\n"))
	p.Begin(func() []byte { return []byte("LINE") })
	_, _ = p.Write([]byte("within\n"))
	p.End()
	_, _ = p.Write([]byte("after\n"))
	p.End()
	assert.True(t, strings.HasPrefix(out.String(), "before\n"+clearLine))
	assert.True(t, strings.HasSuffix(out.String(), clearLine+"LINE\nafter\n"))
	said := strings.NewReplacer(clearLine, "", "LINE", "").Replace(out.String())
	assert.Equal(t, "before\nwithin\n\nafter\n", said)
}
