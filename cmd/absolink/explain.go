package main

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/explain"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// explainHelp is the help of the verb explain.
//
//go:embed help/explain.md
var explainHelp string

// The widths that a drawing may have.
const (
	defaultWidth = 100 // not on a terminal
	leastWidth   = 50  // also on a narrower terminal
)

// explainForms are the values of --format.
var explainForms = []named[rows.Form]{{"text", rows.Text}, {"jsonl", rows.JSONL}, {"json", rows.JSON}}

// newExplain returns the command of the verb explain.
func newExplain(s *session) *cobra.Command {
	o := &options{}
	compact := false
	cmd := &cobra.Command{
		Use:   "explain [OPTIONS] [PATH...]",
		Short: "Show why a document has its base URL, with every candidate",
		Long:  explainHelp,
		RunE:  func(cmd *cobra.Command, args []string) error { return s.explain(cmd, o, compact, args) },
	}
	f := cmd.Flags()
	o.inputs(f)
	o.document(f)
	f.BoolVarP(&compact, "compact", "c", false, "print one line for each rung")
	f.VarP(newOneOf(&o.form, rows.Text, "FORMAT", explainForms), "format", "f", "print text, jsonl (one object for each document) or json (one array of these objects)")
	o.writing(f, "write to `FILE`, in the format of its extension (.txt, .jsonl, .json)")
	o.reporting(f)
	return cmd
}

func (s *session) explain(cmd *cobra.Command, o *options, compact bool, args []string) error {
	if err := o.setFormByName(o.output, cmd.Flags().Changed("format")); err != nil {
		return err
	}
	if !slices.ContainsFunc(explainForms, func(n named[rows.Form]) bool { return n.value == o.form }) {
		return fmt.Errorf("-o %s: explain writes text, jsonl or json; use another extension, or choose with -f", o.output)
	}
	if compact && o.form != rows.Text {
		return fmt.Errorf("--compact is a form of text; leave out --compact or the JSON format")
	}
	w, err := s.newWalk(cmd, o, args, batch.Bases)
	if err != nil {
		return err
	}
	o.jobs = 1
	if w.batch.Out, err = w.output(); err != nil {
		return err
	}
	form := w.explanation(compact)
	err = w.run(func(k *batch.Worker) batch.Job {
		return batch.Job{Document: func(_ inputs.Source, d extract.Document) error {
			err := w.eachBase(k, d, func(e *extract.Entity) { k.Out.Buf = form.Append(k.Out.Buf, e) })
			k.Out.Buf = form.End(k.Out.Buf)
			return err
		}}
	})
	return w.end(err)
}

// explanation begins the output and returns the form of the explanations.
func (w *walk) explanation(compact bool) explain.Form {
	o, out := w.options, w.batch.Out
	switch o.form {
	case rows.JSON:
		rows.BeginArray(out)
		return &explain.Objects{}
	case rows.JSONL:
		return &explain.Objects{}
	}
	style := explain.Style{Width: defaultWidth, Colors: console.ColorsOf(o.color, w.stdout)}
	columns, terminal := console.Columns(w.stdout)
	switch {
	case out.IsFile() && o.color == console.Auto:
		style.Colors = console.Colors{}
	case terminal && !out.IsFile():
		style.Unicode, style.Width = true, max(columns, leastWidth)
	}
	if compact {
		return explain.NewLines(style)
	}
	return explain.NewDrawing(style)
}
