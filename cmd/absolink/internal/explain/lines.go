package explain

import (
	"fmt"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Lines is a Form that writes one line for each layer, after a line that names the entity:
//
//	page.html  (text/html)
//	=> 3.1 embedded       BASE element "/q/" used: http://h/q/
//	   3.2 encapsulating  none
//	   3.3 retrieval      --url "http://h/p/" shadowed
//	   3.4 default        ""
type Lines struct{ Style }

func (l *Lines) Append(dst []byte, e *extract.Entity) []byte {
	x := Explain(e)
	dst = append(l.separate(dst), paint(l.Colors.Place,
		clean(rows.Where(e.Document, e.Path)))+"  ("+clean(e.Type)+")\n"...)
	for _, g := range x.Shown() {
		lead, color := blanks(console.ColumnsOf(l.Pen.mark)), console.Color("")
		if g.Layer == x.Layer {
			lead, color = l.Pen.mark, l.Colors.Used
		}
		name := fmt.Sprintf("%s %-3s %-13s", lead, orEmpty(g.Section), g.Layer)
		dst = append(append(dst, paint(color, name)+"  "+l.candidates(g)...), '\n')
	}
	return dst
}

func (l *Lines) candidates(g Group) string {
	if g.Layer == base.LayerDefault.String() {
		return `""`
	}
	if len(g.Candidates) == 0 {
		return "none"
	}
	said := make([]string, len(g.Candidates))
	for i, c := range g.Candidates {
		verdict, url, trouble := c.Said()
		if url != "" {
			verdict += ": " + url
		}
		said[i] = clean(c.Source) + " " + quoted(c.Value) + " " + paint(l.color(c.Verdict), clean(verdict))
		if trouble != "" {
			said[i] += " (" + clean(trouble) + ")"
		}
	}
	return strings.Join(said, "; ")
}
