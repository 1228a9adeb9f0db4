package ascii

import (
	"strings"
)

// Words is the set of the words of a list.
func Words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// AnyOf says whether one of the words of a list is in a set, in any case.
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
