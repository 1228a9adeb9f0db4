package rows

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
)

// cells returns columns for rows of strings.
func cells(names ...string) []Column[[]string] {
	var all []Column[[]string]
	for i, name := range names {
		all = append(all, Column[[]string]{Name: name, Value: func(dst []byte, f Form, row []string) []byte {
			return f.Word(dst, row[i])
		}})
	}
	return all
}

func TestForms(t *testing.T) {
	rows := []struct {
		name, value          string
		text, tsv, csv, json string
	}{
		{"plain", "http://h/", "http://h/", "http://h/", "http://h/", `"http://h/"`},
		{"empty", "", "", "", "", `""`},
		{"comma", "a,b", "a,b", "a,b", `"a,b"`, `"a,b"`},
		{"quote", `a"b`, `a"b`, `a"b`, `"a""b"`, `"a\"b"`},
		{"newlines", "a\r\nb", `a\r\nb`, `a\r\nb`, "\"a\r\nb\"", `"a\r\nb"`},
		{"tab", "a\tb", `a\tb`, `a\tb`, "a\tb", `"a\tb"`},
		{"spaces", " a ", " a ", " a ", " a ", `" a "`},
		{"not UTF-8", "a\xE9\xE9", "a\xE9\xE9", "a\uFFFD\uFFFD", "a\uFFFD\uFFFD", `"a\ufffd\ufffd"`},
		{"not UTF-8 and a tab", "\xE9\t", "\xE9\\t", "\uFFFD\\t", "\uFFFD\t", `"\ufffd\t"`},
	}
	for _, row := range rows {
		for f, want := range map[Form]string{
			Text:  row.text + "\tx\n",
			TSV:   "a\tb\n" + row.tsv + "\tx\n",
			CSV:   "a,b\r\n" + row.csv + ",x\r\n",
			JSONL: `{"a":` + row.json + `,"b":"x"}` + "\n",
		} {
			table, err := NewTable(f, cells("a", "b"), nil)
			require.NoError(t, err)
			out := &files.Output{}
			table.Begin(out, "v1", "test")
			assert.Equal(t, want, string(table.Append(out.Buf, []string{row.value, "x"})), row.name)
		}
	}
}

// encoding/csv reads what was written, even a row of one empty field.
func FuzzCSV(f *testing.F) {
	f.Add("", "")
	f.Add("a,\"\n", "\"")
	f.Add("\xE9", " ")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, fields := range [][]string{{"a"}, {"a", "b"}} {
			table, err := NewTable(CSV, cells("a", "b"), fields)
			require.NoError(t, err)
			head := &files.Output{}
			table.Begin(head, "", "")
			out := table.Append(head.Buf, []string{a, b})
			got, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
			require.NoError(t, err)
			// The reader takes a CR LF for a LF, even in quotes.
			lf := strings.NewReplacer("\r\n", "\n")
			want := []string{lf.Replace(valid(a)), lf.Replace(valid(b))}[:len(fields)]
			assert.Equal(t, [][]string{fields, want}, got)
		}
	})
}
