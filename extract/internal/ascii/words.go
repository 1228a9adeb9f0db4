package ascii

import "strings"

// Words returns the set of the words in a list. Use it for lists in the source code, in lower case.
func Words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
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
