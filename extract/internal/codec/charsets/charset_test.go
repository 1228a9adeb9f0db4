package charsets

import (
	"slices"
	"strings"
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	netcharset "golang.org/x/net/html/charset"
)

// TestCharset looks up labels (Encoding Standard 4.2), and compares the encodings with those of x/net/html.
func TestCharset(t *testing.T) {
	for _, row := range []struct{ label, name string }{
		{"utf-8", "UTF-8"}, {" UTF8\n", "UTF-8"}, {"latin1", "windows-1252"}, {"ISO-8859-1", "windows-1252"}, {"us-ascii", "windows-1252"},
		{"cp1251", "windows-1251"}, {"iso-8859-15", "ISO-8859-15"}, {"iso-8859-8-i", "ISO-8859-8-I"}, {"logical", "ISO-8859-8-I"}, {"KOI8-R", "KOI8-R"},
		{"x-mac-cyrillic", "x-mac-cyrillic"}, {"macintosh", "macintosh"}, {"x-user-defined", "x-user-defined"}, {"cp866", "IBM866"},
		{"gb2312", "GBK"}, {"gb18030", "gb18030"}, {"big5-hkscs", "Big5"}, {"x-euc-jp", "EUC-JP"}, {"sjis", "Shift_JIS"}, {"ks_c_5601-1987", "EUC-KR"},
		{"csiso2022jp", "ISO-2022-JP"}, {"utf-16", "UTF-16LE"}, {"unicodefffe", "UTF-16BE"}, {"hz-gb-2312", "replacement"}, {"iso-2022-kr", "replacement"},
		{"nosuch", ""}, {"", ""}, {"\u212Aoi8-r", ""}, {"utf\u00A08", ""}, {"utf-8\v", ""},
	} {
		c, name, ok := Of(row.label)
		assert.Equal(t, row.name, name, row.label)
		assert.Equal(t, row.name != "", ok, row.label)
		assert.Equal(t, ok, c != nil, row.label)
		if ok {
			_, index := netcharset.Lookup(strings.Trim(row.label, " \n"))
			assert.True(t, strings.EqualFold(name, index), "%s: x/net/html says %s", name, index)
		}
	}
}

