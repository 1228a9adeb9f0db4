package explain

import (
	"absolink/base"
	"absolink/cmd/absolink/internal/console"
	"absolink/extract"
)

// A Form writes explanations. The entities of a document come one after the other.
type Form interface {
	// Append appends the explanation of one entity.
	Append(dst []byte, e *extract.Entity) []byte
	// End appends the end of a document.
	End(dst []byte) []byte
}

// Style is the look of text for people.
type Style struct {
	Width   int  // the most columns of a line without a long URL
	Unicode bool // use characters that are not in ASCII
	Colors  console.Colors
}

// pen has the characters of a drawing.
type pen struct {
	topLeft, topRight, bottomLeft, bottomRight string
	across, down                               string
	mark                                       string // of the candidate in force
}

var (
	asciiPen   = pen{".", ".", "`", "'", "-", "|", "=>"}
	unicodePen = pen{"╭", "╮", "╰", "╯", "─", "│", "→"}
)

// pen returns the pen of the style.
func (s Style) pen() pen {
	if s.Unicode {
		return unicodePen
	}
	return asciiPen
}

// color returns the color of a verdict.
func (s Style) color(v base.Verdict) console.Color {
	switch v {
	case base.VerdictUsed:
		return s.Colors.Used
	case base.VerdictRejected:
		return s.Colors.Rejected
	}
	return ""
}

// Layer is one rung: its title in a drawing, and its candidates.
type Layer struct {
	Rung       base.Rung
	Title      string
	Candidates []*base.Candidate
}

// Layers returns the rungs of a scope, the innermost first. The rung Override is no layer of the RFC. A base that completes a
// relative base is used, too.
func Layers(s *base.Scope) []Layer {
	all := s.Candidates()
	layers := []Layer{
		{Rung: base.RungOverride, Title: "Base URL set by --override-base"},
		{Rung: base.RungEmbedded, Title: "(3.1) Base URL embedded in the document's content"},
		{Rung: base.RungEncapsulating, Title: "(3.2) Base URL of the encapsulating entity"},
		{Rung: base.RungRetrieval, Title: "(3.3) URL used to retrieve the entity"},
		{Rung: base.RungDefault, Title: `(3.4) Base URL = "" (undefined)`},
	}
	completes := false
	for i := range all {
		if c := &all[i]; c.Verdict == base.VerdictUsed || completes && c.Verdict == base.VerdictShadowed {
			c.Verdict, completes = base.VerdictUsed, c.Relative
		}
		l := &layers[all[i].Rung-base.RungOverride]
		l.Candidates = append(l.Candidates, &all[i])
	}
	return layers
}

// Shown returns the layers that a person sees: Override only if it has a candidate.
func Shown(layers []Layer) []Layer {
	if layers[0].Candidates == nil {
		return layers[1:]
	}
	return layers
}
