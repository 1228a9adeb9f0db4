package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/explain"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/report"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

const (
	defaultWidth = 100 // not on a terminal
	leastWidth   = 50  // even on a narrower terminal
)

func (s *session) explain(cmd *cobra.Command, o *options, args []string) error {
	given := cmd.Flags().Changed("format")
	if ext := strings.ToLower(filepath.Ext(o.output)); ext == ".html" || ext == ".htm" {
		if given && o.form != rows.HTML {
			return fmt.Errorf("-o %s: -f asks for another format than %s; leave -f out, or use another file name",
				o.output, ext)
		}
		o.form = rows.HTML
	} else if err := o.setFormByName(o.output, given, ".txt, .jsonl, .json, .html"); err != nil {
		return err
	}
	if cmd.Flags().Lookup("format").Value.String() == "" {
		return fmt.Errorf("-o %s: explain writes text, jsonl, json or html; use another extension, or choose with -f",
			o.output)
	}
	r, err := s.newRun(cmd, o, args, batch.FindsBases)
	if err != nil {
		return err
	}
	o.jobs = 1
	if o.form == rows.HTML {
		return r.explainPage()
	}
	if r.batch.Out, err = r.output(); err != nil {
		return err
	}
	form := r.explanation(o.compact)
	err = r.do(func(k *batch.Worker) batch.Job {
		return func(_ inputs.Source, d extract.Document) error {
			err := r.eachBase(k, d, func(e *extract.Entity) { k.Out.Buf = form.Append(k.Out.Buf, e) })
			k.Out.Buf = form.End(k.Out.Buf)
			return err
		}
	})
	return r.end(err)
}

// explanation begins the output and returns the form of the explanations.
func (r *run) explanation(compact bool) explain.Form {
	o, out := r.options, r.batch.Out
	switch o.form {
	case rows.JSON:
		rows.BeginArray(out)
		return &explain.Objects{}
	case rows.JSONL:
		return &explain.Objects{}
	}
	out.Escape = nil // the text has colors, and its own escapes
	style := explain.Style{Width: defaultWidth, Pen: explain.ASCII, Colors: console.ColorsOf(o.color, r.stdout)}
	columns, terminal := console.Columns(r.stdout)
	switch {
	case out.IsFile() && o.color == console.Auto:
		style.Colors = console.Colors{}
	case terminal && !out.IsFile():
		style.Pen, style.Width = explain.Unicode, max(columns, leastWidth)
	}
	if compact {
		return &explain.Lines{Style: style}
	}
	return &explain.Drawing{Style: style}
}

func (r *run) explainPage() (err error) {
	switch _, terminal := console.TerminalWidth(r.stdout); {
	case r.in.Several():
		return errors.New("-f html is a page about one document; name one PATH, or use -f json")
	case terminal && (r.options.output == "" || r.options.output == files.Std):
		return errors.New("-f html cannot be shown on a terminal; use -o FILE.html, or a pipe")
	}
	if r.batch.Out, err = r.output(); err != nil {
		return err
	}
	err = r.do(func(k *batch.Worker) batch.Job {
		return func(src inputs.Source, d extract.Document) error { return r.page(k, src.Name, d) }
	})
	return r.end(err)
}

// page appends the page about a document. It reads the document twice, so it keeps the bytes in memory.
func (r *run) page(k *batch.Worker, name string, d extract.Document) (err error) {
	limit := int64(r.options.maxRecord)
	if d.Bytes, err = io.ReadAll(io.LimitReader(d.Reader, limit+1)); err != nil {
		return err
	}
	if int64(len(d.Bytes)) > limit {
		return fmt.Errorf("longer than %d bytes; use --max-record to read it, or -f json", limit)
	}
	d.Reader = nil
	page := report.NewDocument(name)
	if err := r.eachBase(k, d, page.Entity); err != nil {
		return err
	}
	x := k.Extractor
	x.OnProblem = func(p extract.Problem) { // those of the bases again, and those of the links
		codes.Advise(&p, true)
		page.Problem(p)
	}
	for l, err := range x.Links(k.Context, d) {
		if err != nil {
			return err
		}
		page.Link(l)
	}
	k.Out.Buf, err = page.Append(k.Out.Buf, "absolink "+thisBuild().version)
	return err
}
