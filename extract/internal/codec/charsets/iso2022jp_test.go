package charsets

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An edit starts in the set of characters at its place, and ends in the set of the next character.
func TestISO2022JPLift(t *testing.T) {
	for _, row := range []struct {
		name, src, old, new string
		want                string // "" if the edit is refused
	}{
		{"ASCII in ASCII", "ab", "b", "c", "ac"},
		{"kanji in ASCII", "ab", "a", "日本", "\x1b$BF|K\\\x1b(Bb"},
		{"12.2.2 step 6: yen and overline in ASCII", "ab", "b", "¥x‾", "a\x1b(J\\x~\x1b(B"},
		{"12.2.2 step 6: the backslash and the tilde of ASCII", "ab", "a", `¥\~‾`, "\x1b(J\\\x1b(B\\~\x1b(J~\x1b(Bb"},
		{"the first character in Roman", "\x1b(Ja\\", "a", "b", "b\x1b(J\\"},
		{"the first character in kanji", "a\x1b$BF|K\\\x1b(B", "日", "本", "a\x1b$BK\\K\\\x1b(B"},
		{"the first character after kanji", "\x1b$BF|\x1b(Bab", "a", "c", "\x1b$BF|\x1b(Bcb"},
		{"ASCII instead of the first kanji", "a\x1b$BF|K\\\x1b(B", "日", "b", "ab\x1b$BK\\\x1b(B"},
		{"ASCII in Roman", "\x1b(Ja\\b", "b", "http://h/", "\x1b(Ja\\http://h/"},
		{"yen in Roman", "\x1b(Jab", "b", "¥b", "\x1b(Ja\\b"},
		{"a tilde in Roman", "\x1b(Jab\\c", "b", "~b", "\x1b(Ja\x1b(B~\x1b(Jb\\c"},
		{"kanji in Roman", "\x1b(Jab\\c", "b", "日", "\x1b(Ja\x1b$BF|\x1b(J\\c"},
		{"ASCII in kanji", "\x1b$BF|K\\\x1b(B", "本", "x本", "\x1b$BF|\x1b(Bx\x1b$BK\\\x1b(B"},
		{"kanji in kanji", "\x1b$BF|K\\\x1b(B", "本", "日本", "\x1b$BF|F|K\\\x1b(B"},
		{"ASCII instead of the last kanji", "\x1b$BF|K\\\x1b(Bx", "本", "a", "\x1b$BF|\x1b(Ba\x1b(Bx"},
		{"the only kanji is deleted", "a\x1b$BF|\x1b(Bx", "日", "", "a\x1b(Bx"},
		{"the first of two kanji is deleted", "a\x1b$BF|K\\\x1b(Bx", "日", "", "a\x1b$BK\\\x1b(Bx"},
		{"half-width katakana would be read as full-width", "ab", "b", "ｱ", ""},
		{"ASCII in katakana", "\x1b(I12\x1b(B", "ｲ", "a", "\x1b(I1\x1b(Ba\x1b(B"},
		{"the source ends in kanji", "a\x1b$BF|", "日", "日本", "a\x1b$BF|K\\"},
		{"the source ended in kanji, and ends in ASCII", "a\x1b$BF|", "日", "¥", "a\x1b(J\\\x1b(B"},
		{"an escape character in Roman stays", "\x1b(Ja\x1bb\\c", "c", "d", "\x1b(Ja\x1bb\\d"},
		{"the text would complete half a kanji", "\x1b$BF|K\x1b(Bx", "x", "日x", ""},
		{"the text would become an escape sequence with the escape character before it", "a\x1bb", "b", "(B", ""},
		{"12.2.2 step 3: an escape character", "ab", "b", "\x1b", ""},
		{"12.2.2 step 3: shift in and shift out", "ab", "b", "\x0e\x0f", ""},
		{"U+2212 would be read as U+FF0D", "ab", "b", "−", ""},
		{"no character of JIS X 0208", "ab", "b", "é", ""},
		{"an invalid byte is not written again", "a\x80b", "\uFFFDb", "b\uFFFD", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := iso2022jp{}
			text, _ := c.Decode([]byte(row.src))
			at := strings.LastIndex(string(text), row.old)
			require.GreaterOrEqual(t, at, 0)
			edits := []codec.Edit{{Span: codec.Span{Start: at, End: at + len(row.old)}, New: []byte(row.new)}}
			refused := codectest.Lawful(t, c, []byte(row.src), edits)
			assert.Equal(t, row.want == "", refused)
			if !refused {
				got, _ := codectest.Lift(c, []byte(row.src), edits)
				assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
			}
		})
	}
}

