package html

import (
	"slices"

	"absolink/extract/internal/ascii"
	"absolink/extract/internal/mark"
)

// The places of mark.Settings.Added, which the caller adds to those of the tables, and of mark.APIPlaces.

// added is an attribute at an added place.
type added struct {
	attribute
	place *mark.Place
	list  bool
}

// begin starts a tag with this name. Where no places are added, adding is nil, which spares all the work below.
func (s *scanner) begin(name []byte) {
	if s.adds {
		s.beginAdding(name)
	}
}

// beginAdding is separate so that the compiler can inline begin.
func (s *scanner) beginAdding(name []byte) {
	s.extra, s.adding = s.extra[:0], nil
	if len(s.m.Added) > 0 || s.m.Extended && mark.IsAPI(name) {
		s.adding = name
	}
}

// add keeps an attribute of the current tag if it is at an added place. id is its number in the tables, or -1. As for
// the attributes of the tables, the first of duplicates wins; attributes beyond attrCount are dropped.
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
	if slices.ContainsFunc(s.extra, func(x added) bool { return x.place.Name == string(place) }) ||
		!s.m.Adds(string(place)) {
		return
	}
	s.extra = append(s.extra, added{a, &mark.Place{Name: string(place)}, mark.IsList(place)})
}

func (s *scanner) addedPlace(name []byte) []byte {
	place := append(withoutNUL(ascii.Fold(nil, s.adding)), '@')
	return append(place, withoutNUL(ascii.Fold(nil, name))...)
}

// addedAs is the way to read an attribute that the tables list, but not as a link of its element: noLink, unless the
// caller added the place.
func (s *scanner) addedAs(a attribute) value {
	switch place := s.addedPlace([]byte(attributeNames[a.id])); {
	case a.start == a.end || !s.m.Adds(string(place)):
		return noLink
	case mark.IsList(place):
		return asSrcset
	}
	return asURL
}

// markAdded marks the added attributes of the current tag that begin before p, so that marks stay in the order of the
// source.
func (s *scanner) markAdded(p int, scope int32) {
	if len(s.extra) > 0 {
		s.markExtra(p, scope)
	}
}

// markExtra is separate so that the compiler can inline markAdded: most tags have no added attributes.
func (s *scanner) markExtra(p int, scope int32) {
	for len(s.extra) > 0 && s.extra[0].start < p {
		x := s.extra[0]
		s.extra = s.extra[1:]
		switch {
		case x.start == x.end: // a boolean attribute, as in <x-card open>
		case x.list:
			s.link(x.attribute, asSrcset, x.place, scope)
		default:
			s.link(x.attribute, asURL, x.place, scope)
		}
	}
}
