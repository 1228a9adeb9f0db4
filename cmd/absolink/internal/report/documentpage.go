package report

import (
	"fmt"

	"absolink/base"
	"absolink/extract"
)

// documentPage is the data of the template "document".
type documentPage struct {
	head
	Name     string
	Boxes    []*box
	Rungs    []rungView
	All      string // the number of links
	Sources  []source
	Links    []linkView
	Problems []Example
	Left     []string
}

// rungView is a rung in the choice of links.
type rungView struct{ Name, Section, Number string }

// linkView is a row of the table of links.
type linkView struct {
	Number                                                int
	Place, Ref, URL, Base, Rung, By, Section, Status, Why string
	Span                                                  string
}

// Append appends the page of the document.
func (d *Document) Append(dst []byte, program string) ([]byte, error) {
	name := shown(d.Name, longName)
	p := &documentPage{head: newHead("absolink explain: "+name, program), Name: name, All: number(d.allLinks), Problems: d.problems}
	p.Boxes = d.boxes
	for _, e := range d.entities {
		p.Sources = append(p.Sources, e.sourceView(d.Name))
	}
	for rung := base.RungOverride; rung <= base.RungDefault; rung++ {
		if n := d.byRung[rung]; n > 0 {
			p.Rungs = append(p.Rungs, rungView{rung.String(), rung.Section(), number(n)})
		}
	}
	for _, l := range d.links {
		p.Links = append(p.Links, l.view())
	}
	p.Left = d.left()
	return render(dst, "document", p)
}

// view returns the link for the page.
func (l *link) view() linkView {
	v := linkView{Number: l.number, Place: l.place, Ref: l.ref, URL: l.url, Base: l.base, Rung: l.rung.String(), By: l.by, Section: l.rung.Section(),
		Status: l.status.String(), Span: number(l.start) + " to " + number(l.end)}
	if l.status == extract.StatusUnresolved {
		v.URL, v.Why = "", l.problem
	}
	return v
}

// left returns what the page leaves out, and where the whole is.
func (d *Document) left() (all []string) {
	n := int64(0)
	for _, e := range d.entities {
		if e.box != nil {
			n++
		}
	}
	if n < d.allEntities {
		all = append(all, fmt.Sprintf("The page has %s of %s. absolink explain -f json lists all of them.", number(n), count(d.allEntities, "entities")))
	}
	if n := int64(len(d.links)); n < d.allLinks {
		all = append(all, fmt.Sprintf("The page has %s of %s. absolink links -f jsonl lists all of them.", number(n), count(d.allLinks, "links")))
	}
	if n := int64(len(d.problems)); n < d.allProblems {
		all = append(all, fmt.Sprintf("The page has %s of %s. The flag --problems FILE writes all of them.", number(n), count(d.allProblems, "problems")))
	}
	shown, whole := 0, 0
	for _, e := range d.entities {
		shown, whole = shown+len(e.source), whole+e.length
	}
	if shown < whole {
		all = append(all, fmt.Sprintf("The page shows at most %s of the source of an entity, and %s of all sources.", bytesText(sourceShown), bytesText(sourcesShown)))
	}
	return all
}
