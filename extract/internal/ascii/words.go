package ascii

import "strings"

// Words returns the set of the words in a list. It is for lists in the source code, in lower case.
func Words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// AnyOf reports whether the set has any word of the list. The list is a set of space-separated tokens (HTML 2.3.7),
// which are compared without regard to ASCII case. The words of set are in lower case.
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
