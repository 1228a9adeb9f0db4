package mark

// ScratchOf returns the value of type T that m keeps from text to text. It is zero at first. A format keeps its
// buffers there, under a type of its own.
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
