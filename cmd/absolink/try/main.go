//go:build !js

// Command try writes the page try.html: absolink for a browser, without a server.
//
//	program_js.go ---> go build ---> gzip ---> base64 --.
//	wasm_exec.js of Go, try.js ------------------------->--- try.html
//	style of the reports, try.css ----------------------'
//
// The program reads one document, and returns the report about it and the rewritten document. The page shows the report
// in a frame without rights, and the document as text.
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"flag"
	"fmt"
	"html"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"

	"absolink/cmd/absolink/internal/report"
)

var (
	//go:embed try.html
	markup string
	//go:embed try.css
	style string
	//go:embed try.js
	script string
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("try: ")
	out := flag.String("o", "try.html", "write the page to `FILE`")
	version := flag.String("version", "", "the `VERSION` of absolink")
	flag.Parse()
	page, err := newPage(strings.TrimSpace("absolink " + *version))
	if err == nil {
		err = os.WriteFile(*out, page, 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// newPage returns the page. The working directory must be the root of the repository.
func newPage(program string) ([]byte, error) {
	wasm, err := compile()
	if err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	host, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	var licenses []byte
	for _, name := range []string{"LICENSE", "THIRD_PARTY.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		licenses = append(licenses, text...)
	}
	look, behavior := report.Files()
	allStyle, allScript := look+style, string(host)+script
	var page bytes.Buffer
	err = template.Must(template.New("").Parse(markup)).Execute(&page, map[string]string{
		"Program": html.EscapeString(program), "WASM": wasm, "Licenses": html.EscapeString(string(licenses)),
		"Style": allStyle, "Script": allScript,
		// The report in the frame also obeys this policy.
		"Policy": "default-src 'none'; style-src " + report.Hash(allStyle) + " " + report.Hash(look) +
			"; script-src 'wasm-unsafe-eval' " + report.Hash(allScript) + " " + report.Hash(behavior) +
			"; base-uri 'none'; form-action 'none'",
	})
	return page.Bytes(), err
}

// compile returns the program for the page, in gzip and base64.
func compile() (string, error) {
	dir, err := os.MkdirTemp("", "absolink-try-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "try.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", name,
		"./cmd/absolink/try")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(program); err != nil {
		return "", err
	}
	err = w.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes()), err
}
