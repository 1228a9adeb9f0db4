// Package scopes makes the scopes of the elements of an entity that declare a base. A document can have very many such
// elements, but links are visited in the order of the bytes. So Elements makes a scope only when a link needs it, and
// keeps no more than the last one and the scopes around it:
//
//	<g xml:base="a/">  <g xml:base="b/"> <a href="x"/> </g>  <g xml:base="c/"> <a href="y"/>
//	 1                  2                                     3
//	                   path for x: 1, 2                      path for y: 1, 3
package scopes

import (
	"absolink/base"
	"absolink/extract/internal/mark"
)

// Elements has the scopes of the elements of one entity, by the numbers of mark.Marks.OpenScope.
type Elements struct {
	marks   *mark.Marks
	outside func(n int32) *base.Scope
	declare func(at *mark.Mark) base.Declaration

	// for each scope, the number of the scope that stands for it: its own, that of an outer scope, or 0 for none
	numbers []int32
	none    *base.Scope
	path    []numbered // the scope that was made last, after the scopes around it, the outermost first
}

type numbered struct {
	n     int32
	scope *base.Scope
}

// New returns the Elements of an entity with the marks m. The caller adds every scope, in order, with Own, AsOuter or
// Without. outside returns the scope for a number that is not positive, and declare the declaration of a mark.
func New(m *mark.Marks, outside func(n int32) *base.Scope, declare func(at *mark.Mark) base.Declaration) *Elements {
	return &Elements{marks: m, outside: outside, declare: declare, numbers: make([]int32, 0, m.ScopeCount())}
}

// Own adds the next scope, with the base that its element declares, and returns it.
func (s *Elements) Own() *base.Scope {
	n := int32(len(s.numbers) + 1)
	s.numbers = append(s.numbers, n)
	return s.At(n)
}

// AsOuter adds the next scope without a base of its own: it is that of the element around.
func (s *Elements) AsOuter() {
	outer := s.marks.ScopeMark(int32(len(s.numbers) + 1)).ScopeNumber
	s.numbers = append(s.numbers, s.numbers[outer-1])
}

// Without adds the next scope, which is none: a scope without a base.
func (s *Elements) Without(none *base.Scope) { s.numbers, s.none = append(s.numbers, 0), none }

// At returns the scope with a number, which must have been added.
func (s *Elements) At(n int32) *base.Scope {
	if n <= 0 {
		return s.outside(n)
	}
	if n = s.numbers[n-1]; n == 0 {
		return s.none
	}
	return s.path[s.find(n)].scope
}

// find returns the index of a scope in the path, into which it puts the scope if necessary.
func (s *Elements) find(n int32) (depth int) {
	for i := len(s.path) - 1; i >= 0; i-- {
		if s.path[i].n == n {
			return i
		}
	}
	at := s.marks.ScopeMark(n)
	if at.ScopeNumber > 0 && s.numbers[at.ScopeNumber-1] > 0 {
		depth = s.find(s.numbers[at.ScopeNumber-1]) + 1
	}
	s.path = append(s.path[:depth], numbered{n, s.At(at.ScopeNumber).Within(s.declare(at))})
	return depth
}
