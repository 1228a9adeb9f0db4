package codec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"
	"absolink/extract/internal/codec/spell"
)

func TestApply(t *testing.T) {
	src := []byte("abcdef")
	assert.Equal(t, ">abcdef", string(codec.Apply([]byte(">"), src, nil)))
	assert.Equal(t, "12aXdY", string(codec.Apply(nil, src, []codec.Edit{{Span: codec.Span{0, 0}, New: []byte("1")}, {Span: codec.Span{0, 0}, New: []byte("2")}, {Span: codec.Span{1, 3}, New: []byte("X")}, {Span: codec.Span{4, 6}, New: []byte("Y")}})))
}

// Trim cuts only whole characters.
func TestTrim(t *testing.T) {
	for _, row := range []struct {
		old, new   string
		start, end int
		put        string
	}{
		{"abc", "abd", 2, 3, "d"},
		{"abc", "xbc", 0, 1, "x"},
		{"abc", "abxc", 2, 2, "x"},
		{"abcc", "abc", 2, 3, ""},
		{"é", "è", 0, 2, "è"},
		{"aéb", "aèb", 1, 3, "è"},
		{"日本", "日大", 3, 6, "大"},
		{"日", "本日", 0, 0, "本"},
		{"é", "\xe8\xa9", 0, 2, "\xe8\xa9"}, // they share the last byte
		{"\xc3b", "\xc3\xa9b", 0, 1, "é"},   // the first byte of "é", without the second
	} {
		text := "<" + row.old + ">"
		edits, err := codec.Trim([]byte(text), []codec.Edit{{Span: codec.Span{1, 1}}, {Span: codec.Span{1, 1 + len(row.old)}, New: []byte(row.new)}})
		require.NoError(t, err)
		require.Len(t, edits, 1, "the first edit changes nothing")
		assert.Equal(t, codec.Span{1 + row.start, 1 + row.end}, edits[0].Span, "%q %q", row.old, row.new)
		assert.Equal(t, row.put, string(edits[0].New), "%q %q", row.old, row.new)
	}
}

func TestTight(t *testing.T) {
	src := []byte("abcabc")
	for _, row := range []struct {
		start, end int
		put        string
		want       []codec.Edit
	}{
		{0, 3, "abc", []codec.Edit{}},
		{0, 3, "c", []codec.Edit{{Span: codec.Span{0, 2}, New: []byte{}}}},
		{0, 3, "a", []codec.Edit{{Span: codec.Span{1, 3}, New: []byte{}}}},
		{1, 5, "bxb", []codec.Edit{{Span: codec.Span{2, 4}, New: []byte("x")}}},
		{3, 3, "", []codec.Edit{}},
	} {
		assert.Equal(t, row.want, codec.Tight(src, []codec.Edit{{Span: codec.Span{row.start, row.end}, New: []byte(row.put)}}), row.put)
	}
}

func TestAtoms(t *testing.T) {
	// The atoms are &amp; two tabs, &amp; and &amp; again.
	src := []byte("a&amp;\t\tb&amp;&amp;c")
	var atoms codec.Atoms
	spell.URLDouble.Map(src, []byte("a&b&&c"), &atoms)
	require.Equal(t, []codec.Atom{{1, 1, 1, 5, 1}, {6, 2, 2, 1, 0}, {9, 3, 2, 5, 1}}, slices.Collect(atoms.All))
	for _, row := range []struct{ text, down, up int }{
		{0, 0, 0}, {1, 1, 1}, {2, 8, 6}, {3, 9, 9}, {4, 14, 14}, {5, 19, 19}, {6, 20, 20},
	} {
		assert.Equal(t, row.down, atoms.Source(row.text, false), "down %d", row.text)
		assert.Equal(t, row.up, atoms.Source(row.text, true), "up %d", row.text)
	}
	assert.Equal(t, codec.Span{6, 6}, atoms.Span(codec.Span{2, 2}), "an empty span is after the text before it")
	assert.Equal(t, codec.Span{8, 9}, atoms.Span(codec.Span{2, 3}))
	assert.Equal(t, codec.Span{1, 9}, atoms.Span(codec.Span{1, 3}))

	atoms.Reset(6)
	charset("utf-16le").codec.Map([]byte("\xff\xfe\xe5\x65\xe5\x65"), []byte("日日"), &atoms)
	assert.Equal(t, codec.Span{2, 4}, atoms.Span(codec.Span{0, 1}), "inside an atom: the whole atom")
	assert.Equal(t, codec.Span{2, 6}, atoms.Span(codec.Span{2, 4}))
	assert.Equal(t, codec.Span{4, 6}, atoms.Span(codec.Span{4, 4}))
	assert.Equal(t, codec.Span{2, 2}, atoms.Span(codec.Span{0, 0}), "after the byte order mark")
	assert.Equal(t, 7, new(codec.Atoms).Source(7, true))
}

