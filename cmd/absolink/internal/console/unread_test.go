package console

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
)

// The line has the number of each thing, and the most frequent extensions of files. Pictures are not counted.
func TestNotLookedInto(t *testing.T) {
	var out bytes.Buffer
	r := Problems{Log: NewLog(&out, slog.LevelWarn, Colors{}), Sums: true}
	for _, name := range []string{"a.ics", "b.DOCX", "c.docx", "logo.png", "Makefile", "d.JPG", "e.ics", "g.ics"} {
		r.Problem(extract.Problem{Document: name, Code: extract.CodeTypeUnknown, Severity: extract.SeverityNote})
		r.Problem(extract.Problem{Document: name, Code: extract.CodeNotRead, Severity: extract.SeverityNote, Unread: "conditional comments", N: 10})
	}
	r.Problem(extract.Problem{Code: extract.CodeNotRead, Severity: extract.SeverityNote, Unread: "JSON-LD", N: 1})
	r.Problem(extract.Problem{Code: extract.CodeNotRead, Severity: extract.SeverityNote})
	r.Last(0, 0, 0)
	assert.Equal(t, "absolink: not looked into: 6 files (.ics, .docx), 80 conditional comments, 1 JSON-LD; --problems FILE lists them\n", out.String())
	out.Reset()
	for i := range 2 * knownExtensions {
		r.Problem(extract.Problem{Document: fmt.Sprintf("f.%d", i), Code: extract.CodeTypeUnknown, Severity: extract.SeverityNote})
	}
	r.Last(0, 0, 0)
	assert.Equal(t, "absolink: not looked into: 2006 files (.ics, .docx, .0, .1, .10, ...), 80 conditional comments, 1 JSON-LD; --problems FILE lists them\n", out.String())
	assert.LessOrEqual(t, len(r.unread.extensions), knownExtensions)
}
