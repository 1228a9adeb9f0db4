package grammar

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mark"
	"absolink/extract/internal/marktest"
	"absolink/internal/longtest"
)

// The rows follow "parse an import map string" and the algorithms that it calls.
var importMapRows = []marktest.GrammarRow{
	{Name: "an address", Src: `{"imports": {"a": "./a.js"}}`, Want: marktest.Texts("./a.js")},
	{Name: "URL-like addresses", Src: `{"imports": {"a": "/a", "b": "./b", "c": "../c", "d": "//h/d"}}`, Want: marktest.Texts("/a", "./b", "../c", "//h/d")},
	{Name: "absolute addresses", Src: `{"imports": {"a": "https://h/a", "b": "data:text/javascript,", "c": "npm:c", "d": "x:"}}`, Want: marktest.Texts("https://h/a", "data:text/javascript,", "npm:c", "x:")},
	{Name: "bare addresses", Src: `{"imports": {"a": "a.js", "b": "", "c": ".", "d": "..", "e": ".../e", "f": "?f", "g": "#g", "h": " ./h", "i": "1:i", "j": ":j", "k": "\\k"}}`},
	{Name: "http and https need //", Src: `{"imports": {"a": "http:a", "b": "HTTPS:/b", "c": "npm:c", "d": "HTTP://h/"}}`, Want: marktest.Texts("npm:c", "HTTP://h/")},
	{Name: "keys", Src: `{"imports": {"./k": "/a", "https://h/k/": "/b/", "/k": "/c", "k": "/d"}}`, Want: marktest.Texts("./k", "/a", "https://h/k/", "/b/", "/k", "/c", "/d")},
	{Name: "an address that is not a string blocks its key", Src: `{"imports": {"/a": null, "/b": 1, "/c": {"x": "/x"}, "/d": ["/x"], "e": "/e"}}`, Want: marktest.Texts("/a", "/b", "/c", "/d", "/e")},
	{Name: "the key ends in a slash, and the address does not", Src: `{"imports": {"a/": "/a", "b/": "/b/"}}`, Want: marktest.Texts("/a", "/b/")},
	{Name: "scopes are relative URLs of any form", Src: `{"scopes": {"a/": {"x": "/x"}, "": {"y": "y.js", "./z": "/z"}, "../b": {}}}`, Want: marktest.Texts("a/", "/x", "", "./z", "/z", "../b")},
	{Name: "integrity: keys", Src: `{"integrity": {"/a.js": "sha384-x/+y=", "b.js": "sha384-y", "https://h/d": ""}}`, Want: marktest.Texts("/a.js", "https://h/d")},
	{Name: "other members", Src: `{"note": {"a": "/a"}, "imports": {"a": "/b"}, "Imports": {"a": "/c"}, "x": ["/d"]}`, Want: marktest.Texts("/b")},
	{Name: "in the order of the bytes", Src: `{"integrity": {"/1": ""}, "scopes": {"/2": {"a": "/3"}}, "imports": {"a": "/4"}}`, Want: marktest.Texts("/1", "/2", "/3", "/4")},
	{Name: "duplicate key: both addresses are links", Src: `{"imports": {"a": "/a", "a": "/b"}}`, Want: marktest.Texts("/a", "/b")},
	{Name: "escapes", Src: `{"imports": {"a": "\/a\u002ejs", "\u002e\/b": "\u003cc"}}`, Want: marktest.Texts("/a.js", "./b")},
	{Name: "a lone surrogate", Src: `{"imports": {"a": "/\ud800"}}`, Want: marktest.Texts("/\uFFFD")},
	{Name: "white space around a URL", Src: `{"imports": {"a": "/a  "}, "scopes": {" b ": {}}}`, Want: marktest.Texts("/a", "b")},
	{Name: "white space", Src: " \r\n\t{ \"imports\" :\n{ \"a\"\t: \"/a\" } }\n", Want: marktest.Texts("/a")},
	{Name: "an empty object", Src: `{}`},
	{Name: "an empty script", Src: ``},

	{Name: "not JSON", Src: `{imports: {"a": "/a"}}`},
	{Name: "a comment", Src: `{"imports": {"a": "/a"}} // x`},
	{Name: "a comma at the end", Src: `{"imports": {"a": "/a",}}`},
	{Name: "a byte order mark", Src: "\uFEFF" + `{"imports": {"a": "/a"}}`},
	{Name: "an array", Src: `[{"imports": {"a": "/a"}}]`},
	{Name: "null", Src: `null`},
}

