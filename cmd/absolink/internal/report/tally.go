package report

import (
	"cmp"
	"fmt"
	"slices"

	"absolink/cmd/absolink/internal/console"
)

// tally counts by name. It keeps the order in which the names came first.
type tally struct {
	names  []string
	counts []int64
	at     map[string]int
	others int64 // the count of names after the first names
}

// The limits for the different names in one tally. The limit of a task is higher: then the sum of the tasks of a document does
// not depend on the division into tasks.
const (
	namesOfTask = 4096
	namesOfRun  = 256
	hostsOfRun  = namesOfTask
)

// add adds n to the count of a name. A name after the first most names counts as others.
func (t *tally) add(name []byte, n int64, most int) {
	i, ok := t.at[string(name)]
	switch {
	case ok:
		t.counts[i] += n
	case len(t.names) >= most:
		t.others += n
	default:
		if t.at == nil {
			t.at = map[string]int{}
		}
		t.at[string(name)] = len(t.names)
		t.names, t.counts = append(t.names, string(name)), append(t.counts, n)
	}
}

// merge adds the counts of another tally.
func (t *tally) merge(from *tally, most int) {
	for i, name := range from.names {
		t.add([]byte(name), from.counts[i], most)
	}
	t.others += from.others
}

// Chart is a bar chart. It is also a table, for screen readers.
type Chart struct {
	Title string
	Head  string // the heading of the names
	Bars  []Bar
	More  string // the names that have no bar, or ""
}

// Bar is one row of a Chart.
type Bar struct {
	Name  string
	Class string // the class of its color in report.css; "" for the usual color
	Count string
	Share string
	Width string // from 0 to 100
}

// shownBars is the number of bars in a chart.
const shownBars = 12

// chart returns the chart of a tally, the highest count first.
func (t *tally) chart(title, head string) Chart {
	order := make([]int, len(t.names))
	total := t.others
	for i := range order {
		order[i] = i
		total += t.counts[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.counts[b], t.counts[a]) })
	c := Chart{Title: title, Head: head}
	rest, names := t.others, ""
	for n, i := range order {
		if n >= shownBars {
			rest += t.counts[i]
			continue
		}
		c.Bars = append(c.Bars, newBar(shown(t.names[i], longName), t.counts[i], t.counts[order[0]], total))
	}
	if n := len(order) - shownBars; n > 0 {
		names = fmt.Sprintf(" with %s other names", number(int64(n)))
		if t.others > 0 {
			names = " of other names"
		}
	}
	if rest > 0 {
		c.More = fmt.Sprintf("and %s%s", number(rest), names)
	}
	return c
}

// newBar returns the bar of a count. The longest bar of its chart has the count most.
func newBar(name string, n, most, total int64) Bar {
	share := float64(n) * 100 / float64(max(total, 1))
	text := fmt.Sprintf("%.0f %%", share)
	if share > 0 && share < 1 {
		text = "< 1 %"
	}
	return Bar{Name: name, Count: number(n), Share: text, Width: fmt.Sprintf("%.1f", max(float64(n)*100/float64(max(most, 1)), 0.5))}
}

func number(n int64) string { return console.Number(n) }
