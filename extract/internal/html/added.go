package html

import (
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// The places of mark.Settings.Added, which no table has.

// added is an attribute at such a place.
type added struct {
	attribute
	place *mark.Place
	list  bool
}

// begin prepares for the attributes of a start tag, whose places may be those of mark.Settings.Added.
func (s *scanner) begin(name []byte) {
	if len(s.m.Added) > 0 {
		s.extra, s.adding = s.extra[:0], name
	}
}

// add adds an attribute of the current tag that is not wanted. id is its number in the tables, or -1. A second attribute with a
// name is ignored, and so are those after the first attrCount ones.
func (s *scanner) add(name []byte, id int, a attribute) {
	if len(s.extra) == attrCount {
		return
	}
	if id >= 0 {
		if _, wanted := s.attr(uint8(id)); wanted {
			return
		}
	}
	place := s.addedPlace(name)
	if slices.ContainsFunc(s.extra, func(x added) bool { return x.place.Name == string(place) }) || !s.m.Adds(string(place)) {
		return
	}
	s.extra = append(s.extra, added{a, &mark.Place{Name: string(place)}, mark.IsList(place)})
}

// addedPlace returns the name of the place of an attribute of the current tag.
func (s *scanner) addedPlace(name []byte) []byte {
	place := append(withoutNUL(ascii.Fold(nil, s.adding)), '@')
	return append(place, withoutNUL(ascii.Fold(nil, name))...)
}

// addedAs returns the way to read a wanted attribute that is no link in its element: noLink, unless it is at an added place.
func (s *scanner) addedAs(a attribute) value {
	switch place := s.addedPlace([]byte(attributeNames[a.id])); {
	case a.start == a.end || !s.m.Adds(string(place)):
		return noLink
	case mark.IsList(place):
		return asSrcset
	}
	return asURL
}

// markAdded marks the attributes of the current tag that were added and begin before p.
func (s *scanner) markAdded(p int, scope int32) {
	if len(s.extra) > 0 {
		s.markExtra(p, scope)
	}
}

// markExtra is apart so that the compiler can inline markAdded: most tags have none.
func (s *scanner) markExtra(p int, scope int32) {
	for len(s.extra) > 0 && s.extra[0].start < p {
		x := s.extra[0]
		s.extra = s.extra[1:]
		switch {
		case x.start == x.end: // a switch, such as <x-card open>
		case x.list:
			s.link(x.attribute, asSrcset, x.place, scope)
		default:
			s.link(x.attribute, asURL, x.place, scope)
		}
	}
}
