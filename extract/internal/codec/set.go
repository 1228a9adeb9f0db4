package codec

// This file has set, a set of bytes.

// set is a set of bytes.
type set [256]bool

// setOf returns the set of the bytes of all strings.
func setOf(strs ...string) *set {
	var s set
	for _, str := range strs {
		for i := 0; i < len(str); i++ {
			s[str[i]] = true
		}
	}
	return &s
}

// not returns the set of all other bytes.
func (s *set) not() *set {
	var n set
	for i := range s {
		n[i] = !s[i]
	}
	return &n
}

// holds reports whether all bytes of b are in the set. A nil set contains nothing, not even the empty b.
func (s *set) holds(b []byte) bool {
	if s == nil {
		return false
	}
	for _, c := range b {
		if !s[c] {
			return false
		}
	}
	return true
}
