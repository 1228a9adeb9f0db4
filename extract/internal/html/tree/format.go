package tree

import (
	"hash/maphash"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
	"absolink/extract/internal/codec/spell"
)

// The list of active formatting elements (HTML 13.2.4.3). Tree.formats has a pointer for each entry. An element and its
// clone share an entry where the clone takes the place of the element both in the list and on the stack.

// format is an entry of the list.
type format struct {
	rule       *rule
	attributes uint64 // the same for elements with the same attributes
	open       bool   // the element is on the stack
	listed     bool   // the entry is in the list
}

// pushFormat opens a formatting element and adds it to the list. The list has at most three equal elements after the last
// marker.
func (t *Tree) pushFormat(tag *Tag) {
	if !t.push(tag) || len(t.formats) >= MaxOpen {
		return
	}
	f := &format{tag.rule, attributesOf(tag.attributes), true, true}
	equal, first := 0, 0
	for i := len(t.formats) - 1; i >= 0 && t.formats[i] != nil; i-- {
		if g := t.formats[i]; g.rule == f.rule && g.attributes == f.attributes {
			equal, first = equal+1, i
		}
	}
	if equal >= 3 {
		t.unlist(first)
	}
	t.open[len(t.open)-1].format = f
	t.formats = append(t.formats, f)
}

var seed = maphash.MakeSeed()

// attributesOf returns a number that depends on the names and values of attributes, but not on their order.
func attributesOf(tag []byte) (sum uint64) {
	var seen map[uint64]bool
	for p := 0; ; {
		a, end, ok := attr.Next(tag, p)
		if !ok {
			return sum
		}
		p = end
		key := maphash.Bytes(seed, ascii.Fold(nil, WithoutNUL(a.Name)))
		if seen[key] {
			continue // the first of duplicates wins
		}
		if seen == nil {
			seen = map[uint64]bool{}
		}
		seen[key] = true
		value, _ := spell.AttrDouble.Decode(a.Value)
		sum += key*31 ^ maphash.Bytes(seed, value)
	}
}

// unlist removes the i-th entry of the list.
func (t *Tree) unlist(i int) {
	t.formats[i].listed = false
	t.formats = append(t.formats[:i], t.formats[i+1:]...)
}

// listIndex returns the index of an entry of the list.
func (t *Tree) listIndex(f *format) int {
	i := len(t.formats) - 1
	for t.formats[i] != f {
		i--
	}
	return i
}

// clearFormats removes the entries from the last marker on.
func (t *Tree) clearFormats() {
	for n := len(t.formats) - 1; n >= 0; n-- {
		f := t.formats[n]
		t.formats = t.formats[:n]
		if f == nil {
			return
		}
		f.listed = false
	}
}

// reconstruct opens the entries at the end of the list again that are not open.
func (t *Tree) reconstruct() {
	i := len(t.formats)
	for i > 0 && t.formats[i-1] != nil && !t.formats[i-1].open {
		i--
	}
	for _, f := range t.formats[i:] {
		if !t.add(Element{rule: f.rule, format: f}) {
			return
		}
		f.open = true
	}
}

// lastFormat returns the index of the last entry with a rule after the last marker, or -1.
func (t *Tree) lastFormat(r *rule) int {
	i := len(t.formats) - 1
	for i >= 0 && t.formats[i] != nil && t.formats[i].rule != r {
		i--
	}
	if i < 0 || t.formats[i] == nil {
		return -1
	}
	return i
}

// closeA closes the a that the start tag of the next one closes.
func (t *Tree) closeA() {
	i := t.lastFormat(aRule)
	if i < 0 {
		return
	}
	f := t.formats[i]
	t.adopt(aRule, nil)
	if f.listed {
		t.unlist(t.listIndex(f))
	}
	if f.open {
		t.remove(t.openIndex(f))
	}
}

// openIndex returns the index of the open element of an entry.
func (t *Tree) openIndex(f *format) int {
	i := len(t.open) - 1
	for t.open[i].format != f {
		i--
	}
	return i
}

// adopt reads the end tag of a formatting element (13.2.6.4.7, "adoption agency algorithm").
func (t *Tree) adopt(r *rule, name []byte) {
	n := len(t.open) - 1
	if el := &t.open[n]; el.is(r) && (el.format == nil || !el.format.listed) {
		t.popTo(n)
		return
	}
	for range 8 {
		i := t.lastFormat(r)
		if i < 0 {
			t.endOther(r, name)
			return
		}
		f := t.formats[i]
		if !f.open {
			t.unlist(i)
			return
		}
		at, block, inScope := t.furthestBlock(f)
		if !inScope {
			return
		}
		if block < 0 {
			t.popTo(at)
			t.unlist(i)
			return
		}
		t.moveInto(i, at, block)
	}
}

// furthestBlock returns the index of the open element of f, and that of the outermost special element inside it, or -1. It
// reports whether the element is in scope.
func (t *Tree) furthestBlock(f *format) (at, block int, inScope bool) {
	block = -1
	for at = len(t.open) - 1; t.open[at].format != f; at-- {
		switch c := t.open[at].class; {
		case c&bound != 0:
			return at, block, false
		case c&special != 0:
			block = at
		}
	}
	return at, block, true
}

// moveInto moves the formatting element open[at], the i-th entry of the list, into the element open[block]. It closes the
// elements between them, except the three innermost ones that are in the list.
func (t *Tree) moveInto(i, at, block int) {
	f := t.formats[i]
	bookmark, innermost := i, true
	last := block
	for x, count := block-1, 1; x > at; x, count = x-1, count+1 {
		g := t.open[x].format
		listed := g != nil && g.listed
		if listed && count > 3 {
			k := t.listIndex(g)
			t.unlist(k)
			if k < bookmark {
				bookmark--
			}
			listed = false
		}
		if !listed {
			t.remove(x)
			last--
			continue
		}
		if innermost {
			bookmark, innermost = t.listIndex(g)+1, false
		}
	}
	t.open[at+1].out = t.open[at].out
	t.remove(at) // open[last-1] is the block now

	k := t.listIndex(f)
	t.unlist(k)
	if k < bookmark {
		bookmark--
	}
	clone := &format{f.rule, f.attributes, true, true}
	t.formats = append(t.formats, nil)
	copy(t.formats[bookmark+1:], t.formats[bookmark:])
	t.formats[bookmark] = clone
	t.ids++
	el := Element{rule: f.rule, class: f.rule.class, id: t.ids, format: clone, Scope: t.open[last-1].Scope}
	t.open = append(t.open, Element{})
	copy(t.open[last+1:], t.open[last:])
	t.open[last] = el
}
