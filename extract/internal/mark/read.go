package mark

import (
	"iter"
	"slices"
)

// Clear removes all marks. It keeps the Settings and the scratch memory.
func (m *Marks) Clear() {
	m.list.last, m.list.full = m.list.last[:0], nil
	m.list.packed.clear()
	m.scopes.clear()
	m.declared, m.parts = recents[Declaration]{}, recents[Part]{}
	m.Notes.clear()
	m.Parts.clear()
}

// Bases yields the marks that declare a base, in the order of the bytes. It may omit refused declarations after the first
// ListedRefused. It must be called before All, whose chunks overwrite the last marks.
func (m *Marks) Bases(yield func(*Mark) bool) {
	for _, marks := range append(slices.Clip(m.list.packed.kept), m.list.last) {
		for i := range marks {
			if at := &marks[i]; at.Kind == IsBase && !yield(at) {
				return
			}
		}
	}
}

// All yields all marks in chunks. A chunk is valid until the next chunk.
func (m *Marks) All(yield func([]Mark) bool) { m.chunks(false)(yield) }

// Chunks is the last call of All: it releases the memory of the marks that it has yielded.
func (m *Marks) Chunks() iter.Seq[[]Mark] { return m.chunks(true) }

func (m *Marks) chunks(last bool) iter.Seq[[]Mark] {
	return func(yield func([]Mark) bool) {
		if len(m.list.packed.words) == 0 {
			yield(m.list.last)
			return
		}
		m.list.pack()
		m.list.packed.chunks(m.list.last, last, yield)
	}
}

// Stream sets a function that receives the marks whenever there are AtOnce of them. The function does not receive the
// last marks: Rest returns them.
func (m *Marks) Stream(take func([]Mark)) {
	m.list.full = func() { take(m.list.last) }
}

// Rest returns the marks that the function of Stream has not received yet.
func (m *Marks) Rest() []Mark { return m.list.last }

// Scopes returns the number of opened scopes, which is the number of the last one.
func (m *Marks) Scopes() int32 {
	last := len(m.scopes) - 1
	if last < 0 {
		return 0
	}
	return int32(last*pieceLen + len(m.scopes[last]))
}

// ScopeMark returns the declaration of the scope with the number n.
func (m *Marks) ScopeMark(n int32) *Mark { return m.scopes.at(int(n) - 1) }

// LastAt returns the last mark if its region begins at start, or nil.
func (m *Marks) LastAt(start int) *Mark {
	if n := len(m.list.last); n > 0 && m.list.last[n-1].Start == start {
		return &m.list.last[n-1]
	}
	return nil
}

// TakeBack removes the last mark.
func (m *Marks) TakeBack() { m.list.last = m.list.last[:len(m.list.last)-1] }
