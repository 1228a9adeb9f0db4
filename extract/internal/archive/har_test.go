package archive

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/mark"
)

// TestHAR has a row for each member of an entry that counts.
func TestHAR(t *testing.T) {
	file := func(entry string) string { return `{"log": {"version": "1.2", "entries": [` + entry + `]}}` }
	entry := func(content string) string {
		return file(`{"request": {"url": "http://h/"}, "response": {"content": {` + content + `}, "redirectURL": ""}}`)
	}
	for _, row := range []struct {
		name, src string
		want      []string
		faults    []mark.Code
	}{
		{"text", entry(`"mimeType": "text/html", "text": "<p>\u0041"`), []string{"http://h/ <p>A"}, nil},
		{"base64", entry(`"mimeType": "text/html", "encoding": "base64", "text": "PHA+"`), []string{"http://h/ <p>"}, nil},
		{"base64 with escapes", entry(`"mimeType": "text/html", "encoding": "base64", "text": "\u0050HA+"`), []string{"http://h/ <p>"}, nil},
		{"an unknown encoding", entry(`"mimeType": "text/html", "encoding": "x", "text": "PHA+"`), nil, []mark.Code{mark.Undecodable}},
		{"a type without a format", entry(`"mimeType": "image/gif", "text": "x"`), nil, nil},
		{"no media type: the format is detected", entry(`"text": "<p>"`), []string{"http://h/ <p>"}, nil},
		{"repeated member: the last one counts", entry(`"text": "a", "text": "b"`), []string{"http://h/ b"}, nil},
		{"the response before the request", file(`{"response": {"content": {"text": "x"}}, "request": {"url": "http://h/"}}`), []string{"http://h/ x"}, nil},
		{"no URL", file(`{"response": {"content": {"text": "x"}}}`), []string{"x"}, nil},
		{"no entries", `{"log": {}}`, nil, truncated},
		{"an entry without an end", file(`{"response": {"content": {"text": "x"}}`)[:80], []string{"x"}, truncated},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, faults := documents(t, HAR, []byte(row.src))
			assert.Equal(t, row.want, got)
			assert.Equal(t, row.faults, faults)
			for n := range row.src {
				documents(t, HAR, []byte(row.src[:n]))
			}
		})
	}
}