// worstFor returns the sources that cost one kind of codec the most time.
func worstFor(name string) []codectest.Repeated {
	switch {
	case strings.HasPrefix(name, "Attr"), strings.HasPrefix(name, "URL"), name == "CharData":
		return []codectest.Repeated{{"", "&"}, {"", "&#"}, {"&#", "9"}, {"&#x", "0"}, {"&", "a"}, {"", "&CounterClockwiseContourIntegra"}, {"", "\r"}, {"", "\t"}, {"", "&Tab;"}, {"a", "&#32;"}, {"", "\x00"}}
	case strings.HasPrefix(name, "CSS"):
		return []codectest.Repeated{{"", `\`}, {`\`, "0"}, {"", `\0`}, {"", "\\\n"}, {"", "\r"}, {"", "\x00"}}
	}
	return []codectest.Repeated{{"", "\x81"}, {"", "\x81\x30"}, {"", "\xd8"}, {"", "\x1b"}, {"", "\x1b$B"}, {"", "\x1b$B\x1b(B"}, {"\x1b$B", "<"}, {"", "\xEF\xBB\xBF\xEF\xBB\xBF"}} // an even number of bytes, for charsets with characters of two bytes
}

func TestLinear(t *testing.T) {
	for _, c := range all {
		for _, row := range worstFor(c.name) {
			most := codectest.Mega / 16
			if row[0] == "" && (row[1] == "&" || row[1] == "&#" || row[1] == `\`) {
				most = codectest.Mega
			}
			codectest.Linear(t, c.name, c.codec, row, most, codectest.AtEnds)
		}
	}
	codectest.Linear(t, "an edit at every byte", spell.URLDouble, codectest.Repeated{"", "&amp;a\t"}, codectest.Mega/16, func(text []byte) (edits []codec.Edit) {
		for i := range text {
			edits = append(edits, codec.Edit{Span: codec.Span{i, i}, New: []byte("&")})
		}
		return edits
	})
}

// After more runs than a source may have, the atoms before them are still valid.
func TestAtomsFull(t *testing.T) {
	const most = 1 << 20
	var atoms codec.Atoms
	for range 2 { // the second time in the same memory
		atoms.Reset(0)
		for i := range most {
			atoms.Add(4*i, 2*i, 3, 1)
		}
		require.False(t, atoms.Full)
		atoms.Add(4*most, 2*most, 3, 1)
		require.True(t, atoms.Full)
		assert.Equal(t, codec.Span{4, 7}, atoms.Span(codec.Span{2, 3}))
	}
	src := []byte(strings.Repeat("a=41", 3*most))
	text, _ := spell.QuotedPrintable.Decode(src)
	_, err := codec.Lift(spell.QuotedPrintable, src, text, []codec.Edit{{New: []byte("x")}})
	assert.ErrorIs(t, err, codec.ErrRefused)
	assert.Equal(t, codec.Span{0, len(src)}, codec.Spans(spell.QuotedPrintable, src, text)(codec.Span{2, 3}))
}

// counted is Identity, and counts the calls of Decode.
type counted struct {
	codec.Simple
	decoded *int
}

func (c counted) Decode(src []byte) ([]byte, error) {
	*c.decoded++
	return src, nil
}

func (counted) Map(_, _ []byte, _ *codec.Atoms) {}

func (counted) Encode(dst, _ []byte, _ codec.Span, text []byte) ([]byte, error) {
	return append(dst, text...), nil
}

// An edit inside many codecs decodes each only a few times.
func TestNestedLinear(t *testing.T) {
	const deep = 60
	decoded := 0
	var codecs []codec.Codec
	for range deep {
		codecs = append(codecs, counted{decoded: &decoded})
	}
	c := codec.Nested(codecs...)
	edits, err := codec.Lift(c, []byte("abc"), []byte("abc"), []codec.Edit{{Span: codec.Span{Start: 1, End: 2}, New: []byte("xy")}})
	require.NoError(t, err)
	assert.Equal(t, "axyc", string(codec.Apply(nil, []byte("abc"), edits)))
	assert.LessOrEqual(t, decoded, 8*deep)
}

// FuzzLift checks the law for each codec. Three bytes of script make one edit: the distance from the previous edit, the
// length of the old text, and the length of the new text. The new texts are consecutive parts of fresh.
func FuzzLift(f *testing.F) {
	// TestLaw has each source in each codec. Two codecs for each source leave the fuzzer time for inputs of its own.
	for i, s := range codectest.Sources {
		for _, index := range []int{i % len(all), i * 7 % len(all)} {
			f.Add(byte(index), []byte(s), []byte{0, 0, 2, 1, 1, 3}, []byte("http://h/&é日 p;"))
		}
	}
	f.Fuzz(func(t *testing.T, index byte, src, script, fresh []byte) {
		c := all[int(index)%len(all)].codec
		text, _ := c.Decode(src)
		codectest.Lawful(t, c, src, nil)
		codectest.Lawful(t, c, src, codectest.Edits(len(text), script, fresh))
	})
}
