package main

import (
	_ "embed"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/explain"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// explainHelp is the help of the verb explain, which draws the ladder of each entity.
//
//go:embed help/explain.md
var explainHelp string

// The widths that a drawing may have.
const (
	defaultWidth = 100 // not on a terminal
	leastWidth   = 50  // however narrow the terminal is
)

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
	o.writing(f, "write to `FILE`, not to standard output")
	o.reporting(f)
	return cmd
}

func (s *session) explain(cmd *cobra.Command, o *options, compact bool, args []string) error {
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
		visit := func(e *extract.Entity) error {
			k.Find()
			w.batch.Stats.Base(e)
			k.Out.Buf = form.Append(k.Out.Buf, e)
			return k.Out.Spill()
		}
		return batch.Job{Document: func(_ inputs.Source, d extract.Document) error { return k.Walker.Bases(d, visit) }}
	})
	return w.end(err)
}

// explanation returns the form of the explanations.
func (w *walk) explanation(compact bool) explain.Form {
	o, out := w.options, w.batch.Out
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
