package report

import (
	"cmp"
	"fmt"
	"slices"

	"absolink/cmd/absolink/internal/console"
)

// tally counts by name, and keeps the names in the order in which they came first.
type tally struct {
	counts []named
	at     map[string]int // the index of each name
	others int64          // the count of all names after the first mostNames
}

type named struct {
	name string
	n    int64
}

// mostNames is the limit for the different names in one tally.
const mostNames = 4096

func (t *tally) add(name string, n int64) {
	i, ok := t.at[name]
	switch {
	case ok:
		t.counts[i].n += n
	case len(t.counts) >= mostNames:
		t.others += n
	default:
		if t.at == nil {
			t.at = map[string]int{}
		}
		t.at[name] = len(t.counts)
		t.counts = append(t.counts, named{name, n})
	}
}

func (t *tally) merge(from *tally) {
	for _, of := range from.counts {
		t.add(of.name, of.n)
	}
	t.others += from.others
}

// tallyOf returns the tally of an enumeration. counts has the count of each value.
func tallyOf[E interface {
	~uint8
	fmt.Stringer
}](counts []int64) (t tally) {
	for i, n := range counts {
		if n > 0 {
			t.add(E(i).String(), n)
		}
	}
	return t
}

// Chart is a bar chart, which is a table for screen readers.
type Chart struct {
	Title string
	Head  string // the heading of the names
	Bars  []Bar
	More  string // the names that have no bar, or ""
}

type Bar struct {
	Name  string
	Class string // the class of its color in report.css; "" for the usual color
	Count int64
	Share string
	Width string // from 0 to 100
}

const shownBars = 12

// chart returns the chart of a tally, the highest count first.
func (t *tally) chart(title, head string, class func(name string) string) Chart {
	sorted := slices.Clone(t.counts)
	slices.SortStableFunc(sorted, func(a, b named) int { return cmp.Compare(b.n, a.n) })
	total := t.others
	for _, of := range sorted {
		total += of.n
	}
	c, rest := Chart{Title: title, Head: head}, total
	for _, of := range sorted[:min(len(sorted), shownBars)] {
		bar := Bar{Name: shown(of.name, longName), Class: class(of.name), Count: of.n, Share: "< 1 %",
			Width: fmt.Sprintf("%.1f", max(float64(of.n)*100/float64(sorted[0].n), 0.5))}
		if share := float64(of.n) * 100 / float64(total); share >= 1 {
			bar.Share = fmt.Sprintf("%.0f %%", share)
		}
		c.Bars = append(c.Bars, bar)
		rest -= of.n
	}
	switch {
	case t.others > 0:
		c.More = fmt.Sprintf("other %ss: %s", head, console.Number(rest))
	case rest > 0:
		c.More = count(int64(len(sorted)-shownBars), "other "+head+"s") + ": " + console.Number(rest)
	}
	return c
}
