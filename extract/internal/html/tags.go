package html

import (
	"absolink/extract/internal/ascii"
)

// tagReader reads the tags of HTML one by one, without marking links. Few documents need such a second reading. It finds
// the encoding after a late meta element.
type tagReader struct {
	src  []byte
	p    int    // the offset after the tag, and after its raw text
	name []byte // of the tag, with the case of the source
	end  bool   // it is an end tag
	tag  []byte // the whole tag

	foreign int // the number of open svg and math elements
}

// next reads the next tag, and reports whether there is one. It skips raw text: after the start tag of a script, the
// next tag is its end tag.
func (t *tagReader) next() bool {
	src := t.src
	s := scanner{src: src}
	for {
		p := ascii.Next(src, t.p, '<')
		if p+1 >= len(src) {
			t.p = len(src)
			return false
		}
		switch c := src[p+1]; {
		case class[c]&letter != 0:
			return t.read(p, p+1)
		case c == '/' && p+2 < len(src) && class[src[p+2]]&letter != 0:
			return t.read(p, p+2)
		case c == '/' || c == '?':
			t.p = ascii.After(src, p+2, '>')
		case c == '!':
			t.p = s.markup(p)
		default:
			t.p = p + 1
		}
	}
}

// read reads the tag at start whose name begins at p.
func (t *tagReader) read(start, p int) bool {
	s := scanner{src: t.src}
	name := p
	for p < len(t.src) && class[t.src[p]]&endsName == 0 {
		p++
	}
	t.name, t.end = t.src[name:p], name == start+2
	if p = s.attributes(p, 0); p < 0 {
		t.p = len(t.src)
		return false
	}
	t.tag = t.src[start:p]
	switch foreign := ascii.FoldEqual(t.name, "svg") || ascii.FoldEqual(t.name, "math"); {
	case foreign && t.end:
		t.foreign = max(t.foreign-1, 0)
	case foreign && !s.selfClosing:
		t.foreign++
	}
	if empty := t.foreign > 0 && s.selfClosing; !t.end && !empty { // in foreign content the "/" counts (13.2.6.5)
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
