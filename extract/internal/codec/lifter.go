package codec

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Lifting is the state of one call of Lift: the source, its text, and the edits of the text.
type Lifting struct {
	Src, Text []byte
	Atoms     *Atoms // of Src
	c         Codec
	wanted    []Edit    // the edits of the text
	edits     []Edit    // the edits that are spelled: wanted, or wider edits
	r         *Replacer // its memory
}

// long reports whether the source is too long for the Replacer to keep its memory afterwards.
func (l *Lifting) long() bool { return max(len(l.Src), len(l.Text)) > longestKept }

// Group is one edit: the source span Src, which now spells the text span Text, shall spell New.
type Group struct {
	Src, Text Span
	New       []byte
	edits     Span // the indexes of the edits in Lifting.edits
}

// try spells edits of the text and checks the law. It returns the results of check.
func (l *Lifting) try(edits []Edit) ([]Edit, Span, error) {
	l.edits = edits
	l.Atoms = &l.r.atoms
	l.Atoms.Reset(len(l.Src))
	if l.c.Map(l.Src, l.Text, l.Atoms); l.Atoms.Full {
		return nil, Span{}, errAtoms
	}
	groups := make([]Group, 0, len(edits))
	apart := l.Atoms.Apart
	at := 0 // the end of the previous edit
	end := func() {
		if n := len(groups) - 1; n >= 0 {
			groups[n].New = append(groups[n].New, l.Text[at:groups[n].Text.End]...)
		}
	}
	for i, e := range edits {
		src, text := l.Atoms.Around(e.Span)
		// between two atoms, or at the start or the end of the text
		if n := len(l.Text); apart && src.Len() == 0 && n > 0 {
			at := min(e.Start, n-1)
			src, text = l.Atoms.Around(Span{at, at + 1})
		}
		// the edits are in one atom or adjacent, and become one group
		if n := len(groups) - 1; n >= 0 && (groups[n].Src.End > src.Start || groups[n].Src.End == src.Start && !apart) {
			g := &groups[n]
			g.New = append(g.New, l.Text[at:e.Start]...)
			g.New = append(g.New, e.New...)
			g.Src.End, g.Text.End, g.edits.End = src.End, text.End, i+1
		} else {
			end()
			put := slices.Clip(e.New) // a copy of a long URL would need much memory
			if text != e.Span {
				put = make([]byte, 0, len(e.New)+text.Len()-e.Len())
				put = append(append(put, l.Text[text.Start:e.Start]...), e.New...)
			}
			groups = append(groups, Group{Src: src, Text: text, New: put, edits: Span{i, i + 1}})
		}
		at = e.End
	}
	end()
	wide := l.c.Widen(l, groups)
	if l.long() {
		*l.Atoms = Atoms{} // checking the result needs memory as well
	}
	if wide == nil {
		return l.check(groups)
	}
	out, bad, err := l.check(wide)
	return Tight(l.Src, out), bad, err
}

// check spells the groups and decodes the result. It returns edits of the source, and the span of the wanted text that
// is wrong: the zero Span if the law holds.
func (l *Lifting) check(groups []Group) ([]Edit, Span, error) {
	room := len(l.Src)
	if !isWhole(l.c) {
		for _, g := range groups {
			room += max(2*len(g.New)-g.Src.Len(), g.Src.Len())
		}
	}
	spelled := slices.Grow(l.r.spelled[:0], room) // the whole new source; pages that are not used need no memory
	out := make([]Edit, 0, len(groups))
	encode := encoderOf(l.c)
	at := 0
	for _, g := range groups {
		spelled, at = append(spelled, l.Src[at:g.Src.Start]...), g.Src.End
		n := len(spelled)
		var err error
		if spelled, err = encode(spelled, l.Src, g.Src, g.New); err != nil {
			return nil, Span{}, err
		}
		out = append(out, Edit{g.Src, spelled[n:len(spelled):len(spelled)], Joined(l.edits[g.edits.Start:g.edits.End])})
	}
	spelled = append(spelled, l.Src[at:]...)
	l.r.spelled = spelled
	if wrong := l.r.law(l.c, spelled, l.Text, l.wanted); wrong != (Span{}) {
		return nil, wrong, nil
	}
	if !l.long() || Grown(out) < len(spelled)/2 {
		copied(out)
	}
	return out, Span{}, nil
}

