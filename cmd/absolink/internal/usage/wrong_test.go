package usage

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestURLAsPath(t *testing.T) {
	for _, row := range []struct{ word, want string }{
		{"https://h/p", "curl -iLsS 'https://h/p' | absolink links -u 'https://h/p' -"},
		{"HTTP://h/?a=b&c#d", "curl -iLsS 'HTTP://h/?a=b&c' | absolink links -u 'HTTP://h/?a=b&c' -"},
		{"http://h/it's", `curl -iLsS 'http://h/it'\''s' | absolink links -u 'http://h/it'\''s' -`},
		{"http://h/a[1]{b}", "curl -iLsSg 'http://h/a[1]{b}' | absolink links -u 'http://h/a[1]{b}' -"},
	} {
		assert.EqualError(t, URLAsPath("links", row.word), row.word+": absolink reads files and never fetches; run: "+row.want)
	}
	for _, word := range []string{"", "-", "page.html", "http:", "http://", "https/h", "a/http://h/"} {
		assert.NoError(t, URLAsPath("links", word), word)
	}
}
