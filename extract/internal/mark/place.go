package mark

import (
	"strconv"
	"strings"

	"absolink/extract/internal/ascii"
)

// Place is the name of the position of a link, such as "a@href", and the rules for references there. Places are shared,
// and never change.
type Place struct {
	Name string

	// Within begins the number of each body part at the place. It is the number of the multipart around the parts, with a
	// dot: "1.2.".
	Within string

	// Names is set where a fragment-only reference names something inside the same document, by every standard: in
	// usemap, CSS and SVG. Such a reference has the URL of its document, independent of the base. It is never made
	// absolute.
	Names bool

	// Own is set where an empty reference is the document's own URL, not the base URL, under the URL Standard. An
	// example is form@action.
	Own bool

	// Inert is set where an empty reference is not a link under the URL Standard. An example is img@src.
	Inert bool

	// Permanent is set where an absolute URL is the name of something, and must not change even if the thing moves (RFC 4287
	// 4.2.6). Examples are the id of an Atom entry and the guid of an RSS item.
	Permanent bool

	// Srcdoc is set where the value is a document with a URL of its own (HTML 4.8.5).
	Srcdoc bool

	// Reads reports whether a parser reads bytes at this place as a link. If Reads is nil, the codec of the link checks
	// the bytes: it can spell any text, or returns an error.
	Reads func(spelled []byte) bool

	// Describe returns the rel and the title of a link, from the text after the link. If Describe is nil, the element has
	// them.
	Describe func(after []byte) (rel, title []byte)
}

// Numbered returns the name of a place with its number n, such as "img@srcset[2]".
func Numbered(name string, n int) string { return name + "[" + strconv.Itoa(n) + "]" }

// Fits reports whether a place fits a pattern. The number of the place is 0 if it has no number. A "*" in the pattern
// matches any characters. Fits ignores the case of ASCII letters. A pattern without a number fits every number. The name of
// an element alone fits every attribute of the element.
func Fits(pattern, name string, number int) bool {
	pattern, name = ascii.Lower(pattern), ascii.Lower(name)
	element, _, attribute := strings.Cut(name, "@")
	return fits(pattern, name) || number > 0 && fits(pattern, Numbered(name, number)) || attribute && pattern == element
}

func fits(pattern, name string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	name, found := strings.CutPrefix(name, first)
	for found {
		if first, rest, star = strings.Cut(rest, "*"); !star {
			return strings.HasSuffix(name, first)
		}
		_, name, found = strings.Cut(name, first)
	}
	return false
}

// MayFit reports whether a place of a form may fit a pattern. A "*" in the form stands for any characters except "@". So "*@href"
// is the form of the places of the attribute href of any element.
func MayFit(pattern, form string) bool {
	pattern = ascii.Lower(pattern)
	if open := strings.LastIndexByte(pattern, '['); open >= 0 && strings.Trim(pattern[open:], "[0123456789*]") == "" {
		pattern = pattern[:open] // a number
	}
	form = ascii.Lower(form)
	after := make([]bool, len(form)+1) // after[j] reports whether the rest of the pattern may fit form[j:]
	for i := len(pattern); i >= 0; i-- {
		here := make([]bool, len(form)+1)
		for j := len(form); j >= 0; j-- {
			inPattern, inForm := i < len(pattern) && pattern[i] == '*', j < len(form) && form[j] == '*'
			switch {
			case i == len(pattern) && j == len(form):
				here[j] = true
			case inPattern || inForm:
				here[j] = inPattern && (after[j] || j < len(form) && here[j+1]) ||
					inForm && (here[j+1] || i < len(pattern) && pattern[i] != '@' && after[j])
			case i < len(pattern) && j < len(form):
				here[j] = pattern[i] == form[j] && after[j+1]
			}
		}
		after = here
	}
	return after[0]
}
