package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"absolink/extract"
	. "absolink/extract/internal/extracttest"
	"absolink/resolve"
)

// Edits that would change the guessed charset are not made, be it those in the first bytes or all. One problem reports them.
func TestGuessAgain(t *testing.T) {
	pad := "<p>" + strings.Repeat("x", 1024)
	for _, row := range []struct {
		name, src, want string
		standard        resolve.Standard
	}{
		{"the guess stays", "<a href=a>é" + pad + "<a href=b>", "<a href=http://h/a>é" + pad + "<a href=http://h/b>", resolve.RFC3986},
		{"a byte that is not UTF-8 leaves the first bytes", "é<a href=a>" + pad[:1005] + "\xff" + pad + "<a href=b>", "é<a href=a>" + pad[:1005] + "\xff" + pad + "<a href=http://h/b>", resolve.RFC3986},
		{"only links have bytes that are not UTF-8", "<a href=a>" + pad + "é<a href=\xff>", "<a href=a>" + pad + "é<a href=\xff>", resolve.WHATWG},
		{"a srcdoc has the charset of its page", "<iframe srcdoc='\xe9<a href=a>'>", "<iframe srcdoc='\xe9<a href=http://h/a>'>", resolve.RFC3986},
		{"the result is ASCII", "<a href=é>" + pad + "<a href=b>", "<a href=http://h/%C3%A9>" + pad + "<a href=http://h/b>", resolve.WHATWG},
	} {
		var problems []extract.Code
		w := Walker{Extractor: extract.Extractor{Standard: row.standard, OnProblem: func(p extract.Problem) { problems = append(problems, p.Code) }}}
		d := extract.Document{Name: "a.html", URL: "http://h/", Bytes: []byte(row.src)}
		out := Rewrite(t, &w, d)
		assert.Equal(t, row.want, out, row.name)
		if strings.Count(row.want, "=http:") < strings.Count(row.src, "href=") {
			assert.Equal(t, []extract.Code{extract.CodeRewriteRefused}, problems, row.name)
		} else {
			assert.Empty(t, problems, row.name)
		}
		d.Bytes = []byte(out)
		assert.Equal(t, out, Rewrite(t, &w, d), "%s: twice", row.name)
	}
}
