package ascii

import (
	"strings"
	"sync"
)

// Set is a set of bytes.
type Set [256]bool

// SetOf returns the set of the bytes of all strings.
func SetOf(strs ...string) *Set {
	var s Set
	for _, str := range strs {
		for i := 0; i < len(str); i++ {
			s[str[i]] = true
		}
	}
	return &s
}

// Range returns the set of the bytes from first to last.
func Range(first, last byte) *Set {
	var s Set
	for b := int(first); b <= int(last); b++ {
		s[b] = true
	}
	return &s
}

// Controls has the control characters except DEL.
var Controls = Range(0x00, 0x1F)

// Or returns the set of the bytes that are in s or in t.
func (s *Set) Or(t *Set) *Set {
	u := *s
	for b := range u {
		u[b] = u[b] || t[b]
	}
	return &u
}

// Not returns the set of all other bytes.
func (s *Set) Not() *Set {
	var n Set
	for i := range s {
		n[i] = !s[i]
	}
	return &n
}

// Holds reports whether all bytes of b are in the set. A nil set contains nothing, not even the empty b.
func (s *Set) Holds(b []byte) bool {
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

// Words returns the set of the words in a list of the source code, as a function that makes it when it is first used.
func Words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(list) {
			set[word] = true
		}
		return set
	})
}

// AnyOf reports whether a word of the list, in any case, is in the set, whose words must be in lower case. The list is
// a set of space-separated tokens (HTML 2.3.7).
func AnyOf(set map[string]bool, list []byte) bool {
	for start := 0; start < len(list); start++ {
		end := start
		for end < len(list) && !IsSpace(list[end]) {
			end++
		}
		var buf [64]byte
		if set[string(Fold(buf[:0], list[start:end]))] {
			return true
		}
		start = end
	}
	return false
}
