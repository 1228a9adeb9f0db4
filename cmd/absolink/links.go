package main

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"absolink/base"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

func (s *session) links(cmd *cobra.Command, o *options, args []string) error {
	if err := o.setFormByName(o.output, cmd.Flags().Changed("format"), rowExtensions); err != nil {
		return err
	}
	onlyURLs := o.form == rows.Text && len(o.fields) == 0
	r, err := s.newRun(cmd, o, args, batch.FindsLinks)
	if err != nil {
		return err
	}
	t, err := rows.NewTable(o.form, linkColumns, o.fields)
	if err != nil {
		return err
	}
	if r.batch.Out, err = r.output(); err != nil {
		return err
	}
	r.batch.Records = true
	r.batch.Settings.DescribeLinks = t.Has("rel") || t.Has("text") || t.Has("title")
	build := thisBuild()
	t.Begin(r.batch.Out, build.version, build.detail)
	chooses := o.choice.selects()
	err = r.do(func(k *batch.Worker) batch.Job {
		row := &linkRow{rawAsked: slices.Contains(o.fields, "raw_base64")}
		list := func(l *extract.Link) error {
			if chooses != nil && !chooses(l) {
				return nil
			}
			k.Find()
			k.Link(l)
			switch {
			case !onlyURLs:
				row.set(l, o.form.Fields())
				k.Out.Buf = t.Append(k.Out.Buf, row)
			case l.Status != extract.StatusUnresolved:
				k.Out.Buf = append(rows.AppendCell(k.Out.Buf, row.short(l.URL)), '\n')
			}
			return k.Out.Spill()
		}
		return func(_ inputs.Source, d extract.Document) error {
			row.repeats = k.Repeats(longCell)
			defer row.forget()
			defer row.repeats.Report(k, "have empty fields")
			for l, err := range k.Extractor.Links(k.Context, d) {
				if err == nil {
					err = list(l)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
	})
	return r.end(err)
}

// linkRow is a link, and the fields that many links have in common, spelled once for all of them.
type linkRow struct {
	*extract.Link
	rawAsked bool // every row has raw_base64

	raw, ref, url []byte

	paged    *extract.Entity // the entity whose page URL is in page
	within   *base.Scope     // the scope of that page URL
	pageText string          // that page URL
	page     []byte

	of                     *extract.Entity
	document, entity, kind []byte
	in                     *base.Scope
	base, layer, by        []byte // base is empty if it is long

	position []byte

	repeats batch.Repeats
	cut     bool // a field of the row is left empty, because of repeats
}

// longCell is the number of bytes of a field that documents without a very long URL do not exceed.
const longCell = 2048

// repeated appends a field that many rows may have in common. After the limit it is empty.
func (r *linkRow) repeated(dst []byte, f rows.Form, cell []byte) []byte {
	if len(cell) <= longCell {
		return append(dst, cell...)
	}
	return r.long(dst, f, cell)
}

// long is repeated for a long field.
func (r *linkRow) long(dst []byte, f rows.Form, cell []byte) []byte {
	if r.allows(len(cell)) {
		return append(dst, cell...)
	}
	return f.Word(dst, "")
}

// described appends a field of the element of the link, or of the message around it. Many rows may have it in common,
// because a list of links is in one element.
func (r *linkRow) described(dst []byte, f rows.Form, value []byte) []byte {
	if r.allows(len(value)) {
		return f.Optional(dst, value)
	}
	return dst
}

// allows reports whether a row may have a value of n bytes that many rows may have in common. If not, allows counts the
// row as one with an empty field.
func (r *linkRow) allows(n int) bool {
	if r.repeats.Allows(n) {
		return true
	}
	if !r.cut {
		r.cut = true
		r.repeats.Cut(r.Entity.Document, r.Entity.Path, r.Offset)
	}
	return false
}

// forget drops the spelled fields, at the end of a document.
func (r *linkRow) forget() { r.of, r.in, r.paged, r.within, r.pageText = nil, nil, nil, nil, "" }

// short returns a URL or a reference. It cuts a data: URL after its comma.
func (r *linkRow) short(url []byte) []byte {
	const scheme = "data:"
	if len(url) <= len(scheme) || url[0]|0x20 != 'd' || !strings.EqualFold(string(url[:len(scheme)]), scheme) {
		return url
	}
	if comma := bytes.IndexByte(url, ','); comma > 0 {
		return url[:comma+1]
	}
	return url
}

// pageURL appends the URL of the page that the link is in, or null.
func (r *linkRow) pageURL(dst []byte, f rows.Form) []byte {
	if r.paged != r.Entity || r.within != r.Scope {
		r.paged, r.within = r.Entity, r.Scope
		if url := r.PageURL(); url != r.pageText {
			r.pageText, r.page = url, f.Word(r.page[:0], url)
		}
	}
	if r.pageText == "" {
		return dst
	}
	return r.repeated(dst, f, r.page)
}

// baseURL appends the base. It spells a long base for each row and not once for each scope, because many scopes may
// have no row that may have it.
func (r *linkRow) baseURL(dst []byte, f rows.Form) []byte {
	url := r.Scope.Base().String()
	switch {
	case len(url) <= longCell:
		return r.repeated(dst, f, r.base)
	case r.allows(len(url)):
		return f.Word(dst, url)
	}
	return f.Word(dst, "")
}

func (r *linkRow) set(l *extract.Link, f rows.Form) {
	r.cut = false
	r.Link, r.raw, r.ref, r.url = l, l.Raw, r.short(l.Ref), r.short(l.URL)
	if len(r.ref) < len(l.Ref) { // raw is as long as ref, or longer
		r.raw = l.Raw[:max(bytes.IndexByte(l.Raw, ',')+1, min(len(r.ref), len(l.Raw)))]
	}
	if l.Entity != r.of {
		r.of = l.Entity
		r.document = f.Word(r.document[:0], l.Entity.Document)
		r.entity = f.Word(r.entity[:0], l.Entity.Path)
		r.kind = f.Word(r.kind[:0], l.Entity.Type)
	}
	if l.Scope != r.in {
		r.in = l.Scope
		if r.base = r.base[:0]; len(l.Scope.Base().String()) <= longCell {
			r.base = f.Word(r.base, l.Scope.Base().String())
		}
		r.layer = f.Word(r.layer[:0], l.Scope.Layer().String())
		r.by = f.Word(r.by[:0], l.Scope.By())
	}
}

var linkColumns = append([]rows.Column[*linkRow]{
	{Name: "document", Kind: rows.Label, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		return r.repeated(dst, f, r.document)
	}},
	{Name: "entity", Kind: rows.Label, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		return r.repeated(dst, f, r.entity)
	}},
	{Name: "type", Kind: rows.Label, Value: func(dst []byte, _ rows.Form, r *linkRow) []byte {
		return append(dst, r.kind...)
	}},
	{Name: "place", Kind: rows.Label, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		return f.Word(dst, r.Place())
	}},
	{Name: "entity_offset", Kind: rows.Number,
		Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return f.Number(dst, int64(r.Offset)) }},
	{Name: "page_url", Kind: rows.OptionalLabel,
		Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return r.pageURL(dst, f) }},
	{Name: "raw", Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return f.Text(dst, r.raw) }},
	{Name: "ref", Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return f.Text(dst, r.ref) }},
	{Name: "url", Kind: rows.Optional, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		if r.Status == extract.StatusUnresolved {
			return dst
		}
		return f.Text(dst, r.url)
	}},
	{Name: "base", Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return r.baseURL(dst, f) }},
	{Name: "layer", Kind: rows.Label, Value: func(dst []byte, _ rows.Form, r *linkRow) []byte {
		return append(dst, r.layer...)
	}},
	{Name: "source", Kind: rows.Label, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		return r.repeated(dst, f, r.by)
	}},
	{Name: "status", Kind: rows.Label, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		return f.Word(dst, r.Status.String())
	}},
	{Name: "problem", Kind: rows.Optional, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		if r.Status != extract.StatusUnresolved {
			return dst
		}
		return f.Word(dst, string(r.Problem))
	}},
	{Name: "part", Kind: rows.Optional, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		if r.Part == "" {
			return dst
		}
		return f.Word(dst, r.Part)
	}},
	{Name: "raw_base64", Kind: rows.Optional, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		if !r.rawAsked && utf8.Valid(r.raw) {
			return dst
		}
		return f.Base64(dst, r.raw)
	}},
	{Name: "length", Kind: rows.Number, Extra: true,
		Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return f.Number(dst, int64(len(r.Ref))) }},
	{Name: "rel", Kind: rows.OptionalLabel, Extra: true,
		Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return r.described(dst, f, r.Rel()) }},
	{Name: "text", Kind: rows.Optional, Extra: true,
		Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return f.Optional(dst, r.Text()) }},
	{Name: "title", Kind: rows.Optional, Extra: true,
		Value: func(dst []byte, f rows.Form, r *linkRow) []byte { return r.described(dst, f, r.Title()) }},
	{Name: "position", Extra: true, Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
		line, column := r.Position()
		r.position = strconv.AppendInt(r.position[:0], int64(line), 10)
		r.position = strconv.AppendInt(append(r.position, ':'), int64(column), 10)
		return f.Text(dst, r.position)
	}},
	{Name: "document_offset", Kind: rows.OptionalNumber, Extra: true,
		Value: func(dst []byte, f rows.Form, r *linkRow) []byte {
			if !r.InPlace() {
				return dst
			}
			start, _ := r.DocumentSpan()
			return f.Number(dst, start)
		}},
},
	rows.MessageColumns(func(r *linkRow) *extract.Entity { return r.Entity },
		func(r *linkRow, dst []byte, f rows.Form, value string) []byte {
			return r.described(dst, f, []byte(value))
		})...)
