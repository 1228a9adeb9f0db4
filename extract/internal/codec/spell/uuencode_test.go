package spell

import (
	"testing"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/codectest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// want is the source after an insertion at the start of the text.
func TestUUEncode(t *testing.T) {
	const long = "M86)C9&5F9VAI:FML;6YO<'%R<W1U=G=X>7IA8F-D969G:&EJ:VQM;F]P<7)S\n"
	for _, row := range []struct {
		name, src, text, want string
		err                   error
	}{
		{"POSIX", "begin 644 a\n#86)C\n`\nend\n", "abc", "begin 644 a\n$6&%B8P``\n`\nend\n", nil},
		{"CRLF, with text around it", "x\r\nbegin 644 a\r\n#86)C\r\n`\r\nend\r\ny", "abc", "x\r\nbegin 644 a\r\n$6&%B8P``\r\n`\r\nend\r\ny", nil},
		{"spaces", "begin 644 a\n#    \n \nend\n", "\x00\x00\x00", "begin 644 a\n$6     ``\n \nend\n", nil},
		{"lost spaces", "begin 644 a\n#\n\nend\n", "\x00\x00\x00", "begin 644 a\n$6```````\n\nend\n", nil},
		{"two lines", "begin 644 a\n" + long + "!80\n`\nend\n", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrsa",
			"begin 644 a\nM6&%B8V1E9F=H:6IK;&UN;W!Q<G-T=79W>'EZ86)C9&5F9VAI:FML;6YO<'%R\n\"<V$`\n`\nend\n", nil},
		{"no end", "begin 644 a\n#86)C\n", "abc", "begin 644 a\n$6&%B8P``\n", codec.ErrUndecodable},
		{"a checksum after the data", "begin 644 a\n#86)CX\n`\nend\n", "abc", "begin 644 a\n$6&%B8P``\n`\nend\n", nil},
		{"a wrong character", "begin 644 a\n#86)\x7f\n`\nend\n", "", "", codec.ErrUnread},
		{"a CR in a line", "begin 644 a\n#8\r6)C\n`\nend\n", "ab", "begin 644 a\n#6&%B\n`\nend\n", codec.ErrUnread},
		{"no beginning", "#86)C\n`\nend\n", "", "", codec.ErrUnread},
	} {
		t.Run(row.name, func(t *testing.T) {
			text, err := UUEncode.Decode([]byte(row.src))
			assert.Equal(t, row.text, string(text))
			assert.ErrorIs(t, err, row.err)
			edits := []codec.Edit{{Span: codec.Span{}, New: []byte("X")}}
			require.Equal(t, row.want == "", codectest.Lawful(t, UUEncode, []byte(row.src), edits), "refused")
			if got, err := codectest.Lift(UUEncode, []byte(row.src), edits); err == nil {
				assert.Equal(t, row.want, string(codec.Apply(nil, []byte(row.src), got)))
			}
		})
	}
}
