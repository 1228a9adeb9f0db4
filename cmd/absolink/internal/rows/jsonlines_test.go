package rows

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
)

func TestAppendProblem(t *testing.T) {
	p := extract.Problem{Document: "a\xFF.html", Entity: "x", Offset: 7, Code: extract.NoBase, Detail: `"../x": <none>`}
	assert.Equal(t, stdlib(t, p)+"\n", string(AppendProblem(nil, p)))
}

func TestAppendEdit(t *testing.T) {
	for name, row := range map[string]struct{ old, new, want string }{
		"text":             {"../x", "http://h/x", `{"document":"d","offset":5,"old":"../x","new":"http://h/x"}`},
		"old is not UTF-8": {"\xE9", "e", `{"document":"d","offset":5,"old_base64":"6Q==","new_base64":"ZQ=="}`},
		"new is not UTF-8": {"", "\xE9", `{"document":"d","offset":5,"old_base64":"","new_base64":"6Q=="}`},
	} {
		assert.Equal(t, row.want+"\n", string(AppendEdit(nil, "d", 5, []byte(row.old), []byte(row.new))), name)
	}
}
