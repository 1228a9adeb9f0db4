package pack_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
)

// An archive in an archive is like a folder of the outer one. Its own URL is not that of its files.
func TestMemberURL(t *testing.T) {
	inner := Zip("q/a.html", "<a href=x>", "b.html", "<a href=x>")
	d := extract.Document{Name: "t.zip", Bytes: []byte(Zip("c.html", "<a href=x>", "d/t.zip", inner))}
	d.MemberURL = func(name string) (url, by string) {
		if name == "d/t.zip/b.html" {
			return "", ""
		}
		return "http://h/" + name, "--site"
	}
	assert.Equal(t, []string{"http://h/x", "http://h/d/t.zip/q/x", "(no-base)"}, URLs(t, &Walker{}, d))
}

// Files in which macOS stores attributes are not read, whatever their extension.
func TestAppleDoubleInArchives(t *testing.T) {
	d := extract.Document{Name: "t.zip", URL: "http://h/p/", Bytes: []byte(Zip("a.html", "<a href=x>", "__MACOSX/._a.html", "\x00\x05\x16\x07\x00\x02\x00\x00<a href=y>"))}
	assert.Equal(t, []string{"http://h/p/x"}, URLs(t, &Walker{}, d))
}
