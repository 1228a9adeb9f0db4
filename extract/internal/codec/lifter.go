package codec

// This file has lifter, the steps of one call of Lift.

import (
	"bytes"
	"slices"
)

// lifter is the state of one call of Lift: the source, its text, and the wanted text.
type lifter struct {
	c               Codec
	src, text, want []byte
	edits           []Edit
	atoms           Atoms
	rooms           *rooms
}

// group is one edit, as a span of the source and as a span of the text. The span src now spells the span text. Lift
// makes it spell new.
type group struct {
	src, text Span
	new       []byte
	edits     Span // the indexes of the edits in lifter.edits
}

// try spells edits of the text and checks the law. It returns the results of check.
func (l *lifter) try(edits []Edit) ([]Edit, Span, error) {
	l.edits = edits
	groups := make([]group, 0, len(edits))
	at := 0 // the end of the previous edit
	end := func() {
		if n := len(groups) - 1; n >= 0 {
			groups[n].new = append(groups[n].new, l.text[at:groups[n].text.End]...)
		}
	}
	for i, e := range edits {
		src, text := l.atoms.widen(e.Span)
		n := len(groups) - 1
		if n < 0 || groups[n].src.End < src.Start { // otherwise the edits are in one atom or adjacent, and become one group
			end()
			groups = append(groups, group{src: src, text: text, new: make([]byte, 0, len(e.New)+text.Len()-e.Len()), edits: Span{i, i}})
			n, at = n+1, text.Start
		}
		g := &groups[n]
		g.new = append(g.new, l.text[at:e.Start]...)
		g.new = append(g.new, e.New...)
		g.src.End, g.text.End, g.edits.End, at = src.End, text.End, i+1, e.End
	}
	end()
	w, ok := l.c.(widener)
	if !ok {
		return l.check(groups)
	}
	out, bad, err := l.check(w.widen(l, groups))
	return tight(l.src, out), bad, err
}

// check spells the groups and decodes the result. It returns edits of the source, and the span of the wanted text that
// is wrong. The span is the zero Span if the law holds.
func (l *lifter) check(groups []group) ([]Edit, Span, error) {
	out := make([]Edit, 0, len(groups))
	var buf []byte
	encode := l.c.Encode
	if o, ok := l.c.(ordered); ok {
		encode = o.inOrder()
	}
	for _, g := range groups {
		n := len(buf)
		var err error
		if buf, err = encode(buf, l.src, g.src, g.new); err != nil {
			return nil, Span{}, err
		}
		out = append(out, Edit{g.src, buf[n:len(buf):len(buf)], Joined(l.edits[g.edits.Start:g.edits.End])})
	}
	l.rooms.spelled = Apply(slices.Grow(l.rooms.spelled[:0], len(l.src)+len(buf)), l.src, out)
	got, _ := DecodeInto(&l.rooms.got, l.c, l.rooms.spelled)
	if bytes.Equal(got, l.want) {
		return out, Span{}, nil
	}
	return nil, differ(got, l.want), nil
}

// join adds the later group h to g, with the text between them.
func (g *group) join(text []byte, h group) {
	g.new = append(g.new, text[g.text.End:h.text.Start]...)
	g.new = append(g.new, h.new...)
	g.src.End, g.text.End, g.edits.End = h.src.End, h.text.End, h.edits.End
}

// byLine joins the groups on the same line, in place.
func (l *lifter) byLine(groups []group) []group {
	out := groups[:1]
	for _, g := range groups[1:] {
		if last := &out[len(out)-1]; bytes.IndexByte(l.src[last.src.End:g.src.Start], '\n') < 0 {
			last.join(l.text, g)
		} else {
			out = append(out, g)
		}
	}
	return out
}

// extend widens g to the span src of the source, which starts and ends on boundaries of atoms.
func (l *lifter) extend(g *group, src Span) {
	text := Span{g.text.Start, g.text.End}
	if src.Start < g.src.Start {
		text.Start = l.atoms.text(src.Start)
	}
	if src.End > g.src.End {
		text.End = l.atoms.text(src.End)
	}
	if text != g.text {
		wide := make([]byte, 0, text.Len()+len(g.new))
		wide = append(wide, l.text[text.Start:g.text.Start]...)
		wide = append(wide, g.new...)
		g.new = append(wide, l.text[g.text.End:text.End]...)
	}
	g.src, g.text = src, text
}

// tight cuts from each edit of src the bytes at its ends that it does not change. It works in place.
func tight(src []byte, edits []Edit) []Edit {
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