// copied moves the new bytes of the edits to memory of their own size.
func copied(edits []Edit) {
	room := make([]byte, 0, Grown(edits))
	for i := range edits {
		n := len(room)
		room = append(room, edits[i].New...)
		edits[i].New = room[n:len(room):len(room)]
	}
}

// Join adds the later group h to g, with the text between them.
func (g *Group) Join(text []byte, h Group) {
	g.New = append(g.New, text[g.Text.End:h.Text.Start]...)
	g.New = append(g.New, h.New...)
	g.Src.End, g.Text.End, g.edits.End = h.Src.End, h.Text.End, h.edits.End
}

// ByLine joins the groups on the same line, in place.
func (l *Lifting) ByLine(groups []Group) []Group {
	out := groups[:1]
	for _, g := range groups[1:] {
		if last := &out[len(out)-1]; bytes.IndexByte(l.Src[last.Src.End:g.Src.Start], '\n') < 0 {
			last.Join(l.Text, g)
		} else {
			out = append(out, g)
		}
	}
	return out
}

// Whole joins all groups in one that is at least as wide as the span src, which starts and ends on boundaries of atoms.
func (l *Lifting) Whole(groups []Group, src Span) []Group {
	g := groups[0]
	for _, next := range groups[1:] {
		g.Join(l.Text, next)
	}
	l.Extend(&g, Span{min(src.Start, g.Src.Start), max(src.End, g.Src.End)})
	return append(groups[:0], g)
}

// Extend widens g to the span src of the source, which starts and ends on boundaries of atoms.
func (l *Lifting) Extend(g *Group, src Span) {
	text := Span{g.Text.Start, g.Text.End}
	if src.Start < g.Src.Start {
		text.Start = l.Atoms.text(src.Start)
	}
	if src.End > g.Src.End {
		text.End = l.Atoms.text(src.End)
	}
	if text != g.Text {
		wide := make([]byte, 0, text.Len()+len(g.New))
		wide = append(wide, l.Text[text.Start:g.Text.Start]...)
		wide = append(wide, g.New...)
		g.New = append(wide, l.Text[g.Text.End:text.End]...)
	}
	g.Src, g.Text = src, text
}

// Tight cuts from each edit of src the bytes at its ends that it does not change. It works in place.
func Tight(src []byte, edits []Edit) []Edit {
	out := edits[:0]
	for _, e := range edits {
		for e.Start < e.End && len(e.New) > 0 && src[e.End-1] == e.New[len(e.New)-1] {
			e.End, e.New = e.End-1, e.New[:len(e.New)-1:len(e.New)-1]
		}
		for e.Start < e.End && len(e.New) > 0 && src[e.Start] == e.New[0] {
			e.Start, e.New = e.Start+1, e.New[1:]
		}
		if e.Len() > 0 || len(e.New) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// around returns edits of text. It widens the edits that are near bad, the span of the wanted text for which the law
// failed, by n bytes on both sides, in whole characters.
func around(edits []Edit, bad Span, text []byte, n int) []Edit {
	out := make([]Edit, 0, len(edits))
	shift, at := 0, 0 // the difference of offsets between text and wanted text; the end of the previous edit
	for i, e := range edits {
		start := e.Start + shift
		shift += len(e.New) - e.Len()
		if end := e.End + shift; end+near < bad.Start || bad.End+near < start {
			out, at = append(out, e), e.End
			continue
		}
		next := len(text)
		if i+1 < len(edits) {
			next = edits[i+1].Start
		}
		from, to := max(e.Start-n, at), min(e.End+n, next)
		for from > at && !utf8.RuneStart(text[from]) {
			from--
		}
		for to < next && !utf8.RuneStart(text[to]) {
			to++
		}
		wide := append([]byte(nil), text[from:e.Start]...)
		wide = append(wide, e.New...)
		wide = append(wide, text[e.End:to]...)
		out, at = append(out, Edit{Span{from, to}, wide, e.Changes}), to
	}
	return out
}
