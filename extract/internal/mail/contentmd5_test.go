package mail_test

import (
	"crypto/md5"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"absolink/extract/internal/codec"
	"absolink/extract/internal/mail"
	"absolink/extract/internal/mark"
)

// The digest of RFC 1864 is that of the body without its transfer encoding, and text has CRLF line ends in it (section 2).
func TestContentMD5Spellings(t *testing.T) {
	digest := func(text string) string {
		sum := md5.Sum([]byte(text))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	for _, row := range []struct {
		name         string
		text         bool
		body         string
		before, want string // the texts whose digests are in the field; no want: the field stays
	}{
		{"2: text with CRLF", true, "x\r\ny\r\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"2: text with LF has the digest with CRLF", true, "x\ny\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"2: text with both", true, "x\r\ny\n", "x\r\ny\r\n", "http\r\ny\r\n"},
		{"base64 of LF", true, "x\ny\n", "x\ny\n", "http\ny\n"},
		{"CRLF, and the digest with LF", true, "x\r\ny\r\n", "x\ny\n", ""},
		{"no text has no line ends", false, "x\ny\n", "x\ny\n", "http\ny\n"},
		{"no text, and the digest with CRLF", false, "x\ny\n", "x\r\ny\r\n", ""},
		{"an mbox adds an empty line", true, "x\n\n", "x\r\n", "http\r\n"},
		{"an mbox adds an empty line with CRLF", true, "x\r\n\r\n", "x\r\n", "http\r\n"},
		{"an mbox adds an empty line to base64", true, "x\n\n", "x\n", "http\n"},
		{"not two", true, "x\n\n\n", "x\r\n", ""},
		{"no newline", true, "x", "x", "http"},
		{"of other bytes", true, "x\n", "y\n", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := []byte("Content-MD5: \t" + digest(row.before) + " \r\n")
			p := &mark.Part{Text: row.text, MD5: codec.Span{Start: len("Content-MD5:"), End: len(src) - 2}}
			edits := []codec.Edit{{Span: codec.Span{Start: 0, End: 1}, New: []byte("http")}}
			got := mail.ContentMD5(src, p, []byte(row.body), edits)
			want := string(src)
			if row.want != "" {
				require.Len(t, got, 1)
				want = "Content-MD5: \t" + digest(row.want) + " \r\n"
			}
			assert.Equal(t, want, string(codec.Apply(nil, src, got)))
		})
	}
}
