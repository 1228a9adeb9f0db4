package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/files"
	"absolink/cmd/absolink/internal/mapping"
	"absolink/extract"
)

// Facts are the facts about a run that only the command knows.
type Facts struct {
	Program      string         // the name and the version
	Command      string         // the command line
	Rules        *mapping.Table // of --map; or nil
	ProblemsFile string         // of --problems, or ""
	RowsFile     string         // of -o, or ""
	Unread       string         // what the run did not look into, or ""
	DryRun       bool           // no document was written
}

type runPage struct {
	*Run
	Facts
	Title string
}

// Write writes the page of the run to a file, unless err, the error of the run, is not nil. It ends the file, and
// returns err or the error of writing.
func (r *Run) Write(file *files.Output, f Facts, err error) error {
	if err == nil {
		file.Buf, err = r.Append(file.Buf, f)
	}
	return file.EndSide(err)
}

func (r *Run) Append(dst []byte, f Facts) ([]byte, error) {
	f.Command = shown(f.Command, 1000)
	return render(dst, "run", &runPage{r, f, "absolink " + r.Verb})
}

func (p *runPage) FirstRules() (all []mapping.Rule) {
	if p.Rules == nil {
		return nil
	}
	for i, rule := range p.Rules.All() {
		if i == rulesShown {
			break
		}
		rule.Old, rule.New = shown(rule.Old, longName), shown(rule.New, longName)
		all = append(all, rule)
	}
	return all
}

// Account returns the last lines of the run: what a rewriting has changed, and what was not looked into.
func (p *runPage) Account() (lines []string) {
	if p.Verb == "rewrite" {
		account := &p.counts.Account
		lines = append([]string{account.Line(p.counts.Done.Load(), p.DryRun, p.Rules)}, account.DiskLines()...)
	}
	if p.Unread != "" {
		lines = append(lines, "Not looked into: "+p.Unread)
	}
	for i := range lines {
		lines[i] = shown(lines[i], longDetail)
	}
	return lines
}

type card struct{ Value, Name, Note, Class string }

func (p *runPage) Cards() []card {
	c := p.counts
	read := card{Value: console.Number(c.Done.Load()), Name: console.Things(c.Done.Load(), "documents") + " read"}
	var notes []string
	if n := c.Failed.Load(); n > 0 {
		notes, read.Class = append(notes, console.Number(n)+" failed"), "error"
	}
	if n := c.Incomplete.Load(); n > 0 {
		notes, read.Class = append(notes, console.Number(n)+" not complete"), "error"
	}
	if n := c.Others.Load(); n > 0 {
		notes = append(notes, console.Number(n)+" of other types")
	}
	read.Note = strings.Join(notes, ", ")
	size := card{Value: bytesText(c.Bytes.Read.Load()), Name: "read",
		Note: elapsed(time.Since(p.Started), c.Bytes.Read.Load())}
	finds := card{Value: console.Number(p.total.links), Name: console.Things(p.total.links, "links")}
	switch unresolved := p.total.statuses[extract.StatusUnresolved]; {
	case p.Verb == "base":
		finds.Name, finds.Note = console.Things(p.total.links, "entities"), "documents, and documents inside them"
	case p.Verb == "rewrite":
		finds.Note = console.Number(c.Account.Links()) + " changed"
		if p.DryRun {
			finds.Note = console.Number(c.Account.Links()) + " would change; nothing was written"
		}
	case unresolved > 0:
		finds.Note = console.Number(unresolved) + " without a URL"
	}
	all := []card{read, size, finds}
	for s := extract.SeverityError; s >= extract.SeverityNote; s-- {
		n := int64(0)
		for _, c := range p.codes {
			n += c.Problems[s]
		}
		problems := card{Value: console.Number(n), Name: console.Things(n, s.String()+"s")}
		if n > 0 {
			problems.Class = s.String()
		}
		all = append(all, problems)
	}
	return all
}

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

// notNeeded is the source of the base for links that are absolute.
const notNeeded = "not needed (absolute)"

func (p *runPage) Charts() (all []Chart) {
	r, what, old := p.Run, "Links", ""
	if r.Verb == "base" {
		what = "Entities"
	}
	if p.Rules != nil {
		old = ", before --map"
	}
	var found tally
	severity := map[string]string{}
	for _, c := range r.Codes() {
		found.add(string(c.Code), c.Problems.sum())
		severity[string(c.Code)] = c.Severity.String()
	}
	layers, statuses := tallyOf[base.Layer](r.total.layers[:]), tallyOf[extract.Status](r.total.statuses[:])
	if n := r.total.statuses[extract.StatusAbsolute]; n > 0 {
		layers.add(notNeeded, n)
	}
	plain := func(string) string { return "" }
	for _, c := range []Chart{
		layers.chart(what+" by source of the base URL", "layer", func(layer string) string {
			return strings.TrimPrefix(layer, notNeeded)
		}),
		statuses.chart(what+" by status", "status", plain),
		r.total.types.chart(what+" by type", "media type", plain),
		r.total.schemes.chart(what+" by scheme"+old, "scheme", plain),
		r.total.hosts.chart(what+" by host"+old, "host", plain),
		found.chart("Problems by code", "code", func(code string) string { return severity[code] }),
	} {
		if len(c.Bars) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// Left returns what the page leaves out, and where to find all of it.
func (p *runPage) Left() (all []string) {
	if p.DryRun {
		all = append(all, "This was a dry run: nothing was written. The changes on this page are those that the "+
			"command would make.")
	}
	if p.counts.Before.Load() {
		all = append(all, "An earlier run has read some documents. They are not in this report.")
	}
	if n := int64(len(p.Documents())); n < p.seen {
		rows := "The rows have all documents."
		if p.RowsFile != "" {
			rows = "All documents are in " + shown(p.RowsFile, longName) + "."
		}
		if p.Verb == "rewrite" {
			rows = "The flag --edits FILE writes the changes of all documents."
		}
		all = append(all, fmt.Sprintf("The table has %s of %s. Documents that failed or have an error come first, "+
			"then documents with a warning. %s",
			console.Number(n), count(p.seen, "documents"), rows))
	}
	if n := len(p.Samples); int64(n) < p.withEdits {
		all = append(all, fmt.Sprintf("Changes are shown for %d of %s. The flag --edits FILE writes all changes.", n,
			count(p.withEdits, "documents")))
	}
	if slices.ContainsFunc(p.codes, func(c *code) bool { return c.More() > 0 }) {
		where := "The flag --problems FILE writes all problems."
		if p.ProblemsFile != "" {
			where = "All problems are in " + shown(p.ProblemsFile, longName) + "."
		}
		all = append(all, fmt.Sprintf("Each problem code has its first %d examples. %s", examplesPerCode, where))
	}
	if p.Rules != nil && p.Rules.Len() > rulesShown {
		all = append(all, fmt.Sprintf("Totals are shown for %d of %s. The flag -v prints all totals.", rulesShown,
			count(int64(p.Rules.Len()), "rules")))
	}
	return all
}
