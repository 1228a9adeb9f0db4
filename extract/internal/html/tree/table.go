package tree

// The insertion modes of tables (HTML 13.2.6.4.9 to 15).

// clearTo closes the open elements up to a table context: up to an element with the rule or class of the context, a template
// or html.
func (t *Tree) clearTo(context func(el *Element) bool) {
	n := len(t.open)
	for n > 1 && !(t.open[n-1].NS == HTML && (t.open[n-1].rule == templateRule || context(&t.open[n-1]))) {
		n--
	}
	t.popTo(n)
}

func isTable(el *Element) bool    { return el.rule == tableRule }
func isRowGroup(el *Element) bool { return el.class&rowGroup != 0 }
func isRow(el *Element) bool      { return el.rule == trRule }

// startInTable reads a start tag in the mode "in table".
//
//gocognit:ignore
func (t *Tree) startInTable(tag *Tag) outcome {
	switch r := tag.rule; {
	case r == captionRule:
		t.clearTo(isTable)
		t.formats = append(t.formats, nil)
		t.push(tag)
		t.mode = captionMode
	case r == colgroupRule:
		t.clearTo(isTable)
		t.push(tag)
		t.mode = columnGroupMode
	case r.name == "col":
		t.clearTo(isTable)
		t.imply(colgroupRule)
		t.mode = columnGroupMode
		return again
	case r.class&rowGroup != 0:
		t.clearTo(isTable)
		t.push(tag)
		t.mode = tableBodyMode
	case r.class&tablePart != 0: // td, th, tr
		t.clearTo(isTable)
		t.imply(tbodyRule)
		t.mode = tableBodyMode
		return again
	case r == tableRule:
		if t.closeInScope(tableBound, tableRule) {
			t.resetMode()
			return again
		}
	case r.name == "style" || r.name == "script" || r == templateRule:
		return t.startHeadElement(tag)
	case r.start == startInput && tag.is("type", "hidden"):
	case r == formRule:
		if t.form == 0 && len(t.templates) == 0 {
			t.ids++
			t.form = t.ids
		}
	default:
		t.foster = true
		defer func() { t.foster = false }()
		return t.startInBody(tag)
	}
	return taken
}

func (t *Tree) endInTable(r *rule, name []byte) outcome {
	switch {
	case r == tableRule:
		if t.closeInScope(tableBound, tableRule) {
			t.resetMode()
		}
	case r == bodyRule || r == htmlRule || r.class&tablePart != 0:
	default:
		t.foster = true
		defer func() { t.foster = false }()
		return t.endInBody(r, name)
	}
	return taken
}

func (t *Tree) startInCaption(tag *Tag) outcome {
	if tag.rule.class&tablePart != 0 {
		return t.leaveCaption()
	}
	return t.startInBody(tag)
}

func (t *Tree) endInCaption(r *rule, name []byte) outcome {
	switch {
	case r == captionRule:
		t.leaveCaption()
		return taken
	case r == tableRule:
		return t.leaveCaption()
	case r == bodyRule || r == htmlRule || r.class&tablePart != 0:
		return taken
	}
	return t.endInBody(r, name)
}

// leaveCaption closes the caption. It returns again if a caption is open.
func (t *Tree) leaveCaption() outcome {
	if !t.closeInScope(tableBound, captionRule) {
		return taken
	}
	t.clearFormats()
	t.mode = tableMode
	return again
}

func (t *Tree) startInColumnGroup(tag *Tag) outcome {
	switch {
	case tag.rule == htmlRule || tag.rule.name == "col":
		return taken
	case tag.rule == templateRule:
		return t.startHeadElement(tag)
	}
	return t.leaveColumnGroup()
}

func (t *Tree) endInColumnGroup(r *rule) outcome {
	switch {
	case r == colgroupRule:
		t.leaveColumnGroup()
		return taken
	case r == templateRule:
		t.endTemplate()
		return taken
	case r.name == "col":
		return taken
	}
	return t.leaveColumnGroup()
}

