//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	parquet "github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parquetPage has every kind of value: a list, an embedded document, a value that is not UTF-8, and a link without a URL.
const parquetPage = "<meta charset=latin1><base href=/d/><base href=/e/><a href='caf\xE9'><img srcset='1 1x, 2 2x'>" +
	"<iframe srcdoc='<a href=&quot;y&quot;>'></iframe><a href=# rel=up title=t>\xE9</a>"

// parquetMessage has a link in encoded bytes.
const parquetMessage = "Message-ID: <1@h>\nSubject: \xE9\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg==\n"

func parquetInput(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.html"), []byte(parquetPage), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.html"), []byte("<a href=//h>"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.eml"), []byte(parquetMessage), 0o666))
	return dir
}

func encoded(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// The library reads the same rows as in the JSON lines.
func TestParquet(t *testing.T) {
	for _, args := range [][]string{
		{"links"},
		{"links", "--fields", "position,url,document_offset,problem"},
		{"links", "--fields", "rel,text,title,url"},
		{"links", "--fields", "message_id,date,subject"},
		{"base"},
		{"base", "--fields", "candidates,document"},
	} {
		args = append(args, parquetInput(t), "-q")
		lines, err := command(t, append(args, "-f", "jsonl")...).Output()
		require.NoError(t, err)
		var want []any
		for line := range strings.Lines(string(lines)) {
			var row any
			require.NoError(t, json.Unmarshal([]byte(line), &row))
			want = append(want, row)
		}
		file, err := command(t, append(args, "-f", "parquet")...).Output()
		require.NoError(t, err)
		got, err := parquet.Read[any](bytes.NewReader(file), int64(len(file)))
		require.NoError(t, err)
		assert.Equal(t, encoded(t, want), encoded(t, got), args)
	}
}

// Another program reads the same rows.
func TestParquetPyarrow(t *testing.T) {
	if err := exec.Command("python3", "-c", "import pyarrow.parquet").Run(); err != nil {
		t.Skip("python3 has no pyarrow; TestParquet reads with the library that writes")
	}
	const script = `
import json, sys, pyarrow.parquet
for row in pyarrow.parquet.read_table(sys.argv[1]).to_pylist():
    print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
`
	for _, verb := range []string{"links", "base"} {
		dir := parquetInput(t)
		want, err := command(t, verb, dir, "-q", "-f", "jsonl").Output()
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "rows.parquet")
		require.NoError(t, command(t, verb, dir, "-q", "-f", "parquet", "-o", file).Run())
		got, err := exec.Command("python3", "-c", script, file).Output()
		require.NoError(t, err)
		assert.Equal(t, strings.ReplaceAll(string(want), `\ufffd`, "\uFFFD"), string(got))
	}
}
