package mark

import (
	"strconv"
	"strings"
)

// Place is the name of the position of a link, such as "a@href", and the rules for references there. Places are shared,
// and never change.
type Place struct {
	Name string

	// Names is set where a reference that is only a fragment names something inside the same document,
	// by every standard: usemap, CSS, SVG. Such a reference is never made absolute.
	Names bool

	// Own is set where an empty reference is the document's own URL under the URL Standard, and not the
	// base URL: form@action.
	Own bool

	// Inert is set where an empty reference is no link under the URL Standard: img@src.
	Inert bool

	// Srcdoc is set where the value is a document with a URL of its own (HTML 4.8.5).
	Srcdoc bool

	// Reads reports whether bytes would be read as a link at such a place. If it is nil, the codec of the link can spell any
	// text there, or refuses it.
	Reads func(spelled []byte) bool
}

// Numbered returns the name of the n-th place of a name: "img@srcset[2]".
func Numbered(name string, n int) string { return name + "[" + strconv.Itoa(n) + "]" }

// Fits reports whether the place with a name and a number (0 for none) fits a pattern. A "*" in the pattern stands for any
// characters. Case is ignored. A pattern without a number fits every number.
func Fits(pattern, name string, number int) bool {
	return fits(pattern, name) || number > 0 && fits(pattern, Numbered(name, number))
}

func fits(pattern, name string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return strings.EqualFold(pattern, name)
	}
	if len(name) < len(first) || !strings.EqualFold(name[:len(first)], first) {
		return false
	}
	for name = name[len(first):]; ; rest = rest[len(first)+1:] {
		if first, _, star = strings.Cut(rest, "*"); !star {
			return len(name) >= len(first) && strings.EqualFold(name[len(name)-len(first):], first)
		}
		at := indexFold(name, first)
		if at < 0 {
			return false
		}
		name = name[at+len(first):]
	}
}

// indexFold returns the index of the first part in s without regard to case, or -1.
func indexFold(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}
