// Package scopes makes the scopes of the elements of an entity that declare a base. A document may have very many of them, and
// the links are visited in the order of the bytes. So Scopes makes a scope when a link needs it, and keeps only the last one and
// the scopes around it:
//
//	<g xml:base="a/">  <g xml:base="b/"> <a href="x"/> </g>  <g xml:base="c/"> <a href="y"/>
//	 1                  2                                     3
//	                   path for x: 1, 2                      path for y: 1, 3
package scopes

import (
	"absolink/base"
	"absolink/extract/internal/mark"
)

// Scopes has the scopes of one entity, by the numbers of mark.Marks.Scope.
type Scopes struct {
	marks   *mark.Marks
	outside func(n int32) *base.Scope
	declare func(at *mark.Mark) base.Declaration

	numbers []int32 // for each scope, the number of the scope that it has: its own number, that of an outer scope, or 0 for none
	none    *base.Scope
	path    []numbered // the last scope that was made, and the scopes around it, from the outside to the inside
}

type numbered struct {
	n     int32
	scope *base.Scope
}

// New returns the Scopes of an entity with the marks m. The caller adds each scope with Own, AsOuter or Without. outside returns
// a scope whose number is not positive. declare returns the declaration of a mark.
func New(m *mark.Marks, outside func(n int32) *base.Scope, declare func(at *mark.Mark) base.Declaration) *Scopes {
	return &Scopes{marks: m, outside: outside, declare: declare, numbers: make([]int32, 0, m.Scopes())}
}

// Own adds the next scope, which has the base that its element declares. It returns the scope.
func (s *Scopes) Own() *base.Scope {
	n := int32(len(s.numbers) + 1)
	s.numbers = append(s.numbers, n)
	return s.At(n)
}

// AsOuter adds the next scope, which is the scope of the element around its element.
func (s *Scopes) AsOuter() {
	outer := s.marks.ScopeMark(int32(len(s.numbers) + 1)).Scope
	s.numbers = append(s.numbers, s.numbers[outer-1])
}

// Without adds the next scope, which is none.
func (s *Scopes) Without(none *base.Scope) { s.numbers, s.none = append(s.numbers, 0), none }

// At returns the scope with a number.
func (s *Scopes) At(n int32) *base.Scope {
	if n <= 0 {
		return s.outside(n)
	}
	if n = s.numbers[n-1]; n == 0 {
		return s.none
	}
	return s.path[s.find(n)].scope
}

// find returns the index of a scope in the path. If the scope is not there, find makes it.
func (s *Scopes) find(n int32) (depth int) {
	for i := len(s.path) - 1; i >= 0; i-- {
		if s.path[i].n == n {
			return i
		}
	}
	at := s.marks.ScopeMark(n)
	if at.Scope > 0 && s.numbers[at.Scope-1] > 0 {
		depth = s.find(s.numbers[at.Scope-1]) + 1
	}
	s.path = append(s.path[:depth], numbered{n, s.At(at.Scope).Within(s.declare(at))})
	return depth
}
