package html

import (
	"absolink/extract/internal/ascii"
	"absolink/extract/internal/attr"
)

// The attributes of a tag: HTML 13.2.5.32 to 40.

// attribute is an attribute of the current tag.
type attribute struct {
	start, end int // of its value, without quotes
	id         uint8
	quoting    attr.Quoting
}

// attributes reads the attributes of a tag. p is the offset after the name of the tag. It keeps only the attributes in
// wanted, and only the first of duplicate attributes. It returns the offset after the ">", or -1 if the file ends before
// the ">".
//
// It has one case for each state of HTML 13.2.5.32 to 40. It is one function because every attribute of a page needs it.
//
//gocognit:ignore
func (s *scanner) attributes(p int, wanted attrSet) int {
	src := s.src
	s.count, s.selfClosing = 0, false
	for {
		// Before attribute name.
		if p >= len(src) {
			return -1
		}
		c := src[p]
		if class[c]&space != 0 {
			p++
			continue
		}
		if c == '>' {
			return p + 1
		}
		if c == '/' {
			p++
			s.selfClosing = p < len(src) && src[p] == '>'
			continue
		}

		// Attribute name; a "=" may begin one.
		name := p
		p++
		for p < len(src) && class[src[p]]&endsAttr == 0 {
			p++
		}
		a := attribute{start: p, end: p, quoting: attr.Bare}
		id := -1
		if wanted.letters>>(src[name]&31)&1 != 0 {
			id = lookupAttribute(src, name, p)
		}

		// After attribute name.
		for p < len(src) && class[src[p]]&space != 0 {
			p++
		}
		if p < len(src) && src[p] == '=' {
			// Before attribute value.
			p++
			for p < len(src) && class[src[p]]&space != 0 {
				p++
			}
			if p >= len(src) {
				return -1
			}
			switch c := src[p]; c {
			case '"', '\'':
				a.start, a.quoting = p+1, attr.Double
				if c == '\'' {
					a.quoting = attr.Single
				}
				p = ascii.Next(src, p+1, c)
				a.end = p
				if p >= len(src) {
					return -1
				}
				p++
			case '>':
				a.start, a.end, a.quoting = p, p, attr.Empty
			default:
				a.start, a.quoting = p, attr.Unquoted
				for p < len(src) && class[src[p]]&endsUnquoted == 0 {
					p++
				}
				a.end = p
			}
		}
		if id >= 0 && wanted.ids>>id&1 != 0 {
			wanted.ids &^= 1 << id // the first of duplicates wins
			a.id = uint8(id)
			s.attrs[s.count] = a
			s.count++
		}
	}
}

// attr returns the attribute with the number id, and reports whether the current tag has it. The id must be in the set
// that the tag was read with.
func (s *scanner) attr(id uint8) (attribute, bool) {
	for _, a := range s.attrs[:s.count] {
		if a.id == id {
			return a, true
		}
	}
	return attribute{}, false
}

// text returns the decoded value of an attribute, or nil. It is used for keywords, which determine the meaning of other
// attributes. It is not used for links: the engine decodes them.
func (s *scanner) text(id uint8) []byte {
	a, ok := s.attr(id)
	if !ok {
		return nil
	}
	text, _ := a.quoting.Text().Decode(s.src[a.start:a.end])
	return text
}

// keyword reports whether the value of an attribute is word. It ignores case.
func (s *scanner) keyword(id uint8, word string) bool { return ascii.FoldEqual(s.text(id), word) }
