package explain

import (
	"absolink/base"
	"absolink/extract"
)

// Explanation is why an entity has its base URL. docs/layers.md describes its JSON.
type Explanation struct {
	Entity string  `json:"entity"`
	Type   string  `json:"type"`
	Base   string  `json:"base"`
	Layer  string  `json:"layer"`
	Source string  `json:"source"`
	Groups []Group `json:"layers"` // Override, which is not in the RFC, then the others from the innermost on

	section string // of Layer
}

// Group has the candidates of one layer: of Override, or of one of RFC 1808 section 3.
type Group struct {
	Layer      string      `json:"layer"`
	Section    *string     `json:"section"` // nil for Override
	Title      string      `json:"-"`       // in a drawing
	Candidates []Candidate `json:"candidates"`
}

type Candidate struct {
	Source  string  `json:"source"`
	Value   string  `json:"value"`
	URL     *string `json:"url"`     // nil if the candidate is rejected
	Verdict string  `json:"verdict"` // used, shadowed or rejected
	Reason  *string `json:"reason"`  // why it is rejected, or what is wrong with it; or nil
	Offset  *int    `json:"entity_offset"`
}

const (
	Used     = "used"
	shadowed = "shadowed"
	rejected = "rejected"
)

func Explain(e *extract.Entity) *Explanation {
	s := e.Scope
	x := &Explanation{Entity: e.Path, Type: e.Type, Base: s.Base().String(), Layer: s.Layer().String(), Source: s.By(),
		section: s.Layer().Section()}
	for i, title := range []string{
		"Base URL set by --override-base",
		"(3.1) Base URL embedded in the document's content",
		"(3.2) Base URL of the encapsulating entity",
		"(3.3) URL used to retrieve the entity",
		`(3.4) Base URL = "" (undefined)`,
	} {
		layer := base.LayerOverride + base.Layer(i)
		x.Groups = append(x.Groups, Group{layer.String(), orNil(layer.Section()), title, []Candidate{}})
	}
	for _, c := range s.Candidates() {
		g := &x.Groups[c.Layer-base.LayerOverride]
		g.Candidates = append(g.Candidates, NewCandidate(c))
	}
	return x
}

func NewCandidate(c base.Candidate) Candidate {
	view := Candidate{Source: c.By, Value: c.Value, URL: &c.URL, Verdict: Used, Reason: orNil(c.Trouble())}
	switch c.Verdict {
	case base.VerdictShadowed:
		view.Verdict = shadowed
	case base.VerdictRejected:
		view.Verdict, view.URL = rejected, nil
	}
	if c.Own && c.Offset >= 0 {
		view.Offset = &c.Offset
	}
	return view
}

// orNil returns a string that is null in JSON if it is "".
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Said returns what a person reads about the candidate: its verdict, with the reason if it is rejected, its URL unless
// Value is the same, and what is wrong with it.
func (c *Candidate) Said() (verdict, url, trouble string) {
	if c.URL == nil {
		return c.Verdict + ": " + orEmpty(c.Reason), "", ""
	}
	if *c.URL != c.Value {
		url = *c.URL
	}
	return c.Verdict, url, orEmpty(c.Reason)
}

// Shown returns the layers that a person sees: Override only if it has a candidate.
func (x *Explanation) Shown() []Group {
	if len(x.Groups[0].Candidates) == 0 {
		return x.Groups[1:]
	}
	return x.Groups
}
