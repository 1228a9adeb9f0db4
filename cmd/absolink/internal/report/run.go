package report

import (
	"cmp"
	"slices"
	"time"

	"absolink/base"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/codes"
	"absolink/extract"
)

// The limits for the lists of a page about a run. With them the page is shorter than 5 MB.
const (
	documentsShown     = 2000
	examplesPerCode    = 5
	documentsChanged   = 100 // documents with a list of changes
	changesPerDocument = 5
	rulesShown         = 100
)

// Run collects the facts about a run over many documents. It is a batch.Collector. Its methods are called by one goroutine, in the order of the documents.
type Run struct {
	Verb string // links, base or rewrite

	batch   *batch.Run
	started time.Time

	links, changed int64
	rungs          [base.RungDefault + 1]int64
	statuses       [extract.StatusUnresolved + 1]int64
	types, schemes tally
	hosts          tally

	open      map[string]*document // documents that are not finished
	seen      int                  // documents that are finished
	documents [ranks][]*document   // the first documents of each rank
	counts    [ranks]int           // all documents of each rank
	codes     []*code
	samples   []*document // the first documents with changes
	withEdits int         // all documents with changes
}

// document is a row of the table of documents.
type document struct {
	name           string
	number         int // its place in the run, from 1
	bytes          int64
	links, changed int64
	problems       severities
	codes          map[extract.Code]bool
	failed         string // the error, or ""
	changes        []Change
}

// rank is the order in which documents get a row if there are too many.
type rank uint8

const (
	rankError   rank = iota // the document failed, or has a problem of severity error
	rankWarning             // it has a warning
	rankOther
	ranks
)

func (d *document) rank() rank {
	switch {
	case d.failed != "" || d.problems[extract.SeverityError] > 0:
		return rankError
	case d.problems[extract.SeverityWarning] > 0:
		return rankWarning
	}
	return rankOther
}

// severities counts problems by severity.
type severities [extract.SeverityError + 1]int64

// code counts the problems of one code.
type code struct {
	code      extract.Code
	severity  extract.Severity // the worst of its problems
	n         int64
	problems  severities
	documents int64
	examples  []Example
}

// Example is a problem and its place, for a page.
type Example struct{ Place, Detail, Offset string }

// of returns the document that is not finished.
func (r *Run) of(name string) *document {
	d := r.open[name]
	if d == nil {
		if r.open == nil {
			r.open = map[string]*document{}
		}
		d = &document{name: shown(name, longName)}
		r.open[name] = d
	}
	return d
}

// Collect adds the facts about a task of a document. part is a *Part.
func (r *Run) Collect(name string, part any) {
	p, d := part.(*Part), r.of(name)
	p.flush()
	r.links, r.changed = r.links+p.links, r.changed+p.changed
	d.links, d.changed = d.links+p.links, d.changed+p.changed
	for i, n := range p.rungs {
		r.rungs[i] += n
	}
	for i, n := range p.statuses {
		r.statuses[i] += n
	}
	r.types.merge(&p.types, namesOfRun)
	r.schemes.merge(&p.schemes, namesOfRun)
	r.hosts.merge(&p.hosts, hostsOfRun)
	d.changes = append(d.changes, p.changes[:min(len(p.changes), changesPerDocument-len(d.changes))]...)
}

// Problem adds a problem.
func (r *Run) Problem(p extract.Problem) {
	i := slices.IndexFunc(r.codes, func(c *code) bool { return c.code == p.Code })
	if i < 0 {
		i, r.codes = len(r.codes), append(r.codes, &code{code: p.Code})
	}
	c, d := r.codes[i], r.of(p.Document)
	c.n++
	c.severity = max(c.severity, p.Severity)
	c.problems[p.Severity]++
	d.problems[p.Severity]++
	if !d.codes[p.Code] {
		if d.codes == nil {
			d.codes = map[extract.Code]bool{}
		}
		d.codes[p.Code] = true
		c.documents++
	}
	if len(c.examples) < examplesPerCode {
		e := Example{Place: d.name, Detail: shown(p.Detail, longDetail)}
		if p.Entity != "" {
			e.Place += " > " + shown(p.Entity, longName)
		}
		if !codes.AboutFile(p.Code) {
			e.Offset = "byte " + number(int64(p.Offset))
		}
		c.examples = append(c.examples, e)
	}
}

// End ends a document. bytes is the number of bytes that were read of it. err is its error, or nil.
func (r *Run) End(name string, bytes int64, err error) {
	d := r.of(name)
	delete(r.open, name)
	r.seen++
	d.number, d.bytes, d.codes = r.seen, bytes, nil
	if err != nil {
		d.failed = shown(err.Error(), longDetail)
	}
	sample := d.changed > 0 && err == nil
	if sample {
		r.withEdits++
	}
	if sample && len(r.samples) < documentsChanged {
		r.samples = append(r.samples, d)
	} else {
		d.changes = nil
	}
	k := d.rank()
	if r.counts[k]++; len(r.documents[k]) < documentsShown {
		r.documents[k] = append(r.documents[k], d)
	}
}

// Skip removes a document that was skipped, because the run does not read its type.
func (r *Run) Skip(name string) { delete(r.open, name) }

// rows returns the documents that get a row, in the order of the run: those with errors come first, then those with warnings.
func (r *Run) rows() []*document {
	var all []*document
	for _, documents := range r.documents {
		all = append(all, documents[:min(len(documents), documentsShown-len(all))]...)
	}
	slices.SortFunc(all, func(a, b *document) int { return cmp.Compare(a.number, b.number) })
	return all
}

// sortedCodes returns the codes in the order of a page: the worst severity first, then the highest number.
func (r *Run) sortedCodes() []*code {
	all := slices.Clone(r.codes)
	slices.SortStableFunc(all, func(a, b *code) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(b.n, a.n))
	})
	return all
}
