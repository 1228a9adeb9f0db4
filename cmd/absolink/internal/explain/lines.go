package explain

import (
	"fmt"
	"strings"

	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/cmd/absolink/internal/rows"
	"absolink/extract"
)

// Lines writes one line for each rung, after a line that names the entity:
//
//	page.html  (text/html)
//	=> 3.1 embedded       BASE element "/q/" used: http://h/q/
//	   3.2 encapsulating  none
//	   3.3 retrieval      --url "http://h/p/" shadowed
//	   3.4 default        ""
//
// It is a Form. A line is as long as its text.
type Lines struct {
	Style
	next bool // there is an entity before
}

// NewLines returns Lines in a style.
func NewLines(s Style) *Lines { return &Lines{Style: s} }

// Append is Form.Append.
func (l *Lines) Append(dst []byte, e *extract.Entity) []byte {
	if l.next {
		dst = append(dst, '\n')
	}
	l.next = true
	dst = append(dst, paint(l.Colors.Place, clean(rows.Where(e)))+"  ("+clean(e.Type)+")\n"...)
	mark := l.pen().mark
	for _, layer := range Shown(Layers(e.Scope)) {
		lead, color := blanks(columnsOf(mark)), console.Color("")
		if layer.Rung == e.Scope.Rung() {
			lead, color = mark, l.Colors.Used
		}
		name := fmt.Sprintf("%s %-3s %-13s", lead, layer.Rung.Section(), layer.Rung)
		dst = append(append(dst, paint(color, name)+"  "+l.candidates(layer)...), '\n')
	}
	return dst
}

// End is Form.End.
func (*Lines) End(dst []byte) []byte { return dst }

// candidates returns the candidates of a rung.
func (l *Lines) candidates(layer Layer) string {
	if layer.Rung == base.RungDefault {
		return `""`
	}
	if layer.Candidates == nil {
		return "none"
	}
	said := make([]string, len(layer.Candidates))
	for i, c := range layer.Candidates {
		verdict := clean(c.String())
		if c.Verdict != base.VerdictRejected && c.URL != c.Value {
			verdict += ": " + clean(c.URL)
		}
		said[i] = clean(c.By) + " " + quoted(c.Value) + " " + paint(l.color(c.Verdict), verdict)
		if trouble := c.Trouble(); c.Verdict != base.VerdictRejected && trouble != "" {
			said[i] += " (" + clean(trouble) + ")"
		}
	}
	return strings.Join(said, "; ")
}
