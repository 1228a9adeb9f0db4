package console

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
)

// Problems of several documents may be interleaved. Each message counts those of its document, and the last
// message those of the run.
func TestProblemsInTurns(t *testing.T) {
	var out bytes.Buffer
	r := Problems{Log: NewLog(&out, slog.LevelWarn, Colors{})}
	for range 5 {
		for _, document := range []string{"a", "b"} {
			r.Problem(extract.Problem{Document: document, Code: extract.CodeLinkMalformed, Severity: extract.SeverityWarning, Detail: "x"})
			r.Problem(extract.Problem{Document: document, Code: extract.CodeStandardDiffers, Severity: extract.SeverityNote, Detail: "y"})
		}
		r.EndDocument("c", true)
	}
	r.EndDocument("b", true)
	r.EndDocument("a", true)
	r.Last(0, 0, 0)
	assert.Equal(t, `absolink: a: link-malformed: x (offset 0)
absolink: b: link-malformed: x (offset 0)
absolink: a: link-malformed: x (offset 0)
absolink: b: link-malformed: x (offset 0)
absolink: a: link-malformed: x (offset 0)
absolink: b: link-malformed: x (offset 0)
absolink: b: link-malformed: 2 more; -v shows them all
absolink: a: link-malformed: 2 more; -v shows them all
absolink: 10 links in 2 documents have another URL in a browser; the first, in a: y
`, out.String())
}
