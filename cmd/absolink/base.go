package main

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

func newBase(s *session) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "base [PATH...]",
		Short: "Show the base URL of each document and of each entity in it",
		Long: `base shows which base URL is in force in each document, and in each document inside it,
and what declares it. A PATH is a file, a folder (its files and those below it, sorted, as
help inputs tells) or - for standard input.

As text it is a line each: URL, rung, by, and document or document > entity, separated by
tabs. Other formats have every candidate too, with its verdict, in CSV and TSV as JSON;
explain draws them.

Fields: document entity type base rung by candidates.`,
		Example: `  absolink base page.html
  absolink base site/ --site http://h/ -f jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return s.base(cmd, o, args) },
	}
	f := cmd.Flags()
	o.inputs(f)
	o.document(f)
	o.batch(f)
	o.rows(f)
	completeFields(cmd, baseColumns)
	o.writing(f, "write to `FILE`")
	o.reporting(f)
	return cmd
}

func (s *session) base(cmd *cobra.Command, o *options, args []string) error {
	fields, columns := o.fields, baseColumns
	if o.form == rows.Text && len(fields) == 0 {
		fields, columns = []string{"base", "rung", "by", "where"}, append([]rows.Column[*extract.Entity]{whereColumn}, columns...)
	}
	w, err := s.newWalk(cmd, o, args, findsBases)
	if err != nil {
		return err
	}
	t, err := rows.NewTable(o.form, columns, fields)
	if err != nil {
		return err
	}
	if w.batch.out, err = w.output(); err != nil {
		return err
	}
	build := thisBuild()
	t.Begin(w.batch.out, build.version, build.detail)
	err = w.run(func(k *worker) job {
		visit := func(e *extract.Entity) error {
			k.find()
			w.batch.stats.base(e)
			k.out.Buf = t.Append(k.out.Buf, e)
			return k.out.Spill()
		}
		return job{
			document: func(_ inputs.Source, d extract.Document) error { return k.walker.Bases(d, visit) },
			record:   func(rec extract.Record) error { return k.walker.BasesOf(rec, visit) },
		}
	})
	return w.end(err)
}

var baseColumns = []rows.Column[*extract.Entity]{
	{Name: "document", Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte { return f.Word(dst, e.Document) }},
	{Name: "entity", Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte { return f.Word(dst, e.Path) }},
	{Name: "type", Kind: rows.Label, Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte { return f.Word(dst, e.Type) }},
	{Name: "base", Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte { return f.Word(dst, e.Scope.Base().String()) }},
	{Name: "rung", Kind: rows.Label, Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte { return f.Word(dst, e.Scope.Rung().String()) }},
	{Name: "by", Kind: rows.Label, Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte { return f.Word(dst, e.Scope.By()) }},
	{Name: "candidates", Kind: rows.Candidates, Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte {
		return f.Candidates(dst, e.Scope.Candidates())
	}},
}

// whereColumn names the entity in one field, for people.
var whereColumn = rows.Column[*extract.Entity]{Name: "where", Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte {
	return f.Word(dst, where(e))
}}

// where names an entity in its document.
func where(e *extract.Entity) string {
	if e.Path == "" {
		return e.Document
	}
	return e.Document + " > " + e.Path
}
