package resolve

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// noControls encodes ASCII, but refuses the controls that are escapes in ISO-2022-JP, as the Encoding Standard demands and
// the encoder of x/text does not.
type noControls struct{ encoding.Encoding }

func (noControls) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: noControls{}}
}

func (noControls) Reset() {}

func (noControls) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	for _, c := range src {
		if c == 0x0E || c == 0x0F || c == 0x1B || c >= 0x80 {
			return nDst, nSrc, errors.New("not a character of this encoding")
		}
		dst[nDst] = c
		nDst, nSrc = nDst+1, nSrc+1
	}
	return nDst, nSrc, nil
}

// TestQueryEncoding has the example smörgåsbord of the URL Standard (4.3) and its table of percent-encode operations (1.3),
// without the row of ISO-2022-JP. The encoders are tested in extract/internal/codec/charsets.
func TestQueryEncoding(t *testing.T) {
	for _, r := range []struct {
		name      string
		e         encoding.Encoding
		ref, want string
	}{
		{"URL 1.3", japanese.ShiftJIS, "?a b", "http://h/?a%20b"},
		{"URL 1.3", japanese.ShiftJIS, "?≡", "http://h/?%81%DF"},
		{"URL 1.3", japanese.ShiftJIS, "?‽", "http://h/?%26%238253%3B"},
		{"URL 4.3", charmap.Windows1252, "?smörgåsbord", "http://h/?sm%F6rg%E5sbord"},
		{"only the query", charmap.Windows1252, "ö?ö#ö", "http://h/%C3%B6?%F6#%C3%B6"},
		{"unencodable characters between encodable ones", charmap.Windows1252, "?öжöж", "http://h/?%F6%26%231078%3B%F6%26%231078%3B"},
		{"a special query encodes its apostrophe", charmap.Windows1252, "?'ö", "http://h/?%27%F6"},
		{"a special URL in the reference", charmap.Windows1252, "https://h/?ö", "https://h/?%F6"},
		{"not special", charmap.Windows1252, "x://h/?ö", "x://h/?%C3%B6"},
		{"ws", charmap.Windows1252, "ws://h/?ö", "ws://h/?%C3%B6"},
		{"wss", charmap.Windows1252, "wss://h/?ö", "wss://h/?%C3%B6"},
		{"file", charmap.Windows1252, "file:///x?ö", "file:///x?%F6"},
		{"UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "?ö", "http://h/?%C3%B6"},
		{"UTF-8", unicode.UTF8, "?ö", "http://h/?%C3%B6"},
		{"replacement", encoding.Replacement, "?ö", "http://h/?%C3%B6"},
		{"hz-gb-2312 is replacement", simplifiedchinese.HZGB2312, "?ö", "http://h/?%C3%B6"},
		{"null", nil, "?ö", "http://h/?%C3%B6"},
		{"U+0080, the first code point outside ASCII, is unencodable", charmap.Windows1252, "?\u0080", "http://h/?%26%23128%3B"},
		{"Encoding 12.2.2, step 3: an escape is U+FFFD", noControls{}, "?a\x1Bé", "http://h/?a%26%2365533%3B%26%23233%3B"},
		{"ISO-2022-JP without JIS X 0212", japanese.ISO2022JP, "?丂", "http://h/?%26%2319970%3B"},
		{"Big5", traditionalchinese.Big5, "?中", "http://h/?%A4%A4"},
		{"EUC-KR", korean.EUCKR, "?한", "http://h/?%C7%D1"},
		{"GBK", simplifiedchinese.GBK, "?€中", "http://h/?%80%D6%D0"},
		{"gb18030", simplifiedchinese.GB18030, "?é中", "http://h/?%A8%A6%D6%D0"},
	} {
		t.Run(r.name, func(t *testing.T) {
			b, err := WHATWG.WithQueryEncoding(r.e).Base("http://h/")
			require.NoError(t, err)
			got, err := b.Resolve(r.ref)
			assert.NoError(t, err)
			assert.Equal(t, r.want, got)
		})
	}
	t.Run("the base's own query", func(t *testing.T) {
		b, err := WHATWG.WithQueryEncoding(charmap.Windows1252).Base("http://h/?ö")
		require.NoError(t, err)
		assert.Equal(t, "http://h/?%F6", b.String())
	})
	t.Run("standards stay comparable", func(t *testing.T) {
		assert.True(t, WHATWG.WithQueryEncoding(unicode.UTF8) == WHATWG)
		assert.True(t, WHATWG.WithQueryEncoding(charmap.Windows1252) == WHATWG.WithQueryEncoding(charmap.Windows1252))
		assert.False(t, WHATWG.WithQueryEncoding(charmap.Windows1252) == WHATWG)
		assert.True(t, RFC1808.WithQueryEncoding(charmap.Windows1252) == RFC1808)
	})
}
