package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"sync"
)

// The files of a page.
var (
	//go:embed report.html
	markup string
	//go:embed report.css
	style string
	//go:embed report.js
	script string
)

// Files returns the style and the script of each page.
func Files() (css, js string) { return style, script }

// pages returns the templates. They are parsed when the first page is written: other runs do not need them.
var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(markup)) })

// head is the data of the template "head".
type head struct {
	Title   string
	Program string
	Policy  string // the Content-Security-Policy
	Style   template.CSS
	Script  template.JS
}

// newHead returns the head of a page. Style and Script are files of this package, and have no data.
func newHead(title, program string) head {
	return head{Title: title, Program: program, Policy: policy(), Style: template.CSS(style), Script: template.JS(script)}
}

// policy returns a policy that allows only the style and the script of the page.
func policy() string {
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
}

// hash returns the source expression for an inline text (CSP3, 2.3.1).
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// render appends a page.
func render(dst []byte, name string, data any) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	err := pages().ExecuteTemplate(out, name, data)
	return out.Bytes(), err
}