var speculationRows = []marktest.GrammarRow{
	{Name: "the URLs of a list", Src: `{"prefetch": [{"urls": ["a.html", "/b", "", "?c", "https://h/d"]}]}`, Want: marktest.Texts("a.html", "/b", "", "?c", "https://h/d")},
	{Name: "both kinds of rules, several of each", Src: `{"prerender": [{"urls": ["a"]}, {"urls": ["b"]}], "prefetch": [{"urls": ["c"]}]}`, Want: marktest.Texts("a", "b", "c")},
	{Name: "other kinds", Src: `{"prefetch_with_subresources": [{"urls": ["a"]}], "x": 1}`},
	{Name: "other keys", Src: `{"tag": "t", "prefetch": [{"source": "list", "urls": ["a"], "relative_to": "document", "eagerness": "eager"}]}`, Want: marktest.Texts("a")},
	{Name: "browsers skip a rule with an unknown key; its URLs are links", Src: `{"prefetch": [{"urls": ["a"], "x": []}]}`, Want: marktest.Texts("a")},
	{Name: "document rules have patterns", Src: `{"prefetch": [{"where": {"href_matches": "/x/*"}}, {"source": "document"}, {"where": {"and": [{"href_matches": ["/y", "z"]}]}}]}`},
	{Name: "values of another kind", Src: `{"prefetch": {"urls": ["a"]}, "prerender": ["b", [], {"urls": "c"}, {"urls": [1, ["d"], null, "e"], "where": "f"}]}`, Want: marktest.Texts("e")},
	{Name: "escapes and white space", Src: `{"prefetch": [{"urls": [" \u0061\/b "]}]}`, Want: marktest.Texts("a/b")},
	{Name: "an empty script", Src: ``},
	{Name: "not JSON", Src: `{"prefetch": [{"urls": ["a"]}]`},
	{Name: "an array", Src: `[{"urls": ["a"]}]`},
}

var jsonLDRows = []marktest.GrammarRow{
	{Name: "the members that are URLs", Src: `{"url": "a", "image": "b", "logo": "c", "contentUrl": "d", "thumbnailUrl": "e", "embedUrl": "f", "sameAs": "g", "mainEntityOfPage": "h", "@id": "i"}`,
		Want: marktest.Texts("a", "b", "c", "d", "e", "f", "g", "h", "i")},
	{Name: "other members, and other letters", Src: `{"name": "no", "@type": "no", "URL": "no", "description": "http://no/", "": "no"}`},
	{Name: "members that may be words", Src: `{"license": "MIT", "item": "Shoes", "target": "urn:x", "urlTemplate": "http:x", "screenshot": ".", "photo": ""}`},
	{Name: "members that may be words, with URLs", Src: `{"license": "HTTP://h/", "item": ["https:\/\/h\/", " /a", "\u002f/b"], "target": {"urlTemplate": "http://h/?s={q}"}, "photo": "./c", "screenshot": "..\/d", "installUrl": "?e", "downloadUrl": "#f"}`,
		Want: marktest.Texts("HTTP://h/", `https://h/`, `/a`, `//b`, "http://h/?s={q}", "./c", `../d`, "?e", "#f")},
	{Name: "members that may be words, in a context or with a base", Src: `{"@context": {"@base": "/b/", "license": "http://no/"}, "license": "/no", "item": "http://h/"}`, Want: marktest.Texts("http://h/")},
	{Name: "a context", Src: `{"@context": {"url": {"@id": "no"}}, "url": "a"}`, Want: marktest.Texts("a")},
	{Name: "a context with a base", Src: `[{"@context": [{"@base": "/b/"}], "url": "no", "@id": "http://h/"}]`, Want: marktest.Texts("http://h/")},
	{Name: "lists and things", Src: `[{"image": ["a", {"url": "b", "name": "no"}, ["c"]]}, {"sameAs": {"@list": ["d"]}, "x": {"y": [{"logo": {"@id": "e"}}]}}]`, Want: marktest.Texts("a", "b", "c", "d", "e")},
	{Name: "no URL", Src: `{"url": "", "image": null, "logo": 1, "@id": "_:b0", "sameAs": {"@value": "no"}}`},
	{Name: "values that are no thing", Src: `"url"`},
	{Name: "an empty script", Src: ``},
	{Name: "not JSON", Src: `{"url": "a",}`},
}

