package tree

// The first BASE element with an href is that of the tree, not that of the source: foster parenting moves a BASE element
// that is in a table, but not in a cell or a caption, before the table (HTML 13.2.6.1).

// Base returns the offset of the first BASE element with an href, or -1. BASE elements in templates do not count.
func (t *Tree) Base() int { return t.base }

// declare reads the tag of a BASE element.
func (t *Tree) declare(tag *Tag) {
	if _, ok := tag.value("href"); !ok || len(t.templates) > 0 || t.base >= 0 && !t.precedes() {
		return
	}
	t.base = tag.At
	for i := range t.open {
		t.open[i].first = false
	}
	t.ancestors(func(el *Element, out bool) bool {
		el.first = !out
		return true
	})
}

// precedes reports whether an element at the current place precedes the first BASE element in the tree.
func (t *Tree) precedes() bool {
	found := false
	t.ancestors(func(table *Element, out bool) bool {
		found = out && table.first
		return !found
	})
	return found
}

// ancestors calls visit for each open table that an element at the current place is in. It also calls visit, with out, for
// each open table that foster parenting moves the element before, or an element around it.
func (t *Tree) ancestors(visit func(table *Element, out bool) bool) {
	out := t.fosterTable()
	for i := len(t.open) - 1; i >= 0; i-- {
		el := &t.open[i]
		if out != 0 {
			if el.id != out {
				continue
			}
			if !visit(el, true) {
				return
			}
		} else if el.is(tableRule) && !visit(el, false) {
			return
		}
		out = el.out
	}
}

// fosterTable returns the id of the table that foster parenting puts an element at the current place before, or 0.
func (t *Tree) fosterTable() int32 {
	if n := len(t.open); !t.foster || n == 0 || t.open[n-1].NS != HTML || t.open[n-1].class&fosters == 0 {
		return 0
	}
	for i := len(t.open) - 1; i >= 0 && !t.open[i].is(templateRule); i-- {
		if t.open[i].is(tableRule) {
			return t.open[i].id
		}
	}
	return 0
}
