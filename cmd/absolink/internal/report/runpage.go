package report

import (
	"fmt"
	"strings"
	"time"

	"absolink/base"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/codes"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
)

// Facts are the facts about a run that only the flags of the command have.
type Facts struct {
	Program      string         // the name and the version
	Command      string         // the command line
	Rules        *mapping.Table // of --map; or nil
	ProblemsFile string         // of --problems, or ""
	RowsFile     string         // of -o, or ""
	DryRun       bool           // no document was written
}

// runPage is the data of the template "run".
type runPage struct {
	head
	Command   string
	When      string
	ISO       string
	Cards     []card
	Charts    []Chart
	Codes     []codeView
	Changes   []changesView
	Rules     []ruleView
	Documents []documentView
	Changed   bool   // the table has the column of changes
	Finds     string // the heading of the column of links
	Failed    bool   // a document failed
	Left      []string
}

// card is one number at the top of a page.
type card struct{ Value, Name, Note, Class string }

// codeView is a code of problems.
type codeView struct {
	Code, Severity          string
	Meaning, Advice         []phrase
	Number, Documents, More string
	Examples                []Example
}

// changesView has the first changes of a document.
type changesView struct {
	Document string
	Number   string
	Changes  []Change
	More     string
}

// ruleView is a rule of --map.
type ruleView struct {
	Old, New, Changed string
	Unused            bool
}

// documentView is a row of the table of documents. The fields with N are for sorting.
type documentView struct {
	Name, Failed                        string
	Class                               string // error, warning or ""
	Number                              int
	BytesN, LinksN, ChangedN, ProblemsN int64
	Bytes, Links, Changed               string
	Problems                            string // by severity
}

// Write writes the page of the run to a file, and ends the file. err is the error of the run: if it is not nil, the file is not
// written. Write returns err, or the error of writing.
func (r *Run) Write(file *files.Output, f Facts, err error) error {
	if err == nil {
		file.Buf, err = r.Append(file.Buf, f)
	}
	return file.EndBeside(err)
}

// Append appends the page of the run.
func (r *Run) Append(dst []byte, f Facts) ([]byte, error) {
	p := &runPage{head: newHead("absolink "+r.Verb, f.Program), Command: shown(f.Command, 1000), Finds: "Links", Changed: r.Verb == "rewrite"}
	p.When = r.started.UTC().Format("2 January 2006, 15:04 UTC")
	p.ISO = r.started.UTC().Format(time.RFC3339)
	if r.Verb == "base" {
		p.Finds = "Entities"
	}
	p.Cards = r.cards(r.batch.Counts, f.DryRun)
	p.Charts = r.charts()
	for _, c := range r.sortedCodes() {
		p.Codes = append(p.Codes, c.view())
	}
	for _, d := range r.samples {
		v := changesView{Document: d.name, Number: count(d.changed, "changes"), Changes: d.changes}
		if n := d.changed - int64(len(d.changes)); n > 0 {
			v.More = count(n, "more changes")
		}
		p.Changes = append(p.Changes, v)
	}
	p.Rules = rulesOf(f.Rules)
	for _, d := range r.rows() {
		p.Documents = append(p.Documents, d.view())
	}
	p.Left = r.left(f)
	return render(dst, "run", p)
}

// rulesOf returns the first rules of a table for the page.
func rulesOf(t *mapping.Table) (all []ruleView) {
	if t == nil {
		return nil
	}
	for _, rule := range t.All() {
		if len(all) == rulesShown {
			break
		}
		all = append(all, ruleView{shown(rule.Old, longName), shown(rule.New, longName), number(rule.Changed), rule.Matched == 0})
	}
	return all
}

// cards returns the numbers at the top of the page.
func (r *Run) cards(c *batch.Counts, dryRun bool) []card {
	read := card{Value: number(c.Done.Load()), Name: things(c.Done.Load(), "documents") + " read"}
	var notes []string
	if n := c.Failed.Load(); n > 0 {
		notes, read.Class = append(notes, number(n)+" failed"), "error"
	}
	if n := c.Incomplete.Load(); n > 0 {
		notes, read.Class = append(notes, number(n)+" not complete"), "error"
	}
	if n := c.Others.Load(); n > 0 {
		notes = append(notes, number(n)+" of other types")
	}
	read.Note = strings.Join(notes, ", ")
	size := card{Value: bytesText(c.Bytes.Read.Load()), Name: "read", Note: elapsed(time.Since(r.started), c.Bytes.Read.Load())}
	finds := card{Value: number(r.links), Name: things(r.links, "links")}
	switch unresolved := r.statuses[extract.StatusUnresolved]; {
	case r.Verb == "base":
		finds.Name, finds.Note = things(r.links, "entities"), "documents, and documents inside them"
	case r.Verb == "rewrite":
		finds.Note = number(r.changed) + " changed"
		if dryRun {
			finds.Note = number(r.changed) + " would change; nothing was written"
		}
	case unresolved > 0:
		finds.Note = number(unresolved) + " without a URL"
	}
	all := []card{read, size, finds}
	for s := extract.SeverityError; s >= extract.SeverityNote; s-- {
		n := int64(0)
		for _, c := range r.codes {
			n += c.problems[s]
		}
		problems := card{Value: number(n), Name: things(n, s.String()+"s")}
		if n > 0 {
			problems.Class = s.String()
		}
		all = append(all, problems)
	}
	return all
}

