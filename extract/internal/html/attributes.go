package html

import (
	"bytes"

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
func (s *scanner) attributes(p int, wanted attrSet) int {
	src := s.src
	s.count, s.selfClosing = 0, false
	// Most attributes are a space, a name, and a value in quotes.
	for p >= 0 && p < len(src) && src[p] == ' ' {
		name := p + 1
		end := name
		for end < len(src) && class[src[end]]&endsAttr == 0 {
			end++
		}
		if end == name || end+1 >= len(src) || src[end] != '=' || src[end+1] != '"' {
			break
		}
		value := end + 2
		n := bytes.IndexByte(src[value:], '"')
		if n < 0 {
			return -1
		}
		p = value + n + 1
		if id := lookupAttribute(src, name, end); id >= 0 && wanted>>id&1 != 0 {
			wanted &^= 1 << id // the first of duplicates wins
			s.attrs[s.count] = attribute{start: value, end: value + n, id: uint8(id), quoting: attr.Double}
			s.count++
		}
	}
	if p < len(src) && src[p] == '>' {
		return p + 1
	}
	return s.moreAttributes(p, wanted)
}

// moreAttributes reads the rest of the attributes of a tag, from p on. See attributes.
//
// It has one case for each state of HTML 13.2.5.32 to 40. It is one function because every attribute of a page needs it.
//
//gocognit:ignore
func (s *scanner) moreAttributes(p int, wanted attrSet) int {
	src := s.src
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
		id := lookupAttribute(src, name, p)

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
		if id >= 0 && wanted>>id&1 != 0 {
			wanted &^= 1 << id // the first of duplicates wins
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
