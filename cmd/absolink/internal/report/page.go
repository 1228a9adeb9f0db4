package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"

	"absolink/cmd/absolink/internal/console"
)

var (
	//go:embed report.html
	markup string
	//go:embed report.css
	style string
	//go:embed report.js
	script string
)

// Files returns the style and the script of every page.
func Files() (css, js string) { return style, script }

// pages returns the templates, which are parsed for the first page because most runs write none.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"policy": policy, "style": func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"number": console.Number, "bytes": bytesText, "count": count, "phrases": phrases,
	}).Parse(markup))
})

// policy returns a Content-Security-Policy that allows only the style and the script of the page.
func policy() string {
	return "default-src 'none'; style-src " + Hash(style) + "; script-src " + Hash(script) +
		"; base-uri 'none'; form-action 'none'"
}

// Hash returns the source expression for an inline text (CSP3, 2.3.1).
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func render(dst []byte, name string, data any) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	err := pages().ExecuteTemplate(out, name, data)
	return out.Bytes(), err
}
