package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// The limits for the lists of a page about a run, which keep it shorter than 5 MB.
const (
	documentsShown     = 2000
	examplesPerCode    = 5
	documentsChanged   = 100 // documents with a list of changes
	changesPerDocument = 5
	rulesShown         = 100
)

// Run collects the facts about a run over many documents. One goroutine calls its methods, in the order of the
// documents. After --resume it has only the documents of the last run. A run that stops early writes no page.
type Run struct {
	Verb    string // links, base or rewrite
	Started time.Time
	Samples []*document // the first documents with changes

	counts    *console.Counts
	total     Part                 // of all documents
	open      map[string]*document // documents that are not finished
	seen      int64                // documents that are finished
	documents [ranks][]*document   // the first documents of each rank
	codes     []*code
	withEdits int64 // all documents with changes
}

// document is a row of the table of documents.
type document struct {
	Name                  string
	Number                int64    // its place in the run, from 1
	Bytes, Links, Changed int64    // a BASE element is not a link, but may be changed
	Failed                string   // the error, or ""
	Changes               []Change // the first ones

	problems severities
	codes    map[extract.Code]bool
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
	case d.Failed != "" || d.problems[extract.SeverityError] > 0:
		return rankError
	case d.problems[extract.SeverityWarning] > 0:
		return rankWarning
	}
	return rankOther
}

func (d *document) Class() string { return [...]string{"error", "warning", ""}[d.rank()] }

// Problems returns the numbers of problems by severity, and whether the document failed.
func (d *document) Problems() string {
	if d.Failed != "" {
		return strings.TrimSuffix("failed, "+d.problems.String(), ", ")
	}
	return d.problems.String()
}

// Wrong returns the number of problems, and counts a failure as one.
func (d *document) Wrong() int64 {
	if d.Failed != "" {
		return d.problems.sum() + 1
	}
	return d.problems.sum()
}

func (d *document) More() int64 { return d.Changed - int64(len(d.Changes)) }

type severities [extract.SeverityError + 1]int64

// String returns the numbers that are not 0, the worst severity first.
func (by severities) String() string {
	var all []string
	for s := extract.SeverityError; s >= extract.SeverityNote; s-- {
		if by[s] > 0 {
			all = append(all, count(by[s], s.String()+"s"))
		}
	}
	return strings.Join(all, ", ")
}

func (by severities) sum() (n int64) {
	for _, of := range by {
		n += of
	}
	return n
}

type code struct {
	Code      extract.Code
	Severity  extract.Severity // the worst of its problems
	Problems  severities
	Documents int64
	Examples  []Example
}

func (c *code) Meaning() string {
	meaning, _ := codes.Meaning(c.Code)
	return meaning
}

func (c *code) Advice() string {
	_, advice := codes.Meaning(c.Code)
	return advice
}

func (c *code) More() int64 { return c.Problems.sum() - int64(len(c.Examples)) }

type Example struct{ Place, Detail, Offset string }

// New returns a Run without documents.
func New(verb string, c *console.Counts) *Run {
	return &Run{Verb: verb, counts: c, Started: time.Now().UTC()}
}

// of returns a document that is not finished, and begins it if it is new.
func (r *Run) of(name string) *document {
	d := r.open[name]
	if d == nil {
		if r.open == nil {
			r.open = map[string]*document{}
		}
		d = &document{Name: shown(name, longName), codes: map[extract.Code]bool{}}
		r.open[name] = d
	}
	return d
}

// Collect adds the facts about a task of a document.
func (r *Run) Collect(name string, p *Part) {
	d := r.of(name)
	r.total.add(p)
	d.Links, d.Changed = d.Links+p.links, d.Changed+p.changed
	d.Changes = append(d.Changes, p.changes[:min(len(p.changes), changesPerDocument-len(d.Changes))]...)
}

func (r *Run) Problem(p extract.Problem) {
	i := slices.IndexFunc(r.codes, func(c *code) bool { return c.Code == p.Code })
	if i < 0 {
		i, r.codes = len(r.codes), append(r.codes, &code{Code: p.Code})
	}
	c, d := r.codes[i], r.of(p.Document)
	c.Severity = max(c.Severity, p.Severity)
	c.Problems[p.Severity]++
	d.problems[p.Severity]++
	if !d.codes[p.Code] {
		d.codes[p.Code] = true
		c.Documents++
	}
	if len(c.Examples) < examplesPerCode {
		e := Example{Place: d.Name, Detail: shown(p.Detail, longDetail)}
		if p.Entity != "" {
			e.Place += " > " + shown(p.Entity, longName)
		}
		if !codes.AboutFile(p.Code) {
			e.Offset = "byte " + console.Number(int64(p.Offset))
		}
		c.Examples = append(c.Examples, e)
	}
}

// End ends a document. bytes is the number of bytes that were read of it. err is its error, or nil.
func (r *Run) End(name string, bytes int64, err error) {
	d := r.of(name)
	delete(r.open, name)
	r.seen++
	d.Number, d.Bytes, d.codes = r.seen, bytes, nil
	if err != nil {
		d.Failed = shown(err.Error(), longDetail)
	}
	sample := d.Changed > 0 && err == nil
	if sample {
		r.withEdits++
	}
	if sample && len(r.Samples) < documentsChanged {
		r.Samples = append(r.Samples, d)
	} else {
		d.Changes = nil
	}
	if k := d.rank(); len(r.documents[k]) < documentsShown {
		r.documents[k] = append(r.documents[k], d)
	}
}

// Skip removes a document that the run has skipped.
func (r *Run) Skip(name string) { delete(r.open, name) }

// Documents returns the documents that get a row, in the order of the run. If there are too many, those with errors get
// one first, then those with warnings.
func (r *Run) Documents() []*document {
	all := slices.Concat(r.documents[:]...)
	all = all[:min(len(all), documentsShown)]
	slices.SortFunc(all, func(a, b *document) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// Codes returns the codes in the order of a page: the worst severity first, then the highest number.
func (r *Run) Codes() []*code {
	all := slices.Clone(r.codes)
	slices.SortStableFunc(all, func(a, b *code) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Problems.sum(), a.Problems.sum()))
	})
	return all
}
