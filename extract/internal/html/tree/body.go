package tree

import "absolink/extract/internal/ascii"

// The insertion mode "in body" (HTML 13.2.6.4.7).

// startInBody reads a start tag. It has one case for each rule of the standard.
//
//gocognit:ignore
func (t *Tree) startInBody(tag *Tag) outcome {
	switch tag.rule.start {
	case startHead:
		return t.startHeadElement(tag)
	case startNothing:
	case startText:
		t.framesetOK = false
	case startBody:
		if len(t.templates) == 0 {
			t.framesetOK = false
		}
	case startFrameset:
		if t.framesetOK && len(t.open) > 1 && t.open[1].is(bodyRule) {
			t.framed = true
		}
	case startBlock:
		t.closeP()
		t.push(tag)
	case startHeading:
		t.closeP()
		if n := len(t.open) - 1; t.open[n].NS == HTML && t.open[n].class&heading != 0 {
			t.popTo(n)
		}
		t.push(tag)
	case startPre:
		t.closeP()
		t.push(tag)
		t.framesetOK = false
	case startForm:
		t.startForm(tag)
	case startItem:
		t.framesetOK = false
		t.closeItem(tag.rule)
		t.closeP()
		t.push(tag)
	case startButton:
		t.closeInScope(bound, buttonRule)
		t.reconstruct()
		t.push(tag)
		t.framesetOK = false
	case startA:
		t.closeA()
		t.reconstruct()
		t.pushFormat(tag)
	case startFormatting:
		t.reconstruct()
		t.pushFormat(tag)
	case startNobr:
		t.reconstruct()
		if t.inScope(bound, nobrRule) >= 0 {
			t.adopt(nobrRule, tag.Name)
			t.reconstruct()
		}
		t.pushFormat(tag)
	case startMarker:
		t.reconstruct()
		if t.push(tag) {
			t.formats = append(t.formats, nil)
		}
		t.framesetOK = false
	case startTable:
		if !t.quirks {
			t.closeP()
		}
		if t.framesetOK = false; t.push(tag) {
			t.mode = tableMode
		}
	case startImage:
		t.reconstruct()
		t.framesetOK = false
	case startInput:
		t.closeInScope(bound, selectRule)
		t.reconstruct()
		t.framesetOK = t.framesetOK && tag.is("type", "hidden")
	case startVoid:
	case startHr:
		t.closeP()
		if t.inScope(bound, selectRule) >= 0 {
			t.closeImplied(nil)
		}
		t.framesetOK = false
	case startXmp:
		t.closeP()
		t.reconstruct()
		t.framesetOK = false
	case startSelect:
		if !t.closeInScope(bound, selectRule) {
			t.reconstruct()
			t.push(tag)
			t.framesetOK = false
		}
	case startOption:
		t.closeOption(optgroupRule)
		t.reconstruct()
		t.push(tag)
	case startOptgroup:
		t.closeOption(nil)
		t.reconstruct()
		t.push(tag)
	case startRb:
		if t.inScope(bound, rubyRule) >= 0 {
			t.closeImplied(nil)
		}
		t.push(tag)
	case startRt:
		if t.inScope(bound, rubyRule) >= 0 {
			t.closeImplied(rtcRule)
		}
		t.push(tag)
	case startSVG:
		t.pushForeign(tag, SVG)
	case startMath:
		t.pushForeign(tag, MathML)
	default:
		t.reconstruct()
		t.push(tag)
	}
	return taken
}

// pushForeign opens an svg or math.
func (t *Tree) pushForeign(tag *Tag, ns Namespace) {
	t.reconstruct()
	out := t.fosterTable()
	if t.open.Open(tag, ns); tag.Opened {
		t.open[len(t.open)-1].out = out
	}
}

// closeP closes a p in button scope.
func (t *Tree) closeP() { t.closeInScope(buttonBound, pRule) }

func (t *Tree) startForm(tag *Tag) {
	if t.form != 0 && len(t.templates) == 0 {
		return
	}
	t.closeP()
	if t.push(tag) && len(t.templates) == 0 {
		t.form = t.ids
	}
}

// closeItem closes the li, or the dd or dt, that the start tag of the next one closes.
func (t *Tree) closeItem(next *rule) {
	for i := len(t.open) - 1; i > 0; i-- {
		el := &t.open[i]
		if el.NS == HTML && el.rule.start == startItem && (el.rule == liRule) == (next == liRule) {
			t.popTo(i)
			return
		}
		if el.class&special != 0 && (el.NS != HTML || el.rule.name != "address" && el.rule.name != "div" && el.rule.name != "p") {
			return
		}
	}
}

// closeOption closes the elements that the start tag of an option or optgroup closes.
func (t *Tree) closeOption(except *rule) {
	if t.inScope(bound, selectRule) >= 0 {
		t.closeImplied(except)
	} else if n := len(t.open) - 1; t.open[n].is(optionRule) {
		t.popTo(n)
	}
}

func (t *Tree) endInBody(r *rule, name []byte) outcome {
	switch r.end {
	case endTemplate:
		t.endTemplate()
	case endBody:
		if t.inScope(bound, bodyRule) >= 0 {
			t.mode = afterBody
		}
	case endBlock, endDefinition:
		t.closeInScope(bound, r)
	case endForm:
		t.endForm()
	case endP:
		t.closeP()
	case endLi:
		t.closeInScope(listBound, r)
	case endHeading:
		t.endHeading()
	case endFormatting:
		t.adopt(r, name)
	case endMarker:
		if t.closeInScope(bound, r) {
			t.clearFormats()
		}
	case endBr:
		t.reconstruct()
		t.framesetOK = false
	default:
		t.endOther(r, name)
	}
	return taken
}

func (t *Tree) endForm() {
	i := t.inScope(bound, formRule)
	if len(t.templates) > 0 {
		if i >= 0 {
			t.popTo(i)
		}
		return
	}
	form := t.form
	t.form = 0
	if i >= 0 && t.open[i].id == form {
		t.closeImplied(nil)
		t.remove(i)
	}
}

func (t *Tree) endHeading() {
	for i := len(t.open) - 1; i >= 0; i-- {
		switch el := &t.open[i]; {
		case el.NS == HTML && el.class&heading != 0:
			t.popTo(i)
			return
		case el.class&bound != 0:
			return
		}
	}
}

// endOther reads an end tag without a rule of its own ("any other end tag").
func (t *Tree) endOther(r *rule, name []byte) {
	for i := len(t.open) - 1; i > 0; i-- {
		el := &t.open[i]
		if el.NS == HTML && el.rule == r && (r != otherRule || ascii.FoldEqualBytes(el.Name, name)) {
			t.popTo(i)
			return
		}
		if el.class&special != 0 {
			return
		}
	}
}

// remove closes the i-th open element, but not the elements inside it.
func (t *Tree) remove(i int) {
	if f := t.open[i].format; f != nil {
		f.open = false
	}
	t.open = append(t.open[:i], t.open[i+1:]...)
}