func TestJSONLD(t *testing.T) {
	marktest.RunRows(t, JSONLD, jsonLDRows)
	assert.Equal(t, []mark.Fault{{Code: mark.ScriptMalformed, Detail: "the script is not valid JSON; it is not read"}}, faults(JSONLD, `{]`))
}

var blockRows = []marktest.GrammarRow{
	{Name: "the members that are URLs", Src: `{"url":"http:\/\/h\/","href":"\/a","mediaLink":"./b","src":"?c","poster":"\u002fd"}`, Want: marktest.Texts("http://h/", "/a", "./b", "?c", "/d")},
	{Name: "at any depth", Src: `{"a":{"@id":"/no","url":[{"src":"/a"},"/b"]}}`, Want: marktest.Texts("/a", "/b")},
	{Name: "other members, and words", Src: `{"alt":"http://no/","url":"no","src":"mailto:no","href":"{x}","poster":1}`},
	{Name: "not JSON", Src: `{"url":"/no"`},
}

func TestBlock(t *testing.T) { marktest.RunRows(t, Block, blockRows) }

func FuzzBlock(f *testing.F) { marktest.FuzzGrammar(f, Block, blockRows) }

func FuzzJSONLD(f *testing.F) { marktest.FuzzGrammar(f, JSONLD, jsonLDRows) }

func TestImportMap(t *testing.T) { marktest.RunRows(t, ImportMap, importMapRows) }

func TestSpeculationRules(t *testing.T) { marktest.RunRows(t, SpeculationRules, speculationRows) }

func faults(format *mark.Format, src string) []mark.Fault {
	var m mark.Marks
	format.Mark([]byte(src), &m)
	return m.Notes.Faults
}

// A script that browsers ignore has one fault.
func TestScriptFaults(t *testing.T) {
	for _, row := range importMapRows {
		valid := len(row.Want) > 0 || slices.Contains([]string{"an empty script", "an empty object", "bare addresses"}, row.Name)
		assert.Equal(t, valid, len(faults(ImportMap, row.Src)) == 0, row.Name)
		assert.LessOrEqual(t, len(faults(ImportMap, row.Src)), 1, row.Name)
	}
	for _, row := range []struct {
		src    string
		offset int
		detail string
	}{
		{`{]`, 0, "the script is not valid JSON; browsers ignore it"},
		{` []`, 1, "the script is not a JSON object; browsers ignore it"},
	} {
		want := []mark.Fault{{Offset: row.offset, Code: mark.ScriptMalformed, Detail: row.detail}}
		assert.Equal(t, want, faults(SpeculationRules, row.src), row.src)
	}
}

// A rewritten URL has no "<", which could end the script, or begin a comment in it.
func TestScriptSpelling(t *testing.T) {
	src := []byte(`{"imports": {"a": "\/a", "b": "./<b>"}}`)
	var got []string
	for _, l := range marktest.Found(t, ImportMap, string(src)) {
		region := src[l.Start:l.End]
		text, _ := l.Codec.Decode(region)
		edits, err := codec.Lift(l.Codec, region, text, []codec.Edit{{New: []byte("http://h/</script><!--")}})
		assert.NoError(t, err)
		got = append(got, string(codec.Apply(nil, region, edits)))
	}
	assert.Equal(t, []string{`http:\/\/h\/\u003c\/script\u003e\u003c!--\/a`, `http://h/\u003c/script\u003e\u003c!--./<b>`}, got)
}

