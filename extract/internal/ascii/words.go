package ascii

import (
	"strings"
	"sync"
)

// Words returns a function that returns the set of the words in a list. The set is made when it is first used. Use Words for
// lists in the source code, in lower case.
func Words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(list) {
			set[word] = true
		}
		return set
	})
}

// AnyOf reports whether any word of the list is in the set. The list is a set of space-separated tokens (HTML 2.3.7).
// AnyOf ignores ASCII case. The words of set must be in lower case.
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