// Decode reads each character that Encode writes.
func TestISO2022JPLetters(t *testing.T) {
	c := iso2022jp{}
	letters := 0
	for r := rune(0); r <= 0x2FFFF; r++ {
		out, err := c.Encode(nil, nil, codec.Span{}, utf8.AppendRune(nil, r))
		if err != nil {
			continue
		}
		letters++
		back, err := c.Decode(out)
		require.NoError(t, err, "%U", r)
		require.Equal(t, string(r), string(back), "%U", r)
	}
	assert.Equal(t, 125+2+6879+83+374-10, letters, "ASCII, Roman, JIS X 0208, NEC's row 13, and NEC's selection from IBM's, ten of them twice")
}

// TestISO2022JPRandom edits random sources, in each set and beside damage. In a valid source, no edit of valid characters is
// refused.
func TestISO2022JPRandom(t *testing.T) {
	pieces := []string{"\x1b(B", "\x1b(J", "\x1b(I", "\x1b$B", "\x1b$@", "\x1b", "\x0e", "\x80", "\\", "~", "a", "F|", "K\\", "<<", "F", "\n", "1"}
	inserts := []string{"", "h/", "日", "本x", "¥", "~", "‾\\", "日¥a"}
	random := rand.New(rand.NewPCG(1, 2))
	c := iso2022jp{}
	for range 20_000 {
		var src, fresh []byte
		for range 1 + random.IntN(8) {
			src = append(src, pieces[random.IntN(len(pieces))]...)
		}
		text, _ := c.Decode(src)
		var edits []codec.Edit
		for at := 0; at < len(text); {
			_, n := utf8.DecodeRune(text[at:])
			if readable(text[at:at+n]) && random.IntN(3) == 0 {
				fresh = []byte(inserts[random.IntN(len(inserts))])
				edits = append(edits, codec.Edit{Span: codec.Span{Start: at, End: at + n}, New: fresh})
			}
			at += n
		}
		refused := codectest.Lawful(t, c, src, edits)
		if refused && readable(text) {
			assert.Fail(t, "refused", "%q %v", src, edits)
		}
		if t.Failed() {
			t.Fatalf("%q: %v", src, edits)
		}
	}
}

// An edit without a spelling does not prevent the other edits.
func TestLiftEach(t *testing.T) {
	for _, row := range []struct {
		label, src, want string
		edits            map[string]string // old and new text; each old text occurs once
		refused          []int
	}{
		{"iso-2022-jp", "\x1b(Ja\\\x1bb\\c", "A\x1b(J\\\x1bb\\C", map[string]string{"a": "A", "b": "\x1b", "c": "C"}, []int{1}},
		{"iso-2022-jp", "a\x1b$B\x1b(Bbc", "A\x1b$B\x1b(BbC", map[string]string{"a": "A", "b": "B", "c": "C"}, []int{1}},
		{"windows-1252", "abc", "AbC", map[string]string{"a": "A", "b": "日", "c": "C"}, []int{1}},
		{"koi8-r", "abc", "ABC", map[string]string{"a": "A", "b": "B", "c": "C"}, nil},
		{"replacement", "abc", "abc", map[string]string{"\uFFFD": "x"}, nil},
	} {
		c, _, _ := Of(row.label)
		src := []byte(row.src)
		text, _ := c.Decode(src)
		var edits []codec.Edit
		for at := 0; at < len(text); {
			_, n := utf8.DecodeRune(text[at:])
			if put, ok := row.edits[string(text[at:at+n])]; ok {
				edits = append(edits, codec.Edit{Span: codec.Span{Start: at, End: at + n}, New: []byte(put)})
			}
			at += n
		}
		var refused []int
		got, err := new(codec.Replacer).LiftEach(c, src, text, edits, func(i int, err error) {
			assert.ErrorIs(t, err, codec.ErrRefused)
			refused = append(refused, i)
		})
		if row.label == "replacement" {
			row.refused = []int{0}
		}
		require.NoError(t, err, row.label)
		assert.Equal(t, row.refused, refused, "%s %q", row.label, row.src)
		assert.Equal(t, row.want, string(codec.Apply(nil, src, got)), "%s %q", row.label, row.src)
	}
}
