package charsets

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/resolve"
)

// TestQueryEncoding encodes queries (URL Standard 1.3), with a row for each step of the Encoding Standard's encoders.
func TestQueryEncoding(t *testing.T) {
	for _, r := range []struct{ clause, label, text, want string }{
		{"4.3 output encoding", "utf-16le", "é", "%C3%A9"},
		{"4.3 output encoding", "replacement", "é", "%C3%A9"},
		{"4.3 output encoding", "utf-8", "é", "%C3%A9"},
		{"9.1 single-byte", "windows-1252", "€é日", "%80%E9%26%2326085%3B"},
		{"9.1 C1 controls for bytes that the code page does not use", "windows-1252", "\u0081\u0080", "%81%26%23128%3B"},
		{"9.1 C1 controls", "iso-8859-2", "\u0080\u009Fš", "%80%9F%B9"},
		{"9.1 no C1 controls", "ibm866", "\u0080Ж", "%26%23128%3B%86"},
		{"9.1 ISO-8859-8-I", "iso-8859-8-i", "א\u0080", "%E0%80"},
		{"10.1 GBK", "gbk", "€中é", "%80%D6%D0%A8%A6"},
		{"10.2.2 step 3", "gb18030", "\uE5E5\u3000", "%26%2358853%3B%A1%A1"},
		{"10.2.2 step 4", "gbk", "\u0080💩", "%26%23128%3B%26%23128169%3B"},
		{"10.2.2 step 5, GB 18030-2022", "gb18030", "\u1E3F\uE7C7龴\uE81E\uFE12\uE78E", "%A8%BC%815%F47%FEY%FEY%A6%DA%A6%DA"},
		{"10.2.2 step 5, GB 18030-2022", "gbk", "\u1E3F\uE7C7", "%A8%BC%26%2359335%3B"},
		{"10.2.2 user-defined", "gb18030", "\uE000\uE233\uE234\uE4C5\uE4C6\uE505\uE765", "%AA%A1%AF%FE%F8%A1%FE%FE%A1@%A1%80%A7%A0"},
		{"10.2.2 steps 9 to 11", "gb18030", "💩", "%949%DA3"},
		{"11.1.2 Big5", "big5", "中", "%A4%A4"},
		{"6 index Big5 pointer, without the Hong Kong supplement", "big5", "À𠀀", "%26%23192%3B%26%23131072%3B"},
		{"6 index Big5 pointer, the first of two", "big5", "〃兀╭", "%A1%B2%A4a%A2~"},
		{"6 index Big5 pointer, the last of two", "big5", "═十卅", "%F9%F9%A4Q%A4%CA"},
		{"12.1.2 EUC-JP", "euc-jp", "¥‾−ｱ日", `\~%A1%DD%8E%B1%C6%FC`},
		{"12.1.2 without JIS X 0212", "euc-jp", "丂", "%26%2319970%3B"},
		{"12.2.2 ISO-2022-JP", "iso-2022-jp", "aあb", `a%1B$B$%22%1B(Bb`},
		{"12.2.2 Roman", "iso-2022-jp", "¥", `%1B(J\%1B(B`},
		{"12.2.2 Roman", "iso-2022-jp", `¥a~‾\`, `%1B(J\a%1B(B~%1B(J~%1B(B\`},
		{"12.2.2 Roman unencodable", "iso-2022-jp", `¥é`, `%1B(J\%26%23233%3B%1B(B`},
		{"12.2.2 katakana", "iso-2022-jp", "ｱﾞ−", "%1B$B%%22!+!]%1B(B"},
		{"12.2.2 unencodable", "iso-2022-jp", "あ‽あ", `%1B$B$%22%1B(B%26%238253%3B%1B$B$%22%1B(B`},
		{"12.2.2 without JIS X 0212", "iso-2022-jp", "丂", "%26%2319970%3B"},
		{"12.2.2 longer than the buffer of the encoder", "iso-2022-jp", strings.Repeat("あ", 300), "%1B$B" + strings.Repeat("$%22", 300) + "%1B(B"},
		{"12.2.2 step 3", "iso-2022-jp", "\x1bé\x0ea", "%26%2365533%3B%26%23233%3B%26%2365533%3Ba"},
		{"12.3.2 Shift_JIS", "shift_jis", "¥‾−ｱ\u0080", `\~%81|%B1%80`},
		{"6 index Shift_JIS pointer, IBM extensions", "shift_jis", "ⅰⅹ￢￤＇＂纊黑", "%FA@%FAI%81%CA%FAU%FAV%FAW%FA\\%FCK"},
		{"12.3.2 user-defined, only read", "shift_jis", "\uE000", "%26%2357344%3B"},
		{"13.1.2 EUC-KR", "euc-kr", "한é", "%C7%D1%26%23233%3B"},
	} {
		t.Run(r.clause+" "+r.label, func(t *testing.T) {
			b, err := resolve.WHATWG.WithQueryEncoding(QueryEncoding(r.label)).Base("http://h/")
			require.NoError(t, err)
			got, err := b.Resolve("?" + r.text)
			require.NoError(t, err)
			assert.Equal(t, "http://h/?"+r.want, got)
		})
	}
}

// TestMultiByte decodes every sequence of two bytes. A valid one is written so that it reads back as the same character; an
// invalid one is as long as the Encoding Standard says, because a byte too many would swallow a quote or a bracket.
func TestMultiByte(t *testing.T) {
	for _, label := range []string{"gb18030", "gbk", "big5", "euc-jp", "shift_jis", "euc-kr"} {
		c, _, _ := Of(label)
		letters := 0
		for lead := 0x80; lead < 0x100; lead++ {
			for trail := range 0x100 {
				src := []byte{byte(lead), byte(trail), ' '}
				text, err := c.Decode(src)
				if err != nil {
					want := "\uFFFD "
					if trail < 0x80 {
						want = "\uFFFD" + string(rune(trail)) + " "
					} else if one, e := c.Decode(src[:1]); e == nil {
						two, _ := c.Decode(src[1:])
						want = string(one) + string(two)
					} else if !(c.(stateless).length([]byte{byte(lead)}) > 1) {
						two, _ := c.Decode(src[1:])
						want = "\uFFFD" + string(two)
					}
					assert.Equal(t, want, string(text), "%s %x", label, src)
					continue
				}
				letters++
				again, err := c.Encode(nil, nil, codec.Span{}, text)
				if err == nil { // otherwise the character is only read
					back, _ := c.Decode(again)
					assert.Equal(t, string(text), string(back), "%s %x", label, src)
				}
			}
		}
		assert.Greater(t, letters, 7000, label)
	}
}
