package extract

// tagReader reads the tags of HTML one by one, without what they mean. It serves the
// questions that few documents raise and that need a second look at what came before.
type tagReader struct {
	src  []byte
	p    int
	name []byte // of the tag, as spelled
	end  bool   // it is an end tag
	text bool   // characters other than white space stood before it
	tag  []byte // the whole tag
}

// next goes to the next tag. The name of one that opens raw text is followed by the
// end tag.
func (t *tagReader) next() bool {
	src := t.src
	t.text = false
	s := htmlScanner{src: src}
	for {
		start := t.p
		p := next(src, t.p, '<')
		t.text = t.text || hasText(src[start:p])
		if p+1 >= len(src) {
			t.text = t.text || p < len(src)
			t.p = len(src)
			return false
		}
		switch c := src[p+1]; {
		case class[c]&letter != 0:
			return t.read(p, p+1)
		case c == '/' && p+2 < len(src) && class[src[p+2]]&letter != 0:
			return t.read(p, p+2)
		case c == '/' || c == '?':
			t.p = after(src, p+2, '>')
		case c == '!':
			t.p = s.markup(p)
		default:
			t.text, t.p = true, p+1
		}
	}
}

// read takes the tag at start whose name begins at p.
func (t *tagReader) read(start, p int) bool {
	s := htmlScanner{src: t.src}
	name := p
	for p < len(t.src) && class[t.src[p]]&endsName == 0 {
		p++
	}
	t.name, t.end = t.src[name:p], name == start+2
	if p = s.attributes(p, attrSet{}); p < 0 {
		t.p = len(t.src)
		return false
	}
	t.tag = t.src[start:p]
	if !t.end {
		switch e := lookupElement(t.src, name, name+len(t.name)); e.raw {
		case notRaw:
		case rawPlaintext:
			p = len(t.src)
		case rawScript:
			p = scriptEnd(t.src, p)
		default:
			p = rawEnd(t.src, p, e.name)
		}
	}
	t.p = p
	return true
}

func hasText(src []byte) bool {
	for _, c := range src {
		if !isSpace(c) && c != 0 {
			return true
		}
	}
	return false
}

// framesetCounts says whether a frameset tag behind src, which is all before it, makes a
// frameset, rather than being ignored because the body has begun (HTML 13.2.6.4.7: the
// frameset-ok flag).
func framesetCounts(src []byte) bool {
	templates := 0
	t := tagReader{src: src}
	for t.next() {
		if templates == 0 && t.text {
			return false
		}
		var buf [32]byte
		name := string(fold(buf[:0], t.name))
		switch {
		case name == "template" && !t.end:
			templates++
		case name == "template" && templates > 0:
			templates--
		case templates > 0:
		case name == "br", !t.end && notFramesetOK[name], !t.end && name == "input" && !hiddenInput(t.tag):
			return false
		}
	}
	return !t.text
}

// notFramesetOK are the start tags that set the frameset-ok flag to "not ok".
var notFramesetOK = map[string]bool{}

func init() {
	for _, name := range fields("body pre listing li dd dt button applet marquee object table area br embed img image keygen wbr hr " +
		"textarea xmp iframe select plaintext") {
		notFramesetOK[name] = true
	}
}

// hiddenInput says whether an input tag has the type hidden.
func hiddenInput(tag []byte) bool {
	s := htmlScanner{src: tag}
	s.attributes(len("<input"), allAttrs)
	return s.keyword(attrType, "hidden")
}
