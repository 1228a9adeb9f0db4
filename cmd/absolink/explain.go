package main

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/extract"
)

// The widths that a drawing may have.
const (
	defaultWidth = 100
	usualWidth   = 60 // that of the drawing in the RFC
	leastWidth   = 50 // however narrow the terminal is
)

func newExplain(s *session) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "explain [PATH...]",
		Short: "Draw the ladder of each entity: every candidate for the base URL, and its verdict",
		Long: `explain draws, for each document and each document inside it, the layers of RFC 1808
section 3 with everything that declares a base URL, what became of it, and why. The
innermost layer that has a usable one is in force; it is marked.`,
		Example: `  absolink explain page.html -u http://h/p/`,
		RunE:    func(cmd *cobra.Command, args []string) error { return s.explain(cmd, o, args) },
	}
	f := cmd.Flags()
	o.inputs(f)
	o.document(f)
	o.writing(f, "write to `FILE`")
	o.reporting(f)
	return cmd
}

func (s *session) explain(cmd *cobra.Command, o *options, args []string) error {
	w, err := s.newWalk(cmd, o, args, findsBases)
	if err != nil {
		return err
	}
	o.jobs = 1
	if w.batch.out, err = w.output(); err != nil {
		return err
	}
	d := &drawing{pen: asciiPen, width: defaultWidth}
	if columns, terminal := console.TerminalWidth(s.stdout); terminal && !w.batch.out.IsFile() {
		d.pen = unicodePen
		if columns > 0 {
			d.width = max(columns, leastWidth)
		}
	}
	first := true
	err = w.run(func(k *worker) job {
		visit := func(e *extract.Entity) error {
			k.find()
			w.batch.stats.base(e)
			if !first {
				k.out.Buf = append(k.out.Buf, '\n')
			}
			first = false
			k.out.Buf = d.ladder(k.out.Buf, e)
			return k.out.Spill()
		}
		return job{document: func(_ inputs.Source, d extract.Document) error { return k.walker.Bases(d, visit) }}
	})
	return w.end(err)
}
