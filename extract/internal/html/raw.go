package html

import (
	"bytes"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/codec"
	"absolink/extract/internal/css"
	"absolink/extract/internal/mark"
)

// Raw text: content of an element that is not read as tags.

var (
	noscriptPlace = &mark.Place{Name: "noscript"}
	stylePlace    = &mark.Place{Name: "style"}
)

// raw reads the raw text of an element (HTML 13.2.6.2). p is the offset after the start tag. raw returns the offset of
// the end tag.
func (s *scanner) raw(e *element, p int) int {
	src, m := s.src, s.m
	switch e.raw {
	case rawPlaintext:
		return len(src)
	case rawScript:
		end := scriptEnd(src, p)
		if s.evident() {
			s.wombat(p, end)
		}
		if s.count > 0 && end < len(src) { // a script without an end tag is not prepared (HTML 13.2.6.4.8)
			s.scriptData(p, end)
		}
		return end
	}
	end := rawEnd(src, p, e.name)
	switch {
	case e.raw == rawStyle:
		if s.isCSS() {
			m.Inline(s.scope, stylePlace, p, end, codec.Identity, css.Format)
		}
	case e.raw == rawNoscript:
		if ascii.Next(src[:end], p, '<') < end {
			m.Nested(s.scope, noscriptPlace, p, end, codec.Identity, s.noscript)
		}
	}
	return end
}

// isCSS reports whether the type of the current style element is CSS (HTML 4.2.6, "update a style block").
func (s *scanner) isCSS() bool {
	t := s.text(attrType)
	return len(t) == 0 || ascii.FoldEqual(t, "text/css")
}

// commentEnd returns the offset after a comment (HTML 13.2.5.43 to 51). p is the offset after its "<!--".
func commentEnd(src []byte, p int) int {
	if rest := src[p:]; len(rest) > 0 && rest[0] == '>' {
		return p + 1
	} else if len(rest) > 1 && rest[0] == '-' && rest[1] == '>' {
		return p + 2
	}
	for {
		i := bytes.Index(src[p:], []byte("--"))
		if i < 0 {
			return len(src)
		}
		p += i + 2
		switch rest := src[p:]; {
		case len(rest) > 0 && rest[0] == '>':
			return p + 1
		case len(rest) > 1 && rest[0] == '!' && rest[1] == '>':
			return p + 2
		}
		p-- // in "--->", the second and third dash close the comment
	}
}

// rawEnd returns the offset of the first end tag with a name at or after p, or len(src).
func rawEnd(src []byte, p int, name string) int {
	for ; ; p++ {
		if p = ascii.Next(src, p, '<'); p >= len(src) {
			return len(src)
		}
		if p+1 < len(src) && src[p+1] == '/' && isTag(src, p+2, name) {
			return p
		}
	}
}

// isTag reports whether the tag name at p is name. White space, "/" or ">" must follow the name.
func isTag(src []byte, p int, name string) bool {
	end := p + len(name)
	return end < len(src) && class[src[end]]&endsName != 0 && ascii.FoldEqual(src[p:end], name)
}

// scriptEnd returns the offset of the end tag of a script, or len(src). The text of the script begins at p. After
// "<!-- <script", the next "</script" does not end the script, unless a "-->" is before it (HTML 13.2.5.15 to 31).
func scriptEnd(src []byte, p int) int {
	for ; ; p++ {
		if p = ascii.Next(src, p, '<'); p >= len(src) {
			return len(src)
		}
		switch rest := src[p+1:]; {
		case len(rest) == 0:
			return len(src)
		case rest[0] == '/' && isTag(src, p+2, "script"):
			return p
		case bytes.HasPrefix(rest, []byte("!--")):
			var closed bool
			if p, closed = escapedEnd(src, p+2); closed {
				return p
			}
			p--
		}
	}
}

// escapedEnd reads a script in the escaped states, from the dashes of its "<!--". It returns the offset of the end tag
// and true, or the offset after "-->" and false.
func escapedEnd(src []byte, p int) (int, bool) {
	double := false
	for dashes := 0; p < len(src); p++ {
		switch c := src[p]; {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			return p + 1, false
		case c != '<':
		case double:
			if p+1 < len(src) && src[p+1] == '/' && isTag(src, p+2, "script") {
				double = false
			}
		case isTag(src, p+1, "script"):
			double = true
		case p+1 < len(src) && src[p+1] == '/' && isTag(src, p+2, "script"):
			return p, true
		}
		dashes = 0
	}
	return len(src), true
}