// Each row names a clause of the Encoding Standard.
func TestCharsetDecode(t *testing.T) {
	for _, row := range []struct {
		clause, label, src, text string
		err                      error
	}{
		{"8.1.1 byte order mark", "utf-8", "\xef\xbb\xbfa\xef\xbb\xbf", "a\uFEFF", nil},
		{"8.1.1 invalid UTF-8 stays", "utf-8", "a\xffb", "a\xffb", nil},
		{"9.1 windows-1252", "windows-1252", "a\x80\xe9\x81", "a€é\u0081", nil},
		{"9.1 windows-1251", "windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет", nil},
		{"9.1 a byte without a character", "windows-1253", "a\xaab", "a\uFFFDb", codec.ErrUndecodable},
		{"14.5 x-user-defined", "x-user-defined", "a\x80\xff", "a\uF780\uF7FF", nil},
		{"14.1 replacement", "replacement", "<a>", "\uFFFD", codec.ErrUnread},
		{"10.1 GBK is decoded as gb18030", "gbk", "\x80\x81\x30\x81\x30\xc4\xe3", "€\u0080你", nil},
		{"10.2.1 four bytes", "gb18030", "\x94\x39\xda\x33", "💩", nil},
		{"10.2.1 bad third byte", "gb18030", "\x81\x30<a", "\uFFFD0<a", codec.ErrUndecodable},
		{"10.2.1 the second byte of four is a digit", "gb18030", "\xa2<\xa0\x37", "\uFFFD<\uFFFD", codec.ErrUndecodable},
		{"10.2.1 four bytes without a character", "gb18030", "\x85\x30\xfe\x30a\x85\x30\x81\x39\x85\x30\x81", "\uFFFDa\uFFFD\uFFFD", codec.ErrUndecodable},
		{"10.2.1 the third byte of four is wrong", "gb18030", "\x85\x30\x80\x85\x30\xff", "\uFFFD0€\uFFFD0\uFFFD", codec.ErrUndecodable},
		{"5 index gb18030 ranges, GB 18030-2022", "gb18030", "\x81\x35\xf4\x37", "\uE7C7", nil},
		{"11.1.1 two characters for one sequence", "big5", "\x88\x62\x88\xa3x", "\u00CA\u0304\u00EA\u0304x", nil},
		{"11.1.1 ASCII after an invalid first byte is read", "big5", "\x81<\x81A\x81", "\uFFFD<\uFFFDA\uFFFD", codec.ErrUndecodable},
		{"12.1.1 JIS X 0212", "euc-jp", "\xc6\xfc\x8f\xa2\xaf\x8e\xb1", "日˘ｱ", nil},
		{"12.1.1 ASCII after an invalid first byte is read", "euc-jp", "\xa4<\x8f\xa2<", "\uFFFD<\uFFFD<", codec.ErrUndecodable},
		{"12.3.1 backslash is itself", "shift_jis", "\\\x83\\\xb1\x80", "\\ソｱ\u0080", nil},
		{"12.3.1 ASCII after an invalid first byte is read", "shift_jis", "\x81<\x85@\x81", "\uFFFD<\uFFFD@\uFFFD", codec.ErrUndecodable},
		{"12.3.1 end-user-defined characters", "shift_jis", "\xf0\x40\xf0\x80\xf1\x40\xf9\xfc\xf0\x7f", "\uE000\uE03F\uE0BC\uE757\uFFFD\x7f", codec.ErrUndecodable},
		{"13.1.1 ASCII after an invalid first byte is read", "euc-kr", "\xb0\xa1\xc9A\xff", "가\uFFFDA\uFFFD", codec.ErrUndecodable},
		{"14.2 surrogate pair", "utf-16le", "\x3d\xd8\xa9\xdca\x00", "💩a", nil},
		{"14.2 unpaired surrogates, odd byte", "utf-16le", "\x3d\xd8a\x00\xa9\xdcb", "\uFFFDa\uFFFD\uFFFD", codec.ErrUndecodable},
		{"14.2 two second halves", "utf-16le", "\x00\xdc\x00\xdc", "\uFFFD\uFFFD", codec.ErrUndecodable},
		{"14.2 ASCII and what looks like it", "utf-16le", "a\x00b\x00c\x00d\x00e\x00a\x01b\x00\x80\x00c\x00d\x00", "abcde\u0161b\u0080cd", nil},
		{"14.2 ASCII and what looks like it", "utf-16be", "\x00a\x00b\x00c\x00d\x00e\x01a\x00b\x00\x80\x00c\x00d", "abcde\u0161b\u0080cd", nil},
		{"14.2 byte order mark", "utf-16be", "\xfe\xff\x00a\xfe\xff", "a\uFEFF", nil},
		{"12.2.1 kanji", "iso-2022-jp", "<\x1b$B<<\x1b(B<", "<室<", nil},
		{"12.2.1 Roman", "iso-2022-jp", "\\\x1b(J\\~a\x1b(B~", "\\¥‾a~", nil},
		{"12.2.1 katakana", "iso-2022-jp", "\x1b(I1\x60\x1b(B", "ｱ\uFFFD", codec.ErrUndecodable},
		{"12.2.1 between sets", "iso-2022-jp", "\x1b$@F|\x1b(I1\x1b$BK\\", "日ｱ本", nil},
		{"12.2.1 two escape sequences side by side", "iso-2022-jp", "a\x1b$B\x1b(Bb", "a\uFFFDb", codec.ErrUndecodable},
		{"12.2.1 unknown escape", "iso-2022-jp", "\x1b$(D\x1b", "\uFFFD$(D\uFFFD", codec.ErrUndecodable},
		{"12.2.1 shift out", "iso-2022-jp", "\x0e\x0f\x80", "\uFFFD\uFFFD\uFFFD", codec.ErrUndecodable},
		{"12.2.1 truncated in a character", "iso-2022-jp", "\x1b$BF|K", "日\uFFFD", codec.ErrUndecodable},
		{"12.2.1 newline in kanji", "iso-2022-jp", "\x1b$BF|\n<<", "日\uFFFD室", codec.ErrUndecodable},
	} {
		t.Run(row.label+" "+row.clause, func(t *testing.T) {
			c, _, ok := Of(row.label)
			require.True(t, ok)
			text, err := c.Decode([]byte(row.src))
			assert.Equal(t, row.text, string(text))
			assert.Equal(t, row.err, err)
		})
	}
}

func TestCharsetLift(t *testing.T) {
	for _, row := range []struct {
		name, label, src string
		start, end       int
		text, want       string
	}{
		{"a byte order mark stays at the start", "utf-8", "\xef\xbb\xbfa", 0, 0, "é", "\xef\xbb\xbféa"},
		{"all text replaced: the mark stays", "utf-16le", "\xff\xfea\x00", 0, 1, "b", "\xff\xfeb\x00"},
		{"without a mark: no mark is added", "utf-16be", "\x00a", 1, 1, "é💩", "\x00a\x00\xe9\xd8\x3d\xdc\xa9"},
		{"an edit inside a character replaces the whole character", "windows-1251", "\xcf\xf0", 1, 2, "\xa0", "\xd0\xf0"},
		{"invalid bytes stay", "windows-1253", "\xaaa\xaa", 3, 4, "\u03b1", "\xaa\xe1\xaa"},
		{"invalid bytes stay at the end", "shift_jis", "a\x81", 0, 1, "日", "\x93\xfa\x81"},
		{"an unpaired surrogate stays", "utf-16le", "\x3d\xd8a\x00", 3, 4, "b", "\x3d\xd8b\x00"},
		{"kanji beside the edit stay", "iso-2022-jp", "a\x1b$BF|\x1b(Bb", 0, 1, "c", "c\x1b$BF|\x1b(Bb"},
		{"kanji between ASCII", "iso-2022-jp", "ab", 1, 1, "日本", "a\x1b$BF|K\\\x1b(Bb"},
		{"12.2.1 kanji after kanji needs no escape sequence", "iso-2022-jp", "a\x1b$BF|\x1b(Bb", 4, 4, "本", "a\x1b$BF|K\\\x1b(Bb"},
		{"the source ended in kanji: switch to ASCII", "iso-2022-jp", "a\x1b$BF|", 4, 4, "b", "a\x1b$BF|\x1b(Bb"},
	} {
		t.Run(row.label+" "+row.name, func(t *testing.T) {
			c, _, _ := Of(row.label)
			got, err := codectest.Lift(c, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: row.start, End: row.end}, New: []byte(row.text)}})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
		})
	}
}

