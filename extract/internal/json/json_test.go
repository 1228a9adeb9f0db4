package json

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/internal/longtest"
)

func TestBegins(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      bool
	}{
		{"an object", `{"log": 1}`, true},
		{"white space (RFC 8259 2)", " \t\r\n{\n\"log\"", true},
		{"a byte order mark", "\uFEFF{\"log\":", true},
		{"another key first", `{"x": 1, "log": 2}`, false},
		{"a longer key", `{"logs": 1}`, false},
		{"an array", `["log"]`, false},
		{"an empty object", `{}`, false},
		{"truncated", `{"lo`, false},
		{"an empty text", "", false},
	} {
		assert.Equal(t, row.want, Begins([]byte(row.src), "log"), row.name)
	}
}

// read reads the object or the array at the start of a text. It returns the members as "key=value" or the elements as
// "=value", the rest of the text, and Broken. The value of a string is the text between its quotes.
func read(src string) (values []string, rest string, broken bool) {
	r := Reader{Src: []byte(src)}
	value := func(key string, p int) int {
		s, end := r.Text(p)
		if s.Len() == 0 {
			s = codec.Span{Start: p, End: end}
		}
		values = append(values, key+"="+src[s.Start:s.End])
		return end
	}
	p := r.SkipSpace(0)
	var end int
	if p < len(src) && src[p] == '[' {
		end = r.Elements(p, func(p int) int { return value("", p) })
	} else {
		end = r.Members(p, func(key codec.Span, p int) int { return value(strings.Trim(src[key.Start:key.End], `"`), p) })
	}
	return values, src[end:], r.Broken
}

// The rows are the productions of RFC 8259, and the kinds of invalid text.
func TestValues(t *testing.T) {
	for _, row := range []struct {
		name, src, rest string
		broken          bool
		want            []string
	}{
		{"RFC 8259 4: an object", `{"a": "b", "c" :"d"}`, "", false, []string{"a=b", "c=d"}},
		{"RFC 8259 4: an empty object", " { } x", " x", false, nil},
		{"RFC 8259 4: the same key twice", `{"a":1,"a":2}`, "", false, []string{"a=1", "a=2"}},
		{"RFC 8259 5: an array", `["a", 1 ,[2], {}]`, "", false, []string{"=a", "=1", "=[2]", "={}"}},
		{"RFC 8259 5: an empty array", "[ ]", "", false, nil},
		{"RFC 8259 3: literals", `[true,false,null]`, "", false, []string{"=true", "=false", "=null"}},
		{"RFC 8259 6: numbers", `[-1.5e+3, 0]`, "", false, []string{"=-1.5e+3", "=0"}},
		{"RFC 8259 7: escapes in a string", `["a\"]\\", "\u005d"]`, "", false, []string{`=a\"]\\`, `=\u005d`}},
		{"RFC 8259 2: white space", "{\r\n\t\"a\"\n:\t1 }", "", false, []string{"a=1"}},
		{"brackets in strings of a value", `{"a": [{"x": "]}\""}, 2], "b": 3}`, "", false, []string{`a=[{"x": "]}\""}, 2]`, "b=3"}},
		{"text after the object", `{"a":1} {"b":2}`, ` {"b":2}`, false, []string{"a=1"}},
		{"no object", "12 3", " 3", false, nil},

		{"an empty text", "", "", true, nil},
		{"an object without an end", `{"a": 1`, "", true, []string{"a=1"}},
		{"an array without an end", `[1, 2`, "", true, []string{"=1", "=2"}},
		{"a value without an end", `{"a": [1, {"b": 2}`, "", true, []string{`a=[1, {"b": 2}`}},
		{"a string without an end", `{"a": "b\"`, "", true, []string{`a="b\"`}},
		{"a key without an end", `{"a`, "", true, nil},
		{"no value", `{"a":}`, "", false, []string{"a="}},
		{"no colon", `{"a" 1}`, "1}", true, nil},
		{"no comma", `{"a":1 "b":2}`, `"b":2}`, true, []string{"a=1"}},
		{"the wrong bracket", `{"a":1]`, "]", true, []string{"a=1"}},
		{"a comma at the end of an array", `[1,]`, "", false, []string{"=1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			values, rest, broken := read(row.src)
			assert.Equal(t, row.want, values)
			assert.Equal(t, row.rest, rest)
			assert.Equal(t, row.broken, broken)
			for n := range row.src {
				read(row.src[:n])
			}
		})
	}
}

// A string without an end has an empty span, and Text never resets Broken.
func TestTextBroken(t *testing.T) {
	r := Reader{Src: []byte(`"a" "b`)}
	s, end := r.Text(4)
	assert.Zero(t, s)
	assert.Equal(t, 6, end)
	require.True(t, r.Broken)
	s, end = r.Text(0)
	assert.Equal(t, codec.Span{Start: 1, End: 2}, s)
	assert.Equal(t, 3, end)
	assert.True(t, r.Broken)
}

func TestIs(t *testing.T) {
	r := Reader{Src: []byte(`"url" "urls" "u\u0072l"`)}
	assert.True(t, r.Is(codec.Span{Start: 0, End: 5}, "url"))
	assert.False(t, r.Is(codec.Span{Start: 6, End: 12}, "url"))
	assert.False(t, r.Is(codec.Span{Start: 13, End: 23}, "url"), "a key with an escape is never equal")
}

func TestLinear(t *testing.T) {
	for _, unit := range []string{"[", "{", `{"a":`, `"`, `\`, `"a",`, "1 ", ",", "]", `{"a":1},`} {
		for _, head := range []string{"", "[", `{"a":`} {
			longtest.Linear(t, head+" and many "+unit, 1<<20/len(unit), func(n int) func() {
				src := head + strings.Repeat(unit, n)
				return func() { read(src) }
			})
		}
	}
}

// FuzzReader compares with encoding/json: in a valid object, a Reader finds all members, and Broken is false.
func FuzzReader(f *testing.F) {
	f.Add(`{"a": [1, {"b": "c\""}], "d": null}`)
	f.Add(` {"a"`)
	f.Fuzz(func(t *testing.T, src string) {
		values, rest, broken := read(src)
		var want map[string]json.RawMessage
		if json.Unmarshal([]byte(src), &want) != nil || strings.TrimLeft(src, " \t\r\n")[0] != '{' {
			return
		}
		require.False(t, broken, "%q", src)
		require.Empty(t, strings.Trim(rest, " \t\r\n"), "%q", src)
		require.GreaterOrEqual(t, len(values), len(want), "%q", src)
	})
}