// elapsed returns the time of a run and its rate.
func elapsed(d time.Duration, bytes int64) string {
	s := d.Seconds()
	text := fmt.Sprintf("in %.2f s", s)
	if s >= 100 {
		text = "in " + d.Round(time.Second).String()
	}
	if s > 0 && bytes > 0 {
		text += ", " + bytesText(int64(float64(bytes)/s)) + "/s"
	}
	return text
}

// counts returns the numbers of problems by severity.
func counts(by severities) string {
	var all []string
	for s := extract.SeverityError; s >= extract.SeverityNote; s-- {
		if by[s] > 0 {
			all = append(all, count(by[s], s.String()+"s"))
		}
	}
	return strings.Join(all, ", ")
}

// charts returns the bar charts.
func (r *Run) charts() []Chart {
	what := "Links"
	if r.Verb == "base" {
		what = "Entities"
	}
	var rungs, statuses, codes tally
	for rung := base.RungOverride; rung <= base.RungDefault; rung++ {
		if r.rungs[rung] > 0 {
			rungs.add([]byte(rung.String()), r.rungs[rung], namesOfRun)
		}
	}
	for status := extract.StatusAbsolute; status <= extract.StatusUnresolved; status++ {
		if r.statuses[status] > 0 {
			statuses.add([]byte(status.String()), r.statuses[status], namesOfRun)
		}
	}
	for _, c := range r.sortedCodes() {
		codes.add([]byte(c.code), c.n, namesOfRun)
	}
	byRung := rungs.chart(what+" by source of the base URL", "rung")
	for i := range byRung.Bars {
		byRung.Bars[i].Class = byRung.Bars[i].Name
	}
	byCode := codes.chart("Problems by code", "code")
	for i := range byCode.Bars {
		byCode.Bars[i].Class = r.severityOf(byCode.Bars[i].Name)
	}
	all := []Chart{byRung, statuses.chart(what+" by status", "status"), r.types.chart(what+" by type", "media type"), r.schemes.chart(what+" by scheme", "scheme"),
		r.hosts.chart(what+" by host", "host"), byCode}
	var some []Chart
	for _, c := range all {
		if len(c.Bars) > 0 {
			some = append(some, c)
		}
	}
	return some
}

// severityOf returns the severity of the problems of a code.
func (r *Run) severityOf(name string) string {
	for _, c := range r.codes {
		if string(c.code) == name {
			return c.severity.String()
		}
	}
	return ""
}

// view returns the code for the page.
func (c *code) view() codeView {
	meaning, advice := codes.Meaning(c.code)
	v := codeView{Code: string(c.code), Severity: c.severity.String(), Meaning: phrases(meaning), Advice: phrases(advice),
		Number: counts(c.problems), Documents: count(c.documents, "documents"), Examples: c.examples}
	if n := c.n - int64(len(c.examples)); n > 0 {
		v.More = count(n, "more problems")
	}
	return v
}

// view returns the document for the page.
func (d *document) view() documentView {
	v := documentView{Name: d.name, Failed: d.failed, Number: d.number, BytesN: d.bytes, LinksN: d.links, ChangedN: d.changed,
		Bytes: bytesText(d.bytes), Links: number(d.links), Changed: number(d.changed), Problems: counts(d.problems)}
	for _, n := range d.problems {
		v.ProblemsN += n
	}
	if d.failed != "" {
		v.ProblemsN++
		v.Problems = strings.TrimSuffix("failed, "+v.Problems, ", ")
	}
	switch d.rank() {
	case rankError:
		v.Class = "error"
	case rankWarning:
		v.Class = "warning"
	}
	return v
}

// left returns what the page leaves out, and where the whole is.
func (r *Run) left(f Facts) (all []string) {
	if f.DryRun {
		all = append(all, "This was a dry run: nothing was written. The changes on this page are those that the command would make.")
	}
	if r.batch.Counts.Before.Load() {
		all = append(all, "An earlier run has read some documents. They are not in this report.")
	}
	if n := r.seen - len(r.rows()); n > 0 {
		rows := "The rows have all documents."
		if f.RowsFile != "" {
			rows = "All documents are in " + shown(f.RowsFile, longName) + "."
		}
		if r.Verb == "rewrite" {
			rows = "The flag --edits FILE writes the changes of all documents."
		}
		all = append(all, fmt.Sprintf("The table has %s of %s. Documents that failed or have an error come first, then documents with a warning. %s",
			number(int64(len(r.rows()))), count(int64(r.seen), "documents"), rows))
	}
	if n := r.withEdits - len(r.samples); n > 0 {
		all = append(all, fmt.Sprintf("Changes are shown for %d of %s. The flag --edits FILE writes all changes.", len(r.samples), count(int64(r.withEdits), "documents")))
	}
	more := false
	for _, c := range r.codes {
		more = more || c.n > int64(len(c.examples))
	}
	if more {
		where := "The flag --problems FILE writes all problems."
		if f.ProblemsFile != "" {
			where = "All problems are in " + shown(f.ProblemsFile, longName) + "."
		}
		all = append(all, fmt.Sprintf("Each problem code has its first %d examples. %s", examplesPerCode, where))
	}
	if f.Rules != nil && f.Rules.Len() > rulesShown {
		all = append(all, fmt.Sprintf("Totals are shown for %d of %s. The flag -v prints all totals.", rulesShown, count(int64(f.Rules.Len()), "rules")))
	}
	return all
}