func TestScriptMany(t *testing.T) {
	assert.Len(t, marktest.Found(t, ImportMap, `{"imports": {`+strings.Repeat(`"a": "/a",`, 100000)+`"a": "b"}}`), 100000)
	assert.Len(t, marktest.Found(t, SpeculationRules, `{"prefetch": [`+strings.Repeat(`{"urls": ["a", "b"]},`, 50000)+`{}]}`), 100000)
	marktest.CheckLinear(t, ImportMap, "{", "[", `"`, `\`, `{"a":`, `{"imports":`, `"a",`)
	for format, units := range map[*mark.Format][][3]string{
		ImportMap: {
			{`{"imports": {`, `"a": "/a",`, `"a": ""}}`}, {`{"scopes": {`, `"a": {"b": "/c"},`, `"a": {}}}`}, {`{"integrity": {`, `"/a": "",`, `"": ""}}`},
			{`{`, `"imports": {},`, `"imports": {}}`}, {`{`, `"a": {},`, `"a": 1}`}, {`{"imports": {"`, `\u002f`, `": "/a"}}`},
		},
		SpeculationRules: {
			{`{"prefetch": [`, `{"urls": ["a"]},`, `1]}`}, {`{"prefetch": [`, `{},`, `1]}`}, {`{"prefetch": [{"urls": [`, `"a",`, `""]}]}`},
			{`{"prefetch": [{"urls": ["a"]`, `, "urls": ["b"]`, `}]}`}, {`{"prefetch": [{"urls": ["a"]`, `, "x": 1`, `}]}`}, {`{"prefetch": [{"tag": "`, ` `, `"}]}`},
			{`{"prefetch": [`, `{"urls": [], "x": 1},`, `1]}`}, {`{`, `"prefetch": [],`, `"prefetch": []}`},
		},
	} {
		for _, u := range units {
			longtest.Linear(t, format.Name+" "+u[1], 1<<20/len(u[1]), func(n int) func() {
				src := []byte(u[0] + strings.Repeat(u[1], n) + u[2])
				var m mark.Marks
				return func() {
					m.Clear()
					format.Mark(src, &m)
				}
			})
		}
	}
}

func FuzzImportMap(f *testing.F) { marktest.FuzzGrammar(f, ImportMap, importMapRows) }

func FuzzSpeculationRules(f *testing.F) {
	marktest.FuzzGrammar(f, SpeculationRules, speculationRows)
}

// A URL pattern is relative to the base URL unless it has a protocol (URL Pattern, "parse a constructor string").
func TestSpeculationNeedsBase(t *testing.T) {
	for where, want := range map[string]bool{
		`{"href_matches": "a/*"}`:                                                  true,
		`{"href_matches": ""}`:                                                     true,
		`{"href_matches": "/a?u=http://h/"}`:                                       true,
		`{"href_matches": "http://h/*"}`:                                           false,
		`{"href_matches": "http{s}?:\/\/h/*"}`:                                     false,
		`{"href_matches": "*://h/*"}`:                                              false,
		`{"href_matches": ["http://h/", "b"]}`:                                     true,
		`{"href_matches": {"pathname": "/a"}}`:                                     true,
		`{"not": {"or": [{"href_matches": "https://h/"}, {"href_matches": "c"}]}}`: true,
		`{"selector_matches": "a[href^=x]"}`:                                       false,
		`{}`:                                                                       false,
	} {
		var m mark.Marks
		SpeculationRules.Mark([]byte(`{"prefetch": [{"where": `+where+`}]}`), &m)
		assert.Equal(t, want, m.Notes.NeedsBase, where)
	}
}
