package rows

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

func TestParquetRowGroups(t *testing.T) {
	table, err := NewTable(Parquet, cells("a"), nil)
	require.NoError(t, err)
	var file bytes.Buffer
	w := newParquetWriter(&file, table.columns, "v1", "test")
	w.group = 1000
	row := []string{strings.Repeat("x", 99)} // 100 bytes with its length
	for range 25 {
		_, err := w.Write(table.Append(nil, row))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	require.NoError(t, err)
	var rows []int64
	for _, group := range f.RowGroups() {
		rows = append(rows, group.NumRows())
	}
	assert.Equal(t, []int64{10, 10, 5}, rows)
}

// A value of several megabytes is in the file once, not also in the footer and the page headers.
func TestParquetLongValue(t *testing.T) {
	table, err := NewTable(Parquet, cells("a"), nil)
	require.NoError(t, err)
	var file bytes.Buffer
	w := newParquetWriter(&file, table.columns, "v1", "test")
	_, err = w.Write(table.Append(nil, []string{strings.Repeat("x", 1<<20)}))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.Less(t, file.Len(), 10_000)
}

// basesPage has several candidates for its bases.
const basesPage = "<base href=/d/><base href=/e/><iframe srcdoc='<a href=y>'></iframe>"

// The candidates have the same fields in JSON and in Parquet.
func TestCandidates(t *testing.T) {
	x := extract.Extractor{}
	for e, err := range x.Bases(t.Context(), extract.Document{URL: "http://h/", Bytes: []byte(basesPage), Type: "text/html"}) {
		require.NoError(t, err)
		all := e.Scope.Candidates()
		var fields []map[string]string
		require.NoError(t, json.Unmarshal(JSONL.Candidates(nil, all), &fields))
		require.Len(t, fields, len(all))
		rest, _, _ := cutCell(Parquet.Candidates(nil, all))
		for _, c := range fields {
			for _, name := range []string{"layer", "source", "value", "url", "verdict"} {
				var cell []byte
				cell, _, rest = cutCell(rest)
				assert.Equal(t, c[name], string(cell), name)
			}
		}
		assert.Empty(t, rest)
	}
}
