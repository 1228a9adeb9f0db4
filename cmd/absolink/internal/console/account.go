// What a rewriting has done.

package console

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"absolink/cmd/absolink/internal/inputs"
	"absolink/cmd/absolink/internal/mapping"
)

// Account has the changes of a rewriting that were written, or would be written. Each link is in one of the numbers.
type Account struct {
	Files    int64         `json:"files"`
	Local    int64         `json:"to_files"` // links that lead to files now
	Absolute int64         `json:"absolute"`
	Relative int64         `json:"relative"` // of --relative
	Moved    int64         `json:"moved"`    // links to another URL, by a rule
	Rules    map[int]int64 `json:"-"`        // the same by the index of the rule
	NoBase   int64         `json:"no_base"`  // links that stay, because they have no base

	FromDisk [5]FromDisk `json:"-"` // by the index in unopened
}

// FromDisk counts pages with links to files that browsers do not open from disk for one reason.
type FromDisk struct {
	Pages   int64
	Example string // the name of the first of these files
}

// unopened are the kinds of files that browsers do not open from disk, and what to do.
var unopened = [len(Account{}.FromDisk)]struct{ types, what, advice string }{
	{"text/html application/xhtml+xml", "pages that browsers show as text", "mirror with wget -E, or serve the folder"},
	{"text/css", "style sheets that browsers do not apply", "mirror with wget -E, or serve the folder"},
	{"image/svg+xml", "SVG that browsers do not show", "serve the folder"},
	{Served, "scripts or style sheets that browsers do not load", "serve the folder"},
	{inputs.LeftOut, "files that --glob or --only leaves out, so browsers do not find them", "copy them, too"},
}

// Served stands for the media type of what browsers load only from a server.
const Served = "served"

// Unopened returns where to count a file of a media type that browsers do not open from disk, or nil.
func (a *Account) Unopened(mediaType string) *FromDisk {
	for i, kind := range unopened {
		if slices.Contains(strings.Fields(kind.types), mediaType) {
			return &a.FromDisk[i]
		}
	}
	return nil
}

// DiskLines returns a line for each kind of files that browsers do not open from disk.
func (a *Account) DiskLines() (lines []string) {
	for i, kind := range unopened {
		if d := a.FromDisk[i]; d.Pages > 0 {
			link := agree(d.Pages, "links", "link")
			lines = append(lines, fmt.Sprintf("%s %s to %s from disk (%s): %s",
				AppendCount(nil, d.Pages, "pages"), link, kind.what, d.Example, kind.advice))
		}
	}
	return lines
}

// Links returns the number of changed links.
func (a *Account) Links() int64 { return a.Local + a.Absolute + a.Relative + a.Moved }

// Move counts links that a rule has moved.
func (a *Account) Move(rule int, n int64) {
	if a.Rules == nil {
		a.Rules = map[int]int64{}
	}
	a.Moved += n
	a.Rules[rule] += n
}

// Add adds the changes of a document, or of a part of it.
func (a *Account) Add(b *Account) {
	a.Files, a.NoBase = a.Files+b.Files, a.NoBase+b.NoBase
	a.Local, a.Absolute, a.Relative = a.Local+b.Local, a.Absolute+b.Absolute, a.Relative+b.Relative
	for rule, n := range b.Rules {
		a.Move(rule, n)
	}
	for i, d := range b.FromDisk {
		a.FromDisk[i] = FromDisk{a.FromDisk[i].Pages + d.Pages, cmp.Or(a.FromDisk[i].Example, d.Example)}
	}
}

// shownRules is how many rules the line of an account names, those with the most links.
const shownRules = 5

// Shows reports whether the line of the account names a rule.
func (a *Account) Shows(rule int) bool { return slices.Contains(a.first(), rule) }

func (a *Account) first() []int {
	all := slices.SortedFunc(maps.Keys(a.Rules), func(r, s int) int {
		return cmp.Or(cmp.Compare(a.Rules[s], a.Rules[r]), cmp.Compare(r, s))
	})
	return all[:min(len(all), shownRules)]
}

// Line returns the account of a run that has read a number of files, such as
//
//	9 of 12 files changed: 15,472 links moved by 1 rule (http://o/=https://n/), 3 are absolute; 2 stay relative
//
// A number that is 0 is left out. dry means that nothing was written, and table has the rules, or is nil.
func (a *Account) Line(read int64, dry bool, table *mapping.Table) string {
	verb := "changed"
	if dry {
		verb = "would change"
	}
	line, begin := fmt.Sprintf("%s of %s %s %s", Number(a.Files), Number(read), Things(read, "files"), verb), ": "
	add := func(n int64, one, many string) {
		if n == 0 {
			return
		}
		line += begin + Number(n) + " "
		if !strings.Contains(line, " link") {
			line += Things(n, "links") + " "
		}
		line, begin = line+agree(n, one, many), ", "
	}
	rules, by := int64(len(a.Rules)), []string(nil)
	for _, index := range a.first() {
		rule := table.Rule(index)
		by = append(by, rule.Old+"="+rule.New)
		if rules > 1 {
			by[len(by)-1] = Number(a.Rules[index]) + " by " + by[len(by)-1]
		}
	}
	if rules > shownRules {
		by = append(by, "and others; -v shows them")
	}
	moved := fmt.Sprintf("moved by %s %s (%s)", Number(rules), Things(rules, "rules"), strings.Join(by, ", "))
	add(a.Moved, moved, moved)
	add(a.Local, "leads to a file", "lead to files")
	add(a.Absolute, "is absolute", "are absolute")
	add(a.Relative, "is relative", "are relative")
	begin = "; "
	add(a.NoBase, "stays relative (no base)", "stay relative (no base)")
	return line
}
