package main

import (
	_ "embed"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// explainHelp is the help of the verb explain, which draws the ladder of each entity.
//
//go:embed help/explain.md
var explainHelp string

// The widths that a drawing may have.
const (
	defaultWidth = 100
	usualWidth   = 60 // that of the drawing in the RFC
	leastWidth   = 50 // however narrow the terminal is
)

// newExplain returns the command of the verb explain.
func newExplain(s *session) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "explain [OPTIONS] [PATH...]",
		Short: "Show why a document has its base URL, with every candidate",
		Long:  explainHelp,
		RunE:  func(cmd *cobra.Command, args []string) error { return s.explain(cmd, o, args) },
	}
	f := cmd.Flags()
	o.inputs(f)
	o.document(f)
	o.writing(f, "write to `FILE`, not to standard output")
	o.reporting(f)
	return cmd
}

func (s *session) explain(cmd *cobra.Command, o *options, args []string) error {
	w, err := s.newWalk(cmd, o, args, batch.Bases)
	if err != nil {
		return err
	}
	o.jobs = 1
	if w.batch.Out, err = w.output(); err != nil {
		return err
	}
	d := &drawing{pen: asciiPen, width: defaultWidth}
	if columns, terminal := console.TerminalWidth(s.stdout); terminal && !w.batch.Out.IsFile() {
		d.pen = unicodePen
		if columns > 0 {
			d.width = max(columns, leastWidth)
		}
	}
	first := true
	err = w.run(func(k *batch.Worker) batch.Job {
		visit := func(e *extract.Entity) error {
			k.Find()
			w.batch.Stats.Base(e)
			if !first {
				k.Out.Buf = append(k.Out.Buf, '\n')
			}
			first = false
			k.Out.Buf = d.ladder(k.Out.Buf, e)
			return k.Out.Spill()
		}
		return batch.Job{Document: func(_ inputs.Source, d extract.Document) error { return k.Walker.Bases(d, visit) }}
	})
	return w.end(err)
}
