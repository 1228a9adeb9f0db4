package codec

import (
	"bytes"
	"sort"
)

// widener is a codec in which what an edit touches is more than its atoms: a line that must not become
// too long, or all that follows.
type widener interface {
	// widen gives the groups that are to be spelled instead of those given, of which there is at least
	// one: sorted, without overlaps, and each of those within one of these. It may write to groups.
	widen(l *lifter, groups []group) []group
}

// join makes one group of g and a later one, with the text between them.
func (g *group) join(text []byte, h group) {
	g.new = append(g.new, text[g.text.End:h.text.Start]...)
	g.new = append(g.new, h.new...)
	g.src.End, g.text.End = h.src.End, h.text.End
}

// byLine makes one group of all on one line, in place.
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

// extend widens g to a span of the source, which begins and ends on boundaries of atoms.
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

// tight cuts from each edit of src the bytes at its ends that it does not change.
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

// text maps a boundary in the source to its text offset: the inverse of Source.
func (a Atoms) text(src int) int {
	i := sort.Search(len(a), func(i int) bool { return a[i].Src > src }) - 1
	switch {
	case i < 0:
		return src
	case src >= a[i].srcEnd():
		return a[i].textEnd() + src - a[i].srcEnd()
	}
	return a[i].Text + (src-a[i].Src)/a[i].SrcLen*a[i].TextLen
}
