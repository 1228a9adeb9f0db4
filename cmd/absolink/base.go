package main

import (
	"github.com/spf13/cobra"

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
	if o.form == asText && len(fields) == 0 {
		fields, columns = []string{"base", "rung", "by", "where"}, append([]column[*extract.Entity]{whereColumn}, columns...)
	}
	w, err := s.newWalk(cmd, o, args, findsBases)
	if err != nil {
		return err
	}
	t, err := newTable(o.form, columns, fields)
	if err != nil {
		return err
	}
	if w.batch.out, err = w.output(); err != nil {
		return err
	}
	build := thisBuild()
	t.begin(w.batch.out, build.version, build.detail)
	err = w.run(func(k *worker) job {
		visit := func(e *extract.Entity) error {
			k.find()
			w.batch.stats.base(e)
			k.out.Buf = t.append(k.out.Buf, e)
			return k.out.Spill()
		}
		return job{
			document: func(_ source, d extract.Document) error { return k.walker.Bases(d, visit) },
			record:   func(rec extract.Record) error { return k.walker.BasesOf(rec, visit) },
		}
	})
	return w.end(err)
}

var baseColumns = []column[*extract.Entity]{
	{name: "document", value: func(dst []byte, f form, e *extract.Entity) []byte { return f.word(dst, e.Document) }},
	{name: "entity", value: func(dst []byte, f form, e *extract.Entity) []byte { return f.word(dst, e.Path) }},
	{name: "type", kind: asLabel, value: func(dst []byte, f form, e *extract.Entity) []byte { return f.word(dst, e.Type) }},
	{name: "base", value: func(dst []byte, f form, e *extract.Entity) []byte { return f.word(dst, e.Scope.Base().String()) }},
	{name: "rung", kind: asLabel, value: func(dst []byte, f form, e *extract.Entity) []byte { return f.word(dst, e.Scope.Rung().String()) }},
	{name: "by", kind: asLabel, value: func(dst []byte, f form, e *extract.Entity) []byte { return f.word(dst, e.Scope.By()) }},
	{name: "candidates", kind: asCandidates, value: func(dst []byte, f form, e *extract.Entity) []byte {
		return f.candidates(dst, e.Scope.Candidates())
	}},
}

// whereColumn names the entity in one field, for people.
var whereColumn = column[*extract.Entity]{name: "where", value: func(dst []byte, f form, e *extract.Entity) []byte {
	return f.word(dst, where(e))
}}

// where names an entity in its document.
func where(e *extract.Entity) string {
	if e.Path == "" {
		return e.Document
	}
	return e.Document + " > " + e.Path
}
