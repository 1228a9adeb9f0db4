package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// Bytes that are not UTF-8 are U+FFFD in raw, and exact in raw_base64, which is there only
// then, or when it is asked for.
func TestRowNotUTF8(t *testing.T) {
	const page = "<meta charset=latin1><a href='caf\xE9'><a href=x>"
	rows := func(fields ...string) (out []string) {
		table, err := newTable(asJSONL, linkColumns, fields)
		require.NoError(t, err)
		row := &linkRow{rawAsked: len(fields) > 0}
		w := extract.Walker{}
		err = w.Links(extract.Document{Name: "d", URL: "http://h/", Bytes: []byte(page)}, func(l *extract.Link) error {
			row.set(l, asJSONL)
			out = append(out, string(table.append(nil, row)))
			return nil
		})
		require.NoError(t, err)
		return out
	}
	all := rows()
	assert.Contains(t, all[0], `"raw":"caf\ufffd","ref":"café","url":"http://h/café"`)
	assert.Contains(t, all[0], `"status":"resolved","raw_base64":"Y2Fm6Q=="}`)
	assert.NotContains(t, all[1], "raw_base64")
	assert.Equal(t, []string{`{"raw_base64":"Y2Fm6Q=="}` + "\n", `{"raw_base64":"eA=="}` + "\n"}, rows("raw_base64"))
	for _, line := range all {
		assert.True(t, json.Valid([]byte(line)), line)
	}
}