func TestCharsetRefuses(t *testing.T) {
	for _, row := range []struct {
		name, label, src string
		at               int
		text             string
		reason           error
	}{
		{"a letter outside the charset", "windows-1252", "a", 0, "日", codec.ErrCannotSpell},
		{"a letter outside the charset", "shift_jis", "a", 0, "é", codec.ErrCannotSpell},
		{"a letter outside the charset", "iso-2022-jp", "a", 0, "é", codec.ErrCannotSpell},
		{"invalid UTF-8", "koi8-r", "a", 0, "\xff", codec.ErrCannotSpell},
		{"U+FFFD is not written", "gb18030", "a", 0, "\uFFFD", codec.ErrCannotSpell},
		{"an escape sequence", "iso-2022-jp", "a", 0, "\x1b(J", codec.ErrCannotSpell},
		{"the byte before would become the first byte of the text", "gb18030", "a\x81", 4, "A", codec.ErrCannotSpell},
		{"the odd byte before would become a part of the text", "utf-16le", "a\x00b", 4, "A", codec.ErrCannotSpell},
		{"the charset is only read", "replacement", "a", 0, "A", codec.ErrCannotSpell},
	} {
		t.Run(row.label+" "+row.name, func(t *testing.T) {
			c, _, _ := Of(row.label)
			got, err := codectest.Lift(c, []byte(row.src), []codec.Edit{{Span: codec.Span{Start: row.at, End: row.at}, New: []byte(row.text)}})
			assert.Nil(t, got)
			assert.ErrorIs(t, err, codec.ErrRefused)
			assert.ErrorIs(t, err, row.reason)
		})
	}
}

// A run of equal atoms is one entry.
func TestCharsetRuns(t *testing.T) {
	for _, row := range []struct{ label, src string }{
		{"windows-1251", strings.Repeat("\xcf", 1000)}, {"utf-16le", strings.Repeat("a\x00", 1000)}, {"shift_jis", strings.Repeat("\x93\xfa", 1000)},
	} {
		c, _, _ := Of(row.label)
		text, err := c.Decode([]byte(row.src))
		require.NoError(t, err)
		var atoms codec.Atoms
		c.Map([]byte(row.src), text, &atoms)
		runs := slices.Collect(atoms.All)
		require.Len(t, runs, 1, row.label)
		assert.Equal(t, 1000, runs[0].N)
	}
}

// Spans finds what the atoms of a long text say, for spans in ascending and in descending order.
func TestSpans(t *testing.T) {
	for label, some := range map[string]string{
		"windows-1251": "\xcf\xf0\xe8\xe2\xe5\xf2, h. ", "iso-8859-15": "\xa4 a\xe9", "gb18030": "\xd6\xd0 \x81\x30\x84\x36b", "big5": "\x88\x62c\xa4\xa4",
		"euc-jp": "\x8f\xb0\xa1 \xc6\xfc", "shift_jis": "\xb1\x93\xfad", "utf-16be": "\x00a\x04\x1f\xd8\x3d\xde\x00",
	} {
		c, _, _ := Of(label)
		src := []byte(strings.Repeat(strings.Repeat("ASCII ", len(some))+some, 5*everyMark/len(some)))
		if label == "utf-16be" {
			src = []byte(strings.Repeat(some, everyMark))
		}
		text, err := c.Decode(src)
		require.NoError(t, err, label)
		var atoms codec.Atoms
		c.Map(src, text, &atoms)
		m := codec.Spans(c, src, text)
		for _, from := range []int{len(text), 0} {
			for i := range len(text) {
				start := max(from-i, i-from)
				for _, n := range []int{0, 1, 5, everyMark + 1} {
					span := codec.Span{Start: start, End: min(start+n, len(text))}
					require.Equal(t, atoms.Span(span), m(span), "%s %v", label, span)
				}
			}
		}
	}
}
