package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract"
)

// stdlib is what encoding/json writes without HTML escaping.
func stdlib(t testing.TB, v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(v))
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}

func TestAppendJSON(t *testing.T) {
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
	for name, s := range rows {
		assert.Equal(t, stdlib(t, s), string(appendJSON(nil, s)), name)
		assert.Equal(t, stdlib(t, s), string(appendJSON(nil, []byte(s))), name)
	}
}

func FuzzAppendJSON(f *testing.F) {
	f.Add("a\xFF\u2028\"\\\x00\n")
	f.Fuzz(func(t *testing.T, s string) {
		assert.Equal(t, stdlib(t, s), string(appendJSON(nil, s)))
	})
}

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

func TestAppendProblem(t *testing.T) {
	p := extract.Problem{Document: "a\xFF.html", Entity: "x", Offset: 7, Code: extract.NoBase, Detail: `"../x": <none>`}
	assert.Equal(t, stdlib(t, p)+"\n", string(appendProblem(nil, p)))
}

func TestAppendEdit(t *testing.T) {
	for name, row := range map[string]struct{ old, new, want string }{
		"text":             {"../x", "http://h/x", `{"document":"d","offset":5,"old":"../x","new":"http://h/x"}`},
		"old is not UTF-8": {"\xE9", "e", `{"document":"d","offset":5,"old_base64":"6Q==","new_base64":"ZQ=="}`},
		"new is not UTF-8": {"", "\xE9", `{"document":"d","offset":5,"old_base64":"","new_base64":"6Q=="}`},
	} {
		assert.Equal(t, row.want+"\n", string(appendEdit(nil, "d", 5, []byte(row.old), []byte(row.new))), name)
	}
}
