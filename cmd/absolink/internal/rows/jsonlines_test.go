package rows

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
)

func TestAppendProblem(t *testing.T) {
	p := extract.Problem{Document: "a\xFF.html", Entity: "x", Offset: 7, Code: extract.CodeNoBase, Detail: `"../x": <none>`}
	assert.Equal(t, stdlib(t, p)+"\n", string(AppendProblem(nil, p)))
}

func TestAppendEdit(t *testing.T) {
	for name, row := range map[string]struct{ old, new, want string }{
		"text":             {"../x", "http://h/x", `{"document":"d","document_offset":5,"old":"../x","new":"http://h/x","links":[]}`},
		"old is not UTF-8": {"\xE9", "e", `{"document":"d","document_offset":5,"old_base64":"6Q==","new_base64":"ZQ==","links":[]}`},
		"new is not UTF-8": {"", "\xE9", `{"document":"d","document_offset":5,"old_base64":"","new_base64":"6Q==","links":[]}`},
	} {
		assert.Equal(t, row.want+"\n", string(AppendEdit(nil, "d", extract.Edit{Offset: 5, Old: []byte(row.old), New: []byte(row.new)}, nil)), name)
	}
	links := AppendChange(nil, extract.Change{Ref: "a\"\xE9", NewRef: "http://h/b", URL: "http://h/b"})
	links = AppendChange(links, extract.Change{Ref: "v2/", URL: "http://h/v2/"})
	links = AppendChange(links, extract.Change{Ref: "second"})
	assert.Equal(t, `{"document":"d","document_offset":5,"old":"","new":"x","links":[`+
		`{"ref":"a\"\ufffd","new_ref":"http://h/b","url":"http://h/b"},{"ref":"v2/","new_ref":"","url":"http://h/v2/"},`+
		`{"ref":"second","new_ref":"","url":null}]}`+"\n", string(AppendEdit(nil, "d", extract.Edit{Offset: 5, New: []byte("x")}, links)))
}
