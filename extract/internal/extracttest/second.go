package extracttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Python runs a Python program over standard input, as a second reader of a format.
func Python(t *testing.T, in []byte, args ...string) string {
	t.Helper()
	if err := exec.Command("python3", "-c", "").Run(); err != nil {
		t.Skip("the second reader is Python's, and python3 does not start:", err)
	}
	cmd := exec.Command("python3", args...)
	cmd.Stdin = bytes.NewReader(in)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	require.NoError(t, err, errors.String())
	return string(out)
}

// SecondReader collects documents, and what a Python function reads in them. Python starts once for all of them.
type SecondReader struct {
	Function    string // the source of read(bytes), which returns a text
	names, want []string
	documents   bytes.Buffer
}

// Add adds a document, and the text that the function must return for it.
func (r *SecondReader) Add(t *testing.T, document, want string) {
	r.names, r.want = append(r.names, t.Name()), append(r.want, want)
	fmt.Fprintf(&r.documents, "%08x%s", len(document), document)
}

// Check runs the function over all documents.
func (r *SecondReader) Check(t *testing.T) {
	out := Python(t, r.documents.Bytes(), "-c", r.Function+`
import sys, json
while size := sys.stdin.buffer.read(8):
    print(json.dumps(read(sys.stdin.buffer.read(int(size, 16)))))
`)
	texts := json.NewDecoder(strings.NewReader(out))
	for i, name := range r.names {
		var text string
		require.NoError(t, texts.Decode(&text), name)
		assert.Equal(t, r.want[i], text, name)
	}
}
