package batch

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"absolink/extract"
)

// integrity has the digests that pages require of style sheets, and those of the style sheets that the run changes, as
// they were. Which of both is read first is not known, so they are compared at the end.
type integrity struct {
	pages  map[string]*pages
	sheets map[string]string // the first style sheet with a digest
}

type pages struct {
	n, at       int // at grows from one to the next
	first, last extract.Problem
}

// told is what Extractor.OnIntegrity has told about an entity, which the Problem names.
type told struct {
	extract.Problem
	digests []string
	changed bool
}

// mostDigests limits the digests of pages, and the style sheets, each with three.
const mostDigests = 10_000

func (i *integrity) add(t told) {
	for _, digest := range t.digests {
		switch p := i.pages[digest]; {
		case t.changed && len(i.sheets) < 3*mostDigests:
			i.sheets[digest] = cmp.Or(i.sheets[digest], strings.TrimSuffix(t.Document+" > "+t.Entity, " > "))
		case !t.changed && p == nil && len(i.pages) < mostDigests:
			i.pages[digest] = &pages{1, len(i.pages), t.Problem, t.Problem}
		case !t.changed && p != nil && p.last != t.Problem:
			p.n, p.last = p.n+1, t.Problem
		}
	}
}

// ReportIntegrity reports the style sheets that browsers will refuse. Call it when all documents are done. It returns
// whether some page requires a digest, and whether there were too many.
func (r *Run) ReportIntegrity() (some, full bool) {
	i, broken := &r.integrity, map[string]pages{}
	for _, digest := range slices.Sorted(maps.Keys(i.sheets)) { // up to three of each style sheet
		if p := i.pages[digest]; p != nil {
			first, other := *p, broken[i.sheets[digest]]
			if other.n > 0 && other.at < first.at {
				first, other = other, first
			}
			first.n += other.n
			broken[i.sheets[digest]] = first
		}
	}
	for _, sheet := range slices.Sorted(maps.Keys(broken)) {
		p, who := broken[sheet].first, "1 page has"
		if n := broken[sheet].n; n > 1 {
			who = strconv.Itoa(n) + " pages have"
		}
		p.Code, p.Severity = extract.CodeDigestBroken, extract.SeverityWarning
		p.Detail = who + " the integrity of " + sheet + ", which has changed: browsers refuse it"
		r.Report(p)
	}
	return len(i.pages) > 0, len(i.pages) == mostDigests || len(i.sheets) >= 3*mostDigests
}
