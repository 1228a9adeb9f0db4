package rows

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/cmd/absolink/internal/files"
	"absolink/extract"
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

// Lines become the elements of one array, even if a line is written in pieces.
func TestArray(t *testing.T) {
	for want, pieces := range map[string][]string{
		"[]\n":                        nil,
		"[\n{}\n]\n":                  {"{}\n"},
		"[\n{},\n{\"a\":1}\n]\n":      {"{}\n{\"a\":1}\n"},
		"[\n{},\n{\"b\":1},\n{}\n]\n": {"{", "}", "", "\n", "{\"b\"", ":1}\n{}\n"},
	} {
		var out strings.Builder
		w := &arrayWriter{w: &out, before: arrayStart}
		for _, p := range pieces {
			n, err := w.Write([]byte(p))
			require.NoError(t, err)
			assert.Equal(t, len(p), n)
		}
		require.NoError(t, w.Close())
		assert.Equal(t, want, out.String())
	}
}

// stdlib spells a value as encoding/json does without HTML escaping.
func stdlib(t testing.TB, v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(v))
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}

func TestAppendString(t *testing.T) {
	rows := map[string]string{
		"empty":               "",
		"plain":               "http://h/p?a=1&b=2<>'",
		"quote and backslash": `"\`,
		"surrogate":           "\xED\xA0\x80",
		"cut short":           "a\xE2\x82",
		"overlong":            "\xC0\xAFb",
		"replacement itself":  "\uFFFD",
		"line separators":     "a\u2028b\u2029c\u2027",
		"astral":              "\U0001F600x",
		"mixed":               "é\xFFü\n\x7F",
	}
	for c := range 256 {
		rows["byte "+string(rune('0'+c/100))+string(rune('0'+c/10%10))+string(rune('0'+c%10))] = "a" + string([]byte{byte(c)}) + "b"
	}
	for c := range 256 { // at each position in a word, and after it
		for at := range 20 {
			text := []byte("http://example.org/a")
			text[at] = byte(c)
			rows[fmt.Sprintf("byte %d at %d", c, at)] = string(text)
		}
	}
	for name, s := range rows {
		assert.Equal(t, stdlib(t, s), string(appendString(nil, s)), name)
		assert.Equal(t, stdlib(t, s), string(appendString(nil, []byte(s))), name)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\xFF\u2028\"\\\x00\n")
	f.Fuzz(func(t *testing.T, s string) {
		assert.Equal(t, stdlib(t, s), string(appendString(nil, s)))
	})
}

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

func TestSortable(t *testing.T) {
	for written, want := range map[string]string{
		"Fri, 21 Nov 1997 09:55:06 -0600":              "1997-11-21T09:55:06-06:00", // RFC 5322 A.1.1
		"Thu,\t13 Feb 1969 23:32 -0330 (Newfoundland)": "1969-02-13T23:32:00-03:30", // A.5
		"Mon, 01 Jan 2024 09:55:06 +0100":              "2024-01-01T09:55:06+01:00",
		"21 Nov 97 09:55:06 GMT":                       "1997-11-21T09:55:06Z", // A.6.2
		"Tue, 5 Mar 1996 12:00:00 pdt (summer)":        "1996-03-05T12:00:00-07:00",
		"Tue, 5 Mar 1996 12:00:00 -0000":               "1996-03-05T12:00:00Z",
		"Tue, 5 Mar 1996 12:00:00 CEST":                "Tue, 5 Mar 1996 12:00:00 CEST",
		"Tue, 5 Mar 1996 12:00:00":                     "Tue, 5 Mar 1996 12:00:00",
		"Tue, 35 Mar 1996 12:00:00 +0000":              "Tue, 35 Mar 1996 12:00:00 +0000",
		"yesterday":                                    "yesterday",
		"12:00":                                        "12:00",
		"":                                             "",
		strings.Repeat(" ", longestDate) + "5 Mar 1996 12:00:00 +0000": strings.Repeat(" ", longestDate) + "5 Mar 1996 12:00:00 +0000",
	} {
		assert.Equal(t, want, sortable(written), written)
	}
}
