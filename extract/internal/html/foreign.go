package html

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/codec/spell"
	"absolink/extract/internal/css"
	"absolink/extract/internal/html/tree"
	"absolink/extract/internal/mark"
)

// Foreign content: SVG and MathML (HTML 13.2.6.5). Any SVG element may have an href. A title in SVG is not raw text, and a
// base element in SVG does not declare a base.
//
// On most pages the SVG and MathML elements alone determine which elements a tag opens and closes. The elements around them
// matter only in an integration point, and for an end tag that matches no foreign element. From there on, package tree
// decides: the scanner is live. It stops being live after the last foreign element and the last template. Templates count
// because a template that begins with a col ignores most tags (13.2.6.4.12).

// needsTree reports whether the start tag of e needs treeTag.
func (s *scanner) needsTree(e *element) bool {
	return s.live || len(s.open) > 0 || e.role == roleForeign && !s.framed || e == anyElement && s.templates > 0
}

// stack returns the open foreign elements, if any, with the HTML elements inside them, or all open elements.
func (s *scanner) stack() tree.Stack {
	if s.live {
		return s.tree.Open()
	}
	return s.open
}

// follow makes the scanner live: s.tree reads the page up to the offset to.
func (s *scanner) follow(to int) {
	if s.live {
		return
	}
	if s.followed == 0 {
		s.resetTree()
	}
	t := scanner{src: s.src[:to], tree: s.tree, live: true}
	t.read(s.followed)
	s.live, s.followed = true, to
	s.tree.Adopt(s.open)
	s.open = s.open[:0]
}

// resetTree prepares s.tree for the page.
func (s *scanner) resetTree() {
	if s.tree == nil {
		s.tree = &tree.Tree{}
	}
	switch {
	case s.fragment:
		s.tree.Reset(tree.Fragment)
	case s.m.Srcdoc:
		s.tree.Reset(tree.Srcdoc)
	default:
		s.tree.Reset(tree.Page)
	}
}

// settle ends the live state at p, if the tree is not needed any more.
func (s *scanner) settle(p int) {
	if s.m == nil || !s.live {
		return
	}
	s.followed, s.templates = p, s.tree.Templates()
	s.live = s.templates > 0 || s.tree.HasForeign()
}

// treeTag reads a start tag for which needsTree is true. Its name is src[start+1:p]. treeTag returns the same offset as
// startTag.
func (s *scanner) treeTag(e *element, start, p int) int {
	src, name, end := s.src, s.src[start+1:p], p
	if end = s.attributes(p, allAttrs); end < 0 {
		return len(src)
	}
	tag := tree.NewTag(start, name, src[p:end], s.selfClosing)
	ns, counts := s.place(e, &tag)
	if s.scope = s.stack().Scope(); s.m == nil {
		s.count = 0
	}
	switch p = end; {
	case ns != tree.HTML:
		s.foreignElement(&tag, ns)
		s.styleText(p)
	case !counts:
		s.links(e, name, s.scope)
	default:
		p = s.element(e, name, start, p)
	}
	s.settle(p)
	return p
}

// place returns the namespace of the element of a start tag. counts is false if a browser ignores the tag and no raw text
// begins.
func (s *scanner) place(e *element, tag *tree.Tag) (ns tree.Namespace, counts bool) {
	switch {
	case s.live:
	case len(s.open) > 0:
		if ns, known := s.open.Start(tag); known {
			return ns, true
		}
	case e.role == roleForeign:
		ns = tree.SVG
		if e.name == "math" {
			ns = tree.MathML
		}
		s.open.Open(tag, ns)
		return ns, true
	}
	s.follow(tag.At)
	return s.tree.Start(tag)
}

// foreignElement marks the links of a foreign element. If the element is open, it is the current node.
func (s *scanner) foreignElement(tag *tree.Tag, ns tree.Namespace) {
	if s.m == nil {
		return
	}
	e, scope := anySVG, s.scope
	if ns == tree.MathML {
		e = anyMathML
	}
	if a, ok := s.attr(attrXMLBase); ok {
		place := s.placeOf(anySVG, tag.Name, attrXMLBase, asURL)
		scope = s.m.Scope(scope, place, a.start, a.end, a.quoting.URL(), mark.Declaration{By: mark.XMLBase})
	}
	s.links(e, tag.Name, scope)
	if open := s.stack(); tag.Opened {
		top := &open[len(open)-1]
		top.Scope, top.CSS = scope, ns == tree.SVG && ascii.FoldEqual(tag.Name, "style") && s.isCSS()
	}
}

// treeEnd reads the end tag src[start:p] if a foreign element is open, or the scanner is live.
func (s *scanner) treeEnd(name []byte, start, p int) {
	if !s.live {
		if s.open.End(name) {
			return
		}
		s.follow(start)
	}
	s.tree.End(name, start)
	s.settle(p)
}

// treeText passes src[start:end] to the tree, if the scanner is live.
func (s *scanner) treeText(start, end int, section bool) {
	if s.live {
		s.tree.Text(s.src[start:end], start, section)
	}
}

// styleText marks the text at p if it is in an SVG style element. The text ends at the next tag or comment. A "<" that
// opens neither is a character of the text (HTML 13.2.5.6), as in "@media (width < 40em)".
func (s *scanner) styleText(p int) {
	open := s.stack()
	if len(open) == 0 || !open[len(open)-1].CSS {
		return
	}
	end := ascii.Next(s.src, p, '<')
	for end < len(s.src) && !opensMarkup(s.src[end+1:]) {
		end = ascii.Next(s.src, end+1, '<')
	}
	s.foreignText(p, end, spell.CharData)
}

// opensMarkup reports whether a "<" before rest opens a tag or a comment (HTML 13.2.5.6).
func opensMarkup(rest []byte) bool {
	return len(rest) > 0 && (class[rest[0]]&letter != 0 || rest[0] == '/' || rest[0] == '!' || rest[0] == '?')
}

// foreignText marks src[start:end] as CSS if the innermost open element is an SVG style element.
func (s *scanner) foreignText(start, end int, c codec.Codec) {
	open := s.stack()
	if top := &open[len(open)-1]; start < end && top.CSS {
		s.m.Inline(top.Scope, stylePlace, start, end, c, css.Format)
	}
}
