package mark

// ScratchOf returns the value of type T that m keeps from one text to the next. The value is zero at first. A format
// keeps its buffers in a type of its own.
func ScratchOf[T any](m *Marks) *T {
	for _, kept := range m.scratch {
		if v, ok := kept.(*T); ok {
			return v
		}
	}
	v := new(T)
	m.scratch = append(m.scratch, v)
	return v
}
