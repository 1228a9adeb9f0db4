package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
	"absolink/internal/longtest"
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
	assert.Contains(t, all[0], `"raw_base64":"Y2Fm6Q=="}`)
	assert.Contains(t, all[1], `"raw_base64":null}`)
	assert.Equal(t, []string{`{"raw_base64":"Y2Fm6Q=="}` + "\n", `{"raw_base64":"eA=="}` + "\n"}, linesOf("raw_base64"))
	for _, line := range all {
		assert.True(t, json.Valid([]byte(line)), line)
	}
}

// The time of the rows, and of the references of --relative, grows linearly with a page that has a long base, and many elements
// with bases of their own.
func TestLongBaseLinear(t *testing.T) {
	x := extract.Extractor{MaxRecord: 2 << 20}
	check := func(name string, each func(l *extract.Link)) {
		longtest.Linear(t, name, 20_000, func(n int) func() {
			const element = "<object codebase=x data=y>"
			page := "<base href='http://h/" + strings.Repeat("x", n*len(element)) + "'>" + strings.Repeat(element, n)
			return func() {
				for l, err := range x.Links(t.Context(), extract.Document{Type: "text/html", Bytes: []byte(page)}) {
					require.NoError(t, err)
					each(l)
				}
			}
		})
	}
	table, err := rows.NewTable(rows.CSV, linkColumns, nil)
	require.NoError(t, err)
	row, buf := &linkRow{}, []byte(nil)
	check("rows", func(l *extract.Link) {
		row.set(l, rows.CSV)
		buf = table.Append(buf[:0], row)
	})
	m := &mapper{shortens: true}
	check("relative references", func(l *extract.Link) { m.url(l) })
}
