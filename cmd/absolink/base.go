package main

import (
	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

func (s *session) base(cmd *cobra.Command, o *options, args []string) error {
	if err := o.setFormByName(o.output, cmd.Flags().Changed("format"), rowExtensions); err != nil {
		return err
	}
	fields, columns := o.fields, baseColumns
	if o.form == rows.Text && len(fields) == 0 {
		fields, columns = []string{"base", "layer", "source",
			"where"}, append([]rows.Column[*extract.Entity]{whereColumn}, columns...)
	}
	r, err := s.newRun(cmd, o, args, batch.FindsBases)
	if err != nil {
		return err
	}
	t, err := rows.NewTable(o.form, columns, fields)
	if err != nil {
		return err
	}
	if r.batch.Out, err = r.output(); err != nil {
		return err
	}
	r.batch.Records = true
	build := thisBuild()
	t.Begin(r.batch.Out, build.version, build.detail)
	err = r.do(func(k *batch.Worker) batch.Job {
		return func(_ inputs.Source, d extract.Document) error {
			return r.eachBase(k, d, func(e *extract.Entity) { k.Out.Buf = t.Append(k.Out.Buf, e) })
		}
	})
	return r.end(err)
}

// longRow is the number of bytes that rows about a base do not exceed, unless a URL is very long.
const longRow = 16 << 10

// eachBase calls print for each entity of a document. If the rows repeat long URLs, the last rows of a document are
// left out.
func (r *run) eachBase(k *batch.Worker, d extract.Document, print func(*extract.Entity)) error {
	repeats, full := k.Repeats(longRow), false
	defer func() { repeats.Report(k, "are left out") }()
	for e, err := range k.Extractor.Bases(k.Context, d) {
		if err == nil {
			k.Find()
			k.Base(e)
			if !full {
				before := len(k.Out.Buf)
				print(e)
				full = !repeats.Allows(len(k.Out.Buf) - before)
			} else {
				repeats.Cut(e.Document, e.Path, 0)
			}
			err = k.Out.Spill()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wordColumn returns a column of words.
func wordColumn(name string, kind rows.Kind, word func(*extract.Entity) string) rows.Column[*extract.Entity] {
	value := func(dst []byte, f rows.Form, e *extract.Entity) []byte { return f.Word(dst, word(e)) }
	return rows.Column[*extract.Entity]{Name: name, Kind: kind, Value: value}
}

var baseColumns = append([]rows.Column[*extract.Entity]{
	wordColumn("document", rows.String, func(e *extract.Entity) string { return e.Document }),
	wordColumn("entity", rows.String, func(e *extract.Entity) string { return e.Path }),
	wordColumn("type", rows.Label, func(e *extract.Entity) string { return e.Type }),
	wordColumn("base", rows.String, func(e *extract.Entity) string { return e.Scope.Base().String() }),
	wordColumn("layer", rows.Label, func(e *extract.Entity) string { return e.Scope.Layer().String() }),
	wordColumn("source", rows.Label, func(e *extract.Entity) string { return e.Scope.By() }),
	{Name: "candidates", Kind: rows.Candidates, Value: func(dst []byte, f rows.Form, e *extract.Entity) []byte {
		return f.Candidates(dst, e.Scope.Candidates())
	}},
},
	rows.MessageColumns(func(e *extract.Entity) *extract.Entity { return e },
		func(_ *extract.Entity, dst []byte, f rows.Form, value string) []byte {
			return f.Word(dst, value)
		})...)

// whereColumn has the document and the entity in one field, for the text format.
var whereColumn = wordColumn("where", rows.String,
	func(e *extract.Entity) string { return rows.Where(e.Document, e.Path) })
