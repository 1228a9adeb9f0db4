package main

import (
	"bytes"
	"context"
	"errors"
	"syscall/js"

	"absolink/cmd/absolink/internal/report"
	"absolink/extract"
)

// main reads the object absolinkInput, and sets the object absolinkOutput. Each document has a process of its own.
func main() {
	in := js.Global().Get("absolinkInput")
	content := in.Get("bytes")
	d := extract.Document{Name: in.Get("name").String(), Type: in.Get("type").String(), URL: in.Get("url").String(),
		URLBy: "the URL above",
		Bytes: make([]byte, content.Length())}
	js.CopyBytesToGo(d.Bytes, content)
	out := map[string]any{"error": ""}
	page, rewritten, links, result, err := try(d, in.Get("program").String())
	if err != nil {
		out["error"] = err.Error()
	}
	array := js.Global().Get("Uint8Array").New(len(rewritten))
	js.CopyBytesToJS(array, rewritten)
	out["page"], out["rewritten"], out["links"] = string(page), array, links
	out["changed"], out["unresolved"] = result.Changed, result.Unresolved
	js.Global().Set("absolinkOutput", out)
}

// try returns the page about a document, the rewritten document, the number of links that "absolink links" lists, and
// the numbers of the rewriting.
func try(d extract.Document, program string) (page, rewritten []byte, links int, result extract.Result, err error) {
	ctx := context.Background()
	p := report.NewDocument(d.Name)
	x := extract.Extractor{}
	for e, err := range x.Bases(ctx, d) {
		if err != nil {
			return nil, nil, 0, result, err
		}
		p.Entity(e)
	}
	var unread error
	x.OnProblem = func(found extract.Problem) {
		if found.Code == extract.CodeTypeUnknown {
			unread = errors.New(found.Detail)
		}
		p.Problem(found)
	}
	for l, err := range x.Links(ctx, d) {
		if err != nil {
			return nil, nil, 0, result, err
		}
		p.Link(l)
		links++
	}
	if unread != nil {
		return nil, nil, 0, result, unread
	}
	if page, err = p.Append(nil, program); err != nil {
		return nil, nil, 0, result, err
	}
	var out bytes.Buffer
	x.OnProblem = nil
	result, err = x.Rewrite(ctx, &out, d)
	return page, out.Bytes(), links, result, err
}
