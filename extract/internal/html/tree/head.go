package tree

// The insertion modes up to "after head", and "in template" (HTML 13.2.6.4.1 to 6, and 16).

func (t *Tree) startBeforeHead(tag *Tag) outcome {
	switch tag.rule {
	case htmlRule:
		return taken
	case headRule:
		t.push(tag)
		t.mode = headMode
		return taken
	}
	t.imply(headRule)
	t.mode = headMode
	return again
}

func (t *Tree) startInHead(tag *Tag) outcome {
	switch {
	case tag.rule == htmlRule, tag.rule == headRule, tag.rule.name == "noscript":
		return taken
	case tag.rule.class&inHead != 0:
		return t.startHeadElement(tag)
	}
	t.leaveHead()
	return again
}

func (t *Tree) startAfterHead(tag *Tag) outcome {
	switch {
	case tag.rule == htmlRule, tag.rule == headRule:
		return taken
	case tag.rule == bodyRule:
		t.body = tag.At
		t.push(tag)
		t.framesetOK = false
		t.mode = bodyMode
		return taken
	case tag.rule.start == startFrameset:
		t.framed = true
		return taken
	case tag.rule.class&inHead != 0:
		return t.startHeadElement(tag)
	}
	t.implyBody(tag.At)
	return again
}

// startHeadElement reads a start tag by the rules of the mode "in head".
func (t *Tree) startHeadElement(tag *Tag) outcome {
	switch tag.rule.name {
	case "template":
		if t.push(tag) {
			t.formats = append(t.formats, nil)
			t.framesetOK = false
			t.mode = templateMode
			t.templates = append(t.templates, templateMode)
		}
	case "base":
		t.declare(tag)
	}
	return taken
}

func (t *Tree) endBeforeHead(r *rule) outcome {
	if r != headRule && r != bodyRule && r != htmlRule && r != brRule {
		return taken
	}
	t.imply(headRule)
	t.mode = headMode
	return again
}

func (t *Tree) endInHead(r *rule) outcome {
	switch r {
	case headRule:
		t.leaveHead()
	case bodyRule, htmlRule, brRule:
		t.leaveHead()
		return again
	case templateRule:
		t.endTemplate()
	}
	return taken
}

func (t *Tree) endAfterHead(r *rule, at int) outcome {
	switch r {
	case bodyRule, htmlRule, brRule:
		t.implyBody(at)
		return again
	case templateRule:
		t.endTemplate()
	}
	return taken
}

// leaveHead closes the head.
func (t *Tree) leaveHead() {
	t.popTo(len(t.open) - 1)
	t.mode = afterHead
}

// implyBody opens the body that the token at an offset implies. Like browsers, it sets the frameset-ok flag to "ok", which
// a template in the head may have set to "not ok".
func (t *Tree) implyBody(at int) {
	t.popTo(1)
	t.body, t.framesetOK, t.mode = at, true, bodyMode
	t.imply(bodyRule)
}

func (t *Tree) startInTemplate(tag *Tag) outcome {
	m := bodyMode
	switch {
	case tag.rule.class&inHead != 0:
		return t.startHeadElement(tag)
	case tag.rule.class&cell != 0:
		m = rowMode
	case tag.rule == trRule:
		m = tableBodyMode
	case tag.rule.name == "col":
		m = columnGroupMode
	case tag.rule.class&tablePart != 0:
		m = tableMode
	}
	t.mode, t.templates[len(t.templates)-1] = m, m
	return again
}

// endTemplate reads the end tag of a template (13.2.6.4.4).
func (t *Tree) endTemplate() {
	if i := t.inScope(0, templateRule); i >= 0 {
		t.popTo(i)
		t.clearFormats()
		t.templates = t.templates[:len(t.templates)-1]
		t.resetMode()
	}
}

// resetMode sets the insertion mode for the open elements (13.2.4.1, "reset the insertion mode appropriately").
func (t *Tree) resetMode() {
	for i := len(t.open) - 1; i > 0; i-- {
		el := &t.open[i]
		if el.NS != HTML {
			continue
		}
		m := bodyMode
		switch {
		case el.class&cell != 0:
			m = cellMode
		case el.rule == trRule:
			m = rowMode
		case el.class&rowGroup != 0:
			m = tableBodyMode
		case el.rule == captionRule:
			m = captionMode
		case el.rule == colgroupRule:
			m = columnGroupMode
		case el.rule == tableRule:
			m = tableMode
		case el.rule == templateRule:
			m = t.templates[len(t.templates)-1]
		case el.rule == headRule:
			m = headMode
		case el.rule != bodyRule:
			continue
		}
		t.mode = m
		return
	}
	if t.mode = afterHead; t.fragment {
		t.mode = bodyMode
	}
}