// leaveColumnGroup closes the colgroup. In a template that began with a col, no colgroup is open, and leaveColumnGroup
// returns ignored.
func (t *Tree) leaveColumnGroup() outcome {
	n := len(t.open) - 1
	if !t.open[n].is(colgroupRule) {
		return ignored
	}
	t.popTo(n)
	t.mode = tableMode
	return again
}

func (t *Tree) startInTableBody(tag *Tag) outcome {
	switch r := tag.rule; {
	case r == trRule:
		t.clearTo(isRowGroup)
		t.push(tag)
		t.mode = rowMode
	case r.class&cell != 0:
		t.clearTo(isRowGroup)
		t.imply(trRule)
		t.mode = rowMode
		return again
	case r.class&tablePart != 0:
		return t.leaveTableBody()
	default:
		return t.startInTable(tag)
	}
	return taken
}

func (t *Tree) endInTableBody(r *rule, name []byte) outcome {
	switch {
	case r.class&rowGroup != 0:
		if t.inScope(tableBound, r) >= 0 {
			t.clearTo(isRowGroup)
			t.popTo(len(t.open) - 1)
			t.mode = tableMode
		}
		return taken
	case r == tableRule:
		return t.leaveTableBody()
	}
	return t.endInTable(r, name)
}

// leaveTableBody closes the row group. It returns again if a row group is open.
func (t *Tree) leaveTableBody() outcome {
	for i := len(t.open) - 1; i > 0 && t.open[i].class&tableBound == 0; i-- {
		if t.open[i].NS == HTML && t.open[i].class&rowGroup != 0 {
			t.popTo(i)
			t.mode = tableMode
			return again
		}
	}
	return taken
}

func (t *Tree) startInRow(tag *Tag) outcome {
	switch r := tag.rule; {
	case r.class&cell != 0:
		t.clearTo(isRow)
		t.push(tag)
		t.mode = cellMode
		t.formats = append(t.formats, nil)
		return taken
	case r.class&tablePart != 0:
		return t.leaveRow()
	}
	return t.startInTable(tag)
}

func (t *Tree) endInRow(r *rule, name []byte) outcome {
	switch {
	case r == trRule:
		t.leaveRow()
		return taken
	case r == tableRule:
		return t.leaveRow()
	case r.class&rowGroup != 0:
		if t.inScope(tableBound, r) < 0 {
			return taken
		}
		return t.leaveRow()
	}
	return t.endInTable(r, name)
}

// leaveRow closes the row. It returns again if a row is open.
func (t *Tree) leaveRow() outcome {
	if !t.closeInScope(tableBound, trRule) {
		return taken
	}
	t.mode = tableBodyMode
	return again
}

func (t *Tree) startInCell(tag *Tag) outcome {
	if tag.rule.class&tablePart != 0 {
		return t.leaveCell(nil)
	}
	return t.startInBody(tag)
}

func (t *Tree) endInCell(r *rule, name []byte) outcome {
	switch {
	case r.class&cell != 0:
		t.leaveCell(r)
		return taken
	case r == tableRule || r == trRule || r.class&rowGroup != 0:
		if t.inScope(tableBound, r) < 0 {
			return taken
		}
		return t.leaveCell(nil)
	case r == bodyRule || r == htmlRule || r.class&tablePart != 0:
		return taken
	}
	return t.endInBody(r, name)
}

// leaveCell closes the cell, if its rule is r or r is nil. It returns again if such a cell is open.
func (t *Tree) leaveCell(r *rule) outcome {
	for i := len(t.open) - 1; i > 0 && t.open[i].class&tableBound == 0; i-- {
		if el := &t.open[i]; el.NS == HTML && el.class&cell != 0 && (r == nil || el.rule == r) {
			t.popTo(i)
			t.clearFormats()
			t.mode = rowMode
			return again
		}
	}
	return taken
}
