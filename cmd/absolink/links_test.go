package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Bytes that are not UTF-8 are U+FFFD in raw, and exact in raw_base64. A row has raw_base64 only for such bytes, or if --fields
// names it.
func TestRowNotUTF8(t *testing.T) {
	const page = "<meta charset=latin1><a href='caf\xE9'><a href=x>"
	linesOf := func(fields ...string) (out []string) {
		table, err := rows.NewTable(rows.JSONL, linkColumns, fields)
		require.NoError(t, err)
		row := &linkRow{rawAsked: len(fields) > 0}
		x := extract.Extractor{}
		for l, err := range x.Links(t.Context(), extract.Document{Name: "d", URL: "http://h/", Bytes: []byte(page)}) {
			require.NoError(t, err)
			row.set(l, rows.JSONL)
			out = append(out, string(table.Append(nil, row)))
		}
		return out
	}
	all := linesOf()
	assert.Contains(t, all[0], `"raw":"caf\ufffd","ref":"café","url":"http://h/café"`)
	assert.Contains(t, all[0], `"status":"resolved","raw_base64":"Y2Fm6Q=="}`)
	assert.NotContains(t, all[1], "raw_base64")
	assert.Equal(t, []string{`{"raw_base64":"Y2Fm6Q=="}` + "\n", `{"raw_base64":"eA=="}` + "\n"}, linesOf("raw_base64"))
	for _, line := range all {
		assert.True(t, json.Valid([]byte(line)), line)
	}
}
